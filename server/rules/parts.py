"""What can be played from a hand: new melds, and cards that join the table, each set of cards once.

Where a Joker stands within its meld makes no difference to what stays in hand, so it is left open here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations

from msgspec import Struct

from server.rules.cards import JOKER, RANKS, SUITS, Card, is_joker, stands_for
from server.rules.game import End, MeldView
from server.rules.melds import FEWEST_NATURALS, LARGEST_GROUP, LONGEST_RUN, PLACES, POINTS, POSITION, SMALLEST

PLACE_POINTS = (0, *(POINTS[rank] for rank in RANKS))
"""Points of a card in a run, by its place."""


class Part(Struct, frozen=True):
    """One play: the cards of a new meld, or of an addition to the meld numbered `meld`, outwards from its end.

    `points` are what a new meld comes to in an opening: its Jokers stand where they count most.
    """

    cards: tuple[Card, ...]
    meld: int | None = None
    end: End | None = None
    points: int = 0


class Place(Struct, frozen=True):
    """Where cards may join the table: an end of a run, or a group of three.

    `faces` are the naturals that fit, one after the other at a run and each by itself at a group; `room` is
    how many cards fit in all.
    """

    meld: int
    end: End | None
    faces: tuple[Card, ...]
    room: int


def places_on(table: Iterable[MeldView]) -> Iterator[Place]:
    """All places of a table."""
    for meld in table:
        if meld.kind == "run":
            yield from _ends(meld)
        elif len(meld.cards) < LARGEST_GROUP:
            rank = next(card[0] for card in meld.cards if not is_joker(card))
            has_joker = any(map(is_joker, meld.cards))  # then naturals swap it and do not join
            missing = [] if has_joker else [rank + suit for suit in SUITS if rank + suit not in meld.cards]
            yield Place(meld.id, None, tuple(missing), 1)


def _ends(run: MeldView) -> Iterator[Place]:
    suit = run.cards[0][-1]
    low, high = (RANKS.index((stands_for(run.cards[end]) or run.cards[end])[0]) for end in (0, -1))
    above = tuple(rank + suit for rank in RANKS[high + 1 :])
    below = tuple(rank + suit for rank in reversed(RANKS[:low]))
    if above:
        yield Place(run.id, "high", above, len(above))
    if below:
        yield Place(run.id, "low", below, len(below))


# ---- new melds ---------------------------------------------------------------------------------------------


def melds_of(faces: Collection[Card], jokers: int, thrifty: bool) -> Iterator[Part]:
    """New melds of these naturals and up to so many Jokers; `thrifty` ones use no more than they need."""
    for rank in RANKS:
        held = [rank + suit for suit in SUITS if rank + suit in faces]
        for count in range(FEWEST_NATURALS, len(held) + 1):
            for extra in _jokers_beside(count, jokers, LARGEST_GROUP, thrifty):
                for naturals in combinations(held, count):
                    yield Part(naturals + (JOKER,) * extra, points=(count + extra) * POINTS[rank])
    for suit in SUITS:
        places = {POSITION[card[0]] for card in faces if card[1] == suit}
        for chosen, span in runs_of(places, jokers, LONGEST_RUN, LONGEST_RUN, thrifty):
            cards = tuple(RANKS[place - 1] + suit if place in chosen else JOKER for place in span)
            yield Part(cards, points=sum(PLACE_POINTS[place] for place in span))


def runs_of(
    places: Collection[int], jokers: int, longest: int, top: int, thrifty: bool
) -> Iterator[tuple[tuple[int, ...], range]]:
    """The runs of one suit as the places of their naturals, and all their places up to `top`.

    Jokers are in every gap and beyond the last natural, where they count most, else before the first. A run that is
    two runs side by side is left out.
    """
    for low in sorted(places) if len(places) >= FEWEST_NATURALS else ():
        rows: list[Row] = [((low,), low, 0)]
        while rows:
            chosen, last, gaps = rows.pop()
            if chosen[-1] == last and len(chosen) >= FEWEST_NATURALS:
                if _are_two(chosen):
                    continue  # and so are all that go on from here
                for extra in _jokers_beside(last - low + 1, jokers - gaps, longest, thrifty):
                    high = min(last + extra, top)
                    yield chosen, range(high - (last - low) - extra, high + 1)
            if last < min(top, low + longest - 1):
                rows += _further(chosen, last, gaps, 1, places, jokers)


def _are_two(chosen: Sequence[int]) -> bool:
    """Whether naturals with Jokers between them are two runs side by side, the first as short as can be."""
    if len(chosen) < 2 * FEWEST_NATURALS:
        return False
    cut = max(chosen[0] + SMALLEST - 1, chosen[FEWEST_NATURALS - 1])
    return chosen[-1] - cut >= SMALLEST and chosen[-FEWEST_NATURALS] > cut


def _jokers_beside(length: int, jokers: int, longest: int, thrifty: bool) -> range:
    """How many Jokers may stand beside cards of this length to make a meld."""
    fewest = max(0, SMALLEST - length)
    most = min(jokers, longest - length)
    return range(fewest, min(fewest, most) + 1 if thrifty else most + 1)


Row = tuple[tuple[int, ...], int, int]
"""A row of one suit in the making: the places of its naturals, its last place, its gaps for Jokers."""


def _further(
    chosen: tuple[int, ...], last: int, gaps: int, step: int, places: Collection[int], jokers: int
) -> Iterator[Row]:
    """A row with one place more, up or down: a natural, or a gap for a Joker.

    A Joker may also stand where the natural is held: that card may be wanted elsewhere.
    """
    following = last + step
    if following in places:
        yield (*chosen, following), following, gaps
    if gaps < jokers:
        yield chosen, following, gaps + 1


# ---- onto the table ----------------------------------------------------------------------------------------


def additions(place: Place, faces: Collection[Card], jokers: int, thrifty: bool) -> Iterator[Part]:
    """What may join at a place, at least one natural in it."""
    if place.end is None:
        yield from (Part((card,), place.meld) for card in place.faces if card in faces)
        return
    suit, first = place.faces[0][1], POSITION[place.faces[0][0]]
    places = {POSITION[card[0]] for card in place.faces if card in faces}
    step = 1 if place.end == "high" else -1
    rows: list[Row] = [((), first - step, 0)]
    while rows:
        chosen, last, gaps = rows.pop()
        if chosen and chosen[-1] == last:
            row = [RANKS[at - 1] + suit if at in chosen else JOKER for at in range(first, last + step, step)]
            most = 0 if thrifty else min(jokers - gaps, place.room - len(row))
            for extra in range(most + 1):
                yield Part((*row, *(JOKER,) * extra), place.meld, place.end)
        if last + step in PLACES:
            rows += _further(chosen, last, gaps, step, places, jokers)
