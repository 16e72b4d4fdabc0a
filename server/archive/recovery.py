"""What the archive knows of tables that the live store has lost.

A table can come back if its newest match has begun, has not ended, and has shown a sign of life not too long ago.
"""

from __future__ import annotations

import re

import msgspec
from msgspec.structs import replace
from sqlalchemy import bindparam, exists, select
from sqlalchemy.orm import aliased

from server.archive.matches import state_of
from server.archive.models import HandRow, MatchRow, SeatRow
from server.archive.session import SessionFactory, reading
from server.rules.result import Result
from server.tables.finished import LostTable, MatchState

REDEALT = re.compile(r"^void (?:\d+ left|- lost)$", re.MULTILINE)
"""A hand that somebody left, or that was lost, is dealt anew by the same dealer; other void hands move the deal on."""

# Built once: every socket asks, and what SQLAlchemy leaves of building a statement is some ten KiB for the collector.
_LATER = aliased(MatchRow)
_CAN_COME_BACK = (
    MatchRow.started > 0,
    MatchRow.ended.is_(None),
    MatchRow.seen >= bindparam("since"),
    MatchRow.state.is_not(None),
    ~exists().where(_LATER.table_id == MatchRow.table_id, _LATER.started > MatchRow.started),
)
"""Conditions on a match: begun, not ended, alive since then, and the newest of its table."""
_NEWEST = (
    select(MatchRow)
    .where(MatchRow.table_id == bindparam("table"), *_CAN_COME_BACK)
    .with_for_update(read=True)
)
_OPEN_TABLES = (
    select(MatchRow.table_id)
    .where(
        MatchRow.id.in_(select(SeatRow.match).where(SeatRow.player == bindparam("player"))), *_CAN_COME_BACK
    )
    .order_by(MatchRow.seen.desc(), MatchRow.id)
)


async def lost_table(factory: SessionFactory, table_id: str, since: int) -> LostTable | None:
    """What a lost table is built again from; None unless it can come back, and was alive at `since` (ms) or later.

    Seats and totals are as of the latest that is known, be it a state or a hand. Raises Away if the database is.
    """
    async with reading(factory) as session:
        # No hand may come between the questions: totals and hands have to be of one moment.
        match = await session.scalar(_NEWEST, {"table": table_id, "since": since})
        state = None if match is None else state_of(match)
        if match is None or state is None:
            return None
        seats = await session.scalars(select(SeatRow).where(SeatRow.match == match.id).order_by(SeatRow.seat))
        state = with_seats(state, list(seats))
        hands = list(
            await session.scalars(select(HandRow).where(HandRow.match == match.id).order_by(HandRow.hand_no))
        )
    last = hands[-1] if hands else None
    return LostTable(
        state=state,
        totals=tuple(match.totals),
        hand_no=0 if last is None else last.hand_no,
        dealer=state.dealer if last is None else last.dealer,
        redeal=last is None or REDEALT.search(last.record) is not None,
        sheet=tuple(counted(row) for row in hands if row.ending != "void"),
    )


async def open_tables_of(factory: SessionFactory, player_id: str, since: int) -> tuple[str, ...]:
    """Tables that can come back, at which the player holds a seat; those alive last come first. Raises Away."""
    async with reading(factory) as session:
        tables = await session.scalars(_OPEN_TABLES, {"player": player_id, "since": since})
        return tuple(table for table in tables if table is not None)


def counted(row: HandRow) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
    """A hand's row of the score sheet."""
    result = msgspec.convert(row.result, Result)
    return row.hand_no, result.winners, result.points


def with_seats(state: MatchState, rows: list[SeatRow]) -> MatchState:
    """The state with who sits there now, and under which name: a hand may know it later than the state did."""
    seats = (
        replace(seat, player=row.player, name=row.name, bot=row.bot)
        for seat, row in zip(state.seats, rows, strict=True)
    )
    return replace(state, seats=tuple(seats))
