"""What holds for every HTTP request before a route sees it: lengths, and what an address may ask for."""

from __future__ import annotations

import time
from collections.abc import Callable

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from server import telemetry
from server.api.answers import refusal
from server.buckets import Buckets, Rate
from server.doors import address_of
from server.rules.refusal import Code

MAX_URL = 1024
"""Bytes of path and query: the longest of ours is below 100."""
MAX_BODY = 2048
"""Bytes of a request's body: a name and its wrapping."""
WRITES = Rate(0.1, 8)
"""New guests, new names, other devices; for each player that an address may stand for
(Settings.players_per_address)."""
READS = Rate(2, 40)
"""Questions to /api: each reads the archive."""
READING = {"GET", "HEAD", "OPTIONS"}
ASKING = {("POST", "/api/replay"), ("POST", "/api/handover/look")}
"""Questions that are asked by POST, as what one asks with belongs in no address."""


class Turnstile:
    """How much each address has asked for over HTTP, of this worker."""

    def __init__(self, players: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._writes = Buckets(WRITES.times(players), clock=clock)
        self._reads = Buckets(READS.times(players), clock=clock)

    def pass_by(self, address: str, method: str, path: str) -> bool:
        """Whether an address may make this request."""
        if method not in READING and (method, path) not in ASKING:
            return self._writes.take(address)
        return not path.startswith("/api/") or self._reads.take(address)

    def sizes(self) -> dict[str, int]:
        """How much is kept of addresses; those long quiet are forgotten first."""
        for buckets in (self._writes, self._reads):
            buckets.forget_full()
        return {"http_buckets": len(self._writes) + len(self._reads)}


class Gate:
    """Turns away what is too long or too much, before anything of it is read."""

    def __init__(self, app: ASGIApp, turnstile: Turnstile) -> None:
        self._app = app
        self._turnstile = turnstile

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass, or answer in the application's place."""
        turned = self._turn_away(scope) if scope["type"] == "http" else None
        await (turned or self._app)(scope, receive, send)

    def _turn_away(self, scope: Scope) -> Response | None:
        if len(scope["raw_path"]) + len(scope["query_string"]) > MAX_URL:
            return _turned("size", refusal(Code.MALFORMED, 414))
        length = Headers(scope=scope).get("content-length", "0")
        if length.isdecimal() and int(length) > MAX_BODY:
            answer = refusal(Code.MALFORMED, 413)
            answer.headers["connection"] = "close"  # the rest of it is not waited for
            return _turned("size", answer)
        if not self._turnstile.pass_by(address_of(HTTPConnection(scope)), scope["method"], scope["path"]):
            answer = refusal(Code.RATE_LIMITED, 429)
            answer.headers["retry-after"] = "5"
            return _turned("rate", answer)
        return None


def _turned(why: str, answer: Response) -> Response:
    telemetry.TURNED_AWAY.labels(why).inc()
    return answer
