"""Conker: what a few cards can be laid as, and what has room on the table, worked out once and kept for some options.

The cards of one suit or of one rank come again and again, and so do melds on tables. Cards are sets of bits as in
held.py.
"""

from __future__ import annotations

from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

from server.rules.actions import Add, Lay
from server.rules.cards import JOKER
from server.rules.conker_finder import melds_in, parts_in
from server.rules.conker_hand import ConkerOptions
from server.rules.conker_melds import LARGEST_LAY, PLACE_POINTS, joining, places_of, takers
from server.rules.conker_scoring import COSTS
from server.rules.game import MeldView
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


class Piece(NamedTuple):
    """A new meld to put together with others: its naturals as a set, its Jokers, and how many cards these are.

    `saved` is what its cards cost that are left over, less a point a Joker. By `place` those come first that begin with
    the lowest card, and of these the longest: the order in which openings.py looks at melds.
    """

    place: int
    cards: int
    jokers: int
    size: int
    points: int
    saved: int
    part: Part


class Known:
    """What follows from options and a few cards."""

    def __init__(self, options: ConkerOptions) -> None:
        self.options = options
        self.spot_of = lru_cache(KEPT)(self._spot_of)
        self.spots_of = lru_cache(KEPT_TABLES)(self._spots_of)
        self._lays = lru_cache(KEPT)(self._lays_of_few)
        self._pieces = lru_cache(KEPT)(self._pieces_of_few)
        self._with_joker = lru_cache(KEPT)(self._with_joker_of_few)

    def _spot_of(self, meld: MeldView) -> Spot:
        """What a meld on the table has room for."""
        ways = joining(meld.kind, meld.cards, self.options)
        adds = tuple((BITS[card], Add(meld.id, (card,), end)) for card, ends in ways.items() for end in ends)
        return Spot(sum(BITS[card] for card in ways), adds, sum(BIT[card] for card in takers(meld.cards)))

    def _spots_of(self, table: tuple[MeldView, ...]) -> Spots:
        """What all melds on a table have room for."""
        return together(map(self.spot_of, table))

    def lays_of(self, cards: int, jokers: int, room: int) -> list[Lay]:
        """Every single meld of a hand of at most `room` cards, given its faces; groups before runs, low before high."""
        found: list[Lay] = []
        jokers = min(jokers, self.options.max_jokers_per_group)
        for some in meldable(cards, jokers, ace_high=True):
            found += self._lays(some, jokers)
        if room >= LARGEST_LAY and self.options.long_lay == "off":
            return found
        return [lay for lay in found if len(lay.melds[0]) <= room]

    def _lays_of_few(self, cards: int, jokers: int) -> tuple[Lay, ...]:
        """What can be laid of cards of one suit, or of one rank, and Jokers."""
        return tuple(Lay((meld,)) for meld in melds_in((*faces_of(cards), *(JOKER,) * jokers), self.options))

    def points_at_most(self, once: int, twice: int, jokers: int) -> int:
        """More than a hand can come to: all that can be laid without a Joker, and the best meld for each Joker. A quick
        no, which is the answer in most turns of a locked seat.
        """
        natural = lying(once, ace_high=True)
        most = _worth(natural) + _worth(natural & twice)
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
        pieces = [piece for piece in self._pieces(cards, jokers) if piece.jokers]
        useful = 0
        for piece in pieces:
            useful |= piece.cards
        return useful, max((piece.points for piece in pieces), default=0)

    def pieces_of(self, cards: int, jokers: int) -> list[Piece]:
        """The new melds of a hand, as `parts_in` finds them, by their place."""
        found: list[Piece] = []
        jokers = min(jokers, self.options.max_jokers_per_group)
        for some in meldable(cards, jokers, ace_high=True):
            found += self._pieces(some, jokers)
        return sorted(found, key=itemgetter(0))

    def _pieces_of_few(self, cards: int, jokers: int) -> tuple[Piece, ...]:
        """The same of a few, each set of cards once."""
        found: dict[tuple[int, int], Piece] = {}
        for part in parts_in((*faces_of(cards), *(JOKER,) * jokers), self.options):
            piece = _piece(part)
            found.setdefault((piece.cards, piece.jokers), piece)
        return tuple(found.values())


def _worth(cards: int) -> int:
    """What cards count at most."""
    return sum(map(WORTH.__getitem__, singles(cards))) if cards else 0


def _piece(part: Part) -> Piece:
    jokers, size = part.cards.count(JOKER), len(part.cards)
    cards = sum([BIT[card] for card in part.cards if card != JOKER])
    saved = sum([COSTS[card] for card in part.cards]) - jokers
    first = (cards & -cards).bit_length()
    length = cards.bit_count() + jokers.bit_count()  # two Jokers count as one: so openings.py has it
    return Piece((first << 4) - length, cards, jokers, size, part.points, saved, part)


known = lru_cache(8)(Known)
