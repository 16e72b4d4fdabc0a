"""What players ask the archive for: their own matches, one of them with its hands, and its record.

One's own are the matches in which one holds a seat, or has left one.
"""

from __future__ import annotations

from typing import Literal, cast

import msgspec
from sqlalchemy import BindParameter, ColumnElement, func, select, union
from sqlalchemy.ext.asyncio import AsyncSession

from server.archive.models import DepartureRow, HandRow, MatchRow, SeatRow
from server.archive.record import match_record
from server.bodies import History, HistoryDetail, HistoryHand, HistoryMatch, HistorySeat
from server.rules.registry import GameName
from server.rules.result import Result

HISTORY_LIMIT = 50  # a page one can look through; the structs promise it


async def history(session: AsyncSession, player: str) -> History:
    """The player's newest matches, at most 50; unfinished ones too, from their beginning on."""
    newest_first = (MatchRow.started.desc(), MatchRow.id.desc())
    matches = await session.scalars(
        select(MatchRow).where(is_own(player)).order_by(*newest_first).limit(HISTORY_LIMIT)
    )
    return History(tuple(await described(session, list(matches), player)))


async def detail(session: AsyncSession, player: str, match_id: str) -> HistoryDetail | None:
    """One match with its hands; None if there is no such match, or the player is not one of its players."""
    match = await session.scalar(select(MatchRow).where(MatchRow.id == match_id, is_own(player)))
    if match is None:
        return None
    (described_match,) = await described(session, [match], player)
    hands = await session.scalars(select(HandRow).where(HandRow.match == match_id).order_by(HandRow.hand_no))
    return HistoryDetail(
        described_match,
        tuple(
            HistoryHand(row.hand_no, row.ended, msgspec.convert(row.result, Result), row.record)
            for row in hands
        ),
    )


async def record_of(session: AsyncSession, player: str, match_id: str) -> str | None:
    """The record of a match in the notation; None where `detail` gives None."""
    found = await detail(session, player, match_id)
    if found is None:
        return None
    left = select(DepartureRow.seat, DepartureRow.hand_no).where(DepartureRow.match == match_id)
    in_order = left.order_by(DepartureRow.hand_no, DepartureRow.seat)
    return match_record(found, [(seat, hand_no) for seat, hand_no in await session.execute(in_order)])


def is_own(player: str | BindParameter[str]) -> ColumnElement[bool]:
    """Whether a match is one of the player's own."""
    # One list, not two: then Postgres looks those matches up, and does not hold every match against two lists.
    return MatchRow.id.in_(
        union(
            select(SeatRow.match).where(SeatRow.player == player),
            select(DepartureRow.match).where(DepartureRow.player == player),
        )
    )


async def described(session: AsyncSession, matches: list[MatchRow], viewer: str) -> list[HistoryMatch]:
    """The matches as their player `viewer` sees them, in the order given."""
    ids = [match.id for match in matches]
    seats: dict[str, list[HistorySeat]] = {match_id: [] for match_id in ids}
    in_order = select(SeatRow).where(SeatRow.match.in_(ids)).order_by(SeatRow.match, SeatRow.seat)
    for row in await session.scalars(in_order):
        you = row.player == viewer
        seats[row.match].append(HistorySeat(row.name, row.bot is not None, you, row.total, row.stood_in))
    count = select(HandRow.match, func.count()).where(HandRow.match.in_(ids)).group_by(HandRow.match)
    hands = dict(iter(await session.execute(count)))
    left = select(DepartureRow.match, DepartureRow.kind).where(
        DepartureRow.match.in_(ids), DepartureRow.player == viewer
    )
    departed = dict(iter(await session.execute(left)))
    return [
        HistoryMatch(
            id=match.id,
            game=cast(GameName, match.game),
            options=match.options,
            started=match.started,
            ended=match.ended,
            by=cast(Literal["points", "forfeit", "void"] | None, match.by),
            winners=tuple(match.winners),
            seats=tuple(seats[match.id]),
            hands=hands.get(match.id, 0),
            left=cast(Literal["left", "kicked"] | None, departed.get(match.id)),
        )
        for match in matches
    ]
