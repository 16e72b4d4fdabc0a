"""What holds at every door, sockets and HTTP alike: the headers of every answer, whose pages may talk to us, and
from which address somebody comes."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Content Security Policy: the client is its own files and its own server, without a line of script in a page."""
HEADERS = (
    ("content-security-policy", POLICY),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),  # `frame-ancestors` for browsers that do not know it
    # Not `no-referrer`: with it a browser may say `Origin: null` to us, and we would take its page for a stranger's.
    ("referrer-policy", "same-origin"),
    ("permissions-policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
)
"""On every answer: uvicorn puts them there, so that those which no route of ours makes have them as well."""
IPV6_PREFIX = 64
"""Bits that name a household; the others each device makes up anew, as often as it likes."""
NO_ADDRESS = 64
"""Characters kept of what is no address: a proxy's header may say anything."""


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


def address_of(connection: HTTPConnection) -> str:
    """Whom limits count as one: see `household`. uvicorn has put in what a trusted proxy forwarded, and nobody else."""
    return household(connection.client.host) if connection.client is not None else ""


def household(host: str) -> str:
    """An IPv4 address, the network of an IPv6 one, or the beginning of whatever else stands in its place."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host[:NO_ADDRESS]
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, IPV6_PREFIX), strict=False))
    return host
