"""Conker's values: the options, a hand in play, and what one seat may see of it."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from server.rules.cards import Card, KnownCard
from server.rules.game import MeldView
from server.rules.result import Result

Switch = Literal["off", "on"]
Phase = Literal["draw", "act", "over"]


class ConkerOptions(
    Struct,
    frozen=True,
    cache_hash=True,
    tag="conker",
    tag_field="game",
    omit_defaults=True,
    forbid_unknown_fields=True,
):
    """Conker's options (rules, section 7); the defaults are the source's game."""

    players: Literal[2, 3, 4, 5, 6] = 4
    """How many play."""
    opening_points: Literal[31, 41, 51] = 41
    """What the lay must come to that gets a seat in."""
    joker_close_double: Switch = "off"
    """Whether closing with a Joker doubles the round."""
    quatris_alternation: Switch = "off"
    """Whether colours alternate in four of a rank as well."""
    max_jokers_per_group: Literal[1, 2] = 1
    """How many Jokers one meld may hold."""
    joker_layoff: Switch = "on"
    """Whether a Joker may join a meld on the table."""
    act_on_entry_turn: Switch = "on"
    """Whether a seat may do more in the turn in which it gets in."""
    long_lay: Switch = "off"
    """Whether a run of more than four cards may be laid at once."""
    return_taken_discard: Switch = "on"
    """Whether the card just taken from the pile may be thrown again at once."""
    locked_penalty: Literal[0, 100] = 0
    """What a loser pays besides who is still locked; nothing where points are flat."""
    scoring: Literal["winner_takes", "penalty", "flat"] = "winner_takes"
    """The winner gets what the losers hold, the losers add it up and low wins, or a point a loser."""
    target: Annotated[int, Meta(ge=1, le=1000)] = 500
    """Points that end the match."""
    max_hands: Annotated[int, Meta(ge=0, le=20)] = 0
    """The match ends after so many hands; 0: only at the target."""
    stock_out: Literal["reshuffle", "void"] = "reshuffle"
    """When the stock is out: the discard pile becomes a new one, or the hand is void."""
    max_reshuffles: Annotated[int, Meta(ge=0, le=5)] = 3
    """How often the discard pile becomes the stock in one hand."""


class ConkerHand(Struct, frozen=True, gc=False, tag="conker", tag_field="game", omit_defaults=True):
    """A hand of Conker at one moment.

    `turn` is the seat that plays, and stays with the last one once the hand is over. `hands` are in order of arrival,
    newest last; `stock` and `pile` (the discard pile) lie top first. `melds` counts the numbers given to melds so
    far: those that burned have left the `table`, and their cards are in `burned`.

    `opened` says which seats are in, `entered` whether the seat whose turn it is got in this turn. `drawn` and
    `taken` are the card that came from the stock or the pile this turn, until it is laid. `idle` counts the turns in
    a row without a stock draw or a table action, -1 once this turn has had one. `reshuffles` counts those so far;
    `key` is the secret that they come from, empty where a record is replayed without its seed.
    """

    options: ConkerOptions
    first: int
    turn: int
    phase: Phase
    hands: tuple[tuple[KnownCard, ...], ...]
    stock: tuple[KnownCard, ...]
    pile: tuple[KnownCard, ...]
    opened: tuple[bool, ...]
    entered: bool = False
    table: tuple[MeldView, ...] = ()
    melds: int = 0
    burned: tuple[KnownCard, ...] = ()
    drawn: Card | None = None
    taken: Card | None = None
    idle: int = 0
    reshuffles: int = 0
    key: str = ""
    result: Result | None = None

    @property
    def own(self) -> tuple[Card, ...]:
        """The hand of the seat whose turn it is."""
        return self.hands[self.turn]

    @property
    def is_in(self) -> bool:
        """Whether the seat whose turn it is has made its 41, this turn or earlier."""
        return self.opened[self.turn]

    @property
    def may_use_table(self) -> bool:
        """Whether the seat may add, swap and lay without a minimum.

        "Until you get in" is a status, not a turn; option `act_on_entry_turn` makes it one.
        """
        return self.is_in and not (self.entered and self.options.act_on_entry_turn == "off")


class ConkerView(Struct, frozen=True, tag="conker", tag_field="game"):
    """All that one seat (or a spectator) may see of a hand.

    `hand` is the viewer's own, in order of arrival, newest last; None for a spectator. `drawn` is the card the viewer
    has just drawn, `taken` the card the turn's owner took from the pile this turn (public). `opened` says which seats
    are in, `entered` whether the turn's owner got in this turn. `counts` are the cards in each hand, `table` the
    melds, `burned` what left it, `stock` and `discards` how many lie there, `discard` the top one, `reshuffles` how
    often the pile became the stock. All hands are in `result`, once the hand is over.
    """

    phase: Phase
    turn: int
    first: int
    hand: tuple[Card, ...] | None
    drawn: Card | None
    counts: tuple[int, ...]
    table: tuple[MeldView, ...]
    burned: tuple[Card, ...]
    stock: int
    discard: Card | None
    discards: int
    opened: tuple[bool, ...]
    entered: bool
    taken: Card | None
    reshuffles: int
    result: Result | None
