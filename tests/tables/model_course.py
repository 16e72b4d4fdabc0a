"""The course of a match as the house rules tell it: an independent opinion beside `server.tables`.

Written from the rules of a table's life, not from the code: values change in place, votes are kept by person, and a
question has no number of its own. Of the server it knows the rules of the game, and the names of things.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from msgspec.structs import asdict

from server.protocol import Choice, House, Proof, SheetRow
from server.rules import notation, shuffle
from server.rules.actions import AnyAction
from server.rules.konken import KONKEN, KonkenHand, KonkenOptions
from server.rules.result import Result
from server.tables.events import (
    ClockRanOut,
    ClocksRestarted,
    HandedBack,
    Left,
    MatchEnded,
    SeatReady,
    StandInSeated,
    Stood,
)
from server.tables.finished import (
    AnyFinished,
    Departure,
    FinishedHand,
    FinishedMatch,
    FinishedSeat,
    LogLine,
    MatchState,
    Outcome,
)
from server.tables.table import Event

LATE = 5_000
READY = 20_000
SHORT = 3_000
BOT_CLOCK = 30_000
EMPTY = 60_000
FINISHED = 600_000
PAUSED = 24 * 3_600_000

CLOSING, READYING, CLOCK, GRACE = range(4)
"""What time decides, in the order in which it does so at one instant."""


@dataclass(slots=True)
class Place:
    """A seat. `number` is that of its question; None once it has changed, so that no answer sent before fits it.

    `back_by`: the countdown of an absent person; `chosen`: what the others chose in this absence, by person.
    """

    player: str | None = None
    name: str = ""
    robot: bool = False
    stand_in: bool = False
    tabs: tuple[str, ...] = ()
    back_by: int | None = None
    gone: bool = False
    chosen: dict[str, Choice] = field(default_factory=dict)
    ready: bool = False
    nonce: str = ""
    number: int | None = 0
    asked: int | None = None
    answer_by: int | None = None
    short: bool = False
    points: int = 0
    since: int = 0

    @property
    def empty(self) -> bool:
        return self.player is None and not self.robot

    @property
    def by_bot(self) -> bool:
        return self.robot or self.stand_in

    @property
    def here(self) -> bool:
        return bool(self.tabs)

    @property
    def willing(self) -> bool:
        return self.by_bot or self.ready


@dataclass
class Course:
    """A table. `now` and `fresh` are time and chance of the present command, `told` and `filed` what it brings."""

    table_id: str
    created: int
    options: KonkenOptions
    house: House
    private: bool
    token: str
    quick: bool
    seed: str
    places: list[Place]
    paused_at: int | None
    phase: Literal["open", "playing", "between", "over"] = "open"
    match_no: int = 1
    started: int = 0
    hand_no: int = 0
    hands_ended: int = 0
    dealer: int | None = None
    again: bool = False
    hand: KonkenHand | None = None
    nonces: tuple[str, ...] = ()
    log: tuple[LogLine, ...] = ()
    sheet: tuple[SheetRow, ...] = ()
    proof: Proof | None = None
    ready_at: int | None = None
    over_at: int | None = None
    outcome: Outcome | None = None
    barred: tuple[str, ...] = ()
    known: dict[str, tuple[str, ...]] = field(default_factory=dict)
    closed: bool = False
    v: int = field(default=1, compare=False)
    now: int = field(default=0, compare=False)
    fresh: str = field(default="", compare=False)
    told: list[Event] = field(default_factory=list, compare=False)
    filed: list[AnyFinished] = field(default_factory=list, compare=False)

    def at(self, now: int, fresh: str) -> Course:
        """A copy that a command may change."""
        other = copy.copy(self)
        other.places = [replace(place) for place in self.places]
        other.known = dict(self.known)
        other.now, other.fresh, other.told, other.filed = now, fresh, [], []
        return other

    # ---- who is there

    def persons(self) -> Iterator[tuple[int, Place]]:
        return ((i, place) for i, place in enumerate(self.places) if place.player is not None)

    def seat_of(self, player: str) -> int | None:
        return next((i for i, place in self.persons() if place.player == player), None)

    @property
    def full(self) -> bool:
        return not any(place.empty for place in self.places)

    @property
    def host(self) -> int | None:
        seated = [(place.since, i) for i, place in self.persons()]
        return None if self.quick or not seated else min(seated)[1]

    # ---- time

    def deadlines(self) -> Iterator[tuple[int, int, int]]:
        """When, what and where; a paused table has nothing but its end."""
        if self.over_at is not None:
            yield self.over_at + FINISHED, CLOSING, 0
        elif self.paused_at is not None:
            yield self.paused_at + (EMPTY if self.phase == "open" else PAUSED), CLOSING, 0
        if self.paused_at is not None:
            return
        if self.ready_at is not None:
            yield self.ready_at, READYING, 0
        for seat, place in enumerate(self.places):
            if place.answer_by is not None:
                yield place.answer_by, CLOCK, seat
            if place.back_by is not None:
                yield place.back_by, GRACE, seat

    def settle(self) -> None:
        """Do what time has decided, each at its own moment; what the servers missed begins again in full."""
        now = self.now
        while not self.closed:
            when, what, seat = min(self.deadlines(), default=(now + 1, 0, 0))
            if when > now:
                break
            if what != CLOSING and now - when > LATE:
                self.now = now
                self.begin_clocks_again("late")
                continue
            self.now = when
            match what:
                case 0:
                    self.end_of_life()
                case 1:
                    self.time_to_be_ready()
                case 2:
                    self.clock_ran_out(seat)
                case 3:
                    self.grace_is_over(seat)
        self.now = now

    def begin_clocks_again(self, why: Literal["late", "paused"]) -> None:
        if self.ready_at is not None:
            self.ready_at = self.now + READY
        for place in self.places:
            if place.asked is not None:
                self.start_clock(place)
            if place.back_by is not None:
                place.back_by = self.now + self.grace
        if self.phase in ("playing", "between"):
            self.told.append(ClocksRestarted(why))

    @property
    def grace(self) -> int:
        return self.house.grace_seconds * 1000

    def start_clock(self, place: Place) -> None:
        full = self.house.turn_seconds * 1000 or (BOT_CLOCK if place.by_bot else None)
        clock = SHORT if place.short else full
        place.asked = self.now
        place.answer_by = None if clock is None else self.now + clock

    def end_of_life(self) -> None:
        if self.phase in ("playing", "between"):
            self.end_match(Outcome("void", (), self.ranked(())))
        self.closed = True

    def time_to_be_ready(self) -> None:
        self.ready_at = None
        for seat, place in self.persons():
            if place.here and not place.ready:
                place.ready = True
                self.told.append(SeatReady(seat, True))
        self.begin_if_ready()

    def clock_ran_out(self, seat: int) -> None:
        self.places[seat].short = True
        self.told.append(ClockRanOut(seat))
        while self.hand is not None and seat in KONKEN.deciders(self.hand):
            self.move(seat, KONKEN.timeout(self.hand, seat), "timeout")

    def grace_is_over(self, seat: int) -> None:
        place = self.places[seat]
        if self.phase in ("open", "over"):
            self.free(seat)
            return
        place.back_by, place.gone = None, True
        if self.house.absent == "bot":
            self.put_stand_in(seat)

    def pause_if_deserted(self) -> None:
        if self.paused_at is None and not any(place.here for place in self.places):
            self.paused_at = self.now

    def wake(self) -> None:
        if self.paused_at is not None:
            self.paused_at = None
            self.begin_clocks_again("paused")
            self.begin_if_ready()

    # ---- seats

    def put(self, seat: int, place: Place) -> None:
        """Another occupant; what the former one chose about others has gone with the former one."""
        former = self.places[seat].player
        for other in self.places:
            other.chosen = {who: choice for who, choice in other.chosen.items() if who != former}
        self.places[seat] = replace(place, number=None)

    def settle_in(self, seat: int, place: Place) -> None:
        """A change of seats outside a hand."""
        self.put(seat, place)
        self.count_down()
        if self.phase == "between":
            self.file_state()
        self.begin_if_ready()

    def free(self, seat: int) -> None:
        self.told.append(Stood(seat, self.places[seat].name))
        self.settle_in(seat, Place())

    def count_down(self) -> None:
        """Connected persons are ready by themselves 20 s after the seats are filled, or a hand is over."""
        if self.phase in ("playing", "over") or not self.full:
            self.ready_at = None
        elif self.ready_at is None:
            self.ready_at = self.now + READY

    def put_stand_in(self, seat: int) -> None:
        place = self.places[seat]
        place.stand_in, place.back_by, place.gone, place.chosen, place.short = True, None, False, {}, False
        self.told.append(StandInSeated(seat))
        self.note(f"bot {seat}")
        if place.asked is not None:
            place.number = None
            self.start_clock(place)
        self.begin_if_ready()

    def give_back(self, seat: int) -> None:
        """The person plays again; what the bot let pass is not held against the person."""
        self.places[seat].stand_in = self.places[seat].short = False
        self.told.append(HandedBack(seat))
        self.note(f"back {seat}")

    def note(self, text: str) -> None:
        if self.phase == "playing":
            self.log = (*self.log, LogLine(None, text, v=self.v + 1))

    # ---- hands

    def begin_if_ready(self) -> None:
        if self.phase == "playing" or self.paused_at is not None or not self.full:
            return
        if not all(place.willing for place in self.places):
            return
        if self.phase == "over":
            self.match_no += 1
            self.started = self.hand_no = self.hands_ended = 0
            self.sheet, self.outcome, self.over_at, self.again = (), None, None, False
            for place in self.places:
                place.points = 0
        self.deal()

    def deal(self) -> None:
        self.nonces = tuple(place.nonce for place in self.places)
        entropy = self.entropy
        self.dealer = self.next_dealer(entropy)
        self.phase, self.again, self.log, self.proof, self.ready_at = "playing", False, (), None, None
        self.hand_no += 1
        self.started = self.started or self.now
        for place in self.places:
            place.ready, place.nonce, place.short = False, "", False
        self.hand, events = KONKEN.deal(self.options, entropy, self.dealer)
        self.told += events
        self.ask()
        if self.hand_no == 1:
            self.file_state()

    @property
    def entropy(self) -> bytes:
        return shuffle.entropy(bytes.fromhex(self.seed), self.nonces)

    def next_dealer(self, entropy: bytes) -> int:
        if self.dealer is None:
            return shuffle.Dice(entropy + b"dealer").below(len(self.places))
        return self.dealer if self.again else (self.dealer + 1) % len(self.places)

    def ask(self, actor: int | None = None) -> None:
        """Questions to those who have to decide; the `actor` has answered, so another question is a new one."""
        deciders = () if self.hand is None else KONKEN.deciders(self.hand)
        for seat, place in enumerate(self.places):
            if seat in deciders and (place.asked is None or seat == actor):
                if place.stand_in and place.here:
                    self.give_back(seat)
                place.number = None
                self.start_clock(place)
            elif seat not in deciders and place.asked is not None:
                place.number = place.asked = place.answer_by = None

    def move(self, seat: int, action: AnyAction, note: str = "") -> None:
        """An action of a seat; raises Refused as the rules do."""
        assert self.hand is not None
        self.hand, events = KONKEN.apply(self.hand, seat, action)
        asked = self.places[seat].asked
        took = 0 if asked is None else self.now - asked
        self.log = (*self.log, LogLine(seat, notation.action_text(action), took, self.v + 1, note))
        self.told += events
        result = KONKEN.result(self.hand)
        if result is None:
            self.ask(seat)
        else:
            self.end_hand(result)

    def end_hand(self, result: Result) -> None:
        if result.ending != "void":
            self.sheet = (*self.sheet, SheetRow(self.hand_no, result.winners, result.points))
            for place, points in zip(self.places, result.points, strict=True):
                place.points += points
        self.ask()
        totals = tuple(place.points for place in self.places)
        winner = KONKEN.match_winner(self.options, totals, tuple(row.winners for row in self.sheet))
        if winner is not None:
            outcome = Outcome("points", (winner,), self.ranked((winner,)))
            self.file_hand(result, outcome)
            self.close_match(outcome)
            return
        self.file_hand(result, None)
        self.after_hand()
        self.count_down()
        self.begin_if_ready()

    def after_hand(self) -> None:
        """Whoever is here again needs no bot to be ready."""
        for seat, place in self.persons():
            if place.stand_in and place.here:
                self.give_back(seat)

    def depart(self, seat: int, kind: Literal["left", "kicked"]) -> None:
        """Out for good: a hand in play is void and dealt anew with the same starter; the seat opens."""
        self.note(f"left {seat}")
        if self.phase == "playing":
            cards = () if self.hand is None else self.hand.hands
            nothing = (0,) * len(self.places)
            self.hand = None
            self.ask()
            self.file_hand(Result("void", (), nothing, nothing, cards), None)
            self.again = True
            self.after_hand()
        place = self.places[seat]
        assert place.player is not None
        gone = Departure(seat, place.player, place.name, place.points, self.hand_no, self.now, kind)
        self.put(seat, Place())
        self.barred = (*self.barred, gone.player)
        self.ready_at = None
        self.told.append(Left(seat, place.name, kind))
        self.file_state(gone)
        if not any(self.persons()):
            winners = tuple(i for i, other in enumerate(self.places) if not other.empty)
            self.end_match(Outcome("forfeit", winners, self.ranked(winners)))

    # ---- the end of the match

    def ranked(self, first: tuple[int, ...], last: tuple[int, ...] = ()) -> tuple[int, ...]:
        """By points; winners before all others, losers by forfeit behind them."""
        by_points = sorted(range(len(self.places)), key=lambda seat: -self.places[seat].points)
        middle = [seat for seat in by_points if seat not in first and seat not in last]
        return (*(s for s in by_points if s in first), *middle, *(s for s in by_points if s in last))

    def end_match(self, outcome: Outcome) -> None:
        """Outside a hand's end: the hand in play is dropped."""
        self.filed.append(FinishedMatch(**self.head(), outcome=outcome, hands=self.hands_ended))
        self.hand, self.nonces, self.log, self.seed = None, (), (), self.fresh
        self.ask()
        self.close_match(outcome)

    def close_match(self, outcome: Outcome) -> None:
        self.phase, self.outcome, self.ready_at, self.over_at = "over", outcome, None, self.now
        for place in self.places:
            absent = place.player is not None and not place.here
            place.back_by = self.now + self.grace if absent else None
            place.gone, place.chosen, place.stand_in = False, {}, False
        self.told.append(MatchEnded(outcome.winners, outcome.by))

    # ---- what the archive gets

    def head(self) -> dict[str, Any]:
        return {
            "match": f"{self.table_id}-{self.created:x}-{self.match_no}",
            "table": self.table_id,
            "game": "konken",
            "options": {**differing(self.options, KonkenOptions()), **differing(self.house, House())},
            "private": self.private,
            "started": self.started,
            "ended": self.now,
            "seats": tuple(
                FinishedSeat(p.player, p.name, "regular" if p.robot else None, p.stand_in, p.points)
                for p in self.places
            ),
        }

    def file_state(self, departure: Departure | None = None) -> None:
        """The match as it begins, and after every change of its seats."""
        assert self.dealer is not None
        self.filed.append(
            MatchState(
                **self.head(),
                v=self.v + 1,
                dealer=self.dealer,
                hand_no=self.hand_no,
                quick=self.quick,
                token=self.token,
                barred=self.barred,
                departure=departure,
                hands=self.hands_ended,
            )
        )

    def file_hand(self, result: Result, outcome: Outcome | None) -> None:
        """The hand for the archive, its proof for the players, another seed for the next one."""
        assert self.dealer is not None
        self.hands_ended += 1
        layout = KONKEN.layout(self.options, self.entropy, self.dealer)
        commitment = shuffle.commitment(bytes.fromhex(self.seed))
        self.filed.append(
            FinishedHand(
                **self.head(),
                hand_no=self.hand_no,
                dealer=self.dealer,
                commitment=commitment,
                seed=self.seed,
                nonces=self.nonces,
                deal=layout.hands,
                upcard=layout.upcard,
                stock=layout.stock,
                log=self.log,
                result=result,
                outcome=outcome,
            )
        )
        self.proof = Proof(self.hand_no, commitment, self.seed, self.nonces)
        self.phase, self.seed, self.nonces, self.again = "between", self.fresh, (), False


def differing(options: KonkenOptions | House, defaults: KonkenOptions | House) -> dict[str, Any]:
    """What is not as it is by default."""
    usual = asdict(defaults)
    return {name: value for name, value in asdict(options).items() if value != usual[name]}
