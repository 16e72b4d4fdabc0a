"""Questions to the archive over HTTP: what is answered where it knows nothing, or cannot be reached."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from fastapi import Request, Response
from sqlalchemy.ext.asyncio import AsyncSession

from server.api.answers import refusal
from server.archive.session import Away, reading
from server.rules.refusal import Code
from server.telemetry import archive_outage

RETRY_SECONDS = "5"  # a restarted Postgres is back by then

AnswerT = TypeVar("AnswerT")


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
        archive_outage.began(error)
        response = refusal(Code.UNAVAILABLE, 503)
        response.headers["Retry-After"] = RETRY_SECONDS
        return response
    archive_outage.ended()
    if found is None:
        return refusal(Code.NO_SUCH_MATCH, 404)
    return form(found)
