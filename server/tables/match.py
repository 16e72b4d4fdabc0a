"""The course of a match: questions, moves, the end of a hand and of the match.

Every function changes a Draft; none knows why it was called.
"""

from __future__ import annotations

from typing import Literal

from server.protocol import Proof, SheetRow
from server.rules import notation, shuffle
from server.rules.actions import AnyAction
from server.rules.events import AnyEvent, Reshuffled
from server.rules.registry import rules_of
from server.rules.result import Result
from server.tables.events import ClockRanOut, HandedBack, Left, MatchEnded, SeatReady, StandInSeated
from server.tables.finished import Departure, LogLine, Outcome
from server.tables.keeping import keep_hand, keep_match, keep_state
from server.tables.logbook import rows
from server.tables.table import Draft, Seat, Table

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
    own = rules_of(table.game).clock(table.hand, index)
    if own is not None:
        return int(own)
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
    """Deal the next hand, or begin another match, once all seats are filled and ready. A paused table waits."""
    table = draft.table
    if table.phase == "playing" or table.paused_at is not None:
        return
    if not table.full or not all(seat.waiting for seat in table.seats):
        return
    if table.phase == "over":
        _reset(draft)
    _start_hand(draft)


def _reset(draft: Draft) -> None:
    """A rematch: same options, starter moves on, fresh state."""
    table = draft.table
    draft.put(
        match_no=table.match_no + 1,
        started=0,
        hand_no=0,
        sheet=(),
        outcome=None,
        closes_at=None,
        redeal=False,
    )
    for index in range(len(table.seats)):
        draft.put_seat(index, total=0, after=0)


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
    dealer = _next_dealer(table, entropy)
    hand, events = draft.rules.deal(table.options, entropy, dealer, table.drawn_before(table.hand_no + 1))
    draft.put(
        phase="playing",
        started=table.started or draft.now,
        hand_no=table.hand_no + 1,
        dealer=dealer,
        redeal=False,
        hand=hand,
        dealt_v=table.v + 1,
        log="",
        proof=None,
        ready_by=None,
    )
    for index in range(count):
        draft.put_seat(index, ready=False, nonce="", lapsed=False)
    draft.tell(*events)
    ask(draft)
    if draft.table.hand_no == 1:
        keep_state(draft)


def _next_dealer(table: Table, entropy: bytes) -> int:
    """Random in the first hand (from the shuffle's own stream), then the next seat; the same after a void hand."""
    if table.dealer is None:
        return shuffle.Dice(entropy + b"dealer").below(len(table.seats))
    return table.dealer if table.redeal else (table.dealer + 1) % len(table.seats)


def play(draft: Draft, index: int, action: AnyAction, note: str = "") -> None:
    """Apply one action of a seat to the hand. Raises Refused; then nothing has changed."""
    table = draft.table
    hand, events = draft.rules.apply(table.hand, index, action)
    since = table.seats[index].asked
    took = 0 if since is None else draft.now - since
    line = LogLine(index, notation.action_text(action), took, table.v + 1, note)
    draft.put(hand=hand, log=table.log + rows((*_reshuffles(events, table.v + 1), line)))
    draft.tell(*events)
    result = draft.rules.result(hand)
    if result is None:
        ask(draft, actor=index)
    else:
        _end_hand(draft, result)


def _reshuffles(events: tuple[AnyEvent, ...], version: int) -> tuple[LogLine, ...]:
    """A new stock stands in the record before the draw that needed it."""
    stocks = (event.stock for event in events if isinstance(event, Reshuffled) and event.stock)
    return tuple(LogLine(None, f"reshuffle {notation.cards_text(stock)}", v=version) for stock in stocks)


def play_harmlessly(draft: Draft, index: int) -> None:
    """The clock of a seat ran out: play its turn to the end in the least harmful way (common.md)."""
    draft.put_seat(index, lapsed=True)
    draft.tell(ClockRanOut(index))
    going_on = True
    while going_on:
        play(draft, index, draft.rules.timeout(draft.table.hand, index), "timeout")
        going_on = draft.table.phase == "playing" and draft.rules.mid_turn(draft.table.hand, index)


def note(draft: Draft, text: str) -> None:
    """Write into the hand's log what befell a seat."""
    if draft.table.phase == "playing":
        draft.put(log=draft.table.log + rows([LogLine(None, text, v=draft.table.v + 1)]))


def seat_stand_in(draft: Draft, index: int) -> None:
    """A bot plays on for an absent person; its pending question is the bot's now."""
    draft.put_seat(index, stand_in=True, away_until=None, gone=False, votes={}, lapsed=False)
    draft.tell(StandInSeated(index))
    note(draft, f"bot {index}")
    seat = draft.table.seats[index]
    if seat.asked is not None:
        draft.put_seat(index, asked=None)
        ask(draft)
    start_if_ready(draft)


def hand_back(draft: Draft, index: int) -> None:
    """The person plays again; a clock that the bot let run out is not held against the person."""
    draft.put_seat(index, stand_in=False, lapsed=False)
    draft.tell(HandedBack(index))
    note(draft, f"back {index}")


# ---- endings ----------------------------------------------------------------------------------------------------


def _end_hand(draft: Draft, result: Result) -> None:
    table = draft.table
    if result.ending != "void":
        _count(draft, result)
    ask(draft)
    winner = draft.rules.match_winner(table.options, draft.table.totals, _winners(draft.table))
    outcome = None if winner is None else Outcome("points", (winner,), ranking(draft.table, (winner,)))
    _put_away(draft, result, outcome)
    if outcome is not None:
        _close_match(draft, outcome)
    else:
        _hand_over(draft)
        expect_ready(draft)
        start_if_ready(draft)


def _hand_over(draft: Draft) -> None:
    """Between hands nobody who is here needs a bot: each gets ready, and sees the next hand's commitment first."""
    for index, seat in draft.people():
        if seat.stand_in and seat.here:
            hand_back(draft, index)


def _winners(table: Table) -> tuple[tuple[int, ...], ...]:
    """Who won each counted hand; a newcomer has won nothing of what was won in that seat before."""
    return tuple(
        tuple(seat for seat in row.winners if table.seats[seat].after < row.hand_no) for row in table.sheet
    )


def _count(draft: Draft, result: Result) -> None:
    """Enter a hand that counts into the score sheet."""
    table = draft.table
    draft.put(sheet=(*table.sheet, SheetRow(table.hand_no, result.winners, result.points)))
    for index, points in enumerate(result.points):
        draft.put_seat(index, total=table.seats[index].total + points)


def _put_away(draft: Draft, result: Result, outcome: Outcome | None, redeal: bool = False) -> None:
    """Hand the finished hand to the archive, reveal its seed, and take a new one for the next.

    `redeal`: the same dealer deals again, as somebody left; any other void hand moves the deal on.
    """
    table = draft.table
    deal = draft.rules.layout(table.options, _entropy(table), table.dealer)
    keep_hand(draft, deal, result, outcome)
    proof = Proof(table.hand_no, shuffle.commitment(bytes.fromhex(table.seed)), table.seed, table.nonces)
    draft.put(phase="between", proof=proof, seed=draft.moment.seed, nonces=(), redeal=redeal)


def depart(draft: Draft, index: int, kind: Literal["left", "kicked"]) -> None:
    """A person is out of a match for good (table-life: Leaving for good).

    Konken, Conker: a hand in play is void, the others' points stay, the seat opens; the newcomer begins at 0, and the
    hand is dealt anew with the same starter. Conquian: the leaver pays, and the match is over.
    """
    seat, now = draft.table.seats[index], draft.now
    drawn = draft.table.drawn_before(draft.table.hand_no + (draft.table.phase != "playing"))
    cost = draft.rules.leave(draft.table.options, draft.table.hand, index, drawn)
    if cost is not None and kind == "left":
        _forfeit(draft, index, cost)
        return
    if draft.table.phase == "playing":
        note(draft, f"left {index}")
        _void_hand(draft)
    gone = Departure(index, seat.player or "", seat.name, seat.total, draft.table.hand_no, now, kind)
    draft.fill_seat(index, Seat())
    draft.put(barred=(*draft.table.barred, gone.player), ready_by=None)
    draft.tell(Left(index, gone.name, kind))
    keep_state(draft, gone)
    if not draft.table.players:
        winners = tuple(i for i, seat in enumerate(draft.table.seats) if not seat.empty)
        end_match(draft, Outcome("forfeit", winners, ranking(draft.table, winners)))


def _forfeit(draft: Draft, index: int, cost: Result) -> None:
    """Who leaves pays what the game says, and the others win the match."""
    winners = tuple(i for i in range(len(draft.table.seats)) if i != index)
    outcome = Outcome("forfeit", winners, ranking(draft.table, winners, (index,)))
    gone = draft.table.seats[index]
    departure = Departure(
        index, gone.player or "", gone.name, gone.total, draft.table.hand_no, draft.now, "left"
    )
    draft.put(barred=(*draft.table.barred, departure.player))
    draft.tell(Left(index, gone.name, "left"))
    if draft.table.phase == "playing":
        note(draft, f"left {index}")
        _count(draft, cost)
        draft.put(hand=None)
        ask(draft)
        _put_away(draft, cost, outcome)
        _close_match(draft, outcome)
    else:
        for seat, points in enumerate(cost.points):
            draft.put_seat(seat, total=draft.table.seats[seat].total + points)
        end_match(draft, outcome)
    keep_state(draft, departure)
    draft.fill_seat(index, Seat())


def _void_hand(draft: Draft) -> None:
    """The hand in play does not count; its cards and its seed are shown like those of any other."""
    hands = draft.table.hand.hands if draft.table.hand is not None else ()
    nothing = (0,) * len(draft.table.seats)
    draft.put(hand=None)
    ask(draft)
    _put_away(draft, Result("void", (), nothing, nothing, hands), None, redeal=True)
    _hand_over(draft)


def end_match(draft: Draft, outcome: Outcome) -> None:
    """End the match outside a hand's end: forfeit or void. The hand in play, if any, is dropped."""
    keep_match(draft, outcome)
    draft.put(hand=None)
    ask(draft)
    draft.put(nonces=(), log="", seed=draft.moment.seed)
    _close_match(draft, outcome)


def _close_match(draft: Draft, outcome: Outcome) -> None:
    draft.put(phase="over", outcome=outcome, ready_by=None, closes_at=draft.now + OVER_MS)
    for index, seat in enumerate(draft.table.seats):
        # Whoever is not here has the grace to come and consent to a rematch; then the seat is free.
        away_until = (
            draft.now + draft.table.house.grace_seconds * 1000 if seat.player and not seat.here else None
        )
        draft.put_seat(index, away_until=away_until, gone=False, votes={}, stand_in=False)
    draft.tell(MatchEnded(outcome.winners, outcome.by))


def ranking(table: Table, first: tuple[int, ...], last: tuple[int, ...] = ()) -> tuple[int, ...]:
    """Seats by match points, `first` before all others and `last` behind them; ties in seat order."""
    best = 1 if rules_of(table.game).low_wins(table.options) else -1
    return tuple(
        sorted(
            range(len(table.seats)), key=lambda i: (i not in first, i in last, best * table.seats[i].total, i)
        )
    )
