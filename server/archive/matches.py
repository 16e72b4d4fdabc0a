"""Matches in the archive: save what tables have finished, answer what players ask.

Saving is idempotent, in any order: a hand may come twice, from two workers at once, or before an earlier one.
"""

from __future__ import annotations

from typing import Literal, cast

import msgspec
from sqlalchemy import func, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession

from server.archive.models import HandRow, MatchRow, PlayerRow, SeatRow
from server.archive.record import hand_record
from server.archive.session import SessionFactory, writing
from server.protocol import History, HistoryDetail, HistoryHand, HistoryMatch, HistorySeat
from server.rules.game import Result
from server.tables.finished import AnyFinished, FinishedHand, FinishedMatch, MatchState

HISTORY_LIMIT = 50  # a page one can look through; the structs promise it


async def save(factory: SessionFactory, finished: AnyFinished) -> bool:
    """Keep a finished hand or match; False if it was there already. Raises Away if the database is."""
    async with writing(factory) as session:
        match = await locked_match(session, finished)
        match finished:
            case FinishedHand():
                return await save_hand(session, match, finished)
            case FinishedMatch():
                return await save_ending(session, match, finished)
            case MatchState():
                return await save_beginning(session, match, finished)


async def save_hand(session: AsyncSession, match: MatchRow, hand: FinishedHand) -> bool:
    """Add a hand to its match, once."""
    if await session.get(HandRow, (hand.match, hand.hand_no)) is not None:
        return False
    latest = await session.scalar(select(func.max(HandRow.hand_no)).where(HandRow.match == hand.match))
    seats = await seats_of(session, hand)
    for row, seat in zip(seats, hand.seats, strict=True):
        row.stood_in += seat.stand_in
    if hand.hand_no == 1:
        match.dealer = hand.dealer
    if match.ended is None and (hand.outcome is not None or hand.hand_no > (latest or 0)):
        bring_up_to_date(match, seats, hand)
    session.add(
        HandRow(
            match=hand.match,
            hand_no=hand.hand_no,
            ended=hand.ended,
            ending=hand.result.ending,
            result=msgspec.to_builtins(hand.result),
            record=hand_record(hand),
            commitment=hand.commitment,
            seed=hand.seed,
            nonces=list(hand.nonces),
        )
    )
    return True


async def save_ending(session: AsyncSession, match: MatchRow, ending: FinishedMatch) -> bool:
    """End a match that no hand ended, once."""
    if match.ended is not None:
        return False
    bring_up_to_date(match, await seats_of(session, ending), ending)
    return True


async def save_beginning(session: AsyncSession, match: MatchRow, state: MatchState) -> bool:
    """Seat the players of a match of which nothing else is known yet."""
    known = await session.scalar(select(func.count()).where(SeatRow.match == match.id))
    await seats_of(session, state)
    return not known


async def locked_match(session: AsyncSession, finished: AnyFinished) -> MatchRow:
    """The match's row, made if it is missing, and ours alone until the transaction ends."""
    fresh = insert(session, MatchRow).values(
        id=finished.match,
        game=finished.game,
        options=finished.options,
        private=finished.private,
        started=finished.started,
        winners=[],
        totals=[seat.total for seat in finished.seats],
    )
    await session.execute(fresh.on_conflict_do_nothing())
    return (
        await session.scalars(select(MatchRow).where(MatchRow.id == finished.match).with_for_update())
    ).one()


async def seats_of(session: AsyncSession, finished: AnyFinished) -> list[SeatRow]:
    """The match's seats in order, made if they are missing; who sits there becomes a known player."""
    await remember_players(session, finished)
    rows = {
        row.seat: row for row in await session.scalars(select(SeatRow).where(SeatRow.match == finished.match))
    }
    for number, seat in enumerate(finished.seats):
        if number not in rows:
            rows[number] = SeatRow(
                match=finished.match,
                seat=number,
                player=seat.player,
                name=seat.name,
                bot=seat.bot,
                total=seat.total,
                stood_in=0,
            )
            session.add(rows[number])
    return [rows[number] for number in sorted(rows)]


async def remember_players(session: AsyncSession, finished: AnyFinished) -> None:
    """Note name and time of everyone seated; what is older than what is known changes nothing."""
    # In the order of their ids: two matches with the same players must not wait for each other.
    people = sorted((seat.player, seat.name) for seat in finished.seats if seat.player is not None)
    for player, name in people:
        row = insert(session, PlayerRow).values(id=player, name=name, seen=finished.ended)
        newer = {"name": row.excluded.name, "seen": row.excluded.seen}
        await session.execute(
            row.on_conflict_do_update(
                index_elements=[PlayerRow.id], set_=newer, where=row.excluded.seen > PlayerRow.seen
            )
        )


def bring_up_to_date(match: MatchRow, seats: list[SeatRow], finished: FinishedHand | FinishedMatch) -> None:
    """Set match and seats to how the newest hand, or the end, left them."""
    match.totals = [seat.total for seat in finished.seats]
    for row, seat in zip(seats, finished.seats, strict=True):
        row.player, row.name, row.bot, row.total = seat.player, seat.name, seat.bot, seat.total
    if finished.outcome is not None:
        match.ended = finished.ended
        match.by = finished.outcome.by
        match.winners = list(finished.outcome.winners)


def insert(session: AsyncSession, table: type[MatchRow | PlayerRow]) -> postgresql.Insert | sqlite.Insert:
    """An INSERT that knows ON CONFLICT: both databases spell it alike, SQLAlchemy has one for each."""
    if session.get_bind().dialect.name == "postgresql":
        return postgresql.insert(table)
    return sqlite.insert(table)


async def history(session: AsyncSession, player: str) -> History:
    """The player's newest matches, at most 50; unfinished ones too, from their first hand on."""
    own = select(SeatRow.match).where(SeatRow.player == player)
    newest_first = (MatchRow.started.desc(), MatchRow.id.desc())
    matches = await session.scalars(
        select(MatchRow).where(MatchRow.id.in_(own)).order_by(*newest_first).limit(HISTORY_LIMIT)
    )
    return History(tuple(await described(session, list(matches), player)))


async def detail(session: AsyncSession, player: str, match_id: str) -> HistoryDetail | None:
    """One match with its hands; None if there is no such match, or the player is not one of its players."""
    own = select(SeatRow.match).where(SeatRow.player == player, SeatRow.match == match_id)
    match = await session.scalar(select(MatchRow).where(MatchRow.id.in_(own)))
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
    return [
        HistoryMatch(
            id=match.id,
            game=cast(Literal["konken"], match.game),
            options=match.options,
            started=match.started,
            ended=match.ended,
            by=cast(Literal["points", "forfeit", "void"] | None, match.by),
            winners=tuple(match.winners),
            seats=tuple(seats[match.id]),
            hands=hands.get(match.id, 0),
        )
        for match in matches
    ]
