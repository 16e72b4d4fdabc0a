"""Konken: four players, two packs and two Jokers, match to 500.

Read with the rules page beside it (source: Konken Kuralları).
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from server.rules.cards import Card
from server.rules.game import MeldView, Result

Switch = Literal["off", "on"]


class KonkenOptions(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The options of section 7; the defaults are the source's game."""

    players: Literal[2, 3, 4] = 4
    packs: Literal[1, 2] = 2
    jokers: Literal[2, 4] = 2
    hand_size: Literal[10, 13, 14] = 13
    opening_points: Literal[0, 40, 51] = 0
    must_open_before_layoff: Switch = "off"
    finish_on_opening_turn: Switch = "off"
    must_discard_to_finish: Switch = "off"
    return_taken_discard: Switch = "off"
    reclaimed_joker: Literal["any_meld", "new_meld_only"] = "any_meld"
    ace_penalty: Literal[1, 11] = 1
    joker_penalty: Literal[15, 20, 25, 50] = 25
    unopened_penalty: Literal[0, 100] = 0
    tie: Literal["split", "turn_order", "void"] = "split"
    target: Literal[100, 150, 200, 300, 500, 1000] = 500
    max_hands: int = 0


class KonkenView(Struct, frozen=True, tag="konken", tag_field="game"):
    """All that one seat (or a spectator) may see of a hand.

    `hand` is the viewer's own, in order of arrival, newest last; None for a spectator. `drawn` is the card the viewer
    has just drawn, `taken` the card the turn's owner took from the pile this turn (public). `opened` says which seats
    opened in an earlier turn, `laid` which have laid a new meld at all. `pending` is the meld whose Joker waits
    for its use. All `hands` are in `result`, once the hand is over.
    """

    phase: Literal["draw", "act", "over"]
    turn: int
    first: int
    hand: tuple[Card, ...] | None
    drawn: Card | None
    counts: tuple[int, ...]
    table: tuple[MeldView, ...]
    stock: int
    discard: Card | None
    discards: int
    opened: tuple[bool, ...]
    laid: tuple[bool, ...]
    taken: Card | None
    pending: int | None
    result: Result | None
