"""The cheapest way to part a hand into melds, additions to the table and cards left over; exact.

A hand is a multiset, so it is one number here: four bits for each face count its copies, the highest of them
staying free as a guard. Taking a meld out is then one subtraction, and a guard that went missing tells that
the cards were not all there. Places on the table are used once, so each has its four bits as well.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from server.rules.cards import JOKER, Card
from server.rules.melds import IN_ORDER
from server.rules.parts import Part, Place, additions, melds_of

WIDTH = 4
"""Bits a face: two packs and four Jokers need counts to four, which is three bits and the guard."""
Joining = Callable[[Place, Collection[Card], int, bool], Iterator[Part]]
"""What may join at a place out of these naturals and so many Jokers; see `additions`."""
FAR = 1 << 60
"""More than any hand costs."""


class Partition:
    """All ways to play some cards, found once; asked for these cards or any part of them.

    `costs` says what a face costs that is left over, and `spent` what a Joker costs that is not; neither is less
    than nothing. A `thrifty` partition keeps a Joker that no natural needs; another puts it wherever there is
    room, at no cost. `melds` are the new melds of these cards in games that have others than Konken, and `joining`
    what joins at a place.
    """

    def __init__(
        self,
        cards: Iterable[Card],
        costs: Mapping[Card, int],
        places: Iterable[Place] = (),
        thrifty: bool = False,
        spent: int = 0,
        melds: Iterable[Part] | None = None,
        joining: Joining = additions,
    ) -> None:
        held = tuple(cards)
        naturals = sorted({*held} - {JOKER}, key=IN_ORDER.__getitem__)
        jokers = held.count(JOKER)
        self._faces = (*naturals, JOKER)  # Jokers last: every part is found under its first natural
        self._joker_at = len(naturals)
        self._costs = [costs[card] for card in self._faces]
        self._bits = {card: 1 << WIDTH * index for index, card in enumerate(self._faces)}
        self._places: dict[Place, int] = {}
        self._guard = ((1 << WIDTH * len(self._faces)) - 1) // 0b1111 * 0b1000
        self._thrifty = thrifty
        self._spent = spent
        self._parts: dict[int, Part] = {}
        self._found: list[list[tuple[int, int, int]]] = [[] for _ in naturals]
        self._best: dict[int, tuple[int, int]] = {}
        for part in melds_of(naturals, jokers, thrifty) if melds is None else melds:
            self._know(part, 0)
        for place in places:
            bit = 1 << WIDTH * (len(self._faces) + len(self._places))
            parts = list(joining(place, naturals, jokers, thrifty))
            if parts or (jokers and not thrifty):
                self._places[place] = bit
                self._guard |= bit << WIDTH - 1
            for part in parts:
                self._know(part, bit)
        for codes in self._found:
            codes.sort(key=_cards_in, reverse=True)  # a part of many cards is a good bound early
        end = 1 << WIDTH * (len(self._faces) + len(self._places))  # so that no state is nothing
        self._open = sum(self._places.values()) + end

    def _know(self, part: Part, bit: int) -> None:
        code = sum(map(self._bits.__getitem__, part.cards)) | bit
        if code not in self._parts:
            self._parts[code] = part
            first = ((code & -code).bit_length() - 1) // WIDTH
            self._found[first].append((code, self._spent * part.cards.count(JOKER), part.points))

    def price(self, cards: Iterable[Card]) -> int:
        """What the Jokers among some cards cost if they are played."""
        return self._spent * tuple(cards).count(JOKER) if self._spent else 0

    # ---- cards as numbers

    def code(self, cards: Iterable[Card], place: Place | None = None) -> int:
        """Cards as a number, with the place where they join the table."""
        return sum(map(self._bits.__getitem__, cards)) + (self._places.get(place, 0) if place else 0)

    def state(self, cards: Iterable[Card]) -> int:
        """A hand as a number, all places on the table still free."""
        return self.code(cards) + self._open

    def less(self, state: int, code: int) -> int | None:
        """A state without some of its cards; None if they are not all there."""
        rest = (state | self._guard) - code
        return rest ^ self._guard if rest & self._guard == self._guard else None

    def _first(self, code: int) -> int:
        """Which face of a state or part comes first; the Joker's number, or more, if it has no naturals."""
        return ((code & -code).bit_length() - 1) // WIDTH

    # ---- asking

    @property
    def work(self) -> int:
        """How many states and parts have been looked at so far: the measure of effort."""
        return len(self._best) + len(self._parts)

    def cost(self, state: int) -> int:
        """What a state costs at least, when all that helps is played."""
        return self._work_out(state)[0]

    def least(self, cards: Iterable[Card]) -> int:
        """The same for cards."""
        return self._work_out(self.state(cards))[0]

    def plan(self, cards: Iterable[Card]) -> tuple[list[Part], list[Card]]:
        """The plays that cost least, and the cards they leave over."""
        state = self.state(cards)
        parts: list[Part] = []
        left: list[Card] = []
        while (first := self._first(state)) < self._joker_at:
            before, code = state, self._work_out(state)[1]
            state -= code
            if code in self._parts:
                parts.append(self._parts[code])
            else:
                left += [self._faces[first]] * self._copies(before, first)
        jokers = self._jokers(state)
        for place, bit in self._places.items():
            if state & bit and not self._thrifty and (seated := min(jokers, place.room)):
                jokers -= seated
                parts.append(Part((JOKER,) * seated, place.meld, place.end))
        return parts, left + [JOKER] * jokers

    def _work_out(self, state: int) -> tuple[int, int]:
        """The least cost of a state, and what to take out of it first: a part, or a card that stays."""
        known = self._best.get(state)
        if known is not None:
            return known
        first = ((state & -state).bit_length() - 1) // WIDTH
        if first >= self._joker_at:
            best = self._cost_of_jokers(state), 0
        else:
            best = self._best_part(state, first) if self._found[first] else (FAR, 0)
            if best[0]:
                stays = self._staying(state, first)
                cost = (state >> WIDTH * first & 0b111) * self._costs[first] + self._work_out(state - stays)[
                    0
                ]
                best = min(best, (cost, stays))
        self._best[state] = best
        return best

    def _best_part(self, state: int, first: int) -> tuple[int, int]:
        guarded, guard, known = state | self._guard, self._guard, self._best
        least, best = FAR, 0
        for code, price, _ in self._found[first]:
            if price >= least:
                continue  # its Jokers alone cost as much
            rest = guarded - code
            if rest & guard == guard:
                rest ^= guard
                cost = price + (known.get(rest) or self._work_out(rest))[0]
                if cost < least:
                    least, best = cost, code
                    if not cost:
                        break
        return least, best

    def _copies(self, state: int, face: int) -> int:
        return state >> WIDTH * face & 0b111

    def _staying(self, state: int, first: int) -> int:
        """All copies of a face: whether the first or the last of them stays does not matter, so melds go first."""
        return self._copies(state, first) << WIDTH * first

    def _jokers(self, state: int) -> int:
        return self._copies(state, self._joker_at)

    def _cost_of_jokers(self, state: int) -> int:
        """Jokers that are in no part join the table as far as there is room, unless they are kept."""
        jokers = self._jokers(state)
        if jokers and not self._thrifty:
            jokers = max(0, jokers - sum(place.room for place, bit in self._places.items() if state & bit))
        return jokers * self._costs[self._joker_at]


def _cards_in(found: tuple[int, int, int]) -> int:
    return found[0].bit_count()
