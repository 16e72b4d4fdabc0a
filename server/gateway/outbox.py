"""What waits to be sent on one socket. Answers queue up; of a table's frames only the newest is sent."""

from __future__ import annotations

import asyncio
from typing import Protocol
from weakref import ref

from msgspec.structs import replace

from server import telemetry
from server.brief import Teller
from server.clock import Clock
from server.protocol import AnyServerMessage, TableView, encode
from server.sight import Sight
from server.tables.table import Event, Table
from server.tables.views import common_of, sight_of

MOST_ANSWERS = 2_000
"""Answers that may wait: more than a client within its rate can cause; a socket that does not read is closed."""
MOST_EVENTS = 60
"""Events that a slow socket's next frame still tells; older ones are only narration."""


class Overflow(Exception):
    """The other side does not read."""


class Writable(Protocol):
    """A socket that may be written to without waiting (doorway.py)."""

    @property
    def free(self) -> bool:
        """Whether it is open, and takes more."""

    def write(self, text: str) -> None:
        """Send a text at once, if it is free."""


class Commons:
    """What all viewers of a table see alike, made once a version: its frames are made one after the other.

    The table itself is not kept: the last one shown may be the last for hours.
    """

    def __init__(self) -> None:
        self._last: tuple[ref[Table], TableView] | None = None
        self.teller = Teller()

    def of(self, table: Table) -> TableView:
        """The common part of the table's frames."""
        if self._last is None or self._last[0]() is not table:
            self._last = ref(table), common_of(table)
        return self._last[1]


class _Pending:
    def __init__(self, table: Table) -> None:
        self.table = table
        self.events: tuple[Event, ...] = ()
        self.sync = False


class Outbox:
    """Newest frame wins; everything else is sent once, in order."""

    def __init__(self, player: str, clock: Clock, commons: Commons) -> None:
        self._player = player
        self._clock = clock
        self._commons = commons
        self._queue: list[AnyServerMessage | str] = []  # mostly empty, and a deque is never below 700 bytes
        self._pending: dict[str, _Pending] = {}
        self._shown: dict[str, Sight] = {}
        self._seen: dict[str, int] = {}
        self._waiter: asyncio.Future[None] | None = None
        self._overflowed = False
        self._fault: Exception | None = None
        self.whole = False
        """Whether the other side knows frames only as they were before PROTOCOL 2: whole but for `about`."""
        self.line: Writable | None = None
        """Where it is written at once while nothing waits: to wake the writer would cost as much as a frame."""

    def put(self, message: AnyServerMessage) -> None:
        """Send or queue a message. Beyond MOST_ANSWERS nothing is kept, and the writer ends with Overflow."""
        if (line := self._free_line()) is not None:
            line.write(encode(message))
            return
        if len(self._queue) < MOST_ANSWERS:
            self._queue.append(message)
        else:
            self._overflowed = True
        self._wake()

    def expect(self, table_id: str, seen: int | None) -> None:
        """A watch begins: the first frame tells everything anew, and what was missed since `seen`."""
        self.forget(table_id)
        if seen is not None:
            self._seen[table_id] = seen

    def show(self, table: Table, events: tuple[Event, ...], sync: bool) -> None:
        """Send a table's newest version, or queue it; the frame is made when it is sent.

        What was seen before the watch is not shown again by a worker that has fallen behind, but for good: `sync`.
        """
        if table.v < self._seen.get(table.id, 0) and not sync:
            return
        # The first one waits a moment: who begins to watch is about to be here, and that makes a version of its own.
        if table.id in self._shown and (line := self._free_line()) is not None:
            try:
                line.write(self._frame(table, events, sync))
            except Exception as fault:
                # It ends this socket. Whoever shows the table goes on with the others.
                self._fault = fault
                self._wake()
            return
        pending = self._pending.get(table.id)
        if pending is None:
            pending = self._pending[table.id] = _Pending(table)
            self._queue.append(table.id)
        else:
            telemetry.FRAMES_SKIPPED.inc()
        pending.table = table
        pending.events = (*pending.events, *events)[-MOST_EVENTS:]
        pending.sync = pending.sync or sync
        self._wake()

    def forget(self, table_id: str) -> None:
        """Nothing more of this table; should it be watched again, everything is sent anew."""
        self._shown.pop(table_id, None)
        self._seen.pop(table_id, None)
        if self._pending.pop(table_id, None) is not None:
            self._queue.remove(table_id)

    async def next(self) -> str:
        """Wait for the next text to send. Raises Overflow, and what went wrong with a frame that was sent at once."""
        while not (self._queue or self._overflowed or self._fault):
            # An event does the same for four times the price.
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        if self._fault is not None:
            raise self._fault
        if self._overflowed:
            raise Overflow
        return self._text(self._queue.pop(0))

    def _free_line(self) -> Writable | None:
        """The line, if nothing has to go before what is to be sent now."""
        idle = self._waiter is not None and not self._waiter.done()
        return self.line if idle and self.line is not None and self.line.free else None

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def _text(self, item: AnyServerMessage | str) -> str:
        """An answer as it is; of the table of that id the newest frame."""
        if not isinstance(item, str):
            return encode(item)
        pending = self._pending.pop(item)
        return self._frame(pending.table, pending.events, pending.sync)

    def _frame(self, table: Table, events: tuple[Event, ...], sync: bool) -> str:
        before = self._shown.get(table.id)
        seen = self._seen.pop(table.id, None)
        common = self._commons.of(table)
        sight = sight_of(table, self._player, self._clock.now(), events, sync, seen, common)
        self._shown[table.id] = sight
        telemetry.FRAMES_SENT.inc()
        if not self.whole:
            return self._commons.teller.brief(sight, before)
        known = before is not None and before.about == sight.about
        return encode(replace(sight.frame, about=None) if known else sight.frame)
