"""Konken: what a few cards can be laid as, and what has room on the table, worked out once and kept.

The cards of one suit or of one rank come again and again, and so do melds on tables. Cards are sets of bits as in
held.py.
"""

from __future__ import annotations

from functools import lru_cache

from server.rules.actions import Add, Lay
from server.rules.cards import JOKER
from server.rules.game import MeldView
from server.rules.held import BIT, BITS, KEPT, KEPT_TABLES, Spot, Spots, faces_of, meldable, together
from server.rules.melds import joining, melds_in, takers


@lru_cache(KEPT)
def spot_of(meld: MeldView) -> Spot:
    """That of a meld."""
    ways = joining(meld.kind, meld.cards)
    adds = tuple((BITS[card], Add(meld.id, (card,), end)) for card, ends in ways.items() for end in ends)
    taking = takers(meld.kind, meld.cards)
    return Spot(sum(BITS[card] for card in ways), adds, sum(BIT[card] for card in taking))


@lru_cache(KEPT_TABLES)
def spots_of(table: tuple[MeldView, ...]) -> Spots:
    """Those of a table."""
    return together(map(spot_of, table))


@lru_cache(KEPT)
def _lays_of(cards: int, jokers: int) -> tuple[Lay, ...]:
    """What can be laid of cards of one suit, or of one rank, and Jokers."""
    return tuple(Lay((meld,)) for meld in melds_in((*faces_of(cards), *(JOKER,) * jokers)))


def lays_of(cards: int, jokers: int) -> list[Lay]:
    """Every single meld of a hand, given its faces; groups before runs, low before high."""
    found: list[Lay] = []
    for some in meldable(cards, jokers, ace_high=False):
        found += _lays_of(some, jokers)
    return found
