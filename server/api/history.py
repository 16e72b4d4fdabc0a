"""One's own matches: `GET /api/history`, one of them with its hands, and its record as a text file."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Annotated, TypeVar

import msgspec
import structlog
from fastapi import APIRouter, Depends, Request, Response
from sqlalchemy.ext.asyncio import AsyncSession

from server.api.session import current_player, refusal
from server.archive.history import detail, history, record_of
from server.archive.session import Away, reading
from server.players import Player
from server.rules.refusal import Code

MATCH_ID = re.compile(r"[0-9a-z-]{1,64}")
RETRY_SECONDS = "5"  # a restarted Postgres is back by then

JSON = "application/json"
TEXT = "text/plain; charset=utf-8"

log = structlog.get_logger(__name__)
router = APIRouter(prefix="/api/history", tags=["history"])

Asker = Annotated[Player, Depends(current_player)]
AnswerT = TypeVar("AnswerT")


class Outage:
    """Tells the log once when the archive goes away, and once when it is back."""

    def __init__(self) -> None:
        self.lasting = False

    def began(self, error: Exception) -> None:
        """The archive did not answer."""
        if not self.lasting:
            log.warning("archive away", error=str(error))
        self.lasting = True

    def ended(self) -> None:
        """The archive answered."""
        if self.lasting:
            log.info("archive back")
        self.lasting = False


outage = Outage()


@router.get("")
async def own_matches(request: Request, player: Asker) -> Response:
    """The newest matches of whoever asks, as `History`."""
    return await answer(request, lambda session: history(session, player.id), as_json)


@router.get("/{match}")
async def one_match(request: Request, player: Asker, match: str) -> Response:
    """One match with its hands, as `HistoryDetail`; 404 unless one has played in it."""
    return await answer(request, lambda session: own(detail, session, player, match), as_json)


@router.get("/{match}/record")
async def record(request: Request, player: Asker, match: str) -> Response:
    """The record of a match in the notation, to keep; 404 unless one has played in it."""
    return await answer(
        request,
        lambda session: own(record_of, session, player, match),
        lambda text: as_file(f"upcard-{match}.txt", text),
    )


async def own(
    question: Callable[[AsyncSession, str, str], Awaitable[AnswerT | None]],
    session: AsyncSession,
    player: Player,
    match: str,
) -> AnswerT | None:
    """Ask about a match by whatever id was in the address; None for those that cannot be one."""
    return await question(session, player.id, match) if MATCH_ID.fullmatch(match) else None


async def answer(
    request: Request,
    question: Callable[[AsyncSession], Awaitable[AnswerT | None]],
    form: Callable[[AnswerT], Response],
) -> Response:
    """Ask the archive; 404 where it has no answer, 503 where it cannot be reached."""
    try:
        async with reading(request.app.state.archive) as session:
            found = await question(session)
    except Away as error:
        outage.began(error)
        response = refusal(Code.UNAVAILABLE, 503)
        response.headers["Retry-After"] = RETRY_SECONDS
        return response
    outage.ended()
    if found is None:
        return Response(status_code=404)
    answered = form(found)
    answered.headers["Cache-Control"] = "private, no-store"  # other players may use this browser
    return answered


def as_json(found: object) -> Response:
    """A struct of the protocol."""
    return Response(msgspec.json.encode(found), media_type=JSON)


def as_file(name: str, text: str) -> Response:
    """A text file to save under that name."""
    disposition = f'attachment; filename="{name}"'
    return Response(text, media_type=TEXT, headers={"Content-Disposition": disposition})
