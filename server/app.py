"""The application of one worker: its parts, its loops, its routes, and the client's files."""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

import structlog
from fastapi import FastAPI, Request, Response
from fastapi.responses import FileResponse
from fastapi.staticfiles import StaticFiles

from server import telemetry
from server.api import health, history, session
from server.archive.keeper import Keeper
from server.archive.session import create_engine, create_session_factory
from server.clock import StoreClock
from server.config import STATIC, Settings
from server.gateway import endpoint
from server.gateway.context import Context
from server.tables.archiver import Archiver
from server.tables.hub import Hub
from server.tables.service import Service
from server.tables.store import Store
from server.tables.ticker import Ticker

log = structlog.get_logger(__name__)

AGAIN_SECONDS = 1.0
"""Pause before a loop that has failed begins again."""
FOREVER = "public, max-age=31536000, immutable"
"""The client's assets carry a hash in their names."""


def create_app(settings: Settings | None = None) -> FastAPI:
    """Build the application; settings come from the environment if none are given."""
    settings = settings or Settings.from_environment(os.environ)
    telemetry.configure_logs(settings.log_level, as_json=settings.log_json)
    app = FastAPI(title="Upcard", lifespan=_lifespan, openapi_url=None)
    app.state.settings = settings
    for router in (session.router, history.router, health.router, endpoint.router):
        app.include_router(router)
    _serve_client(app, STATIC)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    settings: Settings = app.state.settings
    clock = StoreClock()
    store = Store(settings.redis_url, settings.bot_pace)
    await store.set_clock(clock)
    engine = create_engine(settings.database_url)
    archive = create_session_factory(engine)
    keeper = Keeper(archive, clock)
    service = Service(store, clock)
    hub = Hub(store, service, clock, settings.lease_seconds)
    ticker = Ticker(store, service, clock, settings.bot_pace)
    archiver = Archiver(store, keeper.save)
    hub.on_change = ticker.follow
    hub.on_idle = ticker.forget
    service.on_finished = archiver.wake
    service.recover = keeper.recover
    app.state.store = store
    app.state.archive = archive
    app.state.context = Context(
        hub, service, clock, settings.secret, settings.build, settings.origins, keeper.lost_tables
    )
    work = (hub.run, hub.keep_leases, ticker.run, archiver.run)
    loops = [asyncio.create_task(_for_ever(loop)) for loop in work]
    # What the imports left is looked through by every full collection, for tens of milliseconds, and never freed.
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        await end_all(loops)
        await store.close()
        await engine.dispose()


async def _for_ever(loop: Callable[[], Awaitable[None]]) -> None:
    """A worker without one of its loops looks alive and is not: whatever ends one is told, and it begins again."""
    while True:
        try:
            await loop()
        except Exception:
            log.exception("loop fault", loop=loop.__qualname__)
        await asyncio.sleep(AGAIN_SECONDS)


async def end_all(loops: Iterable[asyncio.Task[None]]) -> None:
    """Cancel until all have ended.

    Once is not enough: a library call whose answer comes in the same instant may swallow the cancellation, and a
    worker that waits for such a loop would never go down.
    """
    pending = set(loops)
    while pending:
        for loop in pending:
            loop.cancel()
        _, pending = await asyncio.wait(pending, timeout=AGAIN_SECONDS)


def _serve_client(app: FastAPI, folder: Path) -> None:
    """The client: hashed assets for ever, its one page for every path that is a page of its own."""
    if (folder / "assets").is_dir():
        app.mount("/assets", StaticFiles(directory=folder / "assets"), name="assets")

    @app.middleware("http")
    async def headers(request: Request, call_next):  # type: ignore[no-untyped-def]
        response = await call_next(request)
        if request.url.path.startswith("/assets/"):
            response.headers["cache-control"] = FOREVER
        return response

    @app.get("/")
    @app.get("/history")
    @app.get("/history/{match}")
    @app.get("/rules/{game}")
    @app.get("/t/{table}")
    async def page() -> Response:
        return FileResponse(folder / "index.html", headers={"cache-control": "no-cache"})
