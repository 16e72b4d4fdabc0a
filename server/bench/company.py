"""Bots in company: experts that think at many tables of one process, and tables of regulars on a server.

Only the experts' tables are in this process, without sockets and store, as it is their event loop whose lag is looked
at; the others are on a server of their own, with a guest at each table who moves as slowly as they do.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import Callable
from itertools import count

from structlog.testing import capture_logs

from server.bench.parties import Late, Person, arrive, plain_move, playing
from server.bench.report import Row, spread
from server.bench.tables import COME_TOGETHER, House, house
from server.protocol import AddBot, Create, Play, Ready, Watch
from server.rules.registry import GameName, rules_of
from server.tables import commands
from server.tables.decide import decide
from server.tables.manners import pause_ms
from server.tables.opening import open_table
from server.tables.table import Moment, Table
from server.tables.thinking import Thinkers, think

AT_REST, THINKING = "yardstick: event loop's lag, at rest", "event loop's lag, experts at {} tables"
NAP_SECONDS = 0.002
"""Asked for again and again; what it takes longer is the loop's lag."""
GUEST_SECONDS = 1.0
"""A guest takes as long over a move as a bot does."""
OPTIONS: dict[str, int | str] = {"players": 4, "turn_seconds": 0}
GAMES: tuple[GameName, ...] = ("konken", "conker")
"""Games of four in which a guest who draws and throws can do no wrong."""


# ---- experts in this process -------------------------------------------------------------------------------


def lag(tables: int, seconds: float) -> list[Row]:
    """The lag of an event loop at rest, and while experts think at so many tables; how soon they answer, and how often
    a regular has to do it for them.
    """
    with capture_logs() as told:
        rows, answers = asyncio.run(_lag(tables, seconds))
    late = sum(entry["log_level"] == "warning" for entry in told)
    return [*rows, Row("… given by a regular, as the expert was late", "", answers, late)]


async def _lag(tables: int, seconds: float) -> tuple[list[Row], int]:
    thinkers = Thinkers()
    try:
        boards = [Board(number, thinkers) for number in range(tables)]
        await thinkers.begun()
        rest = await _naps(seconds / 4)
        playing = [asyncio.create_task(board.play()) for board in boards]
        busy = await _naps(seconds)
        for task in playing:
            if task.done():
                task.result()  # it plays for ever, so this raises what went wrong
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
    finally:
        thinkers.close()
    answers = [ms for board in boards for ms in board.answers]
    rows = [
        spread(AT_REST, "ms", rest),
        spread(THINKING.format(tables), "ms", busy, AT_REST),
        spread(f"an expert's answer at {tables} tables", "ms", answers or [0.0]),
    ]
    return rows, len(answers)


async def _naps(seconds: float) -> list[float]:
    """How much longer each nap took than it should have, in ms."""
    found: list[float] = []
    end = time.monotonic() + seconds
    while not found or time.monotonic() < end:
        begun = time.perf_counter()
        await asyncio.sleep(NAP_SECONDS)
        found.append((time.perf_counter() - begun - NAP_SECONDS) * 1000)
    return found


class Board:
    """A table of Conquian where a guest, who plays as a regular does, meets an expert; hand after hand."""

    def __init__(self, number: int, thinkers: Thinkers) -> None:
        self._thinkers = thinkers
        self._ids = (f"c{one}" for one in count())
        message = Create(f"table{number}", "conquian", {"wins": 20, "turn_seconds": 0}, True)
        self.table = open_table(message, "guest", "Guest", b"bench", _moment())
        self._do(commands.Attach("guest", "socket"))
        self._do(commands.AddBot(next(self._ids), "guest", 1, "expert"))
        self._thinkers.expect(self.table)
        self.answers: list[float] = []
        """What the expert's answers took, in ms."""

    def _do(self, command: commands.Command) -> Table:
        self.table = decide(self.table, command, _moment()).table
        return self.table

    async def play(self) -> None:
        """Play until cancelled; the guest thinks as long as a bot would."""
        rules = rules_of("conquian")
        while True:
            asked = rules.deciders(self.table.hand) if self.table.phase == "playing" else ()
            if not asked:
                self._do(commands.Ready(next(self._ids), "guest", True, "5eed"))
                continue
            seat = asked[0]
            await asyncio.sleep(pause_ms(self.table, seat) / 1000)
            decision = self.table.seats[seat].decision
            if seat == 0:
                action = await asyncio.to_thread(think, self.table, seat, "regular")
                self._do(commands.Play(next(self._ids), "guest", decision, action))
            else:
                begun = time.perf_counter()
                action = await self._thinkers.choose(self.table, seat)
                self.answers.append((time.perf_counter() - begun) * 1000)
                self._do(commands.BotPlay(seat, decision, action))


def _moment() -> Moment:
    return Moment(time.time_ns() // 1_000_000, secrets.token_hex(96))


# ---- regulars on a server ----------------------------------------------------------------------------------


def regulars(tables: int, seconds: float) -> list[Row]:
    """What so many tables with three regulars and a guest each cost a server and its store, at their normal pace."""
    with house(1) as there:
        return asyncio.run(_regulars(there, tables, seconds))


async def _regulars(there: House, tables: int, seconds: float) -> list[Row]:
    room = asyncio.Semaphore(COME_TOGETHER)
    async with contextlib.AsyncExitStack() as stack:

        async def come(number: int) -> Guest:
            async with room:
                return await _seated(stack, there, GAMES[number % len(GAMES)])

        guests = await asyncio.gather(*(come(number) for number in range(tables)))
        playing = [asyncio.create_task(guest.play()) for guest in guests]
        for task in playing:
            stack.callback(task.cancel)
        await there.archived()
        before, begun, frames = there.cpu(), time.perf_counter(), sum(guest.versions for guest in guests)
        await asyncio.sleep(seconds)
        after, taken = there.cpu(), time.perf_counter() - begun
        frames = sum(guest.versions for guest in guests) - frames
        for task in playing:
            if task.done():
                task.result()  # a guest who has fallen from the chair is no measurement
    name = f"{tables} tables of regulars"
    server, store = (end - start for start, end in zip(before, after, strict=True))
    return [
        Row(f"{name}: server CPU", "cores", frames, server / taken),
        Row(f"{name}: store CPU", "cores", frames, store / taken),
        Row(f"{name}: CPU of both", "cores", frames, (server + store) / taken),
        Row(f"{name}: moves a table", "1/s", frames, frames / tables / taken),
    ]


class Guest:
    """Somebody among bots, who draws and throws."""

    def __init__(self, person: Person, table: str) -> None:
        self._person = person
        self._table = table

    @property
    def versions(self) -> int:
        """The table's version, which every move adds one to."""
        return (self._person.frame.v or 0) if self._person.frame else 0

    async def play(self) -> None:
        """Play until cancelled."""
        while True:
            frame = self._person.frame
            if frame is None or frame.view is None:
                raise RuntimeError("no frame has come")
            with contextlib.suppress(Late):
                if not playing(frame):
                    await self._person.command(Ready(self._person.new_id(), self._table, True, "5eed"))
                    await self._person.until(playing)
                elif frame.view.seats[0].asked:
                    await asyncio.sleep(GUEST_SECONDS)
                    move = Play(self._person.new_id(), self._table, frame.decision, plain_move(frame))
                    await self._person.reach((await self._person.command(move)).v or 0)
                else:
                    await self._person.until(_after(frame.v or 0))


def _after(v: int) -> Callable[..., bool]:
    return lambda frame: (frame.v or 0) > v


async def _seated(stack: contextlib.AsyncExitStack, there: House, game: GameName) -> Guest:
    """A guest at a table of its own with three regulars."""
    person = await arrive(stack, there.url, there.secret)
    table = (await person.command(Create(person.new_id(), game, OPTIONS, True))).table
    await person.send(Watch(table))
    await person.reach(1)
    for seat in range(1, 4):
        await person.command(AddBot(person.new_id(), table, seat))
    return Guest(person, table)
