"""The WebSocket door: origin, room and session at the door, one reader and one writer, one way out."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Literal

import structlog
from fastapi import Response, WebSocket
from starlette.types import Message, Receive, Send
from structlog.contextvars import bound_contextvars

from server import telemetry
from server.doors import HEADERS, address_of, origin_allowed
from server.doorway import LINE
from server.gateway.connection import Connection, Flood, Outdated, Reload
from server.gateway.context import Context
from server.gateway.outbox import Outbox, Overflow
from server.players import player_of, pseudonym
from server.protocol import Bye, encode

log = structlog.get_logger(__name__)

PATH = "/ws"

NO_SESSION = 4401
"""Close code: the client has to ask for a session first."""
TOO_OLD = 4426
"""Close code: the client has to reload (`bye` with `reload`)."""
BINARY = 1003
"""Close code: only text is spoken here."""
FLOODED = 1008
"""Close code: asks for too much, or lets too much wait (`bye` with `flood`, as far as it reads)."""
FAULT = 1011
"""Close code: something went wrong here; whoever comes back is shown everything anew."""
RESTARTING = 1012
"""Close code: this server goes down, or a newer one has taken over (`bye` with `restart`)."""
FULL = 1013
"""Close code: this server has as many sockets as it may (`bye` with `full`)."""
CROWDED = 4429
"""Close code: the address has as many sockets as it may (`bye` with `crowd`)."""

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


async def socket(websocket: WebSocket, receive: Receive, send: Send) -> None:
    """One player's socket. Once it is open, its messages go past the WebSocket, which would only look at each again."""
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
        await _close(send, FULL if turned == "full" else CROWDED)
        return
    try:
        await websocket.accept()  # fails for who is gone already, and has been counted
        await _welcome(websocket, receive, send, context, address)
    finally:
        context.doorkeeper.leave(address)


async def _deny(websocket: WebSocket, status: int, why: str) -> None:
    """Do not even open the socket."""
    telemetry.TURNED_AWAY.labels(why).inc()
    # Of all answers this is the one to which uvicorn does not add them.
    await websocket.send_denial_response(Response(status_code=status, headers=dict(HEADERS)))


async def _welcome(
    websocket: WebSocket, receive: Receive, send: Send, context: Context, address: str
) -> None:
    """Let a player in, and see to it that the connection ends with the socket."""
    player = player_of(websocket, context.secret)
    if player is None:
        await _close(send, NO_SESSION)
        return
    websocket.scope["headers"].clear()  # nobody asks again, and a browser's are two KiB
    if context.readiness.leaving:
        await _close(send, RESTARTING)
        return
    connection = Connection(context, player.id, player.name, address)
    # Taken out of the scope, which the line holds: in a circle both would be kept until the collector comes.
    connection.outbox.line = websocket.scope["extensions"].pop(LINE, None)
    context.connections.add(connection)
    with (
        telemetry.SOCKETS.track_inprogress(),
        bound_contextvars(player=pseudonym(player.id), conn=connection.conn),
    ):
        code: int | None = None
        try:
            code = await _talk(receive, send, connection)
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
            await _close(send, code)


async def _close(send: Send, code: int) -> None:
    """Say why, and close; whoever is gone already does not hear it."""
    reason = REASONS.get(code)
    with contextlib.suppress(RuntimeError, OSError, TimeoutError):
        async with asyncio.timeout(GOODBYE_SECONDS):
            if reason is not None:
                await send(_text(encode(Bye(reason))))
            await send({"type": "websocket.close", "code": code, "reason": reason})


def _text(text: str) -> Message:
    return {"type": "websocket.send", "text": text}


async def _talk(receive: Receive, send: Send, connection: Connection) -> int | None:
    """Read and write until the socket ends; returns the code to close with, None where it is closed."""
    writer = asyncio.ensure_future(_write(send, connection.outbox))
    try:
        return await _read(receive, connection, writer)
    finally:
        writer.cancel()
        await asyncio.gather(writer, return_exceptions=True)


async def _read(receive: Receive, connection: Connection, writer: asyncio.Future[None]) -> int | None:
    try:
        while (message := await receive())["type"] != "websocket.disconnect":
            if writer.done():
                return FAULT  # its goodbye was not taken: nothing that is asked now would be answered
            text = message.get("text")
            if text is None:
                return BINARY
            await connection.receive(text)
        return RESTARTING if message["code"] == RESTARTING else None
    except Flood:
        telemetry.TURNED_AWAY.labels("flood").inc()
        return FLOODED
    except Reload:
        return TOO_OLD
    except Outdated:
        return RESTARTING


async def _write(send: Send, outbox: Outbox) -> None:
    """Send what waits. Whatever brings that to an end closes the socket, and so the reader is told."""
    code = FAULT
    try:
        while True:
            text = await outbox.next()
            try:
                await send(_text(text))
            except (RuntimeError, OSError):
                return  # closed already, and the reader is told
    except Overflow:
        telemetry.TURNED_AWAY.labels("deaf").inc()
        code = FLOODED
    except Exception:
        log.exception("fault")
    await _close(send, code)
