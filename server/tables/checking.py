"""Questions that change nothing: the dry run of a move, and the best melds of one's own hand."""

from __future__ import annotations

from server.rules.actions import AnyAction
from server.rules.cards import Placed
from server.rules.refusal import Code, Refused
from server.rules.registry import rules_of
from server.tables.table import Table


def arrange(table: Table, player: str) -> tuple[tuple[Placed, ...], ...]:
    """The melds of one's own hand that leave the least. Raises Refused where the table has no meld help."""
    index = table.seat_of(player)
    if index is None:
        raise Refused(Code.NOT_SEATED)
    if table.house.meld_help == "off":
        raise Refused(Code.HELP_OFF)
    if table.phase != "playing":
        raise Refused(Code.WRONG_PHASE)
    melds: tuple[tuple[Placed, ...], ...] = rules_of(table.game).arrange(table.hand, index)
    return melds


def check(table: Table, player: str, decision: int, action: AnyAction) -> int:
    """Points of what the action would lay. Raises Refused as `play` would."""
    index = table.seat_of(player)
    if index is None:
        raise Refused(Code.NOT_SEATED)
    if table.hand is None:
        raise Refused(Code.WRONG_PHASE)
    if decision != table.seats[index].decision:
        raise Refused(Code.STALE_DECISION)
    rules = rules_of(table.game)
    rules.apply(table.hand, index, action)
    points: int = rules.value(table.hand, index, action)
    return points
