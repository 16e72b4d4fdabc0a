"""How a hand ended."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from server.rules.cards import Card

Ending = Literal["out", "stock", "void", "draw", "left"]


class Result(Struct, frozen=True):
    """How a hand ended.

    `points` and `penalties` are by seat, `hands` are the cards left, now public to all. `winners` is empty
    for a void or drawn hand; several are joint winners. `left`: somebody left, and the game says what that costs.
    """

    ending: Ending
    winners: tuple[int, ...]
    points: tuple[int, ...]
    penalties: tuple[int, ...]
    hands: tuple[tuple[Card, ...], ...]
