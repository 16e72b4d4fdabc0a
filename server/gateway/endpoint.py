"""The WebSocket route: origin and session at the door, one reader and one writer, one way out."""

from __future__ import annotations

import asyncio
import contextlib

from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from server import telemetry
from server.doors import origin_allowed
from server.gateway.connection import Connection, Flood, Reload
from server.gateway.context import Context
from server.gateway.outbox import Outbox, Overflow
from server.players import player_of

NO_SESSION = 4401
"""Close code: the client has to ask for a session first."""
TOO_OLD = 4426
"""Close code: the client has to reload."""
BINARY = 1003
"""Close code: only text is spoken here."""
FLOODED = 1008
"""Close code: asks for too much, or does not read."""
RESTARTING = 1012
"""Close code: this worker goes down. uvicorn ends its sockets with it."""
SEND_SECONDS = 20.0
"""A frame that is not taken by then goes to nobody: the other end is gone, or hostile."""

router = APIRouter()


@router.websocket("/ws")
async def socket(websocket: WebSocket) -> None:
    """One player's socket."""
    context: Context = websocket.app.state.context
    if not origin_allowed(websocket, context.origins):
        await websocket.close(1008)
        return
    await websocket.accept()
    player = player_of(websocket, context.secret)
    if player is None:
        await websocket.close(NO_SESSION)
        return
    connection = Connection(context, player.id, player.name)
    with telemetry.SOCKETS.track_inprogress():
        code: int | None = None
        try:
            code = await _talk(websocket, connection)
        finally:
            # A restart marks nobody away: clients come back to another worker before their leases run out.
            if code == RESTARTING:
                connection.drop()
            else:
                await connection.close()
        if code not in (None, RESTARTING):
            with contextlib.suppress(RuntimeError):
                await websocket.close(code)


async def _talk(websocket: WebSocket, connection: Connection) -> int | None:
    """Read and write until either ends; returns the code to close with, None where the other side has closed."""
    reader = asyncio.ensure_future(_read(websocket, connection))
    writer = asyncio.ensure_future(_write(websocket, connection.outbox))
    try:
        done, _ = await asyncio.wait((reader, writer), return_when=asyncio.FIRST_COMPLETED)
        return await done.pop()
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
        return FLOODED
    except Reload:
        await asyncio.sleep(0.1)  # let the writer say goodbye
        return TOO_OLD


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
            text = await outbox.next()
            async with asyncio.timeout(SEND_SECONDS):
                await websocket.send_text(text)
    except (WebSocketDisconnect, RuntimeError, OSError):
        return None
    except (TimeoutError, Overflow):
        return FLOODED
