"""The HTTP part alone, served by uvicorn with our protocols in the loop of the test, so that its clocks can be set."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

import uvicorn
from fastapi import FastAPI, WebSocket, WebSocketDisconnect

from server.api import session
from server.api.answers import Unserved, unserved
from server.api.gate import Gate, Turnstile
from server.config import Settings
from server.doorway import LINE, LINE_BYTES
from server.launcher import uvicorn_config

POURED = 64
SETTINGS = Settings(redis_url="", database_url="", secret=b"s" * 32, players_per_address=1000)


@contextlib.asynccontextmanager
async def porch(settings: Settings = SETTINGS) -> AsyncIterator[int]:
    """Serve sessions, a socket that only listens, one that pours out 64 MiB, one that writes as much of them as is
    taken at once, and says how much that was, and one that ends in some way while a little waits; yields the port.
    """
    app = FastAPI()
    app.state.settings = settings
    app.add_middleware(Gate, Turnstile(settings.players_per_address))
    app.add_exception_handler(Unserved, unserved)
    app.include_router(session.router)

    @app.websocket("/ws")
    async def listen(websocket: WebSocket) -> None:
        await websocket.accept()
        async for _ in websocket.iter_text():
            pass

    @app.websocket("/pour")
    async def pour(websocket: WebSocket) -> None:
        await websocket.accept()
        with contextlib.suppress(WebSocketDisconnect):
            for _ in range(POURED):
                await websocket.send_text("x" * 2**20)
            await websocket.close()

    @app.websocket("/write")
    async def write(websocket: WebSocket) -> None:
        line = websocket.scope["extensions"].pop(LINE)
        assert not line.free
        await websocket.accept()
        written = 0
        while line.free and written < POURED:
            line.write("x" * 2**20)
            written += 1
        await websocket.send_text(str(written))
        await websocket.close()
        assert not line.free

    @app.websocket("/end/{how}")
    async def end(websocket: WebSocket, how: str) -> None:
        line = websocket.scope["extensions"].pop(LINE)
        await websocket.accept()
        while not line.transport.get_write_buffer_size():
            line.write("x" * 2**14)
            await asyncio.sleep(0)
        assert line.free, "too little waits for it to be noticed"
        match how:
            case "closed":
                await websocket.close()
            case "flooded":
                line.data_received(b"x" * (int(LINE_BYTES.burst) + 1))
                await websocket.receive()
            case _:
                line.keepalive_timeout()
                await websocket.receive()

    config = uvicorn_config(settings)
    config.app, config.factory, config.port = app, False, 0
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110 - uvicorn offers no event
        await asyncio.sleep(0.01)
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        await serving


async def exchange(port: int, *pieces: bytes, pause: float = 0) -> bytes:
    """Send pieces with pauses in between, while reading until the server closes; what is sent in vain is no fault."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)

    async def send() -> None:
        with contextlib.suppress(OSError):
            for piece in pieces:
                writer.write(piece)
                await writer.drain()
                await asyncio.sleep(pause)

    sending = asyncio.create_task(send())
    answer = b""
    with contextlib.suppress(OSError):
        async with asyncio.timeout(10):
            while more := await reader.read(65536):
                answer += more
    sending.cancel()
    writer.close()
    return answer
