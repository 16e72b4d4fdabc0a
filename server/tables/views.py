"""What leaves a table: whitelists. A view is a type of its own, so a new secret field cannot leak by default."""

from __future__ import annotations

from typing import Any

from server.protocol import (
    About,
    Absence,
    LobbyRow,
    LobbySeat,
    OwnTable,
    SeatView,
    TableView,
)
from server.rules import events as hand_events
from server.rules import shuffle
from server.rules.events import redact
from server.rules.game import Legal
from server.rules.registry import rules_of
from server.sight import Sight
from server.tables.decide import choices_for
from server.tables.keeping import differing_options
from server.tables.missed import missed
from server.tables.table import Event, Seat, Table


def common_of(table: Table) -> TableView:
    """What all viewers of a table see alike, so with the hand as a spectator sees it."""
    absences = (Absence(i, choices_for(table, i), table.seats[i].votes) for i in range(len(table.seats)))
    return TableView(
        phase=table.phase,
        paused=table.paused_at is not None,
        seats=tuple(_seat_view(seat) for seat in table.seats),
        hand_no=table.hand_no,
        hand=None if table.hand is None else rules_of(table.game).view(table.hand, None),
        dealer=table.dealer,
        host=table.host,
        ready_by=table.ready_by,
        commitment=shuffle.commitment(bytes.fromhex(table.seed)),
        proof=table.proof,
        absences=tuple(absence for absence in absences if absence.choices),
        outcome=table.outcome,
    )


def own_of(table: Table, viewer: int | None) -> dict[str, Any]:
    """What a seat sees of the hand and others do not, by the fields of the hand's view."""
    return {} if viewer is None or table.hand is None else rules_of(table.game).own(table.hand, viewer)


def _seat_view(seat: Seat) -> SeatView:
    return SeatView(
        kind="empty" if seat.empty else "person" if seat.bot is None else "bot",
        name=seat.name,
        level=seat.bot,
        stand_in=seat.stand_in,
        here=seat.here or seat.bot is not None,
        away_until=seat.away_until,
        ready=seat.waiting and not seat.empty,
        total=seat.total,
        asked=seat.asked is not None,
        deadline=seat.deadline,
    )


def about_of(table: Table, viewer: int | None) -> About:
    """What seldom changes; the token only for those who hold a seat."""
    token = table.token if table.private and viewer is not None else None
    return About(table.game, table.options, table.house, table.private, table.quick, token, table.sheet)


def legal_of(table: Table, viewer: int | None) -> Legal | None:
    """The small `legal` of a seat, while a hand is played."""
    if viewer is None or table.hand is None or table.phase != "playing":
        return None
    return rules_of(table.game).menu(table.hand, viewer)


def narrate(events: tuple[Event, ...], viewer: int | None) -> tuple[Event, ...]:
    """Events as one viewer may see them."""
    return tuple(redact(event, viewer) if isinstance(event, hand_events.Event) else event for event in events)


def sight_of(
    table: Table,
    player: str,
    now: int,
    events: tuple[Event, ...] = (),
    sync: bool = False,
    seen: int | None = None,
    common: TableView | None = None,
) -> Sight:
    """What one player is shown; `seen` is the version that it was shown last.

    `common` is common_of(table), if it is known already.
    """
    you = table.seat_of(player)
    return Sight(
        table=table.id,
        v=table.v,
        now=now,
        you=you,
        common=common or common_of(table),
        own=own_of(table, you),
        legal=legal_of(table, you),
        decision=0 if you is None else table.seats[you].decision,
        about=about_of(table, you),
        events=narrate(events, you),
        missed=None if seen is None else missed(table, seen, you),
        sync=sync,
    )


def lobby_row(table: Table) -> LobbyRow | None:
    """The table's row in the lobby; None for private ones and those that are over."""
    if table.private or table.phase == "over":
        return None
    seats = tuple(None if seat.empty else LobbySeat(seat.name, seat.bot is not None) for seat in table.seats)
    return LobbyRow(
        table.id,
        table.v,
        table.game,
        differing_options(table),
        table.phase,
        table.hand_no,
        seats,
        table.quick,
    )


def own_table(table: Table, player: str) -> OwnTable | None:
    """The row of *Back to your table*; None where the player holds no seat or the match is over."""
    index = table.seat_of(player)
    if index is None or table.phase == "over":
        return None
    return OwnTable(table.id, table.game, table.phase, table.hand_no, table.seats[index].asked is not None)
