"""A finished hand that one of its players has shared: `POST /api/replay`, for anybody who has the link.

The token travels in the link's fragment and in the body of a request, so it is in no address and no log.
"""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from server.api.answers import Unserved, json
from server.api.archived import answer
from server.api.schema import OPEN_REPLAY, body
from server.api.writes import asked
from server.archive.playback import shared_playback
from server.bodies import ReplayToken
from server.rules.refusal import Code
from server.shares import shared

router = APIRouter(prefix="/api/replay", tags=["replay"])


@router.post("", responses=OPEN_REPLAY, openapi_extra=body(ReplayToken))
async def shared_hand(request: Request) -> Response:
    """A hand that somebody has shared, as `HandReplay`; 404 if the token opens none. No session is needed."""
    token = (await asked(request, ReplayToken)).token
    hand = shared(token, request.app.state.settings.secret)
    if hand is None:
        raise Unserved(Code.NO_SUCH_MATCH, 404)
    return await answer(request, lambda session: shared_playback(session, *hand, token), json)
