"""Which language the person at a browser reads, as far as its requests tell."""

from __future__ import annotations

from collections.abc import Container

HOME = "en"
"""The language of who reads none that we have (web/src/i18n/index.ts chooses by the same rule)."""


def preferred(wanted: str, known: Container[str]) -> str:
    """The first language of an `Accept-Language` header that we have; browsers name the dearest first."""
    tags = (part.partition(";")[0].strip().lower().partition("-")[0] for part in wanted.split(","))
    return next((tag for tag in tags if tag in known), HOME)
