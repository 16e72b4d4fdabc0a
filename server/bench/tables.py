"""Tables on a running server: four sockets each that draw and discard, as fast as they may and at a given pace.

The server is started for it, with embedded stores, and nothing leaves loopback. More and more tables come to the same
server, so that its growth is seen. What is measured of each number of them: moves a second, CPU time of server and
store a move, how long the mover waits for the answer and everybody for the new frame, bytes to all four, memory.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from urllib.parse import quote

from redis.asyncio import Redis

from server.bench import yardsticks
from server.bench.parties import SEATS, Party, seated
from server.bench.processes import cpu_seconds, family, memory, serving
from server.bench.report import Report, Row, machine, spread

WARM_UP_MOVES = 6
IDLE_SECONDS = 3.0
AGAIN_SECONDS = 0.2
TRIPS = 5000
"""Of each yardstick, before and after; half a second."""
LIMIT_SECONDS = 1800.0
"""A bench that takes longer than this has gone wrong."""
COME_TOGETHER = 16
"""Tables that are opened at once: their sockets are greeted one after the other anyway."""
OPEN_SHARE = 0.5
"""Of the closed loop's moves a second: an open loop near the limit would only show how long its queue grows."""


class House:
    """Servers of our own with their store, and how they are doing."""

    def __init__(self, doors: Sequence[tuple[str, int]], folder: Path) -> None:
        self.url = doors[0][0]
        self.store_url = store_url(folder)
        self.secret = (folder / "secret").read_bytes()
        self.store = int((folder / "store" / "valkey.lock").read_text())
        self._doors = itertools.cycle(url for url, _ in doors)
        self._servers = [process for _, server in doors for process in family(server)]

    def door(self) -> str:
        """Where the people of the next table come in."""
        return next(self._doors)

    def cpu(self) -> tuple[float, float]:
        """Seconds of server and store so far."""
        return sum(map(cpu_seconds, self._servers)), cpu_seconds(self.store)

    def memory(self) -> int:
        """Bytes of the server, all workers together."""
        return sum(map(memory, self._servers))

    async def store_memory(self) -> int:
        """Bytes that the store holds."""
        async with Redis.from_url(self.store_url) as redis:
            info = await redis.info("memory")
        return int(info["used_memory"])

    async def archived(self) -> None:
        """Wait until nothing waits for the archive: that a match has begun is written once, and no move's cost."""
        async with Redis.from_url(self.store_url) as redis:
            waits = True
            while waits:
                await asyncio.sleep(AGAIN_SECONDS)
                waits = bool([key async for key in redis.scan_iter("{*}done")])


@contextlib.contextmanager
def house(workers: int, gathered: bool = False) -> Iterator[House]:
    """A server with embedded stores, in a folder that goes with it.

    Its workers share a door, and chance decides who of a table comes to which; `gathered`: each is a server with a
    door of its own, as behind a proxy that goes by tables.
    """
    serve = ("server", "serve", "--port", "0")
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="upcard-bench-")))
        beside = workers - 1 if gathered else 0
        first = (*serve, "--workers", str(workers - beside), "--data", str(folder))
        doors = [stack.enter_context(serving(*first))]
        doors += [stack.enter_context(serving(*serve, **stores(folder))) for _ in range(beside)]
        yield House(doors, folder)


def store_url(folder: Path) -> str:
    """The embedded store of a server that keeps its data there."""
    return f"unix://{quote(str(folder / 'store' / 'valkey.sock'))}"


def stores(folder: Path) -> dict[str, str]:
    """The settings of another server on the stores of one that keeps its data there."""
    return {
        "UPCARD_REDIS_URL": store_url(folder),
        "UPCARD_DATABASE_URL": f"sqlite:///{folder / 'upcard.db'}",
        "UPCARD_SECRET": (folder / "secret").read_text(),
    }


def measure(
    tables: Sequence[int],
    moves: int,
    rate: float | None = None,
    workers: int = 1,
    trips: int = TRIPS,
    idle: float = IDLE_SECONDS,
    gathered: bool = False,
) -> Report:
    """Start the servers, play at each number of tables, and measure; raises TimeoutError if it takes too long.

    `rate` is the open loop's, of each table; None: OPEN_SHARE of what the closed loop came to. `gathered`: all of a
    table are at one of the workers.
    """
    with serving("server.bench.yardsticks") as (echo_url, echo), house(workers, gathered) as there:

        async def play() -> list[Row]:
            return await _grow(there, sorted(tables), moves, rate, idle, echo_url)

        rows = asyncio.run(_between_sticks(play, echo_url, echo, there, trips))
    sizes = ", ".join(map(str, sorted(tables)))
    who = f"{workers} workers, {'gathered' if gathered else 'as they come'}" if workers > 1 else "1 worker"
    what = f"bench tables: {sizes} tables, {moves} moves each, {who}"
    return Report(what, machine(), tuple(rows))


async def _between_sticks(
    work: Callable[[], Awaitable[list[Row]]], echo_url: str, echo: int, there: House, trips: int
) -> list[Row]:
    """Do the work with a round of yardsticks before and after: the machine may be busier at one end."""

    async def round_of_sticks() -> tuple[yardsticks.Round, yardsticks.Round]:
        echoed = await yardsticks.echo(echo_url, echo, trips)
        return echoed, await yardsticks.compare_and_set(there.store_url, there.store, trips)

    async with asyncio.timeout(LIMIT_SECONDS):
        before = await round_of_sticks()
        rows = await work()
        after = await round_of_sticks()
    echoes, sets = zip(before, after, strict=True)
    return rows + yardsticks.rows(echoes, sets)


async def _grow(
    there: House, sizes: Sequence[int], moves: int, rate: float | None, idle: float, echo_url: str
) -> list[Row]:
    rows: list[Row] = []
    parties: list[Party] = []
    server_bytes, store_bytes = there.memory(), await there.store_memory()
    async with contextlib.AsyncExitStack() as stack:
        for size in sizes:
            parties += await _come(stack, there, size - len(parties))
            await asyncio.gather(*(party.play(WARM_UP_MOVES) for party in parties))
            await there.archived()
            name = f"{size} tables"
            resting = await _rest(there, name, idle)
            rest = sum(row.mean for row in resting)
            closed = await _play(there, parties, moves, None, rest, f"{name}, closed loop")
            reached = next(row.mean for row in closed if row.unit == "1/s")
            pace = rate or reached * OPEN_SHARE / size
            async with yardsticks.echo_beside(echo_url) as trips:
                opened = await _play(there, parties, moves, pace, rest, f"{name}, open loop")
            opened.append(spread(f"{name}, open loop: an echo beside it", "µs", trips, yardsticks.ECHO_TRIP))
            rows += closed + opened + resting
            kib = (there.memory() - server_bytes) / size / 1024
            rows.append(Row(f"{name}: server memory a table", "KiB", size, kib))
            kib = (await there.store_memory() - store_bytes) / size / 1024
            rows.append(Row(f"{name}: store memory a table", "KiB", size, kib))
    return rows


async def _come(stack: contextlib.AsyncExitStack, there: House, count: int) -> list[Party]:
    """So many new tables, a few at once."""
    room = asyncio.Semaphore(COME_TOGETHER)

    async def one() -> Party:
        async with room:
            return await seated(stack, there.door(), there.secret)

    return list(await asyncio.gather(*(one() for _ in range(count))))


async def _play(
    there: House, parties: Sequence[Party], count: int, rate: float | None, rest: float, name: str
) -> list[Row]:
    """Play and measure; `rest` is what server and store take while nobody moves, in µs a second."""
    # Tables begin one after the other, or they would all move at once.
    starts = [n / len(parties) / rate if rate else 0.0 for n in range(len(parties))]
    received = sum(party.received for party in parties)
    (server, store), begun = there.cpu(), time.perf_counter()
    played = await asyncio.gather(
        *(party.play(count, rate, start) for party, start in zip(parties, starts, strict=True))
    )
    seconds = time.perf_counter() - begun
    server_end, store_end = there.cpu()
    server, store = (server_end - server) * 1e6, (store_end - store) * 1e6
    received = sum(party.received for party in parties) - received
    answers, own, every = zip(*(move for moves in played for move in moves), strict=True)
    n = len(answers)
    return [
        Row(f"{name}: moves", "1/s", n, n / seconds),
        Row(f"{name}: server CPU a move", "µs", n, server / n, yardstick=yardsticks.ECHO_CPU),
        Row(f"{name}: store CPU a move", "µs", n, store / n, yardstick=yardsticks.SET_CPU),
        Row(f"{name}: CPU of both a move", "µs", n, (server + store) / n, yardstick=yardsticks.ECHO_CPU),
        Row(
            f"{name}: … beyond what rest costs",
            "µs",
            n,
            (server + store - rest * seconds) / n,
            yardstick=yardsticks.ECHO_CPU,
        ),
        spread(f"{name}: answer to the mover", "µs", answers, yardsticks.ECHO_TRIP),
        spread(f"{name}: the mover's new frame", "µs", own, yardsticks.ECHO_TRIP),
        spread(f"{name}: frame at all {SEATS}", "µs", every, yardsticks.ECHO_TRIP),
        Row(f"{name}: bytes a move to all {SEATS}", "B", n, received / n),
    ]


async def _rest(there: House, name: str, seconds: float) -> list[Row]:
    """What connected tables cost while nobody moves."""
    server, store = there.cpu()
    await asyncio.sleep(seconds)
    server_end, store_end = there.cpu()
    return [
        Row(f"{name}, at rest: server CPU", "µs/s", 1, (server_end - server) / seconds * 1e6),
        Row(f"{name}, at rest: store CPU", "µs/s", 1, (store_end - store) / seconds * 1e6),
    ]
