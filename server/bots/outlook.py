"""What a hand of Konken costs and what the next card may save: the numbers a bot decides by.

Costs are in tenths of a penalty point, as whole numbers, so that equal positions give equal choices on every
machine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct

from server.bots.partition import Partition, Place
from server.bots.prospects import prospects
from server.rules.cards import JOKER, Card, face, is_joker, pack, without
from server.rules.konken_hand import KonkenOptions, KonkenView
from server.rules.konken_scoring import penalty


class Weights(Struct, frozen=True):
    card: int = 50
    joker: int = 30
    patience: int = 6
    most: int = 25
    urgent: int = 0
    take: int = 20
    fit: int = 30
    deadly: int = 200


W = Weights()


def unseen(view: KonkenView, hand: Iterable[Card], options: KonkenOptions) -> Counter[Card]:
    """The cards whose place the seat cannot know: other hands, the stock, the pile below its top."""
    seen = Counter(hand)
    seen.update(face(card) for meld in view.table for card in meld.cards)
    if view.discard is not None:
        seen[view.discard] += 1
    return Counter(pack(options.packs, options.jokers)) - seen


def turns_left(view: KonkenView) -> int:
    """How often this seat will draw again, as far as stock and the others' hands tell."""
    stock = view.stock // len(view.counts)
    others = [
        count
        for seat, (count, laid) in enumerate(zip(view.counts, view.laid, strict=True))
        if laid and seat != view.turn
    ]
    return min([stock, *others])


class Outlook:
    """Costs and chances of a seat at one moment; `cards` are all that its hand may hold."""

    def __init__(
        self,
        view: KonkenView,
        cards: Sequence[Card],
        options: KonkenOptions,
        places: Sequence[Place],
        w: Weights = W,
    ) -> None:
        self.cards = tuple(cards)
        self.places = places
        self.w = w
        self.turns = turns_left(view)
        self.unseen = unseen(view, cards, options)
        if view.discard in cards and view.phase == "draw":  # the top itself is weighed
            self.unseen = unseen(view, without(cards, [view.discard]), options)
        self.total = max(1, self.unseen.total())
        tempo = w.card if self.turns > 0 else w.urgent
        self.costs = {card: 10 * penalty(options, (card,), True) + tempo for card in pack(1, 1)}
        if self.turns > 2:
            self.costs[JOKER] = w.joker
        self.parts = Partition(self.cards, self.costs, places)
        self._prospects: dict[Card, list[int]] = {}
        faces = {card for card in self.cards if not is_joker(card)}
        for card, taken, place in prospects(faces, sum(map(is_joker, self.cards)), places):
            if card in self.unseen:
                token = self.parts.token(place) if place else 0
                self._prospects.setdefault(card, []).append(self.parts.code(taken) + token)

    def least(self, cards: Sequence[Card]) -> int:
        return self.parts.least(cards)

    def saving(self, cards: Sequence[Card]) -> float:
        """What the next card of the stock saves on average."""
        state = self.parts.state(cards)
        now, total = self.parts.cost(state), 0
        parts = self.parts
        for card, codes in self._prospects.items():
            useless = now + self.costs[card]
            least = useless
            for code in codes:
                rest = parts.less(state, code)
                if rest is not None and (cost := parts.cost(rest)) < least:
                    least = cost
            total += self.unseen[card] * (useless - least)
        return total / self.total

    def worth(self, cards: Sequence[Card]) -> float:
        """What a hand costs after a discard, less what the coming draws are likely to save."""
        patience = min(self.w.patience * self.turns, self.w.most) / 10
        now = self.parts.least(cards)
        return now - patience * self.saving(cards) if patience else now
