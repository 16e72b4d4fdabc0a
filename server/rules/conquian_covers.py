"""Which cards can lie as melds without any left over: Conquian's tables, by exact cover.

A set of cards is a number with one bit a card, suit by suit and low to high within one, so that a meld is a number,
too, and the lowest card of a set has only a few melds that could hold it and nothing below it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache, reduce
from itertools import combinations

from server.rules.cards import SUITS, Card

RANKS = "A234567JQK"
""" "Kartu as selalu rendah dan 7 berada di sebelah jack." """
PACK: tuple[Card, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
""" "A-2-3-4-5-6-7-J-Q-K dalam jenis kartu biasa." """
BIT = {card: 1 << place for place, card in enumerate(PACK)}
SMALLEST = 3
LONGEST_PIECE = 5
"""A longer run is shorter ones end to end, six being 3 + 3, so whether cards can lie needs no longer ones."""


def set_of(cards: Iterable[Card]) -> int:
    """Cards as a set. Raises KeyError for a card of another pack."""
    cards_set = 0
    for card in cards:
        cards_set |= BIT[card]
    return cards_set


def cards_of(cards_set: int) -> tuple[Card, ...]:
    """The cards of a set, suit by suit, low to high."""
    return tuple(card for card in PACK if BIT[card] & cards_set)


def _runs(longest: int) -> Iterator[int]:
    for suit in range(len(SUITS)):
        for low in range(len(RANKS) - SMALLEST + 1):
            for count in range(SMALLEST, min(longest, len(RANKS) - low) + 1):
                yield ((1 << count) - 1) << (suit * len(RANKS) + low)


def _groups() -> Iterator[int]:
    for rank in RANKS:
        cards = [BIT[rank + suit] for suit in SUITS]
        for count in (3, 4):
            yield from map(sum, combinations(cards, count))


@lru_cache(8)
def all_melds(longest: int) -> tuple[int, ...]:
    """Every group, and every run of at most `longest` cards."""
    return (*_groups(), *_runs(longest))


class Among(dict[int, tuple[int, ...]]):
    """Those of some melds that lie in a set of cards, by the set; found when first asked for.

    It is asked about cards of one suit or one rank only, so that none has to be forgotten.
    """

    def __init__(self, melds: Iterable[int]) -> None:
        super().__init__()
        self.melds = tuple(melds)
        self.cards = reduce(int.__or__, self.melds)

    def __missing__(self, cards: int) -> tuple[int, ...]:
        self[cards] = tuple([meld for meld in self.melds if meld & cards == meld])
        return self[cards]


With = dict[int, tuple[int, Among, int, Among]]
"""For each card those that may be in a group with it, these groups, and the same of runs."""


@lru_cache(8)
def with_each(longest: int) -> With:
    """The same with runs of at most so many cards."""
    found: With = {}
    for card in BIT.values():
        groups = Among(meld for meld in _groups() if meld & card)
        runs = Among(meld for meld in _runs(longest) if meld & card)
        found[card] = groups.cards, groups, runs.cards, runs
    return found


WITH = with_each(LONGEST_PIECE)


def melds_with(card: int, cards: int) -> tuple[int, ...]:
    """The melds in a set of cards that hold a certain one of them, longer runs left out."""
    rank, groups, row, runs = WITH[card]
    return groups[cards & rank] + runs[cards & row]


@lru_cache(1 << 14)
def can_lie(cards: int) -> bool:
    """Whether a set of cards can be divided into melds. No limit on runs matters: they can be divided again."""
    return not cards or _lies(cards)


def _lies(cards: int) -> bool:
    """The same of a set that is not empty: its lowest card lies in one of the few melds that begin with it."""
    for meld in melds_with(cards & -cards, cards):
        rest = cards ^ meld
        if not rest or _lies(rest):
            return True
    return False


def divisions(cards: int, longest: int) -> list[tuple[int, ...]]:
    """Every way to divide a set of cards into melds, each once."""
    if not cards:
        return [()]
    ways, with_ = [], with_each(longest)
    begun: list[tuple[tuple[int, ...], int]] = [((), cards)]
    for melds, left in begun:  # more are found on the way
        rank, groups, row, runs = with_[left & -left]
        for meld in groups[left & rank] + runs[left & row]:
            if rest := left ^ meld:
                begun.append(((*melds, meld), rest))
            else:
                ways.append((*melds, meld))
    return ways


def usable(table: int, hand: int) -> frozenset[int]:
    """The parts of a hand that can lie together with all of `table`, which must not be empty."""
    found: set[int] = set()
    seen: set[tuple[int, int]] = set()

    def lay(must: int, may: int) -> None:
        if (must, may) in seen:
            return
        seen.add((must, may))
        if not must:
            found.add(hand ^ may)
            for meld in _inside(may):
                lay(0, may ^ meld)
            return
        for meld in melds_with(must & -must, must | may):
            lay(must & ~meld, may & ~meld)

    lay(table, hand)
    return frozenset(found)


@lru_cache(1 << 12)
def _inside(cards: int) -> tuple[int, ...]:
    """The melds within a set of cards."""
    return tuple(meld for meld in all_melds(LONGEST_PIECE) if meld & cards == meld)


# ---- as cards and as text ---------------------------------------------------------------------------------


@lru_cache(1 << 8)
def meld_cards(meld: int) -> tuple[Card, ...]:
    """The cards of a meld as they lie: a run from low to high, a group by its suits' letters."""
    cards = cards_of(meld)
    return tuple(sorted(cards)) if is_group(cards) else cards


def is_group(cards: Iterable[Card]) -> bool:
    """Whether cards are of one rank; of a meld: or else a run."""
    return len({card[0] for card in cards}) == 1


def written(division: Iterable[int]) -> str:
    """Melds as text, in the order that makes it lowest."""
    return " / ".join(sorted([" ".join(meld_cards(meld)) for meld in division]))


@lru_cache(1 << 10)
def first_division(cards: int, longest: int) -> str | None:
    """The division with the lowest text; None where there is none (common.md, turn clock)."""
    return min(map(written, divisions(cards, longest)), default=None)


def neat_division(cards: int, longest: int) -> list[tuple[Card, ...]]:
    """The division into the fewest melds; among equals the lowest. Empty where there is none."""
    ways = divisions(cards, longest)
    fewest = min(map(len, ways), default=0)
    return min([sorted(map(meld_cards, way)) for way in ways if len(way) == fewest], default=[])
