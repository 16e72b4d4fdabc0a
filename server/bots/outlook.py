"""What a hand of Konken costs its holder, and what the next cards may save: the numbers a bot decides by.

Costs are in tenths of a penalty point, in whole numbers, so that equal positions give equal choices on every
machine. The weights below were compared over some hundred mirrored deals each: near them play hardly changes,
so they are round numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache

from server.bots.prospects import Chances, prospects
from server.rules.cards import JOKER, Card, face, is_joker, pack, without
from server.rules.konken_hand import KonkenOptions, KonkenView
from server.rules.konken_scoring import penalty
from server.rules.partition import Partition
from server.rules.parts import places_on

POINT = 10
"""Cost of a penalty point for who minds it as a regular does, and in the last turn for everybody."""
TEMPO = 80
"""Cost of a card whatever its points, since each keeps the hand from ending; nothing in the last turn."""
KEPT_JOKER = 0
"""Cost of a Joker in hand while there is time to use it."""
SPENT_JOKER = 100
"""Cost of a Joker that is laid while there is time: elsewhere it might have saved more."""
SOON = 2
"""With so few turns left a Joker costs its penalty like any card: it is too late to wait for a better use."""
FORESIGHT = 5
"""Turns ahead that count: later chances weigh little, since the hand has changed by then."""
PER_TURN = 0.6
"""How much of a chance is left, a turn on, for cards that would not be thrown in the meantime."""
FEWEST_TO_OPEN = {0: 3, 40: 4, 51: 6}
"""Cards that reach an opening minimum: any meld, four court cards, two groups of them."""


class Outlook:
    """A seat's costs and chances at one moment.

    `hand` is all that the seat may have in hand after its next action: in the draw phase with the top of the
    discard pile, later with a Joker that waits for its use. `gone` are cards known to lie in the pile below its top,
    and `point` is what a penalty point costs while there are turns left.
    """

    def __init__(
        self,
        view: KonkenView,
        options: KonkenOptions,
        gone: Counter[Card] | None = None,
        point: int = POINT,
    ) -> None:
        self._gone = gone or Counter()
        self.view = view
        self.options = options
        self.hand = hand_of(view)
        self.turns = turns_left(view)
        point, tempo = (point, TEMPO) if self.turns else (POINT, 0)
        self.costs = costs_of(options, point, tempo, KEPT_JOKER if self.has_time else None)
        self.places = () if self._must_not_add() else tuple(places_on(view.table))
        spent = SPENT_JOKER if self.has_time else 0
        self.parts = Partition(self.hand, self.costs, self.places, thrifty=self.has_time, spent=spent)

    @property
    def has_time(self) -> bool:
        """Whether the hand goes on long enough to keep a Joker for later."""
        return self.turns > SOON

    @property
    def may_finish(self) -> bool:
        """Whether rule F lets this seat end the hand now."""
        seat = self.view.turn
        opening_turn = self.options.finish_on_opening_turn == "on"
        return self.view.opened[seat] or (opening_turn and self.view.laid[seat])

    @property
    def fewest_to_open(self) -> int:
        """How many cards a seat needs, the drawn one included, to open at all: rule F has some kept."""
        kept = 1 if self.options.finish_on_opening_turn == "on" else 2
        return FEWEST_TO_OPEN[self.options.opening_points] + kept

    def is_trap(self, left: int) -> bool:
        """Whether to keep just `left` cards, without a lay, takes away the last chance to open.

        At the end of the stock that chance is worth less than a cheap hand.
        """
        could_open = len(self.hand) >= self.fewest_to_open
        return (
            not self.view.laid[self.view.turn]
            and could_open
            and left < self.fewest_to_open
            and self.turns > 0
        )

    def _must_not_add(self) -> bool:
        locked = self.options.must_open_before_layoff == "on" and not self.view.laid[self.view.turn]
        return locked or self.is_trap(len(self.hand) - 1)

    # ---- chances

    @cached_property
    def unseen(self) -> Counter[Card]:
        """The cards that may be anywhere: in other hands, in the stock, unless known also in the pile below its top."""
        seen = Counter(self.hand)
        seen.update(face(card) for meld in self.view.table for card in meld.cards)
        if self.view.discard is not None and self.view.phase != "draw":
            seen[self.view.discard] += 1
        return whole_pack(self.options.packs, self.options.jokers) - seen - self._gone

    @cached_property
    def _chances(self) -> Chances:
        naturals = {card for card in self.hand if not is_joker(card)}
        found = prospects(naturals, self.hand.count(JOKER), self.places)
        return Chances(self.parts, self.costs, self.unseen, found)

    def saving(self, cards: Iterable[Card]) -> float:
        """What the next card of the stock takes along out of these, on average."""
        return self._chances.saving(cards)

    def worth(self, cards: tuple[Card, ...]) -> float:
        """What cards kept after a discard cost, less what the coming turns are likely to save; low is good."""
        foresight = PER_TURN * min(self.turns, FORESIGHT)
        return self.parts.least(cards) - (foresight * self.saving(cards) if foresight else 0)

    def worth_of_draw(self) -> float:
        """What the hand is worth, on the average, after a card from the stock and a discard."""
        own = without(self.hand, [self.view.discard] if self.view.discard else [])
        dearest = max((self.costs[card] for card in self.parts.plan(own)[1]), default=0)
        cheaper = sum(count * min(self.costs[card], dearest) for card, count in self.unseen.items())
        thrown = dearest - cheaper / max(1, self.unseen.total())
        return self.worth(own) - self.saving(own) - thrown


@lru_cache(64)  # a table asks for the same few at every turn
def costs_of(options: KonkenOptions, point: int, tempo: int, joker: int | None) -> Mapping[Card, int]:
    """What each face costs in hand: its penalty and the tempo, or for a Joker what is said."""
    costs = {card: point * penalty(options, (card,), laid=True) + tempo for card in pack(1, 1)}
    return costs if joker is None else {**costs, JOKER: joker}


@lru_cache(8)
def whole_pack(packs: int, jokers: int) -> Counter[Card]:
    """All cards of the game, counted."""
    return Counter(pack(packs, jokers))


def hand_of(view: KonkenView) -> tuple[Card, ...]:
    """The hand, with what may come to it at once. Raises ValueError for a spectator's view."""
    if view.hand is None:
        raise ValueError("a spectator does not play")
    if view.pending is not None:
        return (*view.hand, JOKER)
    return view.hand if view.phase != "draw" or view.discard is None else (*view.hand, view.discard)


def turns_left(view: KonkenView) -> int:
    """How often this seat may yet draw after this turn.

    The stock tells it, and the hands of those who have opened: as if each lost a card a turn.
    """
    stock = (view.stock - (view.phase == "draw")) // len(view.counts)
    seats = range(len(view.counts))
    return min([stock, *(view.counts[seat] for seat in seats if view.laid[seat] and seat != view.turn)])
