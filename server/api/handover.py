"""Carry a player to another device: a link that works once and for a short while makes it the same player.

The token travels in the link's fragment and in the body of a request, so it is in no address and no log, and the store
knows its hash only.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Awaitable
from typing import Annotated, TypeVar

import msgspec
from fastapi import APIRouter, Depends, Request, Response

from server import telemetry
from server.api.answers import Unserved, json
from server.api.schema import LOOK_HANDOVER, OFFER_HANDOVER, SESSION, TAKE_HANDOVER, body
from server.api.session import current_player, signed_in
from server.api.writes import asked
from server.bodies import Handover, HandoverRequest, HandoverToken
from server.players import Player
from server.rules.refusal import Code
from server.tables.store import Store, StoreError

SECONDS = 90
"""Enough to take a phone out and scan; whoever sees the code later comes too late."""
TOKEN_BYTES = 20
"""160 bits: nobody finds one by trying."""

router = APIRouter(prefix="/api/handover", tags=["handover"])

AnswerT = TypeVar("AnswerT")


@router.post("", responses=OFFER_HANDOVER, openapi_extra=SESSION | body(HandoverRequest))
async def offer(request: Request, player: Annotated[Player, Depends(current_player)]) -> Response:
    """A link for another device, as `Handover`."""
    await asked(request, HandoverRequest)
    token = secrets.token_urlsafe(TOKEN_BYTES)
    store: Store = request.app.state.store
    life = request.app.state.context.clock.seconds(SECONDS * 1000)
    await _answered(store.keep_handover(_name(token), msgspec.json.encode(player), int(life * 1000)))
    return json(Handover(token, SECONDS))


@router.post("/take", responses=TAKE_HANDOVER, openapi_extra=body(HandoverToken))
async def take(request: Request) -> Response:
    """Become the player of a link; 404 if it has been used, is too old, or never was one."""
    wanted = await asked(request, HandoverToken)
    store: Store = request.app.state.store
    kept = await _answered(store.take_handover(_name(wanted.token)))
    if kept is None:
        raise Unserved(Code.NO_SUCH_HANDOVER, 404)
    return signed_in(request, msgspec.json.decode(kept, type=Player))


@router.post("/look", status_code=204, responses=LOOK_HANDOVER, openapi_extra=body(HandoverToken))
async def look(request: Request) -> Response:
    """Whether a link still waits for its device; 404 if it has been used, is too old, or never was one."""
    wanted = await asked(request, HandoverToken)
    store: Store = request.app.state.store
    if not await _answered(store.has_handover(_name(wanted.token))):
        raise Unserved(Code.NO_SUCH_HANDOVER, 404)
    return Response(status_code=204)


def _name(token: str) -> str:
    """How the store knows it: a hash from which nobody finds back, the token being as random as it is long."""
    return hashlib.sha256(token.encode()).hexdigest()


async def _answered(question: Awaitable[AnswerT]) -> AnswerT:
    """The store's answer. Raises Unserved while it is away."""
    try:
        return await question
    except StoreError as error:
        telemetry.store_outage.began(error)
        raise Unserved(Code.UNAVAILABLE, 503) from None
