"""All that a hand can lay, by trying every set of its cards: slow, and written from the rules pages alone.

A set of cards is a number with a bit for each card of the hand, by its place there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"]
SUITS = "SHDC"

Judge = Callable[[Sequence[str]], int | None]
"""What cards come to as one meld at best, in any order; None if they are none."""


def konken_meld(cards: Sequence[str]) -> int | None:
    """Konken, section 3: the Ace is low and counts one, Jokers as many as there are beside two naturals."""
    naturals = [card for card in cards if card != "JK"]
    if len(naturals) < 2 or len(cards) < 3:
        return None
    values = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]
    if is_group(naturals, len(cards)):
        return len(cards) * values[RANKS.index(naturals[0][0])]
    return best_run(naturals, len(cards), [RANKS], values)


def conker_meld(jokers: int, longest: int) -> Judge:
    """Conker, section 3: the Ace is low or high, with so many Jokers a meld and runs so long."""

    def judge(cards: Sequence[str]) -> int | None:
        naturals = [card for card in cards if card != "JK"]
        if len(naturals) < 2 or len(cards) < 3 or len(cards) - len(naturals) > jokers:
            return None
        values = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 11]
        if is_group(naturals, len(cards)):
            rank = naturals[0][0]
            return len(cards) * (11 if rank == "A" else values[RANKS.index(rank)])
        return best_run(naturals, len(cards), [[*RANKS, "A"]], values) if len(cards) <= longest else None

    return judge


def is_group(naturals: Sequence[str], size: int) -> bool:
    suits = {card[1] for card in naturals}
    return len({card[0] for card in naturals}) == 1 and len(suits) == len(naturals) and size <= 4


def best_run(
    naturals: Sequence[str], size: int, orders: Sequence[list[str]], values: list[int]
) -> int | None:
    """Try every row of so many places."""
    ranks = [card[0] for card in naturals]
    if len({card[1] for card in naturals}) > 1 or len(set(ranks)) < len(ranks) or size > len(RANKS):
        return None
    found = [
        sum(values[low : low + size])
        for order in orders
        for low in range(len(order) - size + 1)
        if set(ranks) <= set(order[low : low + size])
    ]
    return max(found, default=None)


def melds_in(hand: Sequence[str], judge: Judge) -> dict[int, int]:
    """Every set of cards that is a meld, with its points."""
    found: dict[int, int] = {}
    for chosen in sets_of_a_kind(hand):
        if (points := judge([hand[at] for at in chosen])) is not None:
            found[sum(1 << at for at in chosen)] = points
    return found


def sets_of_a_kind(hand: Sequence[str]) -> Iterator[tuple[int, ...]]:
    """Every set of cards of one suit or one rank, with Jokers."""
    for at, letter in [*((1, suit) for suit in SUITS), *((0, rank) for rank in RANKS)]:
        places = [place for place, card in enumerate(hand) if card == "JK" or card[at] == letter]
        for size in range(3, len(places) + 1):
            yield from combinations(places, size)


def laid_whole(hand: Sequence[str], melds: dict[int, int]) -> dict[int, int]:
    """Every set of cards that melds can take up without one left over, with the most points that they come to."""
    most = {0: 0}
    by_first: list[list[tuple[int, int]]] = [[] for _ in hand]
    for meld, points in melds.items():
        by_first[(meld & -meld).bit_length() - 1].append((meld, points))
    for cards in range(1, 1 << len(hand)):
        first = (cards & -cards).bit_length() - 1
        found = [
            points + most[cards ^ meld]
            for meld, points in by_first[first]
            if meld & cards == meld and cards ^ meld in most
        ]
        if found:
            most[cards] = max(found)
    return most


def cards_of(hand: Sequence[str], cards: int) -> tuple[str, ...]:
    """A set of cards, sorted."""
    return tuple(sorted(card for at, card in enumerate(hand) if cards >> at & 1))
