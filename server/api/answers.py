"""The two forms of every answer of the API: a struct of the protocol, or a coded refusal."""

from __future__ import annotations

import msgspec
from fastapi import HTTPException, Request, Response
from fastapi.routing import iter_route_contexts
from msgspec import Struct
from starlette.routing import Match

from server.bodies import Problem
from server.rules.refusal import Code

JSON = "application/json"


class Unserved(HTTPException):
    """A request that cannot be served: a refusal and its HTTP status."""

    def __init__(self, code: Code, status: int) -> None:
        super().__init__(status)
        self.code = code


async def unserved(_: Request, fault: Exception) -> Response:
    """Answer an Unserved in the API's own form."""
    if not isinstance(fault, Unserved):
        raise fault
    return refusal(fault.code, fault.status_code)


async def not_allowed(request: Request, _: Exception) -> Response:
    """A method that no route has for this address: say which there are. A router knows only the first route's."""
    routes = iter_route_contexts(request.app.routes)
    matching = [route for route in routes if route.matches(request.scope)[0] is not Match.NONE]
    methods = {method for route in matching for method in route.methods or ()}
    return Response(status_code=405, headers={"allow": ", ".join(sorted(methods))})


def json(body: Struct, status: int = 200) -> Response:
    """A struct as JSON."""
    # No cache, not even the browser's own: other players may use it.
    headers = {"cache-control": "private, no-store"}
    return Response(msgspec.json.encode(body), status, headers, media_type=JSON)


def refusal(code: Code, status: int) -> Response:
    """A coded refusal."""
    return json(Problem(code), status)
