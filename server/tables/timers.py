"""Time at a table: what is due when, what has been decided by time, and the pause of a table without people.

Nothing here plays a bot: the ticker does, by an ordinary command. A tick up to LATE_MS late decides exactly as a
punctual one, because everything is settled as of its own moment.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from server.tables import match
from server.tables.events import ClocksRestarted
from server.tables.finished import Outcome
from server.tables.manners import pause_ms
from server.tables.seats import vacate
from server.tables.table import Draft, Moment, Table

LATE_MS = 5_000
"""Beyond this the servers missed a deadline, and it is given again in full: late is not the player's fault."""
EMPTY_MS = 60_000
"""An open table without anyone connected closes after this (table-life: Lifetimes)."""
PAUSED_MS = 24 * 3_600_000
"""A paused match is void after this (table-life: Time)."""


# ---- when -------------------------------------------------------------------------------------------------------


def thinks_until(table: Table, index: int, pace: float = 1.0) -> int | None:
    """When a bot-driven seat that is asked shall answer."""
    seat = table.seats[index]
    if seat.asked is None or not seat.driven or table.paused_at is not None:
        return None
    return seat.asked + int(pause_ms(table, index) * pace)


def closes_at(table: Table) -> int | None:
    """When the table's life ends if nobody comes."""
    if table.phase == "over":
        return table.closes_at
    if table.paused_at is None:
        return None
    return table.paused_at + (EMPTY_MS if table.phase == "open" else PAUSED_MS)


def _deadlines(table: Table) -> list[tuple[int, int, Callable[[Draft], None]]]:
    """All that time will decide: (when, order among equals, what happens)."""
    due: list[tuple[int, int, Callable[[Draft], None]]] = []
    if (end := closes_at(table)) is not None:
        due.append((end, 0, _close))
    if table.paused_at is not None:
        return due
    if table.ready_by is not None:
        due.append((table.ready_by, 1, match.all_ready))
    for index, seat in enumerate(table.seats):
        if seat.deadline is not None:
            due.append((seat.deadline, 2, _clock_of(index)))
        if seat.away_until is not None:
            due.append((seat.away_until, 3 + index, _grace_of(index)))
    return due


def decides_at(table: Table) -> int | None:
    """When time next decides something; a bot's move is no such thing."""
    return min((when for when, _, _ in _deadlines(table)), default=None)


def due_of(table: Table, pace: float = 1.0) -> int | None:
    """When the table next needs a tick or a bot's move."""
    times = [when for when, _, _ in _deadlines(table)]
    times += [think for i in range(len(table.seats)) if (think := thinks_until(table, i, pace)) is not None]
    return min(times, default=None)


# ---- what -------------------------------------------------------------------------------------------------------


def settle(draft: Draft) -> None:
    """Do all that time has decided up to now, in order, each as of its own moment."""
    now, moment = draft.moment.now, draft.moment
    while not draft.closed:
        due = sorted(_deadlines(draft.table), key=lambda entry: entry[:2])
        if not due or due[0][0] > now:
            break
        when, order, happens = due[0]
        if order > 0 and now - when > LATE_MS:
            draft.now = now
            _restart(draft, "late")
            draft.put(at=draft.now)
            continue  # only the end of a table's life is never given again
        draft.now = when
        draft.moment = Moment(when, moment.seed)
        happens(draft)
        draft.put(at=draft.now)
    draft.now, draft.moment = now, moment


def _clock_of(index: int) -> Callable[[Draft], None]:
    return lambda draft: match.play_harmlessly(draft, index)


def _grace_of(index: int) -> Callable[[Draft], None]:
    return lambda draft: _grace_over(draft, index)


def _grace_over(draft: Draft, index: int) -> None:
    table = draft.table
    if table.phase in ("open", "over"):
        vacate(draft, index)
        pause(draft)
        return
    draft.put_seat(index, away_until=None, gone=True)
    if table.house.absent == "bot":
        match.seat_stand_in(draft, index)


def _close(draft: Draft) -> None:
    if draft.table.phase in ("playing", "between"):
        match.end_match(draft, Outcome("void", (), match.ranking(draft.table, ())))
    draft.closed = True


# ---- pause ------------------------------------------------------------------------------------------------------


def pause(draft: Draft) -> None:
    """Stop every clock if no person is connected any more."""
    if draft.table.paused_at is None and not any(seat.here for seat in draft.table.seats):
        draft.put(paused_at=draft.now)


def resume(draft: Draft) -> None:
    """Somebody is here: if the table was paused, every deadline restarts in full."""
    if draft.table.paused_at is None:
        return
    draft.put(paused_at=None)
    _restart(draft, "paused")
    match.start_if_ready(draft)


def _restart(draft: Draft, why: Literal["late", "paused"]) -> None:
    table = draft.table
    if table.ready_by is not None:
        draft.put(ready_by=draft.now + match.READY_MS)
    for index, seat in enumerate(table.seats):
        if seat.asked is not None:
            clock = match.clock_of(table, index)
            draft.put_seat(index, asked=draft.now, deadline=None if clock is None else draft.now + clock)
        if seat.away_until is not None:
            draft.put_seat(index, away_until=draft.now + table.house.grace_seconds * 1000)
    if table.phase in ("playing", "between"):
        draft.tell(ClocksRestarted(why))
