"""What the other player's moves at Conquian say about its hand: what it refused, and what it threw.

It is taken for a regular player. A hand with which a regular would have done something else is much less likely than
one with which it would have done the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct

from server.bots.conquian_columns import Columns, columns_of
from server.bots.conquian_outlook import Outlook, bits
from server.bots.conquian_regular import at_a_glance
from server.bots.conquian_rollout import meldable
from server.rules.conquian_covers import set_of, usable
from server.rules.events import AnyEvent, Died, Discarded, ExchangeMade, Melded, Passed

UNLIKELY = 0.1
"""How likely it is to do anything but what a regular would, compared with that."""

LEAST = UNLIKELY**2
"""What explains even less is not looked at any closer."""


class Moved(Struct):
    """The other player refused a card, or threw one, with both tables as they lay then; `left` are the cards that have
    left its hand since.
    """

    card: int
    thrown: bool
    table: int
    opposite: int
    left: int = 0


class Watched(Struct):
    """What a seat has seen of the other: cards that died, moves, and cards known to be in its hand."""

    dead: int
    moves: list[Moved]
    known: int


def watched(seen: Sequence[AnyEvent], seat: int) -> Watched:
    """What `seat` knows of the other player's hand from what has happened."""
    dead = own = table = known = 0
    moves: list[Moved] = []
    for event in seen:
        gone = 0
        match event:
            case Died(card=card):
                dead |= set_of([card])
            case ExchangeMade(gave=gave) if gave is not None:
                known |= set_of([gave[seat]])
            case Passed(seat=player, card=card) if player != seat:
                moves.append(Moved(set_of([card]), False, table, own))
            case Melded(seat=player, card=card, from_hand=used) if player == seat:
                own |= set_of([card, *used])
            case Melded(card=card, from_hand=used):
                gone = set_of(used)
                table |= gone | set_of([card])
            case Discarded(seat=player, card=card) if player != seat:
                gone = set_of([card])
                moves.append(Moved(gone, True, table, own))
            case _:
                pass
        known &= ~gone
        for move in moves if gone else ():
            move.left |= gone
    return Watched(dead, moves, known)


class Reading:
    """How well a hand explains what the other player has done."""

    def __init__(self, moves: Sequence[Moved], goal: int) -> None:
        self._moves = moves
        self._goal = goal

    def likelihood(self, hand: int) -> float:
        """Of a hand that the other may have now, compared with one that explains everything."""
        likely = 1.0
        for move in self._moves:
            explains = self._would_throw if move.thrown else self._would_refuse
            if not explains(move, hand | move.left):
                likely *= UNLIKELY
                if likely < LEAST:
                    break
        return likely

    def _would_refuse(self, move: Moved, hand: int) -> bool:
        """Whether nothing that it could lay with the card would have been worth more than what it had."""
        table = move.table
        if not meldable(move.card, table | hand):
            return True
        outlook = self._outlook(move, hand, move.card)
        worth = outlook.worth(table, hand)
        for used in usable(table | move.card, hand):
            laid, left = table | move.card | used, hand & ~used
            if laid.bit_count() >= self._goal:
                return False
            if any(at_a_glance(outlook, laid, left, card) > worth for card in bits(left)):
                return False
        return True

    def _would_throw(self, move: Moved, hand: int) -> bool:
        """Whether no other card of its hand was better to throw."""
        outlook = self._outlook(move, hand, 0)
        best = at_a_glance(outlook, move.table, hand, move.card)
        return all(at_a_glance(outlook, move.table, hand, card) <= best for card in bits(hand))

    def _outlook(self, move: Moved, hand: int, centre: int) -> Outlook:
        opponents_hand = self._goal - 1 - move.opposite.bit_count()
        columns = _columns(self._goal, move.table, move.opposite)
        return Outlook(columns, move.table, move.opposite, hand, centre, opponents_hand)


@lru_cache(64)  # what was thrown is looked at again with every later question, at a few tables at a time
def _columns(goal: int, table: int, opposite: int) -> Columns:
    """The tables that could still win, where they are few enough to be worth it."""
    return columns_of(goal).narrowed(table, opposite) if table else columns_of(goal)
