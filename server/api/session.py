"""Guest first: a signed HttpOnly cookie is the player."""

from __future__ import annotations

import secrets

from fastapi import APIRouter, Request, Response

from server.api.answers import Unserved, json
from server.api.languages import preferred
from server.api.schema import READ_SESSION, SESSION, WRITE_SESSION, body
from server.api.writes import asked
from server.bodies import Session, SessionRequest
from server.names import clean_name
from server.players import COOKIE, Player, new_player_id, player_of, sign
from server.rules.refusal import Code

YEAR = 365 * 24 * 3600
GUESTS = {"en": "Guest", "tr": "Misafir", "id": "Tamu", "es": "Invitado"}
"""What the others see of a name is not translated, so it is made in its own player's language."""

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


@router.post("/session", responses=WRITE_SESSION, openapi_extra=body(SessionRequest))
async def write_session(request: Request) -> Response:
    """Become a guest, or take another name."""
    wanted = await asked(request, SessionRequest)
    known = player_of(request, request.app.state.settings.secret)
    name = clean_name(wanted.name) or (known.name if known else guest_name(request))
    return signed_in(request, Player(known.id if known else new_player_id(), name))


def guest_name(request: Request) -> str:
    """A name for who has none yet, in the language of the browser."""
    word = GUESTS[preferred(request.headers.get("accept-language", ""), GUESTS)]
    return f"{word} {secrets.randbelow(9000) + 1000}"


def signed_in(request: Request, player: Player) -> Response:
    """The answer that makes a browser this player."""
    settings = request.app.state.settings
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
