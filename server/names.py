"""Names of players: bounded on every path that sets one."""

from __future__ import annotations

import unicodedata

MAX_NAME = 20
"""Characters; what a seat chip can show."""
MAX_MARKS = 2
"""Combining marks in a row; more are stacked to disturb the page."""
HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""Categories without a visible form: control, format (zero-width, direction), surrogate, private, unassigned."""


def clean_name(text: str) -> str | None:
    """The name as it is kept: NFKC, visible characters, single spaces, at most MAX_NAME; None if nothing is left."""
    visible: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFKC", text):
        category = unicodedata.category(character)
        marks = marks + 1 if category.startswith("M") else 0
        if category not in HIDDEN and marks <= MAX_MARKS and not (marks and not visible):
            visible.append(character)
    name = " ".join("".join(visible).split())[:MAX_NAME].strip()
    return name or None
