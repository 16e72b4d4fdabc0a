"""What holds for every HTTP write: one of our own pages asks, in JSON, for what a struct says."""

from __future__ import annotations

from typing import TypeVar

import msgspec
from fastapi import Request
from msgspec import Struct
from starlette.requests import ClientDisconnect

from server.api.answers import JSON, Unserved
from server.api.gate import MAX_BODY
from server.doors import origin_allowed
from server.rules.refusal import Code

AskedT = TypeVar("AskedT", bound=Struct)


async def asked(request: Request, kind: type[AskedT]) -> AskedT:
    """What a write asks for. Raises Unserved where a page of another origin asks, or not in this form."""
    if not origin_allowed(request, request.app.state.settings.origins):
        raise Unserved(Code.MALFORMED, 403)
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != JSON:
        raise Unserved(Code.MALFORMED, 415)
    try:
        return msgspec.json.decode(await _body(request), type=kind)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        raise Unserved(Code.MALFORMED, 422) from None


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
