"""What can be played from a hand: new melds, and cards that join the table, each set of cards once.

Where a Joker stands within its meld makes no difference to what stays in hand, so it is left open here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations

from msgspec import Struct

from server.rules.actions import End
from server.rules.cards import JOKER, RANKS, SUITS, Card, is_joker, stands_for
from server.rules.game import MeldView
from server.rules.melds import FEWEST_NATURALS, LARGEST_GROUP, LONGEST_RUN, POINTS, POSITION, SMALLEST

PLACE_POINTS = (0, *(POINTS[rank] for rank in RANKS))
"""Points of a card in a run, by its place."""


class Part(Struct, frozen=True, gc=False):
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
    by_rank: dict[str, list[Card]] = {}
    by_suit: dict[str, list[int]] = {}
    for card in sorted(faces):
        by_rank.setdefault(card[0], []).append(card)
        by_suit.setdefault(card[1], []).append(POSITION[card[0]])
    for rank, held in by_rank.items():
        for count in range(FEWEST_NATURALS, len(held) + 1):
            for extra in _jokers_beside(count, jokers, LARGEST_GROUP, thrifty):
                for naturals in combinations(held, count):
                    yield Part(naturals + (JOKER,) * extra, points=(count + extra) * POINTS[rank])
    for suit, places in by_suit.items():
        for chosen, span in runs_of(places, jokers, LONGEST_RUN, LONGEST_RUN, thrifty):
            cards = tuple([RANKS[place - 1] + suit if place in chosen else JOKER for place in span])
            yield Part(cards, points=sum(PLACE_POINTS[span.start : span.stop]))


def runs_of(
    places: Collection[int], jokers: int, longest: int, top: int, thrifty: bool
) -> Iterator[tuple[tuple[int, ...], range]]:
    """The runs of one suit as the places of their naturals, and all their places up to `top`.

    Jokers are in every gap and beyond the last natural, where they count most, else before the first. A run that is
    two runs side by side is left out.
    """
    for low in places:
        held = [place - low + 1 for place in sorted(places) if place > low]
        for row in _rows((1,), held, jokers, longest) if held else ():
            length = row[-1]
            if len(row) < FEWEST_NATURALS:
                continue
            for extra in _jokers_beside(length, jokers - length + len(row), longest, thrifty):
                high = min(low + length - 1 + extra, top)
                yield tuple(low + at - 1 for at in row), range(high - length - extra + 1, high + 1)


Row = tuple[int, ...]
"""Where the naturals of a row stand in it, from 1. It ends with the last of them, and Jokers fill the gaps."""


def _rows(begun: Row, held: Sequence[int], jokers: int, longest: int) -> Iterator[Row]:
    """Rows that go on with naturals held, a Joker in every gap; no longer ones once a row is two runs side by side.

    A Joker may also stand where the natural is held: that card may be wanted elsewhere.
    """
    rows = [(begun, 0)]
    while rows:
        row, start = rows.pop()
        yield row
        for after in range(start, len(held)):
            at = held[after]
            if at > longest or at - len(row) - 1 > jokers:
                break
            if not _is_two(longer := (*row, at)):
                rows.append((longer, after + 1))


def _is_two(row: Row) -> bool:
    """Whether a row is two runs side by side, the first as short as can be."""
    if len(row) < 2 * FEWEST_NATURALS:
        return False
    cut = max(row[0] + SMALLEST - 1, row[FEWEST_NATURALS - 1])
    return row[-1] - cut >= SMALLEST and row[-FEWEST_NATURALS] > cut


def _jokers_beside(length: int, jokers: int, longest: int, thrifty: bool) -> range:
    """How many Jokers may stand beside cards of this length to make a meld."""
    fewest = max(0, SMALLEST - length)
    most = min(jokers, longest - length)
    return range(fewest, min(fewest, most) + 1 if thrifty else most + 1)


# ---- onto the table ----------------------------------------------------------------------------------------


def additions(place: Place, faces: Collection[Card], jokers: int, thrifty: bool) -> Iterator[Part]:
    """What may join at a place, at least one natural in it."""
    if place.end is None:
        yield from (Part((card,), place.meld) for card in place.faces if card in faces)
        return
    held = [at for at, card in enumerate(place.faces, start=1) if card in faces]
    for row in _rows((), held, jokers, place.room):
        cards = (
            tuple(place.faces[at - 1] if at in row else JOKER for at in range(1, row[-1] + 1)) if row else ()
        )
        most = 0 if thrifty else min(jokers - cards.count(JOKER), place.room - len(cards))
        for extra in range(most + 1) if row else ():
            yield Part((*cards, *(JOKER,) * extra), place.meld, place.end)
