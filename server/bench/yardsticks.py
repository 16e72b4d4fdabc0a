"""What a move is measured by: an echo on the same server stack, and a bare compare-and-set against the same store.

`python -m server.bench.yardsticks` runs the echo server.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from statistics import fmean
from typing import NamedTuple

import uvicorn
from fastapi import FastAPI, WebSocket, WebSocketDisconnect
from redis.asyncio import Redis
from websockets.asyncio.client import connect

from server.bench.processes import cpu_seconds
from server.bench.report import Row, spread
from server.config import Settings
from server.launcher import listen, uvicorn_config

ECHO_CPU, ECHO_TRIP = "yardstick: echo, server CPU", "yardstick: echo, round trip"
SET_CPU, SET_OWN, SET_TRIP = (
    "yardstick: compare-and-set, store CPU",
    "yardstick: compare-and-set, client CPU",
    "yardstick: compare-and-set, round trip",
)
TEXT = 2048 * "x"
"""About a frame, and about a table's record."""
BESIDE_SECONDS = 1 / 20
COMPARE_AND_SET = """
if redis.call('HGET', KEYS[1], 'rev') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'rev', ARGV[2], 'record', ARGV[3])
return 1
"""


class Round(NamedTuple):
    """So many trips: how long each took in µs, and the CPU time of a trip, the server's or store's and our own."""

    trips: list[float]
    cpu: float
    own_cpu: float


async def echo(url: str, pid: int, count: int) -> Round:
    """Send a text to the echo server and wait for it, one after the other."""
    async with connect(url.replace("http", "ws", 1) + "/ws", compression=None) as socket:

        async def trip(number: int) -> None:
            await socket.send(TEXT)
            await socket.recv()

        return await _round(trip, pid, count)


@contextlib.asynccontextmanager
async def echo_beside(url: str) -> AsyncIterator[list[float]]:
    """Send a text to the echo server twenty times a second; yields how long each trip took so far, in µs.

    What a loaded machine makes everybody wait, whatever is served: a move's latency is told beside this.
    """
    trips: list[float] = []

    async def keep_asking() -> None:
        async with connect(url.replace("http", "ws", 1) + "/ws", compression=None) as socket:
            while True:
                begun = time.perf_counter()
                await socket.send(TEXT)
                await socket.recv()
                trips.append((time.perf_counter() - begun) * 1e6)
                await asyncio.sleep(BESIDE_SECONDS)

    asking = asyncio.create_task(keep_asking())
    try:
        yield trips
    finally:
        asking.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await asking


async def compare_and_set(store_url: str, pid: int, count: int) -> Round:
    """Put a record in the place of the one before, one after the other."""
    async with contextlib.aclosing(Redis.from_url(store_url)) as redis:
        script = redis.register_script(COMPARE_AND_SET)

        async def trip(number: int) -> None:
            if await script(keys=["bench"], args=[number, number + 1, TEXT]) != 1:
                raise RuntimeError("somebody else writes to this store")

        await redis.hset("bench", "rev", "0")
        found = await _round(trip, pid, count)
        await redis.delete("bench")
    return found


async def _round(trip: Callable[[int], Awaitable[None]], pid: int, count: int) -> Round:
    trips = []
    cpu, own_cpu = cpu_seconds(pid), time.process_time()
    for number in range(count):
        begun = time.perf_counter()
        await trip(number)
        trips.append((time.perf_counter() - begun) * 1e6)
    cpu, own_cpu = cpu_seconds(pid) - cpu, time.process_time() - own_cpu
    return Round(trips, cpu / count * 1e6, own_cpu / count * 1e6)


def rows(echoes: Sequence[Round], sets: Sequence[Round]) -> list[Row]:
    """The figures of several rounds of equal length."""

    def row(name: str, values: Sequence[float], rounds: Sequence[Round]) -> Row:
        return Row(name, "µs", sum(len(one.trips) for one in rounds), fmean(values))

    return [
        row(ECHO_CPU, [one.cpu for one in echoes], echoes),
        spread(ECHO_TRIP, "µs", [trip for one in echoes for trip in one.trips]),
        row(SET_CPU, [one.cpu for one in sets], sets),
        row(SET_OWN, [one.own_cpu for one in sets], sets),
        spread(SET_TRIP, "µs", [trip for one in sets for trip in one.trips]),
    ]


# ---- the echo server -------------------------------------------------------------------------------------------

app = FastAPI()


@app.websocket("/ws")
async def answer(websocket: WebSocket) -> None:
    """Send back what comes."""
    await websocket.accept()
    with contextlib.suppress(WebSocketDisconnect):
        while True:
            await websocket.send_text(await websocket.receive_text())


def main() -> None:
    """Serve on a free port of loopback, as `upcard serve` would."""
    settings = Settings(redis_url="", database_url="", secret=b"", port=0)
    config = uvicorn_config(settings)
    config.app, config.factory = app, False
    config.ws = "websockets-sansio"  # without the house's bounds: no player sends as much as an echo
    with listen(settings) as listener:
        print(f"Echo is open at http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
        uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main()
