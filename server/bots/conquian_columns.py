"""All the tables that win at Conquian, side by side: how many of them a player is so many cards away from.

There are some forty thousand. Each is a column, a set of columns is a number with a bit for each, and every question
about all of them at once is a few operations on such numbers: which hold a card, which hold so many of one's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, compress

from server.rules.conquian_covers import PACK, SMALLEST, all_melds

WHOLE = (1 << len(PACK)) - 1
ONE_IN = 13
"""A table that needs a card more is worth so many times less. Over some hundred mirrored deals play hardly changed
between five and twenty; at two, with an eye for what is far off, it was much worse.
"""
FARTHEST = 5
"""Tables that need more cards are too far away to count: half of the goal is always nearer."""
UNIT: int = ONE_IN ** (FARTHEST + 1)
"""Worth of a table that needs no more cards."""
Rows = tuple[int, int, int, int]
DIGITS = bytes.maketrans(b"01", b"\0\1")
SMALL_MELDS = tuple(meld for meld in all_melds(SMALLEST) if meld.bit_count() == SMALLEST)


class Columns:
    """Tables that win, each of `goal` cards."""

    def __init__(self, tables: Sequence[int], goal: int) -> None:
        self.goal = goal
        self.tables = tables
        self._all = (1 << len(tables)) - 1
        self._holding = {1 << place: _column_set(tables, 1 << place) for place in range(len(PACK))}
        whole = ((meld, self._that_hold(meld, self._all)) for meld in SMALL_MELDS)
        self._melds = [(meld, columns) for meld, columns in whole if columns]

    def _that_hold(self, cards: int, columns: int) -> int:
        """Those that hold all of some cards."""
        for card in bits(cards):
            columns &= self._holding[card]
        return columns

    def narrowed(
        self, table: int, closed: int, far_from: int = WHOLE, least: int = 0, without: int = 0
    ) -> Columns:
        """The tables that hold all of one and nothing that is closed, at least so many cards of what they must not be
        `far_from`, and at most one card, which might be thrown, of what they have to do `without`.
        """
        columns = self._that_hold(table, self._all)
        for card in bits(closed):
            columns &= ~self._holding[card]
        once = twice = 0
        for card in bits(without):
            twice |= once & self._holding[card]
            once |= self._holding[card]
        columns &= ~twice
        if least:
            rows = self._counted(far_from, columns)
            enough = 0
            for held in range(least, self.goal + 1):
                enough |= _equal(rows, held, columns)
            columns = enough
        chosen = f"{columns:b}".encode().translate(DIGITS)[::-1]
        return Columns(tuple(compress(self.tables, chosen)), self.goal)

    def _counted(self, cards: int, columns: int) -> Rows:
        """How many of some cards each table holds, as binary digits: the ones of all tables, the twos, and so on."""
        ones = twos = fours = eights = 0
        for card in bits(cards):
            carry = self._holding[card] & columns
            ones, carry = ones ^ carry, ones & carry
            twos, carry = twos ^ carry, twos & carry
            fours, carry = fours ^ carry, fours & carry
            eights |= carry
        return ones, twos, fours, eights

    def worths(self, table: int, hand: int, live: int, throws: int) -> dict[int, int]:
        """What a table and a hand are worth without each of `throws`, cards of the hand; under 0 with all of them.

        A thrown card is gone for good, and cards that are neither own nor `live` never come.
        """
        own = table | hand
        possible = self._that_hold(table, self._all)
        closed = 0
        for card in bits(WHOLE & ~(own | live)):
            closed |= self._holding[card]
        possible &= ~closed
        levels = list(self._by_distance(possible, table, hand, live)) if possible else []
        worths = {0: sum(weight * columns.bit_count() for weight, columns in levels)}
        for card in bits(throws):
            kept = ~self._holding[card]
            worths[card] = sum(weight * (columns & kept).bit_count() for weight, columns in levels)
        return worths

    def _by_distance(self, possible: int, table: int, hand: int, live: int) -> Iterator[tuple[int, int]]:
        """The tables that need so many cards more, after what each of them is worth.

        Cards come one by one and each has to be melded as it comes: where more than one is missing a pair has to wait
        for the first.
        """
        rows = self._counted(hand, possible)
        begun = self._begun(table | hand, live)
        needed = self.goal - table.bit_count()
        for lacking in range(min(FARTHEST, needed) + 1):
            columns = _equal(rows, needed - lacking, possible if lacking <= 1 else possible & begun)
            if columns:
                yield UNIT // ONE_IN**lacking, columns

    def _begun(self, own: int, live: int) -> int:
        """The tables with a meld of three of which one card is missing and may come."""
        columns = 0
        for meld, of_meld in self._melds:
            missing = meld & ~own
            if missing & live and not missing & (missing - 1):
                columns |= of_meld
        return columns


def _equal(rows: Rows, number: int, columns: int) -> int:
    """Those of some tables whose digits make a number."""
    for place, row in enumerate(rows):
        columns &= row if number >> place & 1 else ~row
    return columns


def _column_set(tables: Sequence[int], card: int) -> int:
    digits = ["1" if table & card else "0" for table in reversed(tables)]
    return int("".join(digits) or "0", 2)


def bits(cards: int) -> Iterator[int]:
    """The cards of a set, each as a set of one."""
    while cards:
        card = cards & -cards
        yield card
        cards ^= card


@lru_cache(3)  # three deals, three goals
def columns_of(goal: int) -> Columns:
    """All the tables of so many cards."""
    return Columns(winning_tables(goal), goal)


@lru_cache(3)  # three deals, three goals
def winning_tables(goal: int) -> tuple[int, ...]:
    """Every set of `goal` cards that can lie as melds; some forty thousand."""
    melds = all_melds(goal)
    found = {meld for meld in melds if meld.bit_count() == goal}
    begun: set[int] = set()
    for one, another in combinations(melds, 2):
        size = (one | another).bit_count()
        if not one & another and size <= goal:
            (found if size == goal else begun).add(one | another)
    found.update(both | third for both, third in _completed(begun, melds, goal))
    return tuple(sorted(found))


def _completed(begun: Iterable[int], melds: Iterable[int], goal: int) -> Iterator[tuple[int, int]]:
    """Two melds with a third that makes them `goal` cards."""
    by_size: dict[int, list[int]] = {}
    for meld in melds:
        by_size.setdefault(meld.bit_count(), []).append(meld)
    for both in begun:
        for third in by_size.get(goal - both.bit_count(), ()):
            if not both & third:
                yield both, third
