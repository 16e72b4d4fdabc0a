"""Conker, section 2: what gets a locked seat in.

Most hands hold few melds, and every way in which these go together is looked at. Where they are many, or where two ways
leave as little, openings.py is asked: it looks at few ways of many, and says which of two it prefers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from server.rules.actions import Lay
from server.rules.cards import JOKER, Card
from server.rules.conker_finder import parts_in
from server.rules.conker_hand import ConkerOptions
from server.rules.conker_known import Piece, known
from server.rules.conker_scoring import COSTS
from server.rules.held import faces_of
from server.rules.melds import Cards
from server.rules.openings import Lay as Parts
from server.rules.openings import Openings, listed
from server.rules.partition import FAR
from server.rules.parts import Part

MOST_OPENINGS = 200
"""Melds combine; a hand of good cards has hundreds of openings, and nobody chooses from so many."""
KEPT_OPENINGS = 1 << 10
"""Hands whose openings are kept: a card is drawn and thrown, and the melds stay what they were."""
FEW_MELDS = 28
"""More melds go together in so many ways that it is as quick to look at few of them."""


def openings_in(once: int, twice: int, jokers: int, options: ConkerOptions) -> Sequence[Lay]:
    """Openings of naturals, those that are there twice, and Jokers; mostly a quick no."""
    what = known(options)
    if what.points_at_most(once, twice, jokers) < options.opening_points:
        return ()
    useful = what.useful(once, jokers)
    others = once & ~useful
    one = others & -others  # of cards that are in no meld one is enough: the one that is kept for the discard
    return _openings(useful | one, twice & useful, jokers, options)


@lru_cache(KEPT_OPENINGS)
def _openings(once: int, twice: int, jokers: int, options: ConkerOptions) -> tuple[Lay, ...]:
    fullest, reaching = _found(once, twice, jokers, options)
    if fullest is None:
        return ()
    lays = [*listed(fullest, reaching, options.opening_points, joker=False, most=MOST_OPENINGS)]
    if len(fullest) > len(lays[0]):  # the first is the fullest but for melds that could be spared
        lays.append(fullest)
    return tuple([Lay(_cards_of(lay)) for lay in lays])


def _found(
    once: int, twice: int, jokers: int, options: ConkerOptions
) -> tuple[Parts | None, Iterable[Parts]]:
    """The opening that leaves the least in hand, if there is any, and all of which no meld could be spared."""
    pieces, needed = known(options).pieces_of(once, jokers), options.opening_points
    room = once.bit_count() + twice.bit_count() + jokers - 1
    if len(pieces) <= FEW_MELDS:
        few = few_openings(pieces, Way((), 0, 0, FAR, once, twice, jokers, room), needed)
        if few is not None:
            return few
    cards = (*faces_of(once), *faces_of(twice), *(JOKER,) * jokers)
    openings = Openings(cards, COSTS, [piece.part for piece in pieces])
    return openings.cheapest(needed, room), openings.reaching(needed, room)


def openings_of(cards: tuple[Card, ...], options: ConkerOptions) -> Openings:
    """The melds of some cards, to put together what gets a seat in."""
    return Openings(cards, COSTS, parts_in(cards, options))


def arranged_opening(cards: tuple[Card, ...], options: ConkerOptions) -> tuple[Cards, ...]:
    """The melds of the opening that leaves the least in hand; none where there is no opening."""
    return _cards_of(openings_of(cards, options).cheapest(options.opening_points, len(cards)) or ())


def _cards_of(lay: Iterable[Part]) -> tuple[Cards, ...]:
    return tuple([part.cards for part in lay])


# ---- few melds ---------------------------------------------------------------------------------------------


class Way(NamedTuple):
    """Melds that go together, by their numbers, their points, what they save (see `Piece`), and the least of one.

    What is left of the hand: naturals, those that are there twice, Jokers, and how many cards may still be laid.
    """

    melds: tuple[int, ...]
    points: int
    saved: int
    least: int
    once: int
    twice: int
    jokers: int
    room: int


def few_openings(pieces: Sequence[Piece], hand: Way, needed: int) -> tuple[Parts | None, list[Parts]] | None:
    """What `_found` says of a hand's melds, given the way in which nothing is laid; None where two leave as little."""
    enough = [way for way in _ways(pieces, hand) if way.points >= needed]
    if not enough:
        return None, []
    most = max([way.saved for way in enough])
    best, *others = [way for way in enough if way.saved == most]
    if others or _begin_alike([pieces[number] for number in best.melds]):
        return None
    reaching = sorted([way.melds for way in enough if way.points - way.least < needed])
    parts = [piece.part for piece in pieces]
    return _parts_at(best.melds, parts), [_parts_at(melds, parts) for melds in reaching]


def _ways(pieces: Sequence[Piece], hand: Way) -> list[Way]:
    """Every way in which melds go together, from that on in which nothing is laid."""
    ways = [hand]
    for melds, points, saved, least, once, twice, jokers, room in ways:  # more are found on the way
        for number in range(melds[-1] if melds else 0, len(pieces)):
            _, cards, needs, size, worth, saves, _ = pieces[number]
            if cards & once == cards and needs <= jokers and size <= room:
                again = cards & twice
                ways.append(
                    Way(
                        (*melds, number),
                        points + worth,
                        saved + saves,
                        min(least, worth),
                        once ^ cards | again,
                        twice ^ again,
                        jokers - needs,
                        room - size,
                    )
                )
    return ways


def _begin_alike(melds: Sequence[Piece]) -> bool:
    """Whether two melds begin with the same card, so that either could be the first."""
    return len({piece.cards & -piece.cards for piece in melds}) < len(melds)


def _parts_at(melds: Sequence[int], parts: Sequence[Part]) -> Parts:
    return tuple([parts[number] for number in melds])
