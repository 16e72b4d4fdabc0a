"""A whole worker in the process of the test: real sockets, real stores, and all it keeps within reach."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import uvicorn
from fastapi import FastAPI

from server.app import create_app
from server.archive.session import migrate
from server.config import Settings
from server.launcher import uvicorn_config

SECRET = b"for tests only, and long enough to be one"


class Inside:
    """The worker."""

    def __init__(self, app: FastAPI, port: int) -> None:
        self.app = app
        self.port = port
        self.url = f"http://127.0.0.1:{port}"

    def sizes(self) -> dict[str, int]:
        """How much it keeps in memory, by name."""
        found: dict[str, int] = self.app.state.pulse.sizes()
        return found


@contextlib.asynccontextmanager
async def inside(store_url: str, folder: Path) -> AsyncIterator[Inside]:
    """Serve from this loop, with limits of a whole town for an address and bots in a hurry."""
    database = f"sqlite+aiosqlite:///{folder / 'upcard.db'}"
    await asyncio.to_thread(migrate, database)
    settings = Settings(
        redis_url=store_url,
        database_url=database,
        secret=SECRET,
        players_per_address=100_000,
        lease_seconds=15,
        bot_pace=0.02,
        log_level="warning",
    )
    config = uvicorn_config(settings)
    app = create_app(settings)
    config.app, config.factory, config.port = app, False, 0
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:
        assert not serving.done(), "the worker did not start"
        await asyncio.sleep(0.01)
    try:
        yield Inside(app, server.servers[0].sockets[0].getsockname()[1])
    finally:
        server.should_exit = True
        await serving
