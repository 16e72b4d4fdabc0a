"""Guest first: a signed HttpOnly cookie is the player."""

from __future__ import annotations

import secrets

import msgspec
from fastapi import APIRouter, Request, Response
from starlette.requests import ClientDisconnect

from server.api.answers import JSON, Unserved, json, refusal
from server.api.gate import MAX_BODY
from server.api.schema import READ_SESSION, SESSION, SESSION_BODY, WRITE_SESSION
from server.doors import origin_allowed
from server.names import clean_name
from server.players import COOKIE, Player, new_player_id, player_of, sign
from server.protocol import Session, SessionRequest
from server.rules.refusal import Code

YEAR = 365 * 24 * 3600

router = APIRouter(prefix="/api")


async def current_player(request: Request) -> Player:
    """The player of a request. Raises Unserved without a session."""
    player = player_of(request, request.app.state.settings.secret)
    if player is None:
        raise Unserved(Code.NO_SESSION, 401)
    return player


@router.get("/session", responses=READ_SESSION, openapi_extra=SESSION)
async def read_session(request: Request) -> Response:
    """Who this browser is."""
    return json(Session((await current_player(request)).name))


@router.post("/session", responses=WRITE_SESSION, openapi_extra=SESSION_BODY)
async def write_session(request: Request) -> Response:
    """Become a guest, or take another name."""
    settings = request.app.state.settings
    if not origin_allowed(request, settings.origins):
        return refusal(Code.MALFORMED, 403)
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != JSON:
        return refusal(Code.MALFORMED, 415)
    try:
        asked = msgspec.json.decode(await _body(request), type=SessionRequest)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return refusal(Code.MALFORMED, 422)
    known = player_of(request, settings.secret)
    name = clean_name(asked.name) or (known.name if known else f"Guest {secrets.randbelow(9000) + 1000}")
    player = Player(known.id if known else new_player_id(), name)
    response = json(Session(player.name))
    response.set_cookie(
        COOKIE,
        sign(player, settings.secret),
        max_age=YEAR,
        httponly=True,
        samesite="lax",
        secure=settings.secure_cookies or request.url.scheme == "https",
    )
    return response


async def _body(request: Request) -> bytes:
    """The whole body. Raises Unserved when it is too large, or does not come."""
    body = b""
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > MAX_BODY:
                raise Unserved(Code.MALFORMED, 413)
    except ClientDisconnect:
        raise Unserved(Code.MALFORMED, 408) from None  # nobody is there to hear it
    return body
