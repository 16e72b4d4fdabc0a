"""The client's files: packed where the browser takes them so, and for ever, as their names carry a hash."""

from __future__ import annotations

import os
from mimetypes import guess_type

from fastapi.responses import FileResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.datastructures import Headers
from starlette.types import Scope

FOREVER = "public, max-age=31536000, immutable"
CODINGS = (("br", ".br"), ("gzip", ".gz"))
"""How the build packs files (web/pack.mjs), the smallest first."""


class Assets(StaticFiles):
    """A folder of files. One that is missing may be there after the next deploy, so that is not remembered."""

    def file_response(
        self,
        full_path: str | os.PathLike[str],
        stat_result: os.stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        """A file, or what the build has packed of it."""
        response = super().file_response(full_path, stat_result, scope, status_code)
        accepted = codings(Headers(scope=scope).get("accept-encoding", ""))
        for coding, ending in CODINGS:
            packed = f"{os.fspath(full_path)}{ending}"
            if response.status_code == 200 and coding in accepted and os.path.exists(packed):
                response = FileResponse(packed, media_type=guess_type(full_path)[0])
                response.headers["content-encoding"] = coding
                break
        response.headers["cache-control"] = FOREVER
        response.headers["vary"] = "accept-encoding"
        return response


def codings(header: str) -> set[str]:
    """The codings that a browser takes, those left out that it gives no weight."""
    parts = (part.replace(" ", "").partition(";") for part in header.lower().split(","))
    return {coding for coding, _, weight in parts if weight not in {"q=0", "q=0.0"}}
