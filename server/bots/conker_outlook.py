"""What a hand of Conker costs its holder, and what the next cards may save: the numbers a bot decides by.

Costs are in tenths of a point, in whole numbers, so that equal positions give equal choices on every machine. The
weights below were compared over a hundred mirrored deals each: near them play hardly changes, so they are round
numbers. Nor does it pay to wait with getting in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property, lru_cache
from itertools import combinations

from server.bots.prospects import Chances, Prospect, bridges
from server.rules.cards import JOKER, RANKS, SUITS, Card, face, is_joker, stands_for
from server.rules.conker_choices import PACK
from server.rules.conker_finder import melds_in
from server.rules.conker_hand import ConkerOptions, ConkerView
from server.rules.conker_melds import ACE_HIGH, LARGEST_LAY, face_at, joining, takers
from server.rules.conker_scoring import card_points
from server.rules.game import MeldView
from server.rules.melds import FEWEST_NATURALS, LARGEST_GROUP, LONGEST_RUN, POSITION, SMALLEST
from server.rules.partition import Partition
from server.rules.parts import Part, Place

POINT = 10
"""Cost of a point left in hand for who minds it as a regular does."""
TEMPO = 80
"""Cost of a card whatever its points, since each keeps the hand from closing."""
SPENT_JOKER = 100
"""Cost of a Joker that is laid while there is time: elsewhere it might have saved more."""
SOON = 2
"""With so few turns left a Joker costs its points like any card: it is too late to wait for a better use."""
FORESIGHT = 3
"""Turns ahead that count: later chances weigh little, since the hand has changed by then."""
LONGEST_PIECE = LARGEST_LAY + 1
"""A run of five is laid as four and grows; longer ones are two runs side by side."""


class ConkerOutlook:
    """A seat's costs and chances at one moment.

    `hand` is all that the seat may have in hand after its next action: in the draw phase with the top of the discard
    pile if it may be taken, later with a Joker that may be swapped out. `gone` are cards known to lie in the pile below
    its top, and `point` is what a point costs.
    """

    def __init__(
        self,
        view: ConkerView,
        options: ConkerOptions,
        gone: Counter[Card] | None = None,
        point: int = POINT,
    ) -> None:
        self._gone = gone or Counter()
        self.view = view
        self.options = options
        self.own = own_hand(view)
        self.is_in = view.opened[view.turn]
        self.may_use_table = self.is_in and not (view.entered and options.act_on_entry_turn == "off")
        self.hand = (*self.own, *self._to_come())
        self.turns = turns_left(view)
        spent = SPENT_JOKER if self.has_time else 0
        self.costs = costs_of(point, TEMPO, 0 if self.has_time else None)
        self.places = tuple(places_on(view.table)) if self.may_use_table else ()
        longest = LONGEST_PIECE if self.may_use_table or options.act_on_entry_turn == "on" else LARGEST_LAY
        melds = {tuple(sorted(meld)) for meld in melds_in(self.hand, options, longest)}
        self._melds = [Part(meld) for meld in sorted(melds)]
        self.parts = self.partition(self.costs, spent)

    def partition(self, costs: dict[Card, int], spent: int) -> Partition:
        """A partition of the hand at other costs."""
        return Partition(
            self.hand,
            costs,
            self.places,
            thrifty=True,
            spent=spent,
            melds=self._melds,
            joining=self._additions,
        )

    def _to_come(self) -> Iterator[Card]:
        top = self.view.discard
        if self.view.phase == "draw" and self.is_in and top is not None:
            yield top
        own = set(self.own)
        if self.may_use_table and any(own & set(takers(meld.cards)) for meld in self.view.table):
            yield JOKER

    def _additions(self, place: Place, faces: Collection[Card], jokers: int, thrifty: bool) -> Iterator[Part]:
        """What may join at a place of the table, outwards, with a Joker in a gap where the meld may have one."""
        if place.end is None:
            yield from (Part((card,), place.meld) for card in place.faces if card in faces)
            return
        meld = next(meld for meld in self.view.table if meld.id == place.meld)
        room = self.joker_room(meld)
        row: tuple[Card, ...] = ()
        for card in place.faces:
            row = (*row, card if card in faces else JOKER)
            if row.count(JOKER) > min(room, jokers):
                return
            if not is_joker(row[-1]):
                yield Part(row, place.meld, place.end)

    def joker_room(self, meld: MeldView) -> int:
        """How many Jokers may still join a meld of the table."""
        if self.options.joker_layoff == "off":
            return 0
        return max(0, self.options.max_jokers_per_group - sum(map(is_joker, meld.cards)))

    @property
    def has_time(self) -> bool:
        """Whether the hand goes on long enough to keep a Joker for later."""
        return self.turns > SOON

    @property
    def jokers_seated(self) -> int:
        """How many melds of the table would take a Joker now."""
        return sum(JOKER in joining(meld.kind, meld.cards, self.options) for meld in self.view.table)

    # ---- chances

    @cached_property
    def unseen(self) -> Counter[Card]:
        """The cards that may be anywhere: in other hands, in the stock, unless known also in the pile below its top."""
        seen = Counter(self.own)
        seen.update(self.view.burned)
        seen.update(face(card) for meld in self.view.table for card in meld.cards)
        if self.view.discard is not None:
            seen[self.view.discard] += 1
        return whole_pack() - seen - self._gone

    @cached_property
    def _chances(self) -> Chances:
        naturals = {card for card in self.hand if not is_joker(card)}
        jokers = min(self.hand.count(JOKER), self.options.max_jokers_per_group)
        return Chances(self.parts, self.costs, self.unseen, prospects(naturals, jokers, self.places))

    def worth(self, cards: tuple[Card, ...]) -> float:
        """What cards kept after a discard cost, less what the coming turns are likely to save; low is good."""
        foresight = min(self.turns, FORESIGHT)
        saving = self._chances.saving(cards) if foresight else 0
        return self.parts.least(cards) - foresight * saving

    def worth_of_draw(self) -> float:
        """What the hand is worth, on the average, after a card from the stock and a discard."""
        dearest = max((self.costs[card] for card in self.parts.plan(self.own)[1]), default=0)
        cheaper = sum(count * min(self.costs[card], dearest) for card, count in self.unseen.items())
        thrown = dearest - cheaper / max(1, self.unseen.total())
        return self.worth(self.own) - self._chances.saving(self.own) - thrown


def own_hand(view: ConkerView) -> tuple[Card, ...]:
    """The hand. Raises ValueError for a spectator's view."""
    if view.hand is None:
        raise ValueError("a spectator does not play")
    return view.hand


def turns_left(view: ConkerView) -> int:
    """How often this seat may yet draw after this turn, as far as the hands of those who are in tell: as if each lost
    two cards a turn.
    """
    seats = range(len(view.counts))
    others = [view.counts[seat] for seat in seats if view.opened[seat] and seat != view.turn]
    return min([FORESIGHT + SOON, *others])


@lru_cache(64)  # a table asks for the same few at every turn
def costs_of(point: int, tempo: int, joker: int | None) -> dict[Card, int]:
    """What each face costs in hand: its points and the tempo, or for a Joker what is said."""
    costs = {card: point * card_points(card) + tempo for card in set(PACK)}
    return costs if joker is None else {**costs, JOKER: joker}


@lru_cache(1)
def whole_pack() -> Counter[Card]:
    """All cards of the game, counted."""
    return Counter(PACK)


# ---- the table ---------------------------------------------------------------------------------------------


def places_on(table: Iterable[MeldView]) -> Iterator[Place]:
    """Where cards may join: the ends of runs, Ace low or high, and the missing suit of three of a rank."""
    for meld in table:
        if meld.kind == "group":
            fitting = [card for card in joining("group", meld.cards, ConkerOptions()) if not is_joker(card)]
            yield Place(meld.id, None, tuple(fitting), 1)
            continue
        role = stands_for(meld.cards[0]) or meld.cards[0]
        low, room = POSITION[role[0]], LONGEST_RUN - len(meld.cards)
        high = low + len(meld.cards) - 1
        above = tuple(face_at(place, role[1]) for place in range(high + 1, ACE_HIGH + 1))[:room]
        below = tuple(face_at(place, role[1]) for place in range(low - 1, 0, -1))[:room]
        if above:
            yield Place(meld.id, "high", above, len(above))
        if below:
            yield Place(meld.id, "low", below, len(below))


# ---- what may yet come -------------------------------------------------------------------------------------


def prospects(faces: Collection[Card], jokers: int, places: Iterable[Place]) -> Iterator[Prospect]:
    """Which single card would make a meld of naturals in hand and up to so many Jokers, and what it takes with it."""
    for rank in RANKS:
        held = [rank + suit for suit in SUITS if rank + suit in faces]
        for suit in SUITS if held else ():
            others = [card for card in held if card[1] != suit]
            for count in range(1, len(others) + 1):
                lacking = max(0, SMALLEST - 1 - count)
                if lacking <= jokers and count < LARGEST_GROUP:
                    for naturals in combinations(others, count):
                        yield rank + suit, naturals + (JOKER,) * lacking, None
    for suit in SUITS:
        held = [card for card in faces if card[1] == suit]
        if held:
            yield from _runs(suit, held, jokers)
    for place in places:
        if place.end is not None:
            yield from bridges(place, faces)


def _runs(suit: str, held: Collection[Card], jokers: int) -> Iterator[Prospect]:
    for length in (SMALLEST, LARGEST_LAY):
        for low in range(1, ACE_HIGH - length + 2):
            window = [face_at(place, suit) for place in range(low, low + length)]
            for card in window:
                naturals = tuple(other for other in window if other != card and other in held)
                lacking = length - 1 - len(naturals)
                if len(naturals) >= FEWEST_NATURALS - 1 and lacking <= jokers:
                    yield card, naturals + (JOKER,) * lacking, None
