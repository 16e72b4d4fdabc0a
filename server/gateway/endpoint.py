"""The WebSocket door: origin, room and session at the door, one reader and one writer, one way out."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Literal

from fastapi import Response, WebSocket, WebSocketDisconnect
from structlog.contextvars import bound_contextvars

from server import telemetry
from server.doors import HEADERS, address_of, origin_allowed
from server.gateway.connection import Connection, Flood, Outdated, Reload
from server.gateway.context import Context
from server.gateway.outbox import Outbox, Overflow
from server.players import player_of, pseudonym
from server.protocol import Bye, encode

PATH = "/ws"

NO_SESSION = 4401
"""Close code: the client has to ask for a session first."""
TOO_OLD = 4426
"""Close code: the client has to reload (`bye` with `reload`)."""
BINARY = 1003
"""Close code: only text is spoken here."""
FLOODED = 1008
"""Close code: asks for too much, or does not read (`bye` with `flood`, as far as it reads)."""
RESTARTING = 1012
"""Close code: this server goes down, or a newer one has taken over (`bye` with `restart`)."""
FULL = 1013
"""Close code: this server has as many sockets as it may (`bye` with `full`)."""
CROWDED = 4429
"""Close code: the address has as many sockets as it may (`bye` with `crowd`)."""

SEND_SECONDS = 20.0
"""A frame that is not taken by then goes to nobody: the other end is gone, or hostile."""
GOODBYE_SECONDS = 1.0
"""For the last word to go out; the close code says the same."""

Reason = Literal["reload", "restart", "flood", "full", "crowd"]
REASONS: dict[int, Reason] = {
    TOO_OLD: "reload",
    RESTARTING: "restart",
    FLOODED: "flood",
    FULL: "full",
    CROWDED: "crowd",
}


async def socket(websocket: WebSocket) -> None:
    """One player's socket."""
    context: Context = websocket.app.state.context
    if not origin_allowed(websocket, context.origins):
        await _deny(websocket, 403, "origin")
        return
    address = address_of(websocket)
    if not context.doorkeeper.take(address, "connect"):
        await _deny(websocket, 429, "rate")
        return
    turned = context.doorkeeper.enter(address)
    if turned is not None:
        telemetry.TURNED_AWAY.labels(turned).inc()
        await websocket.accept()
        await _close(websocket, FULL if turned == "full" else CROWDED)
        return
    try:
        await websocket.accept()  # fails for who is gone already, and has been counted
        await _welcome(websocket, context, address)
    finally:
        context.doorkeeper.leave(address)


async def _deny(websocket: WebSocket, status: int, why: str) -> None:
    """Do not even open the socket."""
    telemetry.TURNED_AWAY.labels(why).inc()
    # Of all answers this is the one to which uvicorn does not add them.
    await websocket.send_denial_response(Response(status_code=status, headers=dict(HEADERS)))


async def _welcome(websocket: WebSocket, context: Context, address: str) -> None:
    """Let a player in, and see to it that the connection ends with the socket."""
    player = player_of(websocket, context.secret)
    if player is None:
        await _close(websocket, NO_SESSION)
        return
    websocket.scope["headers"].clear()  # nobody asks again, and a browser's are two KiB
    if context.readiness.leaving:
        await _close(websocket, RESTARTING)
        return
    connection = Connection(context, player.id, player.name, address)
    context.connections.add(connection)
    with (
        telemetry.SOCKETS.track_inprogress(),
        bound_contextvars(player=pseudonym(player.id), conn=connection.conn),
    ):
        code: int | None = None
        try:
            code = await _talk(websocket, connection)
        finally:
            context.connections.discard(connection)
            # A restart marks nobody away: clients come back to another worker before their leases run out. While this
            # one leaves, it does not matter which side was the first to close: in that race a client says goodbye, and
            # a write may fail before the reader is told that the server closes.
            if code == RESTARTING or context.readiness.leaving:
                connection.drop()
            else:
                await connection.close()
        if code is not None:
            await _close(websocket, code)


async def _close(websocket: WebSocket, code: int) -> None:
    """Say why, and close; whoever is gone already does not hear it."""
    reason = REASONS.get(code)
    with contextlib.suppress(RuntimeError, OSError, WebSocketDisconnect, TimeoutError):
        async with asyncio.timeout(GOODBYE_SECONDS):
            if reason is not None:
                await websocket.send_text(encode(Bye(reason)))
            await websocket.close(code, reason)


async def _talk(websocket: WebSocket, connection: Connection) -> int | None:
    """Read and write until either ends; returns the code to close with, None where the other side has closed."""
    outbox = connection.outbox
    reader = asyncio.ensure_future(_read(websocket, connection))
    writer = asyncio.ensure_future(_write(websocket, outbox))
    try:
        while True:
            # A timer for every message would cost as much as making it: who does not read has up to twice the time.
            sent = outbox.sent
            done, _ = await asyncio.wait(
                (reader, writer), timeout=SEND_SECONDS, return_when=asyncio.FIRST_COMPLETED
            )
            if done:
                return await done.pop()
            if outbox.sending and outbox.sent == sent:
                telemetry.TURNED_AWAY.labels("deaf").inc()
                return FLOODED
    finally:
        for task in (reader, writer):
            task.cancel()
        await asyncio.gather(reader, writer, return_exceptions=True)


async def _read(websocket: WebSocket, connection: Connection) -> int | None:
    try:
        while (text := await _next(websocket)) is not None:
            await connection.receive(text)
        return BINARY
    except WebSocketDisconnect as gone:
        return RESTARTING if gone.code == RESTARTING else None
    except Flood:
        telemetry.TURNED_AWAY.labels("flood").inc()
        return FLOODED
    except Reload:
        return TOO_OLD
    except Outdated:
        return RESTARTING


async def _next(websocket: WebSocket) -> str | None:
    """The next text; None for a binary message. Raises WebSocketDisconnect."""
    try:
        return await websocket.receive_text()
    except KeyError:
        return None
    except RuntimeError:
        raise WebSocketDisconnect from None  # closed from our side meanwhile


async def _write(websocket: WebSocket, outbox: Outbox) -> int | None:
    try:
        while True:
            await websocket.send_text(await outbox.next())
    except (WebSocketDisconnect, RuntimeError, OSError):
        return None
    except Overflow:
        telemetry.TURNED_AWAY.labels("deaf").inc()
        return FLOODED
