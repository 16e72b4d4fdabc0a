"""How near a seat at Conquian is to its last card: the number a bot decides by.

A game is won with a table of just eleven cards. Of all the tables of eleven that are melds without a card over, those
count that hold one's own table, and whose other cards are in hand or may still come; each the more, the fewer have to
come. So a card is worth what it takes part in, and a meld that leads nowhere is worth nothing. All is whole numbers:
equal positions give equal choices on every machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from itertools import combinations

from server.rules.conquian_covers import PACK, SMALLEST, all_melds, can_lie, set_of, usable
from server.rules.conquian_hand import ConquianOptions, ConquianView, Melds, other

WHOLE = (1 << len(PACK)) - 1
UNIT = 10**9
"""Worth of a table that needs no more cards."""
ONE_IN = 13
"""A table that needs a card more is worth so many times less. Over some hundred mirrored deals play hardly changed
between five and twenty; at two, with an eye for what is far off, it was much worse.
"""
MOST_TO_COME = range(3, 8)
"""Cards still to come that are reckoned with: as few as leave enough tables to compare."""
ENOUGH = 40


class Outlook:
    """A seat's chances at one moment, with its own table and hand or such as they may become."""

    def __init__(self, view: ConquianView, options: ConquianOptions, seat: int) -> None:
        self.goal = options.goal
        self.table = on_table(view.table[seat])
        self.opposite = on_table(view.table[other(seat)])
        self.opponents_hand = view.counts[other(seat)]
        self.hand = set_of(view.hand or ())
        self.centre = set_of([view.centre.card]) if view.centre else 0
        seen = self.opposite | self.own | set_of(view.dead_cards or ())
        self.unseen = WHOLE & ~seen

    @property
    def own(self) -> int:
        """All that the seat has or may have with its next action."""
        return self.table | self.hand | self.centre

    @cached_property
    def _tables(self) -> tuple[int, ...]:
        """The tables of just enough cards that can still become one's own."""
        closed = WHOLE & ~(self.own | self.unseen)
        possible = [
            one for one in winning_tables(self.goal) if one & self.table == self.table and not one & closed
        ]
        near: tuple[int, ...] = ()
        for most in MOST_TO_COME:
            near = tuple(one for one in possible if (one & ~self.own).bit_count() <= most)
            if len(near) >= ENOUGH:
                break
        return near

    def worth(self, table: int, hand: int) -> int:
        """What a table and a hand are worth, whatever else is one's own now being gone for good."""
        own = table | hand
        gone = self.own & ~own
        counted: set[int] = set()
        total = 0
        for one in self._tables:
            if one & table == table and not one & gone:
                coming = one & ~own
                if coming not in counted and reachable(table, one & hand, coming):
                    counted.add(coming)
                    total += UNIT // ONE_IN ** coming.bit_count()
        return total

    def uses(self, card: int) -> int:
        """How likely the opponent has two cards that make a meld with this one, in thousandths."""
        held = 1000 * self.opponents_hand // max(1, self.unseen.bit_count())
        ways = sum(not pair & ~self.unseen for pair in pairs_with(card))
        return min(1000, ways * held * held // 1000)

    def fitting(self, table: int) -> Iterator[int]:
        """The unseen cards that could be forced on a table."""
        return (card for card in bits(self.unseen) if can_lie(table | card))


def bits(cards: int) -> Iterator[int]:
    """The cards of a set, each as a set of one."""
    while cards:
        card = cards & -cards
        yield card
        cards ^= card


def on_table(melds: Melds) -> int:
    """The cards of a player's table as a set."""
    return set_of(card for meld in melds for card in meld)


@lru_cache(1 << 14)
def reachable(table: int, hand: int, coming: int) -> bool:
    """Whether cards can come one after the other: each has to be melded as it comes, and a pair is no meld.

    The first is looked at, and most of what cannot be reached fails with it.
    """
    return coming.bit_count() <= 1 or any(usable(table | card, hand) for card in bits(coming))


@lru_cache(len(PACK))
def pairs_with(card: int) -> tuple[int, ...]:
    """The pairs of cards that make a meld with a card."""
    return tuple(meld ^ card for meld in all_melds(SMALLEST) if meld & card and meld.bit_count() == SMALLEST)


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
