"""Conker: what a few cards can be laid as, and what has room on the table, worked out once and kept for some options.

The cards of one suit or of one rank come again and again, and so do melds on tables. Cards are sets of bits as in
held.py.
"""

from __future__ import annotations

from functools import lru_cache

from server.rules.cards import JOKER
from server.rules.conker_finder import melds_in, parts_in
from server.rules.conker_hand import ConkerOptions
from server.rules.conker_melds import PLACE_POINTS, joining, places_of, takers
from server.rules.game import Add, Lay, MeldView
from server.rules.held import (
    BIT,
    BITS,
    KEPT,
    KEPT_TABLES,
    Spot,
    Spots,
    faces_of,
    lying,
    meldable,
    singles,
    together,
)
from server.rules.parts import Part

WORTH = {bit: PLACE_POINTS[places_of(card)[0]] for card, bit in BIT.items()}
"""What a card counts at most in an opening."""


class Known:
    """What follows from options and a few cards."""

    def __init__(self, options: ConkerOptions) -> None:
        self.options = options
        self.spot_of = lru_cache(KEPT)(self._spot_of)
        self.spots_of = lru_cache(KEPT_TABLES)(self._spots_of)
        self._lays = lru_cache(KEPT)(self._lays_of_few)
        self._parts = lru_cache(KEPT)(self._parts_of_few)
        self._with_joker = lru_cache(KEPT)(self._with_joker_of_few)

    def _spot_of(self, meld: MeldView) -> Spot:
        """What a meld on the table has room for."""
        ways = joining(meld.kind, meld.cards, self.options)
        adds = tuple((BITS[card], Add(meld.id, (card,), end)) for card, ends in ways.items() for end in ends)
        return Spot(sum(BITS[card] for card in ways), adds, sum(BIT[card] for card in takers(meld.cards)))

    def _spots_of(self, table: tuple[MeldView, ...]) -> Spots:
        """What all melds on a table have room for."""
        return together(map(self.spot_of, table))

    def lays_of(self, cards: int, jokers: int) -> list[Lay]:
        """Every single meld of a hand, given its faces; groups before runs, low before high."""
        found: list[Lay] = []
        jokers = min(jokers, self.options.max_jokers_per_group)
        for some in meldable(cards, jokers, ace_high=True):
            found += self._lays(some, jokers)
        return found

    def _lays_of_few(self, cards: int, jokers: int) -> tuple[Lay, ...]:
        """What can be laid of cards of one suit, or of one rank, and Jokers."""
        return tuple(Lay((meld,)) for meld in melds_in((*faces_of(cards), *(JOKER,) * jokers), self.options))

    def points_at_most(self, once: int, twice: int, jokers: int) -> int:
        """More than a hand can come to: all that can be laid without a Joker, and the best meld for each Joker. A quick
        no, which is the answer in most turns of a locked seat.
        """
        natural = lying(once, ace_high=True)
        cards = [*singles(natural), *singles(natural & twice)] if natural else []
        most = sum(map(WORTH.__getitem__, cards))
        return most + jokers * max((best for _, best in self._few(once, jokers)), default=0)

    def useful(self, cards: int, jokers: int) -> int:
        """The naturals that are in some meld, be it with Jokers."""
        found = lying(cards, ace_high=True)
        for with_joker, _ in self._few(cards, jokers):
            found |= with_joker
        return found

    def _few(self, cards: int, jokers: int) -> list[tuple[int, int]]:
        """Of each suit and rank the cards that are in a meld with a Joker, and the most points of one."""
        if not jokers:
            return []
        jokers = min(jokers, self.options.max_jokers_per_group)
        return [self._with_joker(some, jokers) for some in meldable(cards, jokers, ace_high=True)]

    def _with_joker_of_few(self, cards: int, jokers: int) -> tuple[int, int]:
        """The same of a few."""
        parts = [part for part in self._parts(cards, jokers) if JOKER in part.cards]
        useful = sum({BIT[card] for part in parts for card in part.cards if card != JOKER})
        return useful, max((part.points for part in parts), default=0)

    def parts_of(self, cards: int, jokers: int) -> list[Part]:
        """The new melds of a hand as sets of cards, as `parts_in` finds them."""
        found: list[Part] = []
        jokers = min(jokers, self.options.max_jokers_per_group)
        for some in meldable(cards, jokers, ace_high=True):
            found += self._parts(some, jokers)
        return found

    def _parts_of_few(self, cards: int, jokers: int) -> tuple[Part, ...]:
        return tuple(parts_in((*faces_of(cards), *(JOKER,) * jokers), self.options))


known = lru_cache(8)(Known)
