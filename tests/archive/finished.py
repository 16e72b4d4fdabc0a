"""Finished hands and matches for the tests: one plausible default, and whatever a test wants different."""

from typing import Any

from msgspec.structs import replace

from server.rules.result import Result
from server.tables.finished import (
    Departure,
    FinishedHand,
    FinishedMatch,
    FinishedSeat,
    LogLine,
    MatchState,
    Outcome,
)

START = 1_760_000_000_000  # past 2**31 on purpose: milliseconds need 64 bits

SEATS = (
    FinishedSeat("north", "North", total=81),
    FinishedSeat(None, "Bot 1", bot="regular", total=-23),
    FinishedSeat("south", "South", total=-41),
    FinishedSeat(None, "Bot 2", bot="regular", total=-17),
)
RESULT = Result(
    "out",
    (0,),
    (81, -23, -41, -17),
    (0, 23, 41, 17),
    ((), ("KS", "KH", "3D"), ("JK", "6C", "TS"), ("7D", "TC")),
)

NOTHING = (0, 0, 0, 0)
VOID = Result("void", (), NOTHING, NOTHING, ((),) * 4)
EMPTY = FinishedSeat(None, "")

WON = Outcome("points", (0,), (0, 3, 1, 2))


def a_hand(number: int = 1, **different: Any) -> FinishedHand:
    """Hand `number` of a match of two people and two bots."""
    hand = FinishedHand(
        match="0-k3n-1",
        table="0-k3n",
        game="konken",
        options={"target": 200, "turn_seconds": 15, "tie": "void"},
        private=False,
        started=START,
        ended=START + number * 60_000,
        seats=SEATS,
        hand_no=number,
        dealer=(number + 2) % 4,
        commitment="9f" * 32,
        seed="4b" * 96,
        nonces=("a1", "", "b2", ""),
        deal=(("4H", "5H"), ("KS", "KH"), ("JK", "6C"), ("7D", "TC")),
        upcard="KC",
        stock=("7C", "8D", "2S"),
        log=(
            LogLine(0, "draw", ms=1200),
            LogLine(0, "discard KC", ms=30_000, note="timeout"),
            LogLine(None, "bot 2"),
            LogLine(1, "take", ms=900),
        ),
        result=RESULT,
    )
    return replace(hand, **different)


def an_ending(**different: Any) -> FinishedMatch:
    """The same match, claimed by North as South stayed away."""
    match = FinishedMatch(
        match="0-k3n-1",
        table="0-k3n",
        game="konken",
        options={"target": 200, "turn_seconds": 15, "tie": "void"},
        private=False,
        started=START,
        ended=START + 3_600_000,
        seats=SEATS,
        outcome=Outcome("forfeit", (0,), (0, 3, 1, 2)),
    )
    return replace(match, **different)


def a_state(v: int = 2, hand_no: int = 1, **different: Any) -> MatchState:
    """The same match at version `v`, as it began if nothing else is said."""
    state = MatchState(
        match="0-k3n-1",
        table="0-k3n",
        game="konken",
        options={"target": 200, "turn_seconds": 15, "tie": "void"},
        private=True,
        started=START,
        ended=START + (hand_no - 1) * 60_000,
        seats=with_totals(*NOTHING),
        v=v,
        dealer=(hand_no + 2) % 4,
        hand_no=hand_no,
        quick=False,
        token="t0k3n",
        barred=(),
    )
    return replace(state, **different)


def ended_at(hand: FinishedHand, v: int, left: int | None = None) -> FinishedHand:
    """The hand with its last input at version `v`; with `left` that was this seat's leaving, and the hand is void."""
    if left is None:
        return replace(hand, log=(*hand.log[:-1], replace(hand.log[-1], v=v)))
    return replace(hand, log=(*hand.log, LogLine(None, f"left {left}", v=v)), result=VOID)


def gone(seat: int, player: str, hand_no: int, at: int, **different: Any) -> Departure:
    """Somebody's leaving."""
    return replace(Departure(seat, player, player.title(), -41, hand_no, at, "left"), **different)


def with_totals(*totals: int, stand_in: tuple[int, ...] = ()) -> tuple[FinishedSeat, ...]:
    """The seats with these totals; in those of `stand_in` a bot finished the hand."""
    return tuple(
        replace(seat, total=total, stand_in=index in stand_in)
        for index, (seat, total) in enumerate(zip(SEATS, totals, strict=True))
    )
