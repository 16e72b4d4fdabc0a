"""How near a seat at Conquian is to its last card: the number a bot decides by.

A game is won with a table of just eleven cards. Of all the tables of eleven that are melds without a card over, those
count that hold one's own table, and whose other cards are in hand or may still come; each the more, the fewer have to
come. So a card is worth what it takes part in, and a meld that leads nowhere is worth nothing. All is whole numbers:
equal positions give equal choices on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from server.bots.conquian_columns import UNIT, WHOLE, Columns, bits, columns_of
from server.rules.conquian_covers import SMALLEST, all_melds, can_lie, set_of
from server.rules.conquian_hand import ConquianOptions, ConquianView, Melds, other

__all__ = ["UNIT", "Outlook", "bits", "on_table", "outlook_of", "pairs_with"]


class Outlook:
    """A seat's chances at one moment, with its own table and hand or such as they may become."""

    def __init__(
        self,
        columns: Columns,
        table: int,
        opposite: int,
        hand: int,
        centre: int,
        opponents_hand: int,
        closed: int = 0,
    ) -> None:
        """With one's own table and the `opposite` one, and cards that are `closed`, as sets, and the number of the
        opponent's cards; `columns` has all the tables that may still win.
        """
        self.goal = columns.goal
        self.table = table
        self.opposite = opposite
        self.hand = hand
        self.centre = centre
        self.unseen = WHOLE & ~(self.opposite | self.own | closed)
        self.opponents_hand = opponents_hand
        self._columns = columns
        self._worths: dict[tuple[int, int], dict[int, int]] = {}

    @property
    def own(self) -> int:
        """All that the seat has or may have with its next action."""
        return self.table | self.hand | self.centre

    def worth(self, table: int, hand: int) -> int:
        """What a table and a hand are worth, whatever else is one's own now being gone for good."""
        return self._columns.worths(table, hand, self.unseen, 0)[0]

    def worth_without(self, table: int, hand: int, card: int) -> int:
        """The same once a card of the hand is thrown; all cards of a hand are looked at together."""
        key = table, hand
        if key not in self._worths:
            self._worths[key] = self._columns.worths(table, hand, self.unseen, hand)
        return self._worths[key][card]

    def uses(self, card: int) -> int:
        """How likely the opponent has two cards that make a meld with this one, in thousandths."""
        held = 1000 * self.opponents_hand // max(1, self.unseen.bit_count())
        ways = sum(not pair & ~self.unseen for pair in pairs_with(card))
        return min(1000, ways * held * held // 1000)

    def fitting(self, table: int) -> Iterator[int]:
        """The unseen cards that could be forced on a table."""
        return (card for card in bits(self.unseen) if can_lie(table | card))


def outlook_of(view: ConquianView, options: ConquianOptions, seat: int, gone: int = 0) -> Outlook:
    """The outlook of a seat that sees this; `gone` are cards known to be out of play beside those that it shows."""
    return Outlook(
        columns_of(options.goal),
        on_table(view.table[seat]),
        on_table(view.table[other(seat)]),
        set_of(view.hand or ()),
        set_of([view.centre.card]) if view.centre else 0,
        view.counts[other(seat)],
        closed=set_of(view.dead_cards or ()) | gone,
    )


def on_table(melds: Melds) -> int:
    """The cards of a player's table as a set."""
    return set_of(card for meld in melds for card in meld)


@lru_cache(64)  # forty cards
def pairs_with(card: int) -> tuple[int, ...]:
    """The pairs of cards that make a meld with a card."""
    return tuple(meld ^ card for meld in all_melds(SMALLEST) if meld & card and meld.bit_count() == SMALLEST)
