"""The application of one worker: its parts, its loops, its routes, and the client's files."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

import structlog
from fastapi import FastAPI, Request, Response, WebSocket
from fastapi.responses import FileResponse, JSONResponse
from starlette.types import Receive, Scope, Send

from server import telemetry
from server.api import handover, health, history, leaderboard, replay, schema, session
from server.api.answers import Unserved, not_allowed, unserved
from server.api.assets import Assets
from server.api.gate import Gate, Turnstile
from server.api.leaderboard import Boards
from server.api.preload import FIRST, TABLE, Preloads, Stage
from server.archive.keeper import Keeper
from server.archive.session import create_engine, create_session_factory, knows_schema
from server.clock import StoreClock
from server.config import STATIC, Settings
from server.gateway import endpoint
from server.gateway.context import Context
from server.gateway.limits import Doorkeeper
from server.leaving import Leaving
from server.players import player_of
from server.pulse import Pulse
from server.readiness import Readiness
from server.tables.archiver import Archiver
from server.tables.hub import Hub
from server.tables.service import Service
from server.tables.store import Store, StoreError
from server.tables.thinking import Thinkers
from server.tables.ticker import Ticker
from server.tables.whereabouts import Whereabouts

log = structlog.get_logger(__name__)

FIRST_SECONDS = 2.0
"""How long a start waits for the store. One that gave up for good would have to be started again, and again, for as
long as the store is away, and whoever does that may lose patience first."""
AGAIN_SECONDS = 1.0
"""Pause before a loop that has failed begins again."""
GC_THRESHOLDS = (20_000, 20, 100)
"""Tables are trees without cycles, which reference counts free. Python's own (700, 10, 10) looked through all of them
so often that it took an eighth of the CPU time of a move."""


class Doors(FastAPI):
    """HTTP is FastAPI's; a socket goes straight to its endpoint.

    Of what lies between it needs nothing, and would wait in twenty calls of it for as long as it lives: a fifth of its
    memory, and two calls more for every frame.
    """

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Open the door that is asked for."""
        if scope["type"] == "websocket" and scope["path"] == endpoint.PATH:
            scope["app"] = self
            await endpoint.socket(WebSocket(scope, receive, send), receive, send)
        else:
            await super().__call__(scope, receive, send)


def create_app(settings: Settings | None = None) -> FastAPI:
    """Build the application; settings come from the environment if none are given."""
    settings = settings or Settings.from_environment(os.environ)
    telemetry.configure_logs(settings.log_level, as_json=settings.log_json)
    app = Doors(title="Upcard", lifespan=_lifespan, openapi_url=None)
    app.state.settings = settings
    app.state.readiness = Readiness()
    app.state.turnstile = Turnstile(settings.players_per_address)
    for part in (session, handover, history, replay, leaderboard, health):
        app.include_router(part.router)
    app.add_middleware(Gate, app.state.turnstile)
    app.add_exception_handler(Unserved, unserved)
    app.add_exception_handler(405, not_allowed)
    _serve_schema(app)
    _serve_client(app, STATIC)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    settings: Settings = app.state.settings
    clock = StoreClock(settings.time_rate)
    store = Store(settings.redis_url, settings.bot_pace)
    with contextlib.suppress(StoreError, TimeoutError):  # away: not ready yet, and the ticker asks again
        async with asyncio.timeout(FIRST_SECONDS):
            await store.set_clock(clock)
    engine = create_engine(settings.database_url)
    archive = create_session_factory(engine)
    keeper = Keeper(archive, clock)
    service = Service(store, clock, settings.max_tables)
    hub = Hub(store, service, clock, settings.lease_seconds)
    thinkers = Thinkers()
    ticker = Ticker(store, service, clock, settings.bot_pace, thinkers)
    archiver = Archiver(store, keeper.save, clock)
    hub.on_change = ticker.follow
    hub.on_idle = ticker.forget
    service.on_finished = archiver.wake
    service.recover = keeper.recover
    app.state.store = store
    app.state.archive = archive
    app.state.boards = Boards(archive, clock)
    readiness: Readiness = app.state.readiness
    doorkeeper = Doorkeeper(settings.players_per_address, settings.max_sockets)
    context = app.state.context = Context(
        hub=hub,
        service=service,
        whereabouts=Whereabouts(store, service),
        clock=clock,
        secret=settings.secret,
        build=settings.build,
        origins=settings.origins,
        lost_tables=keeper.lost_tables,
        doorkeeper=doorkeeper,
        readiness=readiness,
        gathered=settings.gathered,
    )
    pulse = app.state.pulse = Pulse(
        store,
        archiver,
        readiness,
        lambda: knows_schema(archive),
        (hub, ticker, service, doorkeeper, context, app.state.turnstile),
    )
    Leaving(readiness, settings.drain_seconds, context.farewell).stand_between()
    work = (hub.run, hub.keep_leases, ticker.run, archiver.run, pulse.run)
    loops = [asyncio.create_task(_for_ever(loop)) for loop in work]
    # What the imports left is looked through by every full collection, for tens of milliseconds, and never freed.
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
    gc.enable()
    try:
        yield
    finally:
        await end_all(loops)
        telemetry.tell_tallies()
        thinkers.close()
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


def _serve_schema(app: FastAPI) -> None:
    """What the API is, for machines."""

    @app.get(schema.PATH, include_in_schema=False)
    async def page() -> JSONResponse:
        return JSONResponse(schema.openapi(app))


def _serve_client(app: FastAPI, folder: Path) -> None:
    """The client: hashed assets for ever, its one page for every path that is a page of its own."""
    if (folder / "assets").is_dir():
        app.mount("/assets", Assets(directory=folder / "assets"), name="assets")

    preloads = Preloads(folder)

    async def page(request: Request) -> Response:
        path: str = request.scope["route"].path
        wanted = request.headers.get("accept-language", "")
        first = preloads.header(path, wanted, _stage(request) if path == TABLE else None)
        return FileResponse(folder / "index.html", headers={"cache-control": "no-cache"} | first)

    for path in FIRST:
        app.add_api_route(path, page, methods=["GET", "HEAD"], include_in_schema=False)


def _stage(request: Request) -> Stage | None:
    """How the table of an address stands, as far as this worker knows it and whoever asks may: nothing is read."""
    context: Context = request.app.state.context
    table_id = request.path_params["table"]
    held = context.hub.held(table_id)
    if held is None:
        row = context.hub.lobby.row(table_id)
        return None if row is None else (row.phase, row.game)
    player = player_of(request, context.secret)
    known = not held.table.private or held.table.seat_of(player.id if player else None) is not None
    return (held.table.phase, held.table.game) if known else None
