"""Taking and freeing seats: before the match, after it, and where somebody left it."""

from __future__ import annotations

from server.protocol import Level
from server.rules.refusal import Code, Refused
from server.tables import match
from server.tables.events import BotDropped, BotSeated, Sat, Stood
from server.tables.keeping import keep_state
from server.tables.table import Draft, Seat


def free_seat(draft: Draft, wanted: int | None) -> int:
    """The wanted seat, or the first free one. Raises Refused if it is taken or there is none."""
    seats = draft.table.seats
    if wanted is None:
        wanted = next((i for i, seat in enumerate(seats) if seat.empty), None)
        if wanted is None:
            raise Refused(Code.SEAT_TAKEN)
    if wanted >= len(seats):
        raise Refused(Code.NO_SUCH_SEAT)
    if not seats[wanted].empty:
        raise Refused(Code.SEAT_TAKEN)
    return wanted


def distinct_name(name: str, taken: set[str]) -> str:
    """The name as it is shown at this table: equal names get a small number."""
    if name not in taken:
        return name
    return next(numbered for n in range(2, len(taken) + 3) if (numbered := f"{name} {n}") not in taken)


def seat_person(
    draft: Draft, index: int, player: str, name: str, conn: str | None, nonce: str | None = None
) -> None:
    """A person sits down. Who does not watch yet has the grace to come, so that no seat is held by a ghost."""
    shown = distinct_name(name, {seat.name for seat in draft.table.seats})
    away_until = draft.now + draft.table.house.grace_seconds * 1000 if conn is None else None
    seat = Seat(
        player=player,
        name=shown,
        conns=() if conn is None else (conn,),
        away_until=away_until,
        ready=nonce is not None,
        nonce=nonce or "",
        since=1 + max(other.since for other in draft.table.seats),
    )
    draft.tell(Sat(index, shown))
    _fill(draft, index, seat)


def seat_bot(draft: Draft, index: int, level: Level) -> None:
    """A bot sits down. The client words the names of bots in its own language."""
    name = f"Bot {index + 1}"
    draft.tell(BotSeated(index, name))
    _fill(draft, index, Seat(bot=level, name=name))


def vacate(draft: Draft, index: int) -> None:
    """Free a seat outside a match; costs nothing."""
    seat = draft.table.seats[index]
    draft.tell(Stood(index, seat.name) if seat.bot is None else BotDropped(index, seat.name))
    _fill(draft, index, Seat())


def _fill(draft: Draft, index: int, seat: Seat) -> None:
    draft.fill_seat(index, seat)
    match.expect_ready(draft)
    if draft.table.phase == "between":
        keep_state(draft)
    match.start_if_ready(draft)
