"""Lays that reach an opening minimum (option `opening_points` of Konken, the 41 of Conker): only then do several melds
have to go together, and only then do points of melds matter. All answers are exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate, islice

from server.rules.cards import JOKER, Card
from server.rules.melds import SMALLEST
from server.rules.partition import FAR, WIDTH, Partition
from server.rules.parts import Part

Lay = tuple[Part, ...]

NEVER = -FAR
"""Points of what may not be laid."""


class Openings(Partition):
    """The ways in which melds of some cards go together, with what they are worth. Asked several times.

    A lay may have to leave so many cards in hand, or to hold a Joker. Both are written into the state, above the
    cards: how many are still to stay, and whether a Joker has to go.
    """

    def __init__(self, cards: Iterable[Card], costs: Mapping[Card, int], melds: Iterable[Part]) -> None:
        self.cards = tuple(cards)
        super().__init__(self.cards, costs, thrifty=True, spent=1, melds=melds)
        self._held_jokers = self.cards.count(JOKER)
        self._joker_due = self._open << 1
        self._keep_at = self._joker_due.bit_length()
        # A card counts no more in a meld than it costs in hand, and a Joker no more than the dearest card.
        self._worth_at = [*self._costs[: self._joker_at], max(costs.values())]
        self._worth = dict(zip(self._faces, self._worth_at, strict=True))
        self._least_worth = [0, *accumulate(sorted(map(self._worth.__getitem__, self.cards)))]
        self._by_waste = [sorted(map(self._with_waste, found)) if found else [] for found in self._found]
        self._most_by_state: dict[int, int] = {}
        self._least_by_state: dict[tuple[int, int], tuple[int, int]] = {}

    def _with_waste(self, found: tuple[int, int, int]) -> tuple[int, int, int]:
        """How much less a meld comes to than its cards might, its number, and its points."""
        code, _, points = found
        return self._worth_of(self._parts[code].cards) - points, code, points

    def _start(self, room: int, joker: bool) -> int:
        """All cards in hand, with at most `room` of them to be laid; with `joker` a Joker among them."""
        kept = max(0, len(self.cards) - room)
        return (self.state(self.cards) | kept << self._keep_at) + (self._joker_due if joker else 0)

    def _worth_of(self, cards: Iterable[Card]) -> int:
        """What cards count at best."""
        return sum(map(self._worth.__getitem__, cards))

    # ---- what stays

    def _staying(self, state: int, first: int) -> int:
        copies = state >> WIDTH * first & 0b111
        stays = copies << WIDTH * first
        if kept := state >> self._keep_at:
            stays += min(copies, kept) << self._keep_at
        return stays

    def _may_end(self, state: int) -> bool:
        """Whether what a state is about was done, now that only Jokers are left."""
        jokers = self._jokers(state)
        used = jokers < self._held_jokers or not state & self._joker_due
        return used and jokers >= state >> self._keep_at

    def _cost_of_jokers(self, state: int) -> int:
        return super()._cost_of_jokers(state) if self._may_end(state) else FAR

    # ---- points

    def most_of(self, room: int) -> int:
        """What melds of at most `room` cards are worth at most."""
        return self._most(self._start(room, joker=False))

    def reaches(self, needed: int, room: int, joker: bool = False) -> bool:
        """Whether melds of at most `room` cards, with `joker` a Joker among them, are worth `needed` points."""
        return self._most(self._start(room, joker)) >= needed

    def fewest(self, needed: int) -> int | None:
        """The fewest cards, a Joker among them, that reach `needed` points; None if nothing does."""
        if not self.reaches(needed, len(self.cards), joker=True):
            return None
        room = max(SMALLEST, needed // max(self._worth_at))
        while not self.reaches(needed, room, joker=True):
            room += 1
        return room

    def _most(self, state: int) -> int:
        """The most points of melds of a state."""
        known = self._most_by_state.get(state)
        if known is None:
            faces = enumerate(self._faces)
            cards = (face for at, face in faces for _ in range(self._copies(state, at)))
            known = self._work_out_most(
                state, self._worth_of(cards) - self._least_worth[state >> self._keep_at]
            )
        return known

    def _work_out_most(self, state: int, worth: int) -> int:
        """The same of a state whose cards are worth so much at best: its first face goes with one of its melds, or
        stays. Melds that waste least come first, so that most of them need not be looked at.
        """
        known = self._most_by_state.get(state)
        if known is not None:
            return known
        first = ((state & -state).bit_length() - 1) // WIDTH
        if first >= self._joker_at:
            best = 0 if self._may_end(state) else NEVER
        else:
            best = NEVER
            guarded, guard = state | self._guard, self._guard
            for waste, code, points in self._by_waste[first]:
                if worth - waste <= best:
                    break
                rest = guarded - code
                if rest & guard == guard and (
                    (total := points + self._work_out_most(rest ^ guard, worth - waste - points)) > best
                ):
                    best = total
            # What stays, as `_staying` has it, written out: most of the time is spent here.
            copies, kept = state >> WIDTH * first & 0b111, state >> self._keep_at
            left = state - (copies << WIDTH * first)
            worth -= copies * self._worth_at[first]
            if kept:
                staying = min(copies, kept)
                left -= staying << self._keep_at
                worth += self._least_worth[kept] - self._least_worth[kept - staying]
            if worth > best and (total := self._work_out_most(left, worth)) > best:
                best = total
        self._most_by_state[state] = best
        return best

    # ---- lays

    def reaching(self, needed: int, room: int, joker: bool = False) -> Iterator[Lay]:
        """Every lay of at most `room` cards worth `needed` or more, of which no meld could be spared.

        With `joker` one of the melds must hold a Joker.
        """
        if self.reaches(needed, room, joker):
            yield from self._grow(self._start(room, joker), (), 0, FAR, needed, room, joker)

    def _grow(
        self, state: int, lay: Lay, points: int, least: int, needed: int, room: int, joker: bool
    ) -> Iterator[Lay]:
        """The lays that begin with `lay`, which is not enough; the state's first faces are looked at first.

        `points` is what its melds come to, `least` the least that one does of those that hold no Joker that is due.
        """
        while (first := ((state & -state).bit_length() - 1) // WIDTH) < self._joker_at:
            melds = self._found[first]
            if lay and melds and (last := self.code(lay[-1].cards)) and self._first(last) == first:
                melds = melds[[code for code, _, _ in melds].index(last) :]  # of twins the same two only once
            guarded, guard = state | self._guard, self._guard
            for code, _, worth in melds:
                rest = guarded - code
                if rest & guard != guard:
                    continue
                total, part = points + worth, self._parts[code]
                smaller = least if joker and JOKER in part.cards else min(least, worth)
                if total - smaller >= needed or len(part.cards) > room:
                    continue
                rest ^= guard
                longer, left = (*lay, part), room - len(part.cards)
                if total >= needed and (not joker or _jokers_in(longer)):
                    if not joker or _spared(longer, needed, joker) is None:
                        yield longer
                elif total + self._most(rest) >= needed:
                    yield from self._grow(rest, longer, total, smaller, needed, left, joker)
            state -= self._staying(state, first)
            if points + self._most(state) < needed:
                return

    def cheapest(self, needed: int, room: int, joker: bool = False) -> Lay | None:
        """The lay of at most `room` cards worth `needed` or more that leaves the least; None if nothing reaches."""
        state = self._start(room, joker)
        if self._most(state) < needed:
            return None
        lay: Lay = ()
        while self._first(state) < self._joker_at:
            _, code = self._least(state, needed)
            state -= code
            if (part := self._parts.get(code)) is not None:
                lay, needed = (*lay, part), max(0, needed - part.points)
        return lay

    def _least(self, state: int, needed: int) -> tuple[int, int]:
        """The least cost of a state in which so many points have to be laid, and what to take out of it first.

        What it costs without a minimum tells early that a meld is not worth looking at.
        """
        if needed <= 0:
            return self._work_out(state)
        known = self._least_by_state.get((state, needed))
        if known is not None:
            return known
        if self._most(state) < needed:
            return FAR, 0
        first = ((state & -state).bit_length() - 1) // WIDTH
        stays = self._staying(state, first)
        best = self._copies(state, first) * self._costs[first] + self._least(state - stays, needed)[0], stays
        guarded, guard = state | self._guard, self._guard
        for code, price, points in self._found[first]:
            rest = guarded - code
            if rest & guard == guard and price < best[0]:
                rest ^= guard
                if price + (self._best.get(rest) or self._work_out(rest))[0] < best[0]:
                    best = min(best, (price + self._least(rest, needed - points)[0], code))
        self._least_by_state[state, needed] = best
        return best

    def listed(self, cheapest: Lay, needed: int, room: int, joker: bool, most: int) -> Iterator[Lay]:
        """At most so many of the lays that reach a minimum, the cheapest first, but for what of it can be spared."""
        return listed(cheapest, self.reaching(needed, room, joker), needed, joker, most)


def listed(cheapest: Lay, reaching: Iterable[Lay], needed: int, joker: bool, most: int) -> Iterator[Lay]:
    """The same of lays that have been found."""
    best = cheapest
    while (spare := _spared(best, needed, joker)) is not None:
        best = (*best[:spare], *best[spare + 1 :])
    yield best
    same = sorted(part.cards for part in best)
    others = (lay for lay in reaching if sorted(part.cards for part in lay) != same)
    yield from islice(others, most - 1)


def _spared(lay: Lay, needed: int, joker: bool) -> int | None:
    """Which meld could be spared; None if none could: without it there would be too few points, or no Joker."""
    spare = sum(part.points for part in lay) - needed
    only = joker and _jokers_in(lay) == 1
    spares = (
        at for at, part in enumerate(lay) if part.points <= spare and not (only and JOKER in part.cards)
    )
    return next(spares, None)


def _jokers_in(lay: Lay) -> int:
    """How many melds of a lay hold a Joker."""
    return sum(JOKER in part.cards for part in lay)
