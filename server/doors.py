"""Who may knock: the origin check that sockets and every HTTP write share."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.requests import HTTPConnection


def origin_allowed(connection: HTTPConnection, allowed: tuple[str, ...]) -> bool:
    """Whether a browser's page may talk to us: its own host's pages, and the origins that are configured.

    No Origin header means no browser, so there is no page that could ride on somebody's cookie.
    """
    origin = connection.headers.get("origin")
    if origin is None or origin in allowed:
        return True
    try:
        return urlsplit(origin).netloc == connection.headers.get("host")
    except ValueError:
        return False  # no address at all
