"""Guest first: a signed HttpOnly cookie is the player."""

from __future__ import annotations

import secrets

import msgspec
from fastapi import APIRouter, HTTPException, Request, Response
from msgspec import Struct

from server.doors import origin_allowed
from server.names import clean_name
from server.players import COOKIE, Player, new_player_id, player_of, sign
from server.protocol import Session, SessionRequest
from server.rules.refusal import Code

YEAR = 365 * 24 * 3600
MAX_BODY = 2048
"""Bytes: a name and its wrapping."""

router = APIRouter(prefix="/api")


def current_player(request: Request) -> Player:
    """The player of a request; 401 without a session."""
    player = player_of(request, request.app.state.settings.secret)
    if player is None:
        raise HTTPException(401)
    return player


def json(body: Struct, status: int = 200) -> Response:
    """A struct as JSON."""
    return Response(msgspec.json.encode(body), status, media_type="application/json")


def refusal(code: Code, status: int) -> Response:
    """A coded refusal."""
    return Response(msgspec.json.encode({"code": code}), status, media_type="application/json")


@router.get("/session")
async def read_session(request: Request) -> Response:
    """Who this browser is."""
    return json(Session(current_player(request).name))


@router.post("/session")
async def write_session(request: Request) -> Response:
    """Become a guest, or take another name."""
    if not origin_allowed(request, request.app.state.settings.origins):
        return refusal(Code.MALFORMED, 403)
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        return refusal(Code.MALFORMED, 415)
    try:
        asked = msgspec.json.decode(await _body(request), type=SessionRequest)
    except (msgspec.MsgspecError, ValueError):
        return refusal(Code.MALFORMED, 422)
    known = player_of(request, request.app.state.settings.secret)
    name = clean_name(asked.name) or (known.name if known else f"Guest {secrets.randbelow(9000) + 1000}")
    player = Player(known.id if known else new_player_id(), name)
    response = json(Session(player.name))
    settings = request.app.state.settings
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
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY:
            raise ValueError("body too large")
    return body
