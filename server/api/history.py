"""One's own matches: `GET /api/history`, one of them with its hands, a hand step by step, and its record as a file."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Annotated, TypeVar

from fastapi import APIRouter, Depends, Path, Request, Response
from fastapi.responses import PlainTextResponse
from sqlalchemy.ext.asyncio import AsyncSession

from server.api.answers import json
from server.api.archived import answer
from server.api.schema import READ_HAND, READ_HISTORY, READ_MATCH, READ_RECORD, SESSION
from server.api.session import current_player
from server.archive.history import detail, history, record_of
from server.archive.playback import playback
from server.bodies import HandReplay
from server.players import Player
from server.shares import share

MATCH_ID = re.compile(r"[0-9a-z-]{1,64}")
HAND_NO = re.compile(r"[0-9]{1,4}")
TEXT = "text/plain; charset=utf-8"

router = APIRouter(prefix="/api/history", tags=["history"])

Asker = Annotated[Player, Depends(current_player)]
# What else stands there names nothing that is found: `own` sees to it, and answers in the API's own form.
Match = Annotated[str, Path(json_schema_extra={"pattern": f"^{MATCH_ID.pattern}$"})]
Hand = Annotated[str, Path(json_schema_extra={"pattern": f"^{HAND_NO.pattern}$"})]
AnswerT = TypeVar("AnswerT")


@router.get("", responses=READ_HISTORY, openapi_extra=SESSION)
async def own_matches(request: Request, player: Asker) -> Response:
    """The newest matches of whoever asks, as `History`."""
    return await answer(request, lambda session: history(session, player.id), json)


@router.get("/{match}", responses=READ_MATCH, openapi_extra=SESSION)
async def one_match(request: Request, player: Asker, match: Match) -> Response:
    """One match with its hands, as `HistoryDetail`; 404 unless one has played in it."""
    return await answer(request, lambda session: own(detail, session, player, match), json)


@router.get("/{match}/record", responses=READ_RECORD, response_class=PlainTextResponse, openapi_extra=SESSION)
async def record(request: Request, player: Asker, match: Match) -> Response:
    """The record of a match in the notation, to keep; 404 unless one has played in it."""
    return await answer(
        request,
        lambda session: own(record_of, session, player, match),
        lambda text: as_file(f"upcard-{match}.txt", text),
    )


@router.get("/{match}/hands/{hand}", responses=READ_HAND, openapi_extra=SESSION)
async def one_hand(request: Request, player: Asker, match: Match, hand: Hand) -> Response:
    """One finished hand step by step, as `HandReplay`; 404 unless one has played in the match, or if it was lost."""

    secret: bytes = request.app.state.settings.secret

    async def question(session: AsyncSession, who: str, match_id: str) -> HandReplay | None:
        number = int(hand) if HAND_NO.fullmatch(hand) else -1  # no hand has a number below 0
        return await playback(session, who, match_id, number, share(match_id, number, secret))

    return await answer(request, lambda session: own(question, session, player, match), json)


async def own(
    question: Callable[[AsyncSession, str, str], Awaitable[AnswerT | None]],
    session: AsyncSession,
    player: Player,
    match: str,
) -> AnswerT | None:
    """Ask about a match by whatever id was in the address; None for those that cannot be one."""
    return await question(session, player.id, match) if MATCH_ID.fullmatch(match) else None


def as_file(name: str, text: str) -> Response:
    """A text file to save under that name."""
    headers = {
        "content-disposition": f'attachment; filename="{name}"',
        "cache-control": "private, no-store",  # other players may use this browser
    }
    return Response(text, media_type=TEXT, headers=headers)
