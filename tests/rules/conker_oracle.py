"""Slow and simple versions of what Conker works out, written from the rules page alone, to compare with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, permutations

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"]
RED = {"H", "D"}
VALUES = {**{str(pip): pip for pip in range(2, 10)}, **dict.fromkeys("TJQK", 10)}

Shown = tuple[tuple[int, str], ...]
"""What the cards of a meld are: place (1 to 14, Aces of a group 14) and suit."""


def readings(cards: Sequence[str], alternate_four: bool, longest: int, jokers: int) -> list[Shown]:
    """All that the cards, as they are sent, may be; none if they are no meld."""
    if sum(card.startswith("JK") for card in cards) > jokers:
        return []
    if sum(not card.startswith("JK") for card in cards) < 2:
        return []
    return [*as_group(cards, alternate_four), *as_run(cards, longest)]


def as_group(cards: Sequence[str], alternate_four: bool) -> Iterator[Shown]:
    ranks = {card[0] for card in cards if not card.startswith("JK")}
    if len(ranks) != 1 or len(cards) not in {3, 4}:
        return
    (rank,) = ranks
    place = 14 if rank == "A" else RANKS.index(rank) + 1
    for suits in permutations("SHDC", len(cards)):
        faces = [rank + suit for suit in suits]
        if all(may_be(card, face) for card, face in zip(cards, faces, strict=True)):
            touching = any((a in RED) == (b in RED) for a, b in pairwise(suits))
            if not touching or (len(cards) == 4 and not alternate_four):
                yield tuple((place, suit) for suit in suits)


def as_run(cards: Sequence[str], longest: int) -> Iterator[Shown]:
    if not 3 <= len(cards) <= longest:
        return
    for suit in "SHDC":
        for low in range(1, 16 - len(cards)):
            faces = [RANKS[low - 1 + at] + suit for at in range(len(cards))]
            if all(may_be(card, face) for card, face in zip(cards, faces, strict=True)):
                yield tuple((low + at, suit) for at in range(len(cards)))


def may_be(card: str, face: str) -> bool:
    return card in {face, "JK", f"JK={face}"}


def worth(shown: Shown) -> int:
    total = 0
    for place, _ in shown:
        total += 1 if place == 1 else 11 if place == 14 else VALUES[RANKS[place - 1]]
    return total


def lays_in(hand: Sequence[str], alternate_four: bool, longest: int, jokers: int) -> set[tuple[str, ...]]:
    """The cards, sorted, of all melds that a hand can lay, by trying every choice and order of three or four."""
    found = set()
    for size in (3, 4):
        for chosen in combinations(sorted(hand), size):
            if chosen not in found:
                orders = set(permutations(chosen))
                if any(readings(order, alternate_four, longest, jokers) for order in orders):
                    found.add(chosen)
    return found


def most(hand: Sequence[str], lays: dict[tuple[str, ...], int], room: int) -> int:
    """The most points that lays of at most so many cards are worth, by trying all that go together."""
    best = 0
    for lay, points in lays.items():
        if len(lay) <= room and not Counter(lay) - Counter(hand):
            rest = list((Counter(hand) - Counter(lay)).elements())
            smaller = {other: worth for other, worth in lays.items() if other >= lay}
            best = max(best, points + most(rest, smaller, room - len(lay)))
    return best


def grown(run: Sequence[str], cards: Sequence[str], jokers: int) -> set[tuple[str, ...]]:
    """What a run may become when cards join it, by trying every span and every choice of what Jokers are."""
    found: set[tuple[str, ...]] = set()
    if sum(card.startswith("JK") for card in [*run, *cards]) > jokers or len(run) + len(cards) > 13:
        return found
    suit = run[0][-1]
    faces = [card[-2:] for card in run]
    for below in range(len(cards) + 1):
        for order in set(permutations(cards)):
            row = [*order[:below], *run, *order[below:]]
            for low in range(1, 16 - len(row)):
                shown = [RANKS[low - 1 + at] + suit for at in range(len(row))]
                if shown[below : below + len(run)] == faces and all(map(may_be, row, shown)):
                    found.add(tuple(shown))
    return found


def hand_points(cards: Sequence[str]) -> int:
    """A hand's points, card by card."""
    total = 0
    for card in cards:
        total += 25 if card == "JK" else 11 if card[0] == "A" else VALUES[card[0]]
    return total


def settle(
    hands: Sequence[Sequence[str]],
    locked: Sequence[bool],
    closer: int,
    scoring: str,
    extra: int,
    doubled: bool,
) -> list[int]:
    """The points of a round that `closer` closed."""
    factor = 2 if doubled else 1
    points = [0 for _ in hands]
    for seat, cards in enumerate(hands):
        if seat == closer:
            continue
        left = hand_points(cards) + (extra if locked[seat] else 0)
        if scoring == "flat":
            points[closer] += factor
        elif scoring == "penalty":
            points[seat] += factor * left
        else:
            points[closer] += factor * left
    return points
