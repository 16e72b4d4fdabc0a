"""Which parts of a hand can be melded now, found by looking up what melds there are among a few cards.

Whoever may meld asks this for every card in the centre, and mostly the answer is: none. Cards are sets of bits as in
conquian_covers.py.
"""

from __future__ import annotations

from server.rules.cards import SUITS
from server.rules.conquian_covers import (
    BIT,
    LONGEST_PIECE,
    RANKS,
    Among,
    all_melds,
    can_lie,
    melds_with,
    set_of,
)

SUIT = (1 << len(RANKS)) - 1
"""The ten spades: a set's lowest bits."""

OF_RANK = {BIT[rank + SUITS[0]]: set_of(rank + suit for suit in SUITS) for rank in RANKS}
"""For a spade all of its rank."""


# ---- melds in sets of cards --------------------------------------------------------------------------------


FEW = Among(all_melds(LONGEST_PIECE))
"""The melds in some cards of one suit, or of one rank; long runs left out, as they are shorter ones together."""


def melds_in(cards: int) -> list[int]:
    """All melds in a set of cards."""
    spades, hearts, diamonds, clubs = cards & SUIT, cards >> 10 & SUIT, cards >> 20 & SUIT, cards >> 30
    melds = [*FEW[spades], *FEW[hearts << 10], *FEW[diamonds << 20], *FEW[clubs << 30]]
    threes = spades & hearts & (diamonds | clubs) | diamonds & clubs & (spades | hearts)
    while threes:
        spade = threes & -threes
        melds += FEW[cards & OF_RANK[spade]]
        threes ^= spade
    return melds


def parts(centre: int, table: int, own: int) -> list[int]:
    """The parts of a hand that can be melded with the centre card and one's table, as `usable` finds them."""
    if not melds_with(centre, centre | table | own):
        return []
    left = _left(centre, table, own)
    ways = list(left)
    for may in ways:  # more are found on the way
        for meld in melds_in(may):
            if (less := may ^ meld) not in left:
                left.add(less)
                ways.append(less)
    return [own ^ may for may in left]


def _left(centre: int, table: int, own: int) -> set[int]:
    """What may be left of a hand once the centre card and one's table lie, and nothing that they have no need of."""
    left: set[int] = set()
    ways = [(centre, centre | table, own)]
    for card, must, may in ways:  # more are found on the way
        for meld in melds_with(card, must | may):
            if rest := must & ~meld:
                ways.append((rest & -rest, rest, may & ~meld))
            else:
                left.add(may & ~meld)
    return left


def fits(card: int, table: int) -> bool:
    """Whether a card can lie with a player's table and nothing else."""
    return table != 0 and melds_with(card, card | table) != () and can_lie(card | table)
