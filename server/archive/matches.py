"""Matches in the archive: save what tables have finished.

Saving is idempotent, in any order: an item may come twice, from two workers at once, or before an earlier one.
Whatever tells of a match has a moment in it, (when it happened, version of the table): seats and totals follow the
latest moment known, so that a late hand never puts back who has left since.

A store that has lost its last second goes on from before it, and the archive may know already what is no longer so:
a hand that has come to another end meanwhile, a match that has ended and goes on, somebody who left and plays on. What
happened later holds.
"""

from __future__ import annotations

import msgspec
from sqlalchemy import Delete, delete, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession

from server.archive.models import DepartureRow, HandRow, MatchRow, PlayerRow, SeatRow
from server.archive.record import hand_record, lost_record
from server.archive.session import SessionFactory, writing
from server.rules.result import Result
from server.tables.finished import (
    AnyFinished,
    Departure,
    FinishedHand,
    FinishedMatch,
    FinishedSeat,
    LostHand,
    MatchState,
    encode,
)

Moment = tuple[int, int]


async def save(factory: SessionFactory, finished: AnyFinished) -> bool:
    """Keep a hand, an ending or a state; False if it tells nothing new. Raises Away if the database is."""
    async with writing(factory) as session:
        match = await locked_match(session, finished)
        if is_undone(match, finished):
            return False
        note_hands(match, finished)
        await forget_undone(session, finished)
        match finished:
            case FinishedHand():
                return await save_hand(session, match, finished)
            case FinishedMatch():
                return await save_ending(session, match, finished)
            case MatchState():
                return await save_state(session, match, finished)
            case LostHand():
                return await save_loss(session, match, finished)


async def save_hand(session: AsyncSession, match: MatchRow, hand: FinishedHand) -> bool:
    """Add a hand to its match, once. It takes the place of one that ended, or was given up as lost, before it did."""
    known = await session.get(HandRow, (hand.match, hand.hand_no))
    if known is not None and known.ended >= hand.ended:
        return False
    if known is not None:
        await session.delete(known)
        await session.flush()  # its place is taken before it is free, otherwise
    reopen(match, hand)
    row = hand_row(hand)
    seats = await seats_of(session, hand)
    latest = max(await moment_of_hands(session, match), moment_of_state(match))
    if match.ended is None and (hand.outcome is not None or (row.ended, row.v) > latest):
        bring_up_to_date(match, seats, hand.seats)
        end(match, hand)
    for seat, then in zip(seats, hand.seats, strict=True):
        seat.stood_in += then.stand_in and seat.player == then.player
    if hand.hand_no == 1:
        match.dealer = hand.dealer
    session.add(row)
    return True


async def save_loss(session: AsyncSession, match: MatchRow, lost: LostHand) -> bool:
    """Note that a hand was lost with its table, once. It is void, and proves nothing.

    Its end may have come into the archive when the table had been built again without it. That has been struck
    (`forget_undone`); what it brought with it, the end of the match perhaps, goes too.
    """
    if await session.get(HandRow, (lost.match, lost.hand_no)) is not None:
        return False
    reopen(match, lost)
    latest, _ = max(await moment_of_hands(session, match), moment_of_state(match))
    if match.ended is None and latest <= lost.ended:
        bring_up_to_date(match, await seats_of(session, lost), lost.seats)
    session.add(lost_row(lost))
    return True


def hands_after(finished: AnyFinished) -> int | None:
    """How many hands of the match had come to an end, this one if it tells of one; None if nobody knows."""
    return finished.hand_no if isinstance(finished, FinishedHand | LostHand) else finished.hands


def is_undone(match: MatchRow, finished: AnyFinished) -> bool:
    """Whether this is the end of a hand that a later moment of the match does not know."""
    late = finished.ended < match.hands_at
    return late and isinstance(finished, FinishedHand) and finished.hand_no > match.hands


def note_hands(match: MatchRow, finished: AnyFinished) -> None:
    """Note how many hands have come to an end, unless a later moment is known."""
    told = hands_after(finished)
    if told is not None and finished.ended >= match.hands_at:
        match.hands, match.hands_at = told, finished.ended


async def forget_undone(session: AsyncSession, finished: AnyFinished) -> None:
    """Strike what had happened earlier and has not happened by now: ends of hands, and the leaving of who sits there.

    Nobody comes back to a match, so those never left.
    """
    if (after := hands_after(finished)) is not None:
        # Where it is a hand's end that is told, an earlier end of the same hand is none.
        stands = after - 1 if isinstance(finished, FinishedHand | LostHand) else after
        ends = delete(HandRow).where(HandRow.match == finished.match, HandRow.hand_no > stands)
        await strike(session, ends.where(HandRow.ended < finished.ended))
    seated = [seat.player for seat in finished.seats if seat.player is not None]
    left = delete(DepartureRow).where(DepartureRow.match == finished.match, DepartureRow.player.in_(seated))
    await strike(session, left.where(DepartureRow.at < finished.ended))


async def strike(session: AsyncSession, rows: Delete) -> None:
    """Delete rows, of which the session may hold some."""
    await session.execute(rows, execution_options={"synchronize_session": "fetch"})


def reopen(match: MatchRow, finished: AnyFinished) -> None:
    """A match of which something tells that happened after its end has not ended."""
    if match.ended is not None and match.ended < finished.ended:
        match.ended, match.by, match.winners = None, None, []


async def save_ending(session: AsyncSession, match: MatchRow, ending: FinishedMatch) -> bool:
    """End a match that no hand ended, once."""
    reopen(match, ending)
    later, _ = max(await moment_of_hands(session, match), moment_of_state(match))
    if match.ended is not None or later > ending.ended:
        return False
    bring_up_to_date(match, await seats_of(session, ending), ending.seats)
    end(match, ending)
    return True


async def save_state(session: AsyncSession, match: MatchRow, state: MatchState) -> bool:
    """Keep a state if it is newer than the one known, and who left, once, however old it is."""
    seats = await seats_of(session, state)
    departed = state.departure is not None and await save_departure(session, match, seats, state.departure)
    if state.hand_no == 1:
        match.dealer = state.dealer
    if (state.ended, state.v) <= moment_of_state(match):
        return departed
    reopen(match, state)
    if match.ended is None and (state.ended, state.v) >= await moment_of_hands(session, match):
        bring_up_to_date(match, seats, state.seats)
    match.state, match.state_v = encode(state).decode(), state.v
    return True


async def save_departure(
    session: AsyncSession, match: MatchRow, seats: list[SeatRow], gone: Departure
) -> bool:
    """Note who left, once; not who is known to have sat there later."""
    if await session.get(DepartureRow, (match.id, gone.player)) is not None:
        return False
    latest, _ = max(await moment_of_hands(session, match), moment_of_state(match))
    if latest > gone.at and any(seat.player == gone.player for seat in seats):
        return False
    session.add(DepartureRow(match=match.id, **msgspec.structs.asdict(gone)))
    return True


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
    match = (
        await session.scalars(select(MatchRow).where(MatchRow.id == finished.match).with_for_update())
    ).one()
    match.table_id = finished.table
    match.seen = max(match.seen, finished.ended)
    return match


async def moment_of_hands(session: AsyncSession, match: MatchRow) -> Moment:
    """The moment in which the latest hand known ended; before all others if none is."""
    hands = select(HandRow.ended, HandRow.v).where(HandRow.match == match.id)
    latest = (await session.execute(hands.order_by(HandRow.ended.desc(), HandRow.v.desc()).limit(1))).first()
    return (0, 0) if latest is None else (latest.ended, latest.v)


def moment_of_state(match: MatchRow) -> Moment:
    """The moment of the state known; before all others if none is."""
    if (state := state_of(match)) is None:
        return (0, 0)
    return (state.ended, state.v)


def state_of(match: MatchRow) -> MatchState | None:
    """The newest state of a match; None for one from before there were states, or of which none has come yet."""
    if match.state is None:
        return None
    return msgspec.json.decode(match.state, type=MatchState)


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
    """Note name and time of everyone seated, and of who just left; what is older than what is known changes nothing."""
    people = {seat.player: seat.name for seat in finished.seats if seat.player is not None}
    if isinstance(finished, MatchState) and finished.departure is not None:
        people[finished.departure.player] = finished.departure.name
    # In the order of their ids: two matches with the same players must not wait for each other.
    for player, name in sorted(people.items()):
        row = insert(session, PlayerRow).values(id=player, name=name, seen=finished.ended)
        newer = {"name": row.excluded.name, "seen": row.excluded.seen}
        await session.execute(
            row.on_conflict_do_update(
                index_elements=[PlayerRow.id], set_=newer, where=row.excluded.seen > PlayerRow.seen
            )
        )


def bring_up_to_date(match: MatchRow, seats: list[SeatRow], now: tuple[FinishedSeat, ...]) -> None:
    """Set match and seats to what is the latest known of them."""
    match.totals = [seat.total for seat in now]
    for row, seat in zip(seats, now, strict=True):
        if row.player != seat.player:
            row.stood_in = 0  # that was for somebody else
        row.player, row.name, row.bot, row.total = seat.player, seat.name, seat.bot, seat.total


def end(match: MatchRow, finished: FinishedHand | FinishedMatch) -> None:
    """Note how the match ended, if it has."""
    if finished.outcome is not None:
        match.ended = finished.ended
        match.by = finished.outcome.by
        match.winners = list(finished.outcome.winners)


def hand_row(hand: FinishedHand) -> HandRow:
    """A hand as it is kept."""
    return HandRow(
        match=hand.match,
        hand_no=hand.hand_no,
        ended=hand.ended,
        ending=hand.result.ending,
        result=msgspec.to_builtins(hand.result),
        record=hand_record(hand),
        commitment=hand.commitment,
        seed=hand.seed,
        nonces=list(hand.nonces),
        dealer=hand.dealer,
        v=hand.log[-1].v if hand.log else 0,  # the last input is what ended it
    )


def lost_row(lost: LostHand) -> HandRow:
    """A hand of which only that is known."""
    nothing = (0,) * len(lost.seats)
    result = Result("void", (), nothing, nothing, ((),) * len(lost.seats))
    return HandRow(
        match=lost.match,
        hand_no=lost.hand_no,
        ended=lost.ended,
        ending=result.ending,
        result=msgspec.to_builtins(result),
        record=lost_record(lost),
        commitment="",
        seed="",
        nonces=[],
        dealer=lost.dealer,
        v=0,
    )


def insert(session: AsyncSession, table: type[MatchRow | PlayerRow]) -> postgresql.Insert | sqlite.Insert:
    """An INSERT that knows ON CONFLICT: both databases spell it alike, SQLAlchemy has one for each."""
    if session.get_bind().dialect.name == "postgresql":
        return postgresql.insert(table)
    return sqlite.insert(table)
