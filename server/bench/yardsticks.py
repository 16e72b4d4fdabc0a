"""What a move is measured by: an echo on the same server stack, and a bare compare-and-set against the same store.

`python -m server.bench.yardsticks` runs the echo server.
"""

from __future__ import annotations

import contextlib
import time

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
COMPARE_AND_SET = """
if redis.call('HGET', KEYS[1], 'rev') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'rev', ARGV[2], 'record', ARGV[3])
return 1
"""


async def echo(url: str, pid: int, count: int) -> list[Row]:
    """Send a text and wait for it, one after the other."""
    trips = []
    async with connect(url.replace("http", "ws", 1) + "/ws", compression=None) as socket:
        for _ in range(count // 10):
            await socket.send(TEXT)
            await socket.recv()
        before = cpu_seconds(pid)
        for _ in range(count):
            begun = time.perf_counter()
            await socket.send(TEXT)
            await socket.recv()
            trips.append((time.perf_counter() - begun) * 1e6)
        used = cpu_seconds(pid) - before
    return [Row(ECHO_CPU, "µs", count, used / count * 1e6), spread(ECHO_TRIP, "µs", trips)]


async def compare_and_set(store_url: str, pid: int, count: int) -> list[Row]:
    """Put a record in the place of the one before, one after the other."""
    trips = []
    async with contextlib.aclosing(Redis.from_url(store_url)) as redis:
        script = redis.register_script(COMPARE_AND_SET)
        await redis.hset("bench", "rev", "0")
        before, own = cpu_seconds(pid), time.process_time()
        for number in range(count):
            begun = time.perf_counter()
            if await script(keys=["bench"], args=[number, number + 1, TEXT]) != 1:
                raise RuntimeError("somebody else writes to this store")
            trips.append((time.perf_counter() - begun) * 1e6)
        used, own = cpu_seconds(pid) - before, time.process_time() - own
        await redis.delete("bench")
    return [
        Row(SET_CPU, "µs", count, used / count * 1e6),
        Row(SET_OWN, "µs", count, own / count * 1e6),
        spread(SET_TRIP, "µs", trips),
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
    with listen(settings) as listener:
        print(f"Echo is open at http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
        uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main()
