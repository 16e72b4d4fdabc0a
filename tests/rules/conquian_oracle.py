"""Slow and simple versions of what Conquian's rules work out, written from the rules page alone, to compare with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations

RANKS = ["A", "2", "3", "4", "5", "6", "7", "J", "Q", "K"]
SUITS = ["S", "H", "D", "C"]
PACK = [rank + suit for rank in RANKS for suit in SUITS]


def is_meld(cards: Sequence[str], longest_run: int) -> bool:
    if len(set(cards)) < len(cards) or len(cards) < 3:
        return False
    if len({card[0] for card in cards}) == 1:
        return True
    places = sorted(RANKS.index(card[0]) for card in cards)
    in_a_row = places == list(range(places[0], places[0] + len(places)))
    return len({card[1] for card in cards}) == 1 and in_a_row and len(cards) <= longest_run


def all_melds(longest_run: int) -> list[frozenset[str]]:
    groups = [
        frozenset(rank + suit for suit in suits)
        for rank in RANKS
        for count in (3, 4)
        for suits in combinations(SUITS, count)
    ]
    runs = [
        frozenset(rank + suit for rank in RANKS[low : low + count])
        for suit in SUITS
        for count in range(3, longest_run + 1)
        for low in range(10 - count + 1)
    ]
    return groups + runs


@cache
def divisible(cards: frozenset[str], longest_run: int = 8) -> bool:
    """Whether cards can be laid as melds, none left over: try every meld that holds the first of them."""
    if not cards:
        return True
    first = min(cards)
    return any(
        divisible(cards - meld, longest_run)
        for meld in all_melds(longest_run)
        if first in meld and meld <= cards
    )


def fits(table: Sequence[Sequence[str]], card: str) -> bool:
    """Whether a card can be melded with cards on the table alone."""
    return divisible(frozenset(card for meld in table for card in meld) | {card})


def parts_of(hand: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Every part of a hand, the empty one and the whole one too."""
    for count in range(len(hand) + 1):
        yield from combinations(hand, count)
