"""Konken's values: the options, a hand in play, and what one seat may see of it."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from server.rules.cards import Card, KnownCard
from server.rules.game import MeldView
from server.rules.result import Result

Switch = Literal["off", "on"]
Phase = Literal["draw", "act", "over"]


class KonkenOptions(
    Struct, frozen=True, tag="konken", tag_field="game", omit_defaults=True, forbid_unknown_fields=True
):
    """Konken's options (rules, section 7); the defaults are the source's game."""

    players: Literal[2, 3, 4] = 4
    """How many play."""
    packs: Literal[1, 2] = 2
    """Packs of 52 cards."""
    jokers: Literal[2, 4] = 2
    """Jokers in all."""
    hand_size: Literal[10, 13, 14] = 13
    """Cards dealt to each seat."""
    opening_points: Literal[0, 40, 51] = 0
    """What the first lay of a seat must come to; 0: anything opens."""
    must_open_before_layoff: Switch = "off"
    """Whether adding and swapping ask for a meld of one's own before."""
    finish_on_opening_turn: Switch = "off"
    """Whether one may go out in the turn of one's first lay."""
    must_discard_to_finish: Switch = "off"
    """Whether the last card has to be a discard."""
    return_taken_discard: Switch = "off"
    """Whether the card just taken from the pile may be thrown again at once."""
    reclaimed_joker: Literal["any_meld", "new_meld_only"] = "any_meld"
    """Where a Joker taken from the table may go: into any other meld, or new ones only."""
    ace_penalty: Literal[1, 11] = 1
    """What an Ace left in hand costs."""
    joker_penalty: Literal[15, 20, 25, 50] = 25
    """What a Joker left in hand costs."""
    unopened_penalty: Literal[0, 100] = 0
    """What having laid nothing costs besides."""
    tie: Literal["split", "turn_order", "void"] = "split"
    """When the stock is out: equal lowest hands share, the first in turn wins, or nobody does."""
    target: Literal[100, 150, 200, 300, 500, 1000] = 500
    """Points that win the match."""
    max_hands: Annotated[int, Meta(ge=0, le=20)] = 0
    """The match ends after so many hands; 0: only at the target."""


class KonkenHand(Struct, frozen=True, gc=False, tag="konken", tag_field="game", omit_defaults=True):
    """A hand of Konken at one moment.

    `turn` is the seat that plays, and stays with the last one once the hand is over. `hands` are in order of
    arrival, newest last; `stock` and `pile` (the discard pile) lie top first. Melds never leave the table, so
    meld `n` is `table[n - 1]`.

    `opened` says which seats laid a new meld in an earlier turn, `laid` which have laid one at all. `drawn`
    and `taken` are the card that came from the stock or the pile this turn, until it is laid. `pending` is
    the number of the meld whose Joker was swapped out and waits for its use; that Joker is in no hand. `idle`
    counts the turns in a row without a stock draw or a table action, -1 once this turn has had one.
    """

    options: KonkenOptions
    first: int
    turn: int
    phase: Phase
    hands: tuple[tuple[KnownCard, ...], ...]
    stock: tuple[KnownCard, ...]
    pile: tuple[KnownCard, ...]
    opened: tuple[bool, ...]
    laid: tuple[bool, ...]
    table: tuple[MeldView, ...] = ()
    drawn: Card | None = None
    taken: Card | None = None
    pending: int | None = None
    idle: int = 0
    result: Result | None = None

    @property
    def own(self) -> tuple[Card, ...]:
        """The cards of the seat whose turn it is."""
        return self.hands[self.turn]

    @property
    def has_opened(self) -> bool:
        """Whether the seat whose turn it is has laid a new meld, this turn or earlier."""
        return self.laid[self.turn]


class KonkenView(Struct, frozen=True, tag="konken", tag_field="game"):
    """All that one seat (or a spectator) may see of a hand.

    `hand` is the viewer's own, in order of arrival, newest last; None for a spectator. `drawn` is the card
    the viewer has just drawn, `taken` the card the turn's owner took from the pile this turn (public).
    `opened` says which seats opened in an earlier turn, `laid` which have laid a new meld at all. `pending`
    is the meld whose Joker waits for its use. `counts` are the cards in each hand, `table` the melds, `stock` and
    `discards` how many lie there, `discard` the top one. All hands are in `result`, once the hand is over.
    """

    phase: Phase
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
