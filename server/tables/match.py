"""The course of a match: questions, moves, the end of a hand and of the match.

Every function changes a Draft; none knows why it was called.
"""

from __future__ import annotations

from typing import Any

import msgspec

from server.protocol import Outcome, Proof, SheetRow
from server.rules import notation, shuffle
from server.rules.game import AnyAction, Result
from server.tables.events import ClockRanOut, HandedBack, MatchEnded, SeatReady, StandInSeated
from server.tables.finished import FinishedHand, FinishedMatch, FinishedSeat, LogLine, MatchOutcome
from server.tables.table import Draft, Table

READY_MS = 20_000
"""A connected person is ready by itself after this (table-life: Ready)."""
LAPSED_MS = 3_000
"""The next question's clock of a seat that let one run out (table-life: Time)."""
BOT_MS = 30_000
"""A bot's clock where people have none: a bot seat has a clock like any other."""
OVER_MS = 600_000
"""How long a finished table stays (table-life: Lifetimes)."""


# ---- questions --------------------------------------------------------------------------------------------------


def clock_of(table: Table, index: int) -> int | None:
    """The full clock of a seat's next question in ms; None where there is no clock."""
    seat = table.seats[index]
    if seat.lapsed:
        return LAPSED_MS
    if table.house.turn_seconds:
        return table.house.turn_seconds * 1000
    return BOT_MS if seat.driven else None


def ask(draft: Draft, actor: int | None = None) -> None:
    """Ask the seats that have to decide now; `actor` has just answered, so its question is a new one in any case."""
    hand = draft.table.hand
    deciders = draft.rules.deciders(hand) if hand is not None else ()
    for index, seat in enumerate(draft.table.seats):
        asked = index in deciders
        if asked == (seat.asked is not None) and index != actor:
            continue
        if asked:
            _ask_seat(draft, index)
        elif seat.asked is not None:
            draft.put_seat(index, decision=seat.decision + 1, asked=None, deadline=None)


def _ask_seat(draft: Draft, index: int) -> None:
    seat = draft.table.seats[index]
    if seat.stand_in and seat.here:
        hand_back(draft, index)
    clock = clock_of(draft.table, index)
    deadline = None if clock is None else draft.now + clock
    draft.put_seat(index, decision=seat.decision + 1, asked=draft.now, deadline=deadline)


# ---- a hand -----------------------------------------------------------------------------------------------------


def start_if_ready(draft: Draft) -> None:
    """Deal the next hand once all seats are filled and ready."""
    table = draft.table
    if table.phase in ("open", "between") and table.full and all(seat.waiting for seat in table.seats):
        _start_hand(draft)


def expect_ready(draft: Draft) -> None:
    """Set or clear the moment at which connected persons are ready by themselves."""
    table = draft.table
    due = table.phase in ("open", "between") and table.full
    if due and table.ready_by is None:
        draft.put(ready_by=draft.now + READY_MS)
    elif not due and table.ready_by is not None:
        draft.put(ready_by=None)


def all_ready(draft: Draft) -> None:
    """The time for getting ready is over: connected persons are."""
    draft.put(ready_by=None)
    for index, seat in draft.people():
        if seat.here and not seat.ready:
            draft.put_seat(index, ready=True)
            draft.tell(SeatReady(index, True))
    start_if_ready(draft)


def _entropy(table: Table) -> bytes:
    return shuffle.entropy(bytes.fromhex(table.seed), table.nonces)


def _start_hand(draft: Draft) -> None:
    table = draft.table
    draft.put(nonces=tuple(seat.nonce for seat in table.seats))
    entropy = _entropy(draft.table)
    count = len(table.seats)
    dealer = (
        shuffle.Dice(entropy + b"dealer").below(count) if table.dealer is None else (table.dealer + 1) % count
    )
    hand, events = draft.rules.deal(table.options, entropy, dealer)
    draft.put(
        phase="playing",
        started=table.started or draft.now,
        hand_no=table.hand_no + 1,
        dealer=dealer,
        hand=hand,
        log=(),
        proof=None,
        ready_by=None,
    )
    for index in range(count):
        draft.put_seat(index, ready=False, nonce="", lapsed=False, stood_in=draft.table.seats[index].stand_in)
    draft.tell(*events)
    ask(draft)


def play(draft: Draft, index: int, action: AnyAction, note: str = "") -> None:
    """Apply one action of a seat to the hand. Raises Refused; then nothing has changed."""
    table = draft.table
    hand, events = draft.rules.apply(table.hand, index, action)
    since = table.seats[index].asked
    took = 0 if since is None else draft.now - since
    line = LogLine(index, notation.action_text(action), took, note)
    draft.put(hand=hand, log=(*table.log, line))
    draft.tell(*events)
    result = draft.rules.result(hand)
    if result is None:
        ask(draft, actor=index)
    else:
        _end_hand(draft, result)


def play_harmlessly(draft: Draft, index: int) -> None:
    """The clock of a seat ran out: play its turn to the end in the least harmful way (common.md)."""
    draft.put_seat(index, lapsed=True)
    draft.tell(ClockRanOut(index))
    while draft.table.hand is not None and index in draft.rules.deciders(draft.table.hand):
        play(draft, index, draft.rules.timeout(draft.table.hand, index), "timeout")


def note(draft: Draft, text: str) -> None:
    """Write into the hand's log what befell a seat."""
    if draft.table.phase == "playing":
        draft.put(log=(*draft.table.log, LogLine(None, text)))


def seat_stand_in(draft: Draft, index: int) -> None:
    """A bot plays on for an absent person; its pending question is the bot's now."""
    draft.put_seat(index, stand_in=True, stood_in=True, away_until=None, gone=False, votes={}, lapsed=False)
    draft.tell(StandInSeated(index))
    note(draft, f"bot {index}")
    seat = draft.table.seats[index]
    if seat.asked is not None:
        draft.put_seat(index, asked=None)
        ask(draft)
    start_if_ready(draft)


def hand_back(draft: Draft, index: int) -> None:
    """The person plays again."""
    draft.put_seat(index, stand_in=False)
    draft.tell(HandedBack(index))
    note(draft, f"back {index}")


# ---- endings ----------------------------------------------------------------------------------------------------


def _end_hand(draft: Draft, result: Result) -> None:
    table = draft.table
    if result.ending != "void":
        row = SheetRow(table.hand_no, result.winners, result.points)
        draft.put(sheet=(*table.sheet, row))
        for index, points in enumerate(result.points):
            draft.put_seat(index, total=table.seats[index].total + points)
    ask(draft)
    winner = draft.rules.match_winner(table.options, draft.table.totals, len(draft.table.sheet))
    outcome = None if winner is None else Outcome("points", (winner,), ranking(draft.table, (winner,)))
    draft.finished.append(_finished_hand(draft, result, outcome))
    proof = Proof(table.hand_no, shuffle.commitment(bytes.fromhex(table.seed)), table.seed, table.nonces)
    draft.put(phase="between", proof=proof, seed=draft.moment.seed, nonces=())
    if outcome is not None:
        _close_match(draft, outcome)
    else:
        expect_ready(draft)
        start_if_ready(draft)


def end_match(draft: Draft, outcome: Outcome) -> None:
    """End the match outside a hand's end: forfeit or void. The hand in play, if any, is dropped."""
    table = draft.table
    head = _head(table, draft.now)
    draft.finished.append(
        FinishedMatch(**head, outcome=MatchOutcome(outcome.by, outcome.winners, outcome.ranking))
    )
    draft.put(hand=None)
    ask(draft)
    draft.put(nonces=(), log=(), seed=draft.moment.seed)
    _close_match(draft, outcome)


def _close_match(draft: Draft, outcome: Outcome) -> None:
    draft.put(phase="over", outcome=outcome, ready_by=None, closes_at=draft.now + OVER_MS)
    for index in range(len(draft.table.seats)):
        draft.put_seat(index, away_until=None, gone=False, votes={}, stand_in=False)
    draft.tell(MatchEnded(outcome.winners, outcome.by))


def ranking(table: Table, first: tuple[int, ...], last: tuple[int, ...] = ()) -> tuple[int, ...]:
    """Seats by match points, `first` before all others and `last` behind them; ties in seat order."""
    return tuple(
        sorted(range(len(table.seats)), key=lambda i: (i not in first, i in last, -table.seats[i].total, i))
    )


# ---- what the archive gets --------------------------------------------------------------------------------------


def differing_options(table: Table) -> dict[str, int | str]:
    """Game and house options that differ from the defaults."""
    both: dict[str, int | str] = {**msgspec.to_builtins(table.options), **msgspec.to_builtins(table.house)}
    return both


def _head(table: Table, now: int) -> dict[str, Any]:
    return {
        "match": table.match_id,
        "table": table.id,
        "game": table.game,
        "options": differing_options(table),
        "private": table.private,
        "started": table.started,
        "ended": now,
        "seats": tuple(FinishedSeat(s.player, s.name, s.bot, s.stood_in, s.total) for s in table.seats),
    }


def _finished_hand(draft: Draft, result: Result, outcome: Outcome | None) -> FinishedHand:
    table = draft.table
    deal = draft.rules.layout(table.options, _entropy(table), table.dealer)
    return FinishedHand(
        **_head(table, draft.now),
        hand_no=table.hand_no,
        dealer=table.dealer or 0,
        commitment=shuffle.commitment(bytes.fromhex(table.seed)),
        seed=table.seed,
        nonces=table.nonces,
        deal=deal.hands,
        upcard=deal.upcard,
        stock=deal.stock,
        log=table.log,
        result=result,
        outcome=None if outcome is None else MatchOutcome(outcome.by, outcome.winners, outcome.ranking),
    )
