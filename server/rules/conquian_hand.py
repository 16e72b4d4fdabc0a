"""Conquian's values: the options, a hand in play, and what one seat may see of it."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from server.rules.cards import Card, KnownCard
from server.rules.result import Result

Switch = Literal["off", "on"]
Phase = Literal["exchange", "own", "offered", "window", "forced", "discard", "over"]
How = Literal["turned", "discarded"]
Melds = tuple[tuple[Card, ...], ...]
"""A player's table: melds, runs from low to high."""

FULL_DEAL = 10
"""The deal that the source's goal of eleven speaks of; fewer is a short deal."""


class ConquianOptions(
    Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, tag="conquian", tag_field="game"
):
    """Conquian's options (rules, section 7); the defaults are the source's game."""

    deal: Literal[8, 9, 10] = 10
    """Cards dealt to each player; one more has to be melded."""
    forcing: Literal["optional", "auto", "off"] = "optional"
    """Whether a card that fits one's table has to be melded: if the opponent insists, always, or never."""
    exchange: Switch = "off"
    """Whether the players give each other a card before play."""
    first_card: Literal["pone_turns", "upcard"] = "pone_turns"
    """The non-dealer turns the first card, or the dealer turns it and offers it to the non-dealer."""
    short_deal_run_cap: Literal["formula", "none"] = "formula"
    """Longest run where fewer than ten are dealt: three less than the goal, or all ten ranks."""
    stake: Annotated[int, Meta(ge=1, le=1000)] = 1
    """What the loser of a game pays."""
    draw_carry: Literal["double", "pool", "none"] = "double"
    """What a drawn game does to the next stake: doubles it, adds one stake, or nothing."""
    carry_cap: Annotated[int, Meta(ge=1, le=64)] = 16
    """How many times the stake can be paid at most."""
    show_dead: Switch = "off"
    """Whether the cards that nobody wanted stay visible."""
    wins: Annotated[int, Meta(ge=1, le=20)] = 1
    """Games that win the match."""

    @property
    def goal(self) -> int:
        """Cards that win once they are melded: "Anda harus menggabungkan tepat sebelas kartu untuk menang." """
        return self.deal + 1

    @property
    def longest_run(self) -> int:
        """ "Urutan tidak boleh berisi lebih dari delapan kartu": the rest of the goal has to make a meld, too."""
        if self.short_deal_run_cap == "none" and self.deal < FULL_DEAL:
            return 10
        return self.goal - 3


class Centre(Struct, frozen=True):
    """The card in the centre: whose it was to offer, and whether it came from the stock or from a hand."""

    card: Card
    by: int
    how: How


class ConquianHand(Struct, frozen=True, gc=False, tag="conquian", tag_field="game", omit_defaults=True):
    """A hand of Conquian at one moment.

    `turn` is the seat that decides (in the exchange one of those that still choose), and stays with the last one once
    the hand is over. `hands` are in order of arrival, newest last; `stock` lies top first, `dead` newest last. `melds`
    is each player's own table, `chosen` the cards of the exchange while it goes on. `drawn` counts the drawn games in
    a row before this one.
    """

    options: ConquianOptions
    dealer: int
    turn: int
    phase: Phase
    hands: tuple[tuple[KnownCard, ...], ...]
    stock: tuple[KnownCard, ...]
    melds: tuple[Melds, ...] = ((), ())
    centre: Centre | None = None
    dead: tuple[KnownCard, ...] = ()
    chosen: tuple[Card | None, ...] = (None, None)
    drawn: int = 0
    result: Result | None = None

    @property
    def own(self) -> tuple[Card, ...]:
        """The hand of the seat whose turn it is."""
        return self.hands[self.turn]

    @property
    def pone(self) -> int:
        """The player who does not deal, and acts first."""
        return other(self.dealer)

    @property
    def is_upcard(self) -> bool:
        """Whether the centre card is the dealer's upcard (option), which the other player decides on first.

        Nothing is melded or dead before it is decided on, and always something afterwards.
        """
        if self.options.first_card != "upcard" or self.centre is None:
            return False
        turned_by_dealer = (self.centre.by, self.centre.how) == (self.dealer, "turned")
        return turned_by_dealer and not self.dead and not any(self.melds)


class ExchangeView(Struct, frozen=True):
    """The exchange while it goes on: by seat whether a card is chosen, and the viewer's own."""

    chosen: tuple[bool, ...]
    own: Card | None


class ConquianView(Struct, frozen=True, tag="conquian", tag_field="game"):
    """What one seat may see; `hand` is its own.

    `table` is by seat, each player's melds. `fits` says by seat whether the centre card fits that player's table
    alone, so that it could be forced; `forceable` are the viewer's own cards that could be thrown so now. `forced` is
    the seat that has to meld. `dead` counts the cards out of play, `dead_cards` are they where the table shows them.
    `exchange` is None but before play. The loser pays `stake` times `multiplier`. `result` has the hands of all once
    the hand is over.
    """

    phase: Phase
    turn: int
    dealer: int
    hand: tuple[Card, ...] | None
    counts: tuple[int, ...]
    table: tuple[Melds, ...]
    centre: Centre | None
    fits: tuple[bool, ...]
    forceable: tuple[Card, ...]
    forced: int | None
    stock: int
    dead: int
    dead_cards: tuple[Card, ...] | None
    exchange: ExchangeView | None
    stake: int
    multiplier: int
    result: Result | None


def other(seat: int) -> int:
    """The opponent's seat."""
    return 1 - seat
