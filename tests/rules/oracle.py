"""Slow and simple versions of what the rules work out, written from the rules page alone, to compare with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, combinations_with_replacement, product

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"]
SUITS = ["S", "H", "D", "C"]
NATURALS = [rank + suit for rank in RANKS for suit in SUITS]


def is_meld(cards: Sequence[str]) -> bool:
    """Try every card for every Joker without a role."""
    if sum(not card.startswith("JK") for card in cards) < 2:
        return False
    choices = [NATURALS if card == "JK" else [card[-2:]] for card in cards]
    return any(is_group(shown) or is_run(shown) for shown in product(*choices))


def is_group(shown: Sequence[str]) -> bool:
    ranks, suits = {card[0] for card in shown}, [card[1] for card in shown]
    return len(ranks) == 1 and len(shown) in {3, 4} and len(set(suits)) == len(suits)


def is_run(shown: Sequence[str]) -> bool:
    if len({card[1] for card in shown}) != 1 or len(shown) < 3:
        return False
    places = sorted(RANKS.index(card[0]) for card in shown)
    return places == list(range(places[0], places[0] + len(places)))


def melds_in(hand: Sequence[str]) -> set[tuple[str, ...]]:
    """Every group as sorted cards and every row of a run, by trying all of them."""
    held = Counter(hand)
    return {meld for meld in _all_melds() if not Counter(meld) - held}


def _all_melds() -> Iterator[tuple[str, ...]]:
    for rank in RANKS:
        for size in (2, 3, 4):
            for suits in combinations(SUITS, size):
                for jokers in range(3):
                    if 3 <= size + jokers <= 4:
                        yield tuple(sorted([*(rank + suit for suit in suits), *["JK"] * jokers]))
    for suit in SUITS:
        for low in range(13):
            for high in range(low + 2, min(13, low + 8)):
                naturals = [RANKS[place] + suit for place in range(low, high + 1)]
                for row in product(*([natural, "JK"] for natural in naturals)):
                    if sum(card != "JK" for card in row) >= 2:
                        yield row


def fewest_with_joker(
    melds: Sequence[tuple[tuple[str, ...], int]], hand: Sequence[str], needed: int
) -> int | None:
    """The fewest cards of disjoint melds with a Joker worth `needed`, by trying all sets of up to four melds."""
    best: int | None = None
    for count in range(1, 5):
        for chosen in combinations_with_replacement(melds, count):  # two packs may lay the same meld twice
            cards = [card for meld, _ in chosen for card in meld]
            enough = sum(worth for _, worth in chosen) >= needed and "JK" in cards
            if enough and not Counter(cards) - Counter(hand) and (best is None or len(cards) < best):
                best = len(cards)
    return best


def hand_points(cards: Sequence[str], ace: int, joker: int) -> int:
    """A hand's penalty, card by card."""
    total = 0
    for card in cards:
        if card == "JK":
            total += joker
        elif card[0] == "A":
            total += ace
        elif card[0] in "TJQK":
            total += 10
        else:
            total += int(card[0])
    return total


def settle(
    penalties: Sequence[int], order: Sequence[int], out: int | None, tie: str
) -> tuple[set[int], list[int]]:
    """Winners and points of a hand that `out` finished, or that the stock ended."""
    seats = range(len(penalties))
    if out is not None:
        winners = {out}
    else:
        winners = {seat for seat in seats if penalties[seat] == min(penalties)}
        if len(winners) > 1 and tie == "void":
            return set(), [0 for _ in seats]
        if tie == "turn_order":
            winners = {next(seat for seat in order if seat in winners)}
    points = [0 for _ in seats]
    purse = 0
    for seat in seats:
        if seat not in winners:
            points[seat] = -penalties[seat]
            purse += penalties[seat]
    while purse >= len(winners):
        for seat in winners:
            points[seat] += 1
            purse -= 1
    for seat in order:
        if seat in winners and purse > 0:
            points[seat] += 1
            purse -= 1
    return winners, points
