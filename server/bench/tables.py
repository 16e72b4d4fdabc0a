"""Tables on a running server: four sockets each that draw and discard at a given pace.

The server is started for it, with one worker and embedded stores, and nothing leaves loopback. What is measured: CPU
time of server and store a move, and how long the mover waits for the answer and everybody for the new frame.
"""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
import time
from pathlib import Path
from urllib.parse import quote

from server.bench import yardsticks
from server.bench.processes import cpu_seconds, serving
from server.bench.report import Report, Row, machine, spread
from server.client import Client, new_session
from server.protocol import Frame, Play
from server.rules.game import AnyAction, Discard, Draw, Take

SEATS = 4
WARM_UP_MOVES = 10
IDLE_SECONDS = 3.0
TRIPS = 5000
"""Of each yardstick, before and after; half a second."""
LIMIT_SECONDS = 600.0
"""A bench that takes longer than this has gone wrong."""


def measure(tables: int, moves: int, rate: float, trips: int = TRIPS, idle: float = IDLE_SECONDS) -> Report:
    """Start the servers, play, and measure; raises TimeoutError if it takes too long."""
    with (
        tempfile.TemporaryDirectory(prefix="upcard-bench-") as folder,
        serving("server.bench.yardsticks") as (echo_url, echo),
        serving("server", "serve", "--port", "0", "--workers", "1", "--data", folder) as (url, server),
    ):
        store = int((Path(folder) / "store" / "valkey.lock").read_text())
        store_url = f"unix://{quote(str(Path(folder) / 'store' / 'valkey.sock'))}"

        async def round_of_sticks() -> tuple[yardsticks.Round, yardsticks.Round]:
            echoed = await yardsticks.echo(echo_url, echo, trips)
            return echoed, await yardsticks.compare_and_set(store_url, store, trips)

        async def run() -> list[Row]:
            async with asyncio.timeout(LIMIT_SECONDS):
                # Yardsticks before and after: the machine may be busier at one end than at the other.
                before = await round_of_sticks()
                rows = await _play(url, server, store, tables, moves, rate, idle)
                after = await round_of_sticks()
            echoes, sets = zip(before, after, strict=True)
            return rows + yardsticks.rows(echoes, sets)

        rows = asyncio.run(run())
    what = f"bench tables: {tables} tables, {moves} moves each at {rate:g} a second"
    return Report(what, machine(), tuple(rows))


async def _play(
    url: str, server: int, store: int, tables: int, moves: int, rate: float, idle: float
) -> list[Row]:
    async with contextlib.AsyncExitStack() as stack:
        parties = [await seated(stack, url) for _ in range(tables)]
        await asyncio.gather(*(party.play(WARM_UP_MOVES, rate, 0) for party in parties))
        server_before, store_before = cpu_seconds(server), cpu_seconds(store)
        await asyncio.sleep(idle)
        resting = [
            Row(
                "server CPU while nobody moves", "µs/s", 1, (cpu_seconds(server) - server_before) / idle * 1e6
            ),
            Row("store CPU while nobody moves", "µs/s", 1, (cpu_seconds(store) - store_before) / idle * 1e6),
        ]
        # Tables begin one after the other, or they would all move at once.
        starts = [n / len(parties) / rate for n in range(len(parties))]
        server_before, store_before, begun = cpu_seconds(server), cpu_seconds(store), time.perf_counter()
        times = await asyncio.gather(
            *(party.play(moves, rate, start) for party, start in zip(parties, starts, strict=True))
        )
        seconds = time.perf_counter() - begun
        server_used, store_used = cpu_seconds(server) - server_before, cpu_seconds(store) - store_before
    answers, frames = zip(*(pair for table in times for pair in table), strict=True)
    count = len(answers)
    return [
        Row("server CPU a move", "µs", count, server_used / count * 1e6, yardstick=yardsticks.ECHO_CPU),
        Row("store CPU a move", "µs", count, store_used / count * 1e6, yardstick=yardsticks.SET_CPU),
        spread("answer to the mover", "µs", answers, yardsticks.ECHO_TRIP),
        spread("frame at all four", "µs", frames, yardsticks.ECHO_TRIP),
        Row("moves", "1/s", count, count / seconds),
        *resting,
    ]


class Party:
    """Four clients at one table, the first in seat 0 and so on."""

    def __init__(self, table: str, clients: list[Client]) -> None:
        self._table = table
        self._clients = clients

    async def play(self, moves: int, rate: float, start: float) -> list[tuple[float, float]]:
        """Make so many moves; for each the µs until the answer, and until all have the frame."""
        times = []
        due = time.perf_counter() + start
        for _ in range(moves):
            frame = await self._question()
            await asyncio.sleep(due - time.perf_counter())
            times.append(await self._move(frame))
            due = max(due + 1 / rate, time.perf_counter())  # what was late is not made up for in a burst
        return times

    async def _question(self) -> Frame:
        """The frame of the seat that is asked; between hands all get ready first."""
        frames = [client.frames[self._table] for client in self._clients]
        if frames[0].view.phase != "playing":
            for client in self._clients:
                await client.ready(self._table)
            frames = [await client.frame(self._table, in_play) for client in self._clients]
        return next(frame for seat, frame in enumerate(frames) if frame.view.seats[seat].asked)

    async def _move(self, frame: Frame) -> tuple[float, float]:
        mover = self._clients[frame.you or 0]
        begun = time.perf_counter()
        ack = await mover.command(Play(mover.new_id(), self._table, frame.decision, plain_move(frame)))
        answered = time.perf_counter()
        for client in self._clients:
            await client.frame(self._table, lambda seen: seen.v >= (ack.v or 0))
        return (answered - begun) * 1e6, (time.perf_counter() - begun) * 1e6


async def seated(stack: contextlib.AsyncExitStack, url: str) -> Party:
    """Connect four players to a new table, and have the first hand dealt."""
    clients = []
    for seat in range(SEATS):
        cookie = await asyncio.to_thread(new_session, url, f"Seat {seat}")
        clients.append(await stack.enter_async_context(Client(url, cookie)))
    table = await clients[0].create({"turn_seconds": 60, "target": 1000})
    for client in clients[1:]:
        await client.watch(table)
        await client.sit(table)
    for client in clients:
        await client.frame(table, lambda frame: all(seat.here for seat in frame.view.seats))
    return Party(table, clients)


def in_play(frame: Frame) -> bool:
    """Whether a hand is played."""
    return frame.view.phase == "playing"


def plain_move(frame: Frame) -> AnyAction:
    """Draw, or take where the stock is out; then throw the last card that may be thrown."""
    legal = frame.legal
    if legal is None:
        raise ValueError("this seat is not asked")
    if legal.discard:
        return Discard(legal.discard[-1])
    return Draw() if legal.verbs["draw"] is None else Take()
