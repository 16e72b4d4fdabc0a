"""A table that the store has lost, built again from the archive: scores kept, the hand in play dealt anew."""

from __future__ import annotations

from msgspec.structs import replace

from server.protocol import Level, SheetRow
from server.tables.events import Recovered
from server.tables.finished import FinishedSeat, LostHand, LostTable
from server.tables.forms import SCHEMA
from server.tables.opening import parse_options
from server.tables.table import Decision, Moment, Seat, Table

LEAP = 100_000
"""Versions left out, so that the new lineage is newer than anything a client of the old one has shown: a match
of a thousand hands would not have so many."""


def rebuild(lost: LostTable, moment: Moment) -> Decision:
    """The table between two hands, paused until somebody comes. The archive is told that the hand in play is lost."""
    return Decision(_table(lost, moment), (Recovered(),), (lost_hand(lost, moment.now),))


def lost_hand(lost: LostTable, at: int) -> LostHand:
    """The hand after the last one known: it was in play, or would have been dealt next."""
    state = lost.state
    return LostHand(
        match=state.match,
        table=state.table,
        game=state.game,
        options=state.options,
        private=state.private,
        started=state.started,
        ended=at,
        seats=tuple(replace(seat, total=total) for seat, total in zip(state.seats, lost.totals, strict=True)),
        hand_no=lost.hand_no + 1,
        dealer=lost.dealer if lost.redeal else (lost.dealer + 1) % len(state.seats),
    )


def _table(lost: LostTable, moment: Moment) -> Table:
    # The starter of the next hand is that of the hand that was lost.
    state = lost.state
    _, created, match_no = state.match.rsplit("-", 2)
    options, house = parse_options(state.game, state.options, state.private)
    totals = lost.totals
    return Table(
        id=state.table,
        game=state.game,
        options=options,
        house=house,
        private=state.private,
        token=state.token,
        quick=state.quick,
        seats=tuple(_seat(seat, totals[i], i, moment) for i, seat in enumerate(state.seats)),
        seed=moment.seed,
        v=state.v + LEAP * (lost.hand_no + 1),
        at=moment.now,
        schema=SCHEMA,
        created=int(created, 16),
        phase="between",
        match_no=int(match_no),
        started=state.started,
        hand_no=lost.hand_no + 1,
        dealer=lost.dealer,
        redeal=lost.redeal,
        sheet=tuple(SheetRow(number, winners, points) for number, winners, points in lost.sheet),
        ready_by=moment.now if all(seat.player or seat.bot for seat in state.seats) else None,
        paused_at=moment.now,
        barred=state.barred,
    )


def _seat(seat: FinishedSeat, total: int, order: int, moment: Moment) -> Seat:
    if seat.player is None and seat.bot is None:
        return Seat(decision=moment.now)
    # Questions are counted on from the time of day: an answer sent to the lost lineage fits none of the new ones.
    return Seat(
        player=seat.player,
        name=seat.name,
        bot=_level(seat.bot),
        away_until=moment.now if seat.player is not None else None,
        decision=moment.now,
        total=total,
        since=order,
    )


def _level(noted: str | None) -> Level | None:
    """A bot's level as the archive has it; one that is no longer played becomes a regular."""
    match noted:
        case None | "novice" | "regular" | "expert":
            return noted
        case _:
            return "regular"
