"""The dry run: exactly what `play` would do, without doing it."""

from __future__ import annotations

from server.rules.game import AnyAction
from server.rules.refusal import Code, Refused
from server.rules.registry import rules_of
from server.tables.table import Table


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
