"""Which single card would make a meld with cards of a hand, or bring them onto the table, and what that is worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import combinations

from server.rules.cards import JOKER, RANKS, SUITS, Card
from server.rules.melds import LARGEST_GROUP, LONGEST_RUN, POSITION, SMALLEST
from server.rules.partition import Partition
from server.rules.parts import Place

WINDOWS = tuple(
    tuple(range(low, low + length))
    for length in (SMALLEST, SMALLEST + 1)
    for low in range(1, LONGEST_RUN - length + 2)
)
"""Runs worth waiting for. Longer ones are a run already and a card that joins it: a window of four."""

Prospect = tuple[Card, tuple[Card, ...], Place | None]
"""A card to come, the cards of the hand that it would take along, and where on the table, if there."""


class Chances:
    """What unseen cards may save a hand, whichever they are: its prospects as numbers of a partition."""

    def __init__(
        self,
        parts: Partition,
        costs: Mapping[Card, int],
        unseen: Counter[Card],
        found: Iterable[Prospect],
    ) -> None:
        self._parts, self._costs, self._unseen = parts, costs, unseen
        by_card: dict[Card, list[tuple[int, int]]] = {}
        for card, taken, place in found:
            if card in unseen:
                option = parts.code(taken, place), parts.price(taken)
                by_card.setdefault(card, []).append(option)
        self._prospects = list(by_card.items())

    def saving(self, cards: Iterable[Card]) -> float:
        """What the next card of the stock takes along out of these, on average."""
        parts, total = self._parts, 0
        state = parts.state(cards)
        now = parts.cost(state)
        for card, options in self._prospects:
            useless = now + self._costs[card]
            helped = useless
            for code, price in options:
                if (rest := parts.less(state, code)) is not None:
                    helped = min(helped, price + parts.cost(rest))
            total += self._unseen[card] * (useless - helped)
        return total / max(1, self._unseen.total())


def prospects(faces: Collection[Card], jokers: int, places: Iterable[Place]) -> Iterator[Prospect]:
    """All prospects of a hand with these naturals and so many Jokers."""
    yield from _groups(faces, jokers)
    for suit in SUITS:
        held = {POSITION[card[0]] for card in faces if card[1] == suit}
        if held:
            yield from _runs(suit, held, jokers)
    for place in places:
        if place.end is not None:
            yield from bridges(place, faces)


def _groups(faces: Collection[Card], jokers: int) -> Iterator[Prospect]:
    for rank in RANKS:
        held = [rank + suit for suit in SUITS if rank + suit in faces]
        for suit in SUITS if held else ():
            others = [card for card in held if card[1] != suit]
            for count in range(1, len(others) + 1):
                lacking = max(0, SMALLEST - 1 - count)
                if lacking <= jokers and count < LARGEST_GROUP:
                    for naturals in combinations(others, count):
                        yield rank + suit, naturals + (JOKER,) * lacking, None


def _runs(suit: str, held: set[int], jokers: int) -> Iterator[Prospect]:
    for window in WINDOWS:
        inside = [place for place in window if place in held]
        if len(inside) + jokers + 1 < len(window) or not inside:
            continue
        for place in window:
            naturals = [RANKS[other - 1] + suit for other in inside if other != place]
            lacking = len(window) - 1 - len(naturals)
            if naturals and lacking <= jokers:
                yield RANKS[place - 1] + suit, (*naturals, *(JOKER,) * lacking), None


def bridges(place: Place, faces: Collection[Card]) -> Iterator[Prospect]:
    """Cards of the hand that wait for the one between them and the table."""
    first, *others = place.faces
    taken: tuple[Card, ...] = ()
    for card in others:
        if card not in faces:
            return
        taken = (*taken, card)
        yield first, taken, place
