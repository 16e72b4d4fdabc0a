"""Conker: which new melds a hand can lay, in an order in which they may be laid.

What makes a meld is in conker_melds.py; here are all that there are, and for the finders of openings and partitions
each once, as a set of cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from server.rules.cards import JOKER, RANKS, SUITS, Card
from server.rules.conker_hand import ConkerOptions
from server.rules.conker_melds import (
    ACE_HIGH,
    ALTERNATING,
    LARGEST_LAY,
    PLACE_POINTS,
    RED,
    face_at,
    places_of,
)
from server.rules.melds import FEWEST_NATURALS, LARGEST_GROUP, LONGEST_RUN, SMALLEST, Cards, kept
from server.rules.parts import Part, runs_of


def melds_in(hand: Iterable[Card], options: ConkerOptions, longest: int = LARGEST_LAY) -> Iterator[Cards]:
    """Every new meld that a hand can lay, in an order in which it may be laid; a group whose Joker could be either
    of two cards once for each. `longest` asks for runs that grow so long on the table.
    """
    cards = tuple(hand)
    jokers = min(cards.count(JOKER), options.max_jokers_per_group)
    by_rank: dict[str, list[Card]] = {}
    by_suit: dict[str, list[str]] = {}
    for card in sorted({*cards} - {JOKER}, key=ALTERNATING.__getitem__):
        by_rank.setdefault(card[0], []).append(card)
        by_suit.setdefault(card[1], []).append(card[0])
    for rank in RANKS:
        if len(held := by_rank.get(rank, ())) >= FEWEST_NATURALS:
            yield from _groups(rank, tuple(held), jokers)
    for suit in SUITS:
        if len(held := by_suit.get(suit, ())) >= FEWEST_NATURALS:
            yield from _runs(suit, tuple(held), jokers, LONGEST_RUN if options.long_lay == "on" else longest)


@kept
def _groups(rank: str, held: tuple[Card, ...], jokers: int) -> Iterator[Cards]:
    """Groups of one rank."""
    yield from _quatris(rank, held, jokers)
    yield from _tris(held, jokers)


def parts_in(hand: Iterable[Card], options: ConkerOptions) -> Iterator[Part]:
    """The new melds of a hand as sets of cards, in an order in which they may be laid and a Joker counts most; a run
    that is two runs side by side is left out.
    """
    cards = tuple(hand)
    jokers = min(cards.count(JOKER), options.max_jokers_per_group)
    longest = LONGEST_RUN if options.long_lay == "on" else LARGEST_LAY
    by_rank: dict[str, list[Card]] = {}
    by_suit: dict[str, list[str]] = {}
    for card in sorted({*cards} - {JOKER}, key=ALTERNATING.__getitem__):
        by_rank.setdefault(card[0], []).append(card)
        by_suit.setdefault(card[1], []).append(card[0])
    for rank in sorted(by_rank):
        if len(by_rank[rank]) >= FEWEST_NATURALS:
            yield from _parts_of_rank(rank, tuple(by_rank[rank]), jokers)
    for suit in SUITS:
        if len(ranks := by_suit.get(suit, [])) >= FEWEST_NATURALS:
            yield from _parts_of_suit(suit, tuple(ranks), jokers, longest)


@kept
def _parts_of_rank(rank: str, held: tuple[Card, ...], jokers: int) -> Iterator[Part]:
    value = PLACE_POINTS[places_of(rank)[0]]
    for meld in _groups(rank, held, jokers):
        yield Part(meld, points=len(meld) * value)


def _parts_of_suit(suit: str, ranks: tuple[str, ...], jokers: int, longest: int) -> Iterator[Part]:
    for row, worth in _rows_with_points(ranks, jokers, longest):
        yield Part(_in_suit(row, suit), points=worth)


@kept
def _rows_with_points(
    ranks: tuple[str, ...], jokers: int, longest: int
) -> Iterator[tuple[tuple[str, ...], int]]:
    """The same of any suit, and the points of each."""
    places = {place for rank in ranks for place in places_of(rank)}
    for chosen, span in runs_of(places, jokers, longest, ACE_HIGH, thrifty=False):
        row = tuple(face_at(place, "") if place in chosen else JOKER for place in span)
        yield row, sum(map(PLACE_POINTS.__getitem__, span))


def _in_suit(row: tuple[str, ...], suit: str) -> Cards:
    return tuple([rank if rank == JOKER else rank + suit for rank in row])


def _quatris(rank: str, held: tuple[Card, ...], jokers: int) -> Iterator[Cards]:
    """Four of a rank; black and red take turns, which may be asked for."""
    for count in range(max(FEWEST_NATURALS, LARGEST_GROUP - jokers), len(held) + 1):
        for naturals in combinations(held, count):
            yield tuple(rank + suit if rank + suit in naturals else JOKER for suit in "SHCD")


def _tris(held: tuple[Card, ...], jokers: int) -> Iterator[Cards]:
    """Three of a rank, the odd colour in the middle; beside two colours a Joker may be either card."""
    for one, two, three in combinations(held, SMALLEST):
        yield next(
            order
            for order in ((one, two, three), (two, one, three), (one, three, two))
            if all(RED[card[1]] != RED[order[1][1]] for card in (order[0], order[2]))
        )
    for one, two in combinations(held, FEWEST_NATURALS) if jokers else ():
        if RED[one[1]] == RED[two[1]]:
            yield one, JOKER, two
        else:
            yield one, two, JOKER
            yield JOKER, one, two


def _runs(suit: str, ranks: tuple[str, ...], jokers: int, longest: int) -> Iterator[Cards]:
    """Runs of one suit."""
    for row in _rows(ranks, jokers, longest):
        yield _in_suit(row, suit)


@kept
def _rows(ranks: tuple[str, ...], jokers: int, longest: int) -> Iterator[tuple[str, ...]]:
    """The same of any suit. A Joker may also stand where the natural is held: that card may be wanted elsewhere."""
    for low in range(1, ACE_HIGH - SMALLEST + 2):
        for high in range(low + SMALLEST - 1, min(low + longest - 1, ACE_HIGH) + 1):
            if high - low >= LONGEST_RUN:
                break
            shown = [face_at(place, "") for place in range(low, high + 1)]
            held = [rank for rank in shown if rank in ranks]
            missing = len(shown) - len(held)
            if missing > jokers:
                break
            for spared in range(min(jokers - missing, len(held) - FEWEST_NATURALS) + 1):
                for left_out in combinations(held, spared):
                    yield tuple(rank if rank in held and rank not in left_out else JOKER for rank in shown)
