"""The one place where a table changes: `decide(table, command, moment) -> Decision`, or Refused.

Pure: no I/O, no clock, no chance but its arguments. What time has already decided is settled first, so that a
command meets the table as a punctual tick would have left it.
"""

from __future__ import annotations

from msgspec.structs import replace

from server.protocol import Choice
from server.rules.refusal import Code, Refused
from server.tables import match
from server.tables.answered import remember
from server.tables.commands import (
    AddBot,
    Asked,
    Attach,
    BotPlay,
    Claim,
    Command,
    Detach,
    DropBot,
    Kick,
    Leave,
    Play,
    Ready,
    Rename,
    Sit,
    Stand,
    Tick,
)
from server.tables.events import Left, Renamed, SeatAway, SeatBack, SeatReady, Voted
from server.tables.finished import Outcome
from server.tables.ids import next_token
from server.tables.seats import distinct_name, free_seat, seat_bot, seat_person, vacate
from server.tables.table import MAX_BARRED, MAX_CONNECTIONS, Decision, Draft, Moment, Table
from server.tables.timers import pause, resume, settle

STEP_BACK_MS = 10_000
"""By how much time may seem to run back at a table. More than that, and the store's clock itself has been set anew."""
MAX_ANSWERED = 16
"""Players whose command ids are remembered: six seats and those who came and went."""


def decide(table: Table, command: Command, moment: Moment) -> Decision:
    """Judge one command. Returns the table unchanged (the same object) where there is nothing to do.

    Raises Refused, and then nothing has changed, not even by time: the next tick sees to that.
    """
    draft = Draft(table, forward(table, moment))
    settle(draft)
    if draft.closed and not isinstance(command, Tick):
        raise Refused(Code.NO_SUCH_TABLE)
    if not draft.closed and not (
        isinstance(command, Asked) and draft.table.has_answered(command.player, command.id)
    ):
        settled = draft.table
        _run(draft, command)
        if isinstance(command, Asked):
            _remember(draft, command)
        if draft.table is not settled:
            draft.put(at=draft.now)
    if draft.table is table and not draft.closed:
        return Decision(table)
    draft.put(v=table.v + 1)
    return Decision(draft.table, tuple(draft.events), tuple(draft.finished), draft.closed)


def forward(table: Table, moment: Moment) -> Moment:
    """The moment in which a table changes: not before its last change, though another worker's clock was a bit ahead.

    What happens later holds (server/archive/matches.py), so nothing may seem to have happened before what it follows.
    """
    return replace(moment, now=table.at) if 0 < table.at - moment.now <= STEP_BACK_MS else moment


def _run(draft: Draft, command: Command) -> None:
    match command:
        case Sit():
            _sit(draft, command)
        case Stand():
            _stand(draft, command)
        case Leave():
            _leave(draft, command)
        case Kick():
            _kick(draft, command)
        case Rename():
            _rename(draft, command)
        case Ready():
            _ready(draft, command)
        case AddBot():
            _add_bot(draft, command)
        case DropBot():
            _drop_bot(draft, command)
        case Play():
            _play(draft, command)
        case BotPlay():
            _bot_play(draft, command)
        case Claim():
            _claim(draft, command)
        case Attach():
            _attach(draft, command)
        case Detach():
            _detach(draft, command)
        case Tick():
            pass


# ---- the same answer for the same id ----------------------------------------------------------------------------


def _remember(draft: Draft, command: Asked) -> None:
    answered = dict(draft.table.answered)
    ids = answered.pop(command.player, ())
    answered[command.player] = remember(ids, command.id)
    while len(answered) > MAX_ANSWERED:
        answered.pop(next(iter(answered)))
    draft.put(answered=answered)


# ---- seats ------------------------------------------------------------------------------------------------------


def _own_seat(draft: Draft, player: str) -> int:
    index = draft.table.seat_of(player)
    if index is None:
        raise Refused(Code.NOT_SEATED)
    return index


def _require_open(draft: Draft) -> None:
    """Before the match seats and bots come and go at no cost."""
    if draft.table.phase != "open":
        raise Refused(Code.WRONG_PHASE)


def _require_no_hand(draft: Draft) -> None:
    if draft.table.phase == "playing":
        raise Refused(Code.WRONG_PHASE)


def _sit(draft: Draft, command: Sit) -> None:
    table = draft.table
    if table.private and command.token != table.token:
        raise Refused(Code.PRIVATE)
    if command.player in table.barred:
        raise Refused(Code.BARRED)
    if table.seat_of(command.player) is not None:
        raise Refused(Code.ALREADY_SEATED)
    if len(table.barred) >= MAX_BARRED:
        raise Refused(Code.SEATS_CLOSED)
    _require_no_hand(draft)
    index = free_seat(draft, command.seat)
    if command.conn is not None:
        resume(draft)
    seat_person(draft, index, command.player, command.name, command.conn, command.nonce)


def _stand(draft: Draft, command: Stand) -> None:
    index = _own_seat(draft, command.player)
    _require_open(draft)
    vacate(draft, index)
    pause(draft)


def _leave(draft: Draft, command: Leave) -> None:
    index = _own_seat(draft, command.player)
    if draft.table.phase in ("open", "over"):
        vacate(draft, index)
    else:
        match.depart(draft, index, "left")
    _after_departure(draft)


def _kick(draft: Draft, command: Kick) -> None:
    index = _own_seat(draft, command.player)
    if draft.table.host != index:
        raise Refused(Code.NOT_HOST)
    _require_no_hand(draft)
    if command.seat >= len(draft.table.seats) or command.seat == index:
        raise Refused(Code.NO_SUCH_SEAT)
    kicked = draft.table.seats[command.seat]
    if kicked.player is None:
        raise Refused(Code.NO_SUCH_SEAT)
    if draft.table.private:
        # Who is sent away knows the old token, and could come back as somebody else.
        draft.put(token=next_token(draft.table.token, draft.moment.seed))
    if draft.table.phase == "between":
        match.depart(draft, command.seat, "kicked")
    else:
        draft.put(barred=(*draft.table.barred, kicked.player))
        draft.tell(Left(command.seat, kicked.name, "kicked"))
        vacate(draft, command.seat)
    _after_departure(draft)


def _after_departure(draft: Draft) -> None:
    if draft.table.phase == "over" and not draft.table.players:
        draft.closed = True
    pause(draft)
    _settle_votes(draft)


def _rename(draft: Draft, command: Rename) -> None:
    index = _own_seat(draft, command.player)
    others = {seat.name for i, seat in enumerate(draft.table.seats) if i != index}
    name = distinct_name(command.name, others)
    draft.put_seat(index, name=name)
    draft.tell(Renamed(index, name))


def _ready(draft: Draft, command: Ready) -> None:
    index = _own_seat(draft, command.player)
    _require_no_hand(draft)
    draft.put_seat(index, ready=command.on, nonce=command.nonce if command.on else "")
    draft.tell(SeatReady(index, command.on))
    _await_ready(draft, index)
    match.start_if_ready(draft)


def _await_ready(draft: Draft, index: int) -> None:
    """Whoever is here and not ready will be by itself, also after the time of the others has passed."""
    seat = draft.table.seats[index]
    if seat.here and not seat.waiting:
        match.expect_ready(draft)


def _add_bot(draft: Draft, command: AddBot) -> None:
    _own_seat(draft, command.player)
    _require_no_hand(draft)
    if draft.table.house.bots == "off":
        raise Refused(Code.BOTS_OFF)
    seat_bot(draft, free_seat(draft, command.seat), command.level)


def _drop_bot(draft: Draft, command: DropBot) -> None:
    _own_seat(draft, command.player)
    if draft.table.phase not in ("open", "over"):
        raise Refused(Code.WRONG_PHASE)
    if command.seat >= len(draft.table.seats) or draft.table.seats[command.seat].bot is None:
        raise Refused(Code.NO_SUCH_SEAT)
    vacate(draft, command.seat)


# ---- moves ------------------------------------------------------------------------------------------------------


def _play(draft: Draft, command: Play) -> None:
    index = _own_seat(draft, command.player)
    seat = draft.table.seats[index]
    if draft.table.hand is None:
        raise Refused(Code.WRONG_PHASE)
    if command.decision != seat.decision or seat.stand_in:
        raise Refused(Code.STALE_DECISION)
    draft.put_seat(index, lapsed=False)
    match.play(draft, index, command.action)


def _bot_play(draft: Draft, command: BotPlay) -> None:
    seat = draft.table.seats[command.seat]
    if command.decision != seat.decision or seat.asked is None or not seat.driven:
        raise Refused(Code.STALE_DECISION)
    if draft.table.paused_at is not None:
        raise Refused(Code.PAUSED)
    draft.put_seat(command.seat, lapsed=False)
    match.play(draft, command.seat, command.action)


# ---- absence ----------------------------------------------------------------------------------------------------


def _attach(draft: Draft, command: Attach) -> None:
    index = draft.table.seat_of(command.player)
    if index is None:
        raise Refused(Code.NOT_SEATED)
    seat = draft.table.seats[index]
    if command.conn in seat.conns or len(seat.conns) >= MAX_CONNECTIONS:
        return
    was_here = seat.here
    draft.put_seat(index, conns=(*seat.conns, command.conn))
    if was_here:
        return
    draft.put_seat(index, away_until=None, gone=False, votes={}, lapsed=False)
    draft.tell(SeatBack(index))
    if seat.stand_in and seat.asked is None:
        match.hand_back(draft, index)
    resume(draft)
    _await_ready(draft, index)


def _detach(draft: Draft, command: Detach) -> None:
    found = ((i, seat) for i, seat in enumerate(draft.table.seats) if command.conn in seat.conns)
    index, seat = next(found, (None, None))
    if index is None or seat is None:
        return
    draft.put_seat(index, conns=tuple(conn for conn in seat.conns if conn != command.conn))
    if draft.table.seats[index].here:
        return
    if not seat.stand_in:
        draft.put_seat(index, away_until=draft.now + draft.table.house.grace_seconds * 1000)
    draft.tell(SeatAway(index))
    pause(draft)
    _settle_votes(draft)


def choices_for(table: Table, absent: int) -> tuple[Choice, ...]:
    """What the others may choose for an absent player's seat now; empty while there is nothing to choose."""
    if not table.seats[absent].gone:
        return ()
    if table.phase != "playing":
        return ("bot", "wait")
    return ("claim", "bot", "wait") if table.house.absent == "claim" else ()


def _claim(draft: Draft, command: Claim) -> None:
    index = _own_seat(draft, command.player)
    absent = command.seat
    if absent >= len(draft.table.seats):
        raise Refused(Code.NO_SUCH_SEAT)
    if draft.table.paused_at is not None:
        raise Refused(Code.PAUSED)
    connected = draft.table.seats[index].here
    if absent == index or not connected or command.choice not in choices_for(draft.table, absent):
        raise Refused(Code.NO_CLAIM)
    votes: dict[int, Choice] = {**draft.table.seats[absent].votes, index: command.choice}
    draft.put_seat(absent, votes=votes)
    draft.tell(Voted(index, absent, command.choice))
    if command.choice == "bot":
        match.seat_stand_in(draft, absent)
    else:
        _settle_votes(draft)


def _settle_votes(draft: Draft) -> None:
    """A win needs *claim* from every connected person (table-life: Absence)."""
    here = [i for i, seat in draft.people() if seat.here]
    for absent, seat in draft.people():
        if (
            "claim" in choices_for(draft.table, absent)
            and here
            and all(seat.votes.get(i) == "claim" for i in here)
        ):
            gone = tuple(i for i, other in draft.people() if other.gone)
            winners = tuple(i for i in range(len(draft.table.seats)) if i not in gone)
            match.end_match(draft, Outcome("forfeit", winners, match.ranking(draft.table, winners, gone)))
            return
