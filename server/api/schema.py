"""The OpenAPI page of the HTTP part, `GET /api/openapi.json`: written from the structs that are really sent."""

from __future__ import annotations

from typing import Any

import msgspec
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from server.api.gate import MAX_URL
from server.bodies import (
    Handover,
    HandoverRequest,
    HandoverToken,
    HandReplay,
    History,
    HistoryDetail,
    Leaderboard,
    Problem,
    ReplayToken,
    Session,
    SessionRequest,
)
from server.protocol import PROTOCOL

PATH = "/api/openapi.json"
COMPONENTS = "#/components/schemas/{name}"
COOKIE_SCHEME = {"type": "apiKey", "in": "cookie", "name": "upcard"}

Answers = dict[int | str, dict[str, Any]]


def reference(kind: type[msgspec.Struct]) -> dict[str, str]:
    """Where a struct is described."""
    return {"$ref": COMPONENTS.format(name=kind.__name__)}


def struct(kind: type[msgspec.Struct], words: str) -> dict[str, Any]:
    """An answer that is a struct of the protocol."""
    return {"description": words, "content": {"application/json": {"schema": reference(kind)}}}


def text(words: str) -> dict[str, Any]:
    """An answer that is plain text."""
    return {"description": words, "content": {"text/plain": {"schema": {"type": "string"}}}}


def problems(words: dict[int, str]) -> Answers:
    """Refusals: what each status means."""
    return {status: struct(Problem, told) for status, told in words.items()}


EVERYWHERE = problems(
    {
        413: "The body is too large.",
        414: f"The address is longer than {MAX_URL} bytes.",
        429: "Too much from this address; `Retry-After` says when to ask again.",
    }
)
"""What the gate answers before any route is asked."""
ASKS_SESSION = EVERYWHERE | problems({401: "There is no session."})
ARCHIVE_AWAY = problems({503: "The archive is away; `Retry-After` says when to ask again."})
ASKS_ARCHIVE = ASKS_SESSION | ARCHIVE_AWAY
ASKS_MATCH = ASKS_ARCHIVE | problems({404: "No match with this id in which the player has played."})

WRITES = EVERYWHERE | problems(
    {
        403: "A page of another origin asks.",
        408: "The body did not come.",
        415: "The body is no JSON.",
        422: "The body is not as it should be.",
    }
)
STORE_AWAY = problems({503: "The live store is away."})

READ_SESSION: Answers = {200: struct(Session, "The session."), **ASKS_SESSION}
WRITE_SESSION: Answers = {200: struct(Session, "The session, and its cookie."), **WRITES}
OFFER_HANDOVER: Answers = {200: struct(Handover, "The link."), **ASKS_SESSION, **WRITES, **STORE_AWAY}
TAKE_HANDOVER: Answers = {
    200: struct(Session, "The session, and its cookie."),
    **WRITES,
    **problems({404: "The link has been used, is too old, or never was one."}),
    **STORE_AWAY,
}
LOOK_HANDOVER: Answers = {
    204: {"description": "It waits."},
    **WRITES,
    **problems({404: "The link has been used, is too old, or never was one."}),
    **STORE_AWAY,
}
READ_HISTORY: Answers = {200: struct(History, "The matches."), **ASKS_ARCHIVE}
READ_MATCH: Answers = {200: struct(HistoryDetail, "The match."), **ASKS_MATCH}
READ_HAND: Answers = {200: struct(HandReplay, "The hand."), **ASKS_MATCH}
OPEN_REPLAY: Answers = {
    200: struct(HandReplay, "The hand."),
    **WRITES,
    **problems({404: "The token opens nothing, or nothing of the hand is known."}),
    **ARCHIVE_AWAY,
}
READ_LEADERBOARD: Answers = {
    200: struct(Leaderboard, "The leaderboard."),
    **EVERYWHERE,
    **problems({404: "There is no such game."}),
    **ARCHIVE_AWAY,
}
READ_RECORD: Answers = {200: text("The record."), **ASKS_MATCH}
READY: Answers = {204: {"description": "Yes."}, 503: text("No, and why."), **EVERYWHERE}
METRICS: Answers = {200: text("The metrics."), **EVERYWHERE}
LIVE: Answers = EVERYWHERE

SESSION: dict[str, Any] = {"security": [{"session": []}]}
MAYBE_SESSION: dict[str, Any] = {"security": [{}, {"session": []}]}


def body(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """A body that has to be given."""
    content = {"application/json": {"schema": reference(kind)}}
    return {"requestBody": {"required": True, "content": content}}


def openapi(app: FastAPI) -> dict[str, Any]:
    """The page, made once."""
    if app.openapi_schema is None:
        page = get_openapi(
            title="Upcard",
            version=str(PROTOCOL),
            description="Sessions, matches and leaderboards. Everything that is played goes over the socket.",
            routes=app.routes,
        )
        _, structs = msgspec.json.schema_components(
            (
                SessionRequest,
                Session,
                HandoverRequest,
                Handover,
                HandoverToken,
                History,
                HistoryDetail,
                HandReplay,
                ReplayToken,
                Leaderboard,
                Problem,
            ),
            ref_template=COMPONENTS,
        )
        page["components"] = {"schemas": structs, "securitySchemes": {"session": COOKIE_SCHEME}}
        _drop_unanswered(page)
        app.openapi_schema = page
    return app.openapi_schema


def _drop_unanswered(page: dict[str, Any]) -> None:
    """FastAPI says that it might answer 422 in its own form wherever there is a parameter; here any text is one."""
    for methods in page["paths"].values():
        for operation in methods.values():
            answer = operation["responses"].get("422")
            if answer and "HTTPValidationError" in str(answer):
                del operation["responses"]["422"]
