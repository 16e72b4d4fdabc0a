"""The cheapest way to part a hand into melds, additions to the table and cards left over; exact.

A hand is a multiset, so it is one number here: four bits for each face count its copies, the highest of them
staying free as a guard. Taking a meld out is then one subtraction, and a guard that went missing tells that
the cards were not all there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations

from msgspec import Struct

from server.rules.cards import JOKER, RANKS, SUITS, Card, is_joker, stands_for
from server.rules.game import End, MeldView
from server.rules.melds import FEWEST_NATURALS, LARGEST_GROUP, LONGEST_RUN, PLACES, POSITION, SMALLEST

WIDTH = 4
"""Bits a face: two packs and four Jokers need counts to four, which is three bits and the guard."""
LONGEST_PIECE = 2 * SMALLEST - 1
"""Longer runs without a Joker need not be looked at: they are two runs side by side."""


class Part(Struct, frozen=True):
    """One play of a plan: cards for a new meld, or for the meld numbered `meld`, from its end outwards."""

    cards: tuple[Card, ...]
    meld: int | None = None
    end: End | None = None


class Place(Struct, frozen=True):
    """Where cards of a hand may join the table: an end of a run, or a group of three.

    `faces` are the naturals that fit one after the other (a group: each by itself), `room` how many Jokers
    would.
    """

    meld: int
    end: End | None
    faces: tuple[Card, ...]
    room: int


def places_on(table: Iterable[MeldView]) -> Iterator[Place]:
    """All places on the table where cards may join."""
    for meld in table:
        if meld.kind == "run":
            low, high = (POSITION[(stands_for(meld.cards[end]) or "A")[0]] for end in (0, -1))
            suit = meld.cards[0][-1]
            above = tuple(rank + suit for rank in RANKS[high:])
            below = tuple(rank + suit for rank in reversed(RANKS[: low - 1]))
            if above:
                yield Place(meld.id, "high", above, len(above))
            if below:
                yield Place(meld.id, "low", below, len(below))
        elif len(meld.cards) < LARGEST_GROUP:
            rank = next(card[0] for card in meld.cards if not is_joker(card))
            full = any(is_joker(card) for card in meld.cards)
            missing = () if full else tuple(rank + suit for suit in SUITS if rank + suit not in meld.cards)
            yield Place(meld.id, None, missing, 1)


class Partition:
    """All ways to play some cards, found once; asked for these cards or any part of them."""

    def __init__(
        self, cards: Iterable[Card], costs: Mapping[Card, int], places: Iterable[Place] = ()
    ) -> None:
        """`costs` says what a face costs that is left over, never less than nothing."""
        held = tuple(cards)
        faces = sorted({card for card in held if not is_joker(card)}, key=_by_suit)
        jokers = sum(map(is_joker, held))
        used = [place for place in places if _is_reached(place, set(faces), jokers)]
        self.unit: dict[Card, int] = {}
        for index, card in enumerate((*faces, JOKER)):
            self.unit[card] = 1 << WIDTH * index
        self._faces = (*faces, JOKER)
        self._costs = [costs[card] for card in self._faces]
        self._joker_at = len(faces)
        self._places = [(place, 1 << WIDTH * (len(faces) + 1 + index)) for index, place in enumerate(used)]
        self._guard = sum(0b1000 << WIDTH * index for index in range(len(faces) + 1 + len(used)))
        self._open = sum(token for _, token in self._places)
        self._parts: dict[int, Part] = {}
        self._first: list[list[int]] = [[] for _ in faces]
        for part in _melds_of(faces, jokers):
            self._know(part, 0)
        for place, token in self._places:
            for part in _additions(place, set(faces), jokers):
                self._know(part, token)
        for codes in self._first:
            codes.sort(key=int.bit_count, reverse=True)
        self._best: dict[int, tuple[int, int]] = {}

    def _know(self, part: Part, token: int) -> None:
        code = self.code(part.cards) + token
        if code not in self._parts:
            self._parts[code] = part
            self._first[self._lowest(code)].append(code)

    def code(self, cards: Iterable[Card]) -> int:
        """Cards as a number."""
        return sum(self.unit[card] for card in cards)

    def token(self, place: Place) -> int:
        """The number of a place on the table; nothing for one that no card of the hand can reach."""
        return next((token for there, token in self._places if there == place), 0)

    def state(self, cards: Iterable[Card]) -> int:
        """A hand as a number, all places on the table still free."""
        return self.code(cards) + self._open

    def less(self, state: int, code: int) -> int | None:
        """A state without some cards of it; None if they are not all there."""
        rest = (state | self._guard) - code
        return rest ^ self._guard if rest & self._guard == self._guard else None

    def cost(self, state: int) -> int:
        """What a state costs at least."""
        return self._work_out(state)[0]

    def _lowest(self, code: int) -> int:
        return ((code & -code).bit_length() - 1) // WIDTH if code else self._joker_at

    # ---- asking

    def least(self, cards: Iterable[Card]) -> int:
        """What these cards cost at least, when all that helps is played."""
        return self._work_out(self.code(cards) + self._open)[0]

    def plan(self, cards: Iterable[Card]) -> tuple[list[Part], list[Card]]:
        """The plays that get there, and the cards left over."""
        state = self.code(cards) + self._open
        parts: list[Part] = []
        left: list[Card] = []
        while (index := self._lowest(state)) < self._joker_at:
            code = self._work_out(state)[1]
            state -= code
            if code in self._parts:
                parts.append(self._parts[code])
            else:
                left.append(self._faces[index])
        jokers = self._jokers(state)
        for place, token in self._places:
            if state & token and (seated := min(jokers, place.room)):
                jokers -= seated
                parts.append(Part((JOKER,) * seated, place.meld, place.end))
        return parts, left + [JOKER] * jokers

    def _work_out(self, state: int) -> tuple[int, int]:
        """The least cost of a state, and what to take out of it first: a play, or a card that stays."""
        known = self._best.get(state)
        if known is not None:
            return known
        index = self._lowest(state)
        if index >= self._joker_at:
            self._best[state] = known = self._jokers_alone(state), 0
            return known
        guarded, best = state | self._guard, (1 << 60, 0)
        for code in self._first[index]:
            rest = guarded - code
            if rest & self._guard == self._guard:
                cost = self._work_out(rest ^ self._guard)[0]
                if cost < best[0]:
                    best = cost, code
                    if not cost:
                        break
        if best[0]:
            unit = 1 << WIDTH * index
            cost = self._costs[index] + self._work_out(state - unit)[0]
            if cost < best[0]:
                best = cost, unit
        self._best[state] = best
        return best

    def _jokers(self, state: int) -> int:
        return state >> WIDTH * self._joker_at & 0b111

    def _jokers_alone(self, state: int) -> int:
        """Jokers that are in no meld join the table as far as there is room."""
        jokers = self._jokers(state)
        if not jokers:
            return 0
        room = sum(place.room for place, token in self._places if state & token)
        return max(0, jokers - room) * self._costs[self._joker_at]


def _by_suit(card: Card) -> tuple[int, int]:
    return SUITS.index(card[1]), POSITION[card[0]]


def _is_reached(place: Place, faces: set[Card], jokers: int) -> bool:
    """Whether any card of the hand could ever join here."""
    reach = 1 + jokers if place.end else LARGEST_GROUP
    return jokers > 0 or any(card in faces for card in place.faces[:reach])


def _melds_of(faces: list[Card], jokers: int) -> Iterator[Part]:
    """New melds, each set of cards once: where a Joker stands makes no difference to what is left."""
    for rank in RANKS:
        held = [card for card in faces if card[0] == rank]
        for count in range(FEWEST_NATURALS, len(held) + 1):
            for naturals in combinations(held, count):
                for extra in range(max(0, SMALLEST - count), min(jokers, LARGEST_GROUP - count) + 1):
                    yield Part(naturals + (JOKER,) * extra)
    for suit in SUITS:
        places = {POSITION[card[0]] for card in faces if card[1] == suit}
        for low in places:
            for chosen, high, gaps in _rows(((low,), low, 0), places, jokers, 1):
                length = high - low + 1
                if len(chosen) < FEWEST_NATURALS or (length > LONGEST_PIECE and not gaps):
                    continue
                cards = tuple(RANKS[place - 1] + suit for place in chosen)
                for extra in range(max(0, SMALLEST - length), min(jokers - gaps, LONGEST_RUN - length) + 1):
                    yield Part(cards + (JOKER,) * (gaps + extra))


Row = tuple[tuple[int, ...], int, int]
"""A row of one suit in the making: the places of its naturals, the last place, the gaps for Jokers."""


def _rows(start: Row, places: set[int], jokers: int, step: int) -> Iterator[Row]:
    """Rows that go on from `start`, up or down, and end in a natural; with a Joker in every gap.

    A Joker may also stand where the natural is held: that card may be wanted elsewhere.
    """
    rows = [start]
    while rows:
        chosen, last, gaps = rows.pop()
        if chosen and chosen[-1] == last:
            yield chosen, last, gaps
        following = last + step
        if following in PLACES:
            if following in places:
                rows.append(((*chosen, following), following, gaps))
            if gaps < jokers:
                rows.append((chosen, following, gaps + 1))


def _additions(place: Place, faces: set[Card], jokers: int) -> Iterator[Part]:
    """Cards that may join at a place, at least one natural among them."""
    if place.end is None:
        for card in place.faces:
            if card in faces:
                yield Part((card,), place.meld)
        return
    suit, first = place.faces[0][1], POSITION[place.faces[0][0]]
    places = {POSITION[card[0]] for card in place.faces if card in faces}
    step = 1 if place.end == "high" else -1
    for chosen, last, gaps in _rows(((), first - step, 0), places, jokers, step):
        row = [RANKS[at - 1] + suit if at in chosen else JOKER for at in range(first, last + step, step)]
        for extra in range(min(jokers - gaps, place.room - len(row)) + 1):
            yield Part((*row, *(JOKER,) * extra), place.meld, place.end)
