"""Which parts of a hand can be melded now, found by looking up what melds there are among a few cards.

Whoever may meld asks this for every card in the centre, and mostly the answer is: none. Cards are sets of bits as in
conquian_covers.py.
"""

from __future__ import annotations

from functools import cache

from server.rules.conquian_covers import BIT, LONGEST_PIECE, PACK, RANKS, all_melds, can_lie, set_of

SUIT = (1 << len(RANKS)) - 1
"""The ten spades: a set's lowest bits."""


def _around(place: int) -> int:
    """The places that a piece of a run through one can reach."""
    reach = (1 << 2 * LONGEST_PIECE - 1) - 1
    return reach << place >> LONGEST_PIECE - 1


OF_SUIT = {bit: set_of(card for card in PACK if card[1] == own[1]) for own, bit in BIT.items()}
OF_RANK = {bit: set_of(card for card in PACK if card[0] == own[0]) for own, bit in BIT.items()}
"""For a card all of its suit and all of its rank."""
NEAR = {bit: OF_RANK[bit] | OF_SUIT[bit] & _around(place) for place, bit in enumerate(BIT.values())}
"""For a card all that can be in one piece with it: a key to what can be worked out once."""


# ---- melds in sets of cards --------------------------------------------------------------------------------


@cache
def _melds_in(cards: int) -> tuple[int, ...]:
    """The melds in some cards of one suit, or of one rank; long runs left out, as they are shorter ones together."""
    return tuple(meld for meld in all_melds(LONGEST_PIECE) if meld & cards == meld)


@cache
def _melds_with(card: int, cards: int) -> tuple[int, ...]:
    """Those that hold a certain one of them."""
    return tuple(meld for meld in _melds_in(cards) if meld & card)


class Around(dict[int, tuple[int, ...]]):
    """The melds that hold a certain card, by what there is of NEAR it; each found when it is first asked for."""

    def __init__(self, card: int) -> None:
        super().__init__()
        self.card = card

    def __missing__(self, near: int) -> tuple[int, ...]:
        card = self.card
        self[near] = _melds_with(card, near & OF_SUIT[card]) + _melds_with(card, near & OF_RANK[card])
        return self[near]


AROUND = {card: (NEAR[card], Around(card)) for card in BIT.values()}
"""For a card what is NEAR it, and its melds. None has to be forgotten: there are no more than sets of such cards."""


def melds_in(cards: int) -> list[int]:
    """All melds in a set of cards."""
    spades, hearts, diamonds, clubs = cards & SUIT, cards >> 10 & SUIT, cards >> 20 & SUIT, cards >> 30
    melds = [
        *_melds_in(spades), *_melds_in(hearts << 10), *_melds_in(diamonds << 20), *_melds_in(clubs << 30)
    ]  # fmt: skip
    threes = spades & hearts & (diamonds | clubs) | diamonds & clubs & (spades | hearts)
    while threes:
        spade = threes & -threes
        melds += _melds_in(cards & OF_RANK[spade])
        threes ^= spade
    return melds


def parts(centre: int, table: int, own: int) -> list[int]:
    """The parts of a hand that can be melded with the centre card and one's table, as `usable` finds them."""
    near, around = AROUND[centre]
    melds = around[(centre | table | own) & near]
    if not melds:
        return []
    found: set[int] = set()
    seen: set[tuple[int, int]] = set()
    # What must still be covered, and what may be used for it; the centre card before the table.
    ways = [((centre | table) & ~meld, own & ~meld) for meld in melds]
    while ways:
        way = ways.pop()
        if way in seen:
            continue
        seen.add(way)
        must, may = way
        if must:
            lowest = must & -must
            near, around = AROUND[lowest]
            ways += [(must & ~meld, may & ~meld) for meld in around[(must | may) & near]]
        else:
            found.add(own ^ may)
            ways += [(0, may ^ meld) for meld in melds_in(may)]
    return list(found)


def fits(card: int, table: int) -> bool:
    """Whether a card can lie with a player's table and nothing else."""
    if not table:
        return False
    near, around = AROUND[card]
    return around[(card | table) & near] != () and can_lie(card | table)
