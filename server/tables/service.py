"""Commands to tables: read, decide, commit, tell. One lock a table keeps this worker from racing with itself;
compare-and-set settles it with the others."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from weakref import WeakValueDictionary

import structlog

from server import telemetry
from server.clock import Clock
from server.rules.refusal import Code, Refused
from server.tables.commands import Command, Tick
from server.tables.decide import decide
from server.tables.store import Conflict, Held, Store, StoreError
from server.tables.table import Decision, Event, Moment, Table
from server.tables.timers import decides_at

log = structlog.get_logger(__name__)

RETRIES = 16
"""Conflicts in a row before a command is given up: far more than the seats and tickers that could race."""
SEED_BYTES = 96
"""108! needs 578 bits, so that a customary 256 could not reach every deal (architecture: Fair play)."""

ABSENT_MS = 5_000
"""How long a table that neither store nor archive knows is not looked for again."""
ABSENT_MOST = 10_000
"""Ids remembered as absent; beyond it they are forgotten together."""

MOST_TABLES = 20_000
"""Tables in the house unless the settings say otherwise (Settings.max_tables)."""

Recover = Callable[[str], Awaitable[Decision | None]]
"""To put a lost table, built again from the archive, back into the store; None if there is none to bring back.

Raises Refused(UNAVAILABLE) while the archive is away.
"""
Deliver = Callable[[str, Held | None, tuple[Event, ...]], None]
"""Told of every commit made here: table id, the table afterwards (None: gone), what happened."""


async def _nothing(table_id: str) -> None:
    return None


class Service:
    """Executes commands."""

    def __init__(self, store: Store, clock: Clock, most_tables: int = MOST_TABLES) -> None:
        self._store = store
        self._clock = clock
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self.deliver: Deliver = lambda table_id, held, events: None
        self.cached: Callable[[str], Held | None] = lambda table_id: None
        self.on_doubt: Callable[[], None] = lambda: None
        self.on_finished: Callable[[], None] = lambda: None
        self.recover: Recover = _nothing
        self._absent: dict[str, int] = {}
        self._most_tables = most_tables

    def sizes(self) -> dict[str, int]:
        """How much this service keeps in memory, by name."""
        return {"locks": len(self._locks), "absent": len(self._absent)}

    def moment(self) -> Moment:
        """Now, and a fresh secret seed."""
        return Moment(self._clock.now(), secrets.token_hex(SEED_BYTES))

    async def create(self, table: Table) -> None:
        """Put a new table into the store; one that is there already (a re-send) stays as it is.

        Raises Refused(HOUSE_FULL).
        """
        if sum((await self._store.count()).values()) >= self._most_tables:
            if await self._store.load(table.id) is not None:
                return
            raise Refused(Code.HOUSE_FULL)
        await self._foresee_seats(frozenset(), table.id, table.players)
        try:
            held = await self._store.commit(None, Decision(table))
        except Conflict:
            return
        telemetry.COMMITS.inc()
        self.deliver(table.id, held, ())
        await self._note_seats(frozenset(), table.id, table.players)

    async def read(self, table_id: str) -> Table:
        """A table as this worker knows it. Raises Refused(NO_SUCH_TABLE)."""
        held = self.cached(table_id) or await self.find(table_id)
        if held is None:
            raise Refused(Code.NO_SUCH_TABLE)
        return held.table

    async def find(self, table_id: str) -> Held | None:
        """A table from the store, or from the archive if the store has lost it. None: there is none (any more)."""
        held = await self._store.load(table_id)
        if held is not None or self._clock.now() < self._absent.get(table_id, 0):
            return held
        held = await self._bring_back(table_id)
        if held is None:
            await self._store.bury(table_id)  # its deadline and its lobby row may have outlived it
        return held

    async def _bring_back(self, table_id: str) -> Held | None:
        if await self._store.waits(table_id):
            # It has just ended, and the archive does not know yet; or another worker has brought it back meanwhile.
            return await self._store.load(table_id)
        found = await self.recover(table_id)
        if found is None:
            self._note_absent(table_id)
            return None
        try:
            held = await self._store.commit(None, found)
        except Conflict as conflict:
            return conflict.held
        self.deliver(table_id, held, found.events)
        self.on_finished()
        log.warning("table recovered from the archive", table=table_id, match=found.table.match_id)
        await self._note_seats(frozenset(), table_id, found.table.players)
        return held

    def _note_absent(self, table_id: str) -> None:
        if len(self._absent) >= ABSENT_MOST:
            self._absent.clear()
        self._absent[table_id] = self._clock.now() + ABSENT_MS

    async def execute(self, table_id: str, command: Command) -> Table:
        """Carry out one command; returns the table that holds its effect. Raises Refused, or StoreError."""
        async with self._lock(table_id):
            held = self.cached(table_id)
            if held is not None:
                try:
                    after = await self._attempt(held, command)
                    if after is not held.table or isinstance(command, Tick):
                        return after
                except Refused:
                    pass
                except Conflict as conflict:
                    # Nothing lies there: the table has ended, or the store has lost it and the archive has not.
                    held = conflict.held or await self.find(table_id)
                    return await self._retry(table_id, held, command)
            # Our copy may be a moment old, or newer than a store that has lost its last second: what is refused, or
            # changes nothing, must be so in truth. A tick comes again.
            return await self._retry(table_id, await self.find(table_id), command)

    async def _retry(self, table_id: str, held: Held | None, command: Command) -> Table:
        for _ in range(RETRIES):
            if held is None:
                raise Refused(Code.NO_SUCH_TABLE)
            try:
                return await self._attempt(held, command)
            except Conflict as conflict:
                held = conflict.held
        log.error("conflicts without end", table=table_id, command=type(command).__name__)
        raise Refused(Code.UNAVAILABLE)

    async def _attempt(self, held: Held, command: Command) -> Table:
        decision = decide(held.table, command, self.moment())
        if decision.table is held.table and not decision.closed:
            return held.table
        seated = frozenset() if decision.closed else decision.table.players
        await self._foresee_seats(held.table.players, held.table.id, seated)
        try:
            after = await self._store.commit(held, decision)
        except Conflict:
            telemetry.CONFLICTS.inc()
            raise
        except (StoreError, asyncio.CancelledError):
            self.on_doubt()  # it may have been committed, and nobody here has been told
            raise
        telemetry.COMMITS.inc()
        if isinstance(command, Tick):
            self._observe_lateness(held.table)
        self.deliver(held.table.id, after, decision.events)
        if decision.finished:
            self.on_finished()
        await self._note_seats(held.table.players, held.table.id, seated)
        return decision.table

    def _observe_lateness(self, before: Table) -> None:
        due = decides_at(before)
        if due is not None:
            telemetry.TICKER_LAG.labels("clock").observe(self._clock.seconds(max(0, self._clock.now() - due)))

    async def _foresee_seats(self, before: frozenset[str], table_id: str, after: frozenset[str]) -> None:
        # Ahead of the commit: if its answer is lost, or this worker dies, whoever sits there is still found there
        # (quick.py would seat them twice). Where it fails, nothing has been done yet.
        for player in after - before:
            await self._store.note_seat(player, table_id, True)

    async def _note_seats(self, before: frozenset[str], table_id: str, after: frozenset[str]) -> None:
        # Only a hint, after the commit: its failure must not turn what was done into a refusal. Who has come is
        # noted again: somebody may have looked before the commit, and taken the hint for a wrong one.
        for player in before ^ after:
            try:
                await self._store.note_seat(player, table_id, player in after)
            except StoreError as error:
                log.warning("seat not noted", table=table_id, error=repr(error))

    def _lock(self, table_id: str) -> asyncio.Lock:
        """The lock of a table, there for as long as anybody holds it or waits for it."""
        return self._locks.setdefault(table_id, asyncio.Lock())
