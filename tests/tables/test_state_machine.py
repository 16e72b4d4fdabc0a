"""Whatever happens to a table, in whatever order: it is as the house rules say.

One table lives through random commands and random time. Beside it goes a model written from the rules of a table's
life (model.py), which says of every command what must come of it; after each the two are compared as a whole.
"""

from __future__ import annotations

import functools
import os
from collections import Counter
from typing import Any

import hypothesis.strategies as st
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from server.protocol import Choice, Create
from server.rules import events as hand_events
from server.rules.actions import Add, AnyAction, Discard, Draw, Take
from server.rules.konken import KONKEN, KonkenHand, KonkenOptions
from server.rules.refusal import Refused
from server.tables import commands
from server.tables.commands import Command, Tick
from server.tables.decide import decide
from server.tables.events import HandedBack, StandInSeated
from server.tables.finished import AnyFinished, FinishedHand, FinishedMatch, MatchState
from server.tables.missed import missed
from server.tables.opening import open_table, parse_options
from server.tables.table import Decision, Event, Moment, Table, read, write
from server.tables.timers import due_of, thinks_until
from server.tables.views import narrate
from tests.frames import view_of
from tests.tables.checks import FOR_EVER, check_cards, check_frame, check_lateness, check_replay
from tests.tables.model import Model
from tests.tables.model_course import LATE, Place

FULL = os.environ.get("UPCARD_FULL") == "1"
RUNS = settings(
    max_examples=10_000 if FULL else 200,
    stateful_step_count=50,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
SECRET = b"a secret of at least thirty-two characters"
LONGEST = 450
"""More actions than a hand of plain turns has."""

PLAYERS = ("ada", "ben", "cem", "deniz", "eda")
NAMES = ("Ada", "Ben", "Ada 2", "X")
numbers = st.integers(0, 255)
seats = st.integers(0, 5)
flags = st.booleans()
choices: st.SearchStrategy[Choice] = st.sampled_from(["claim", "claim", "bot", "wait"])
options = st.fixed_dictionaries(
    {
        "players": st.sampled_from([2, 3, 3, 4]),
        "target": st.sampled_from([100, 100, 500]),
        "max_hands": st.sampled_from([0, 1, 2]),
        "turn_seconds": st.sampled_from([15, 30, 60, 0]),
        "grace_seconds": st.sampled_from([2, 30, 120]),
        "absent": st.sampled_from(["claim", "claim", "bot", "wait"]),
        "bots": st.sampled_from(["on", "on", "on", "off"]),
        "tie": st.sampled_from(["split", "void"]),
    }
)


def act(**strategies: Any) -> Any:
    """A rule; where it ends the table's life, another table begins."""
    as_rule: Any = rule(**strategies)

    def decorate(method: Any) -> Any:
        @functools.wraps(method)
        def acted(self: TableMachine, *args: Any, **given: Any) -> None:
            method(self, *args, **given)
            if self.closed:
                self.open_another()

        return as_rule(acted)

    return decorate


class TableMachine(RuleBasedStateMachine):
    """One table, driven by `decide`, and the model of it."""

    table: Table
    model: Model
    given: dict[str, int | str]
    private: bool
    quick: bool

    def __init__(self) -> None:
        super().__init__()
        self.now = 1_000_000
        self.count = 0
        self.closed = False
        self.sent: list[Command] = []
        self.tabs: Counter[str] = Counter()
        self.shown: set[str] = set()
        self.hands: set[tuple[str, int]] = set()
        self.ended: set[str] = set()

    # ---- one step

    @initialize(given=options, private=flags, quick=st.sampled_from([False, False, True]), ahead=numbers)
    def open(self, given: dict[str, int | str], private: bool, quick: bool, ahead: int) -> None:
        """A table with its creator seated; most are soon full, and most of those have a hand in play."""
        given = dict(given)
        if given["turn_seconds"] == 0 and not private:
            del given["turn_seconds"]
        if given["players"] == 2:
            given["packs"] = 1  # a short stock, so that hands end
        self.given, self.private, self.quick = given, private, quick
        self.open_table()
        if ahead % 4:
            self.come("ada", False)
            self.fill(ahead // 4)
        if ahead % 4 > 1 and self.table.phase != "playing":
            self.all_ready(False)

    def open_another(self) -> None:
        """The table is gone, and another one begins."""
        self.closed = False
        self.sent.clear()
        self.hands.clear()
        self.ended.clear()
        self.open_table()

    def open_table(self) -> None:
        """Its creator has a seat and is not connected yet."""
        moment, private = self.moment(), self.private
        nonce = self.nonce() if self.quick else None
        message = Create(id="create", game="konken", options=self.given, private=private)
        self.table = open_table(message, "ada", "Ada", SECRET, moment, quick_nonce=nonce)
        self.model = self.first_model(nonce, moment)
        assert self.model.differences(self.table) == []

    def first_model(self, nonce: str | None, moment: Moment) -> Model:
        """The creator sits, has the grace to come, and nobody is connected yet."""
        rules, house = parse_options("konken", self.given, self.private)
        assert isinstance(rules, KonkenOptions)
        creator = Place(
            player="ada",
            name="Ada",
            back_by=moment.now + house.grace_seconds * 1000,
            ready=nonce is not None,
            nonce=nonce or "",
            number=self.table.seats[0].decision,
        )
        return Model(
            table_id=self.table.id,
            created=moment.now,
            options=rules,
            house=house,
            private=self.private,
            token=self.table.token,
            quick=nonce is not None,
            seed=moment.seed,
            places=[creator, *(Place() for _ in range(rules.players - 1))],
            paused_at=moment.now,
            known={"ada": ("create",)},
        )

    def moment(self) -> Moment:
        """Now, with a seed that no other moment has."""
        return Moment(self.now, f"{self.count:08x}" * 24)

    def nonce(self) -> str:
        """A player's share of the shuffle, and nobody else's."""
        self.count += 1
        return f"face{self.count:08x}"

    def id(self) -> str:
        self.count += 1
        return f"c{self.count}"

    def somebody(self, which: int) -> str:
        """Mostly a person who is seated, now and then one who is not, or no more."""
        seated = [seat.player for seat in self.table.seats if seat.player]
        pool = seated if seated and which % 8 else PLAYERS
        return pool[which // 8 % len(pool)]

    def do(self, command: Command, thorough: bool = True) -> str | None:
        """Have table and model judge one command, and compare all that comes of it. Returns the refusal."""
        if self.closed:
            return "closed"
        self.count += 1
        before, moment, record = self.table, self.moment(), write(self.table)
        if isinstance(command, commands.Asked):
            self.sent.append(command)
        decision, code = judged(before, command, moment)
        assert write(before) == record, "a table never changes in place"
        model, wanted = self.foreseen(command, moment)
        assert code == wanted, f"{command}: {code}, should be {wanted}"
        if decision is None or model is None:
            return code
        self.compare(model, decision)
        if thorough:
            check_lateness(before, command, moment, decision)
            if not decision.closed:
                self.resend_at_once(command, decision)
        self.check_numbers(before, model, decision)
        self.check_hand(before, decision)
        self.table, self.closed = decision.table, decision.closed
        model.learn(self.table)
        self.model = model
        if thorough and not self.closed:
            self.check_frames(decision.events)
            self.check_missed(before, decision.events)
        return None

    def foreseen(self, command: Command, moment: Moment) -> tuple[Model | None, str | None]:
        """What the model expects: itself afterwards, or the code of a refusal."""
        try:
            return self.model.judge(command, moment.now, moment.seed), None
        except Refused as refused:
            return None, refused.code

    # ---- what holds of every step

    def compare(self, model: Model, decision: Decision) -> None:
        """The table, what is told and what is filed."""
        assert decision.closed == model.closed
        assert model.differences(decision.table) == []
        assert Counter(map(repr, decision.events)) == Counter(map(repr, model.told))
        assert list(decision.finished) == model.filed
        unchanged = model == self.model
        assert (decision.table is self.table and not decision.events) == (unchanged and not model.closed)

    def resend_at_once(self, command: Command, decision: Decision) -> None:
        """What is sent twice has one effect."""
        if not isinstance(command, commands.BotPlay):
            assert decide(decision.table, command, self.moment()).table is decision.table
        assert decide(decision.table, Tick(), self.moment()).table is decision.table

    def check_numbers(self, before: Table, model: Model, decision: Decision) -> None:
        """A seat's number grows when its question changes, and never else."""
        for was, place, seat in zip(before.seats, model.places, decision.table.seats, strict=True):
            if place.number is None:
                assert seat.decision > was.decision
            else:
                assert seat.decision == was.decision

    def check_hand(self, before: Table, decision: Decision) -> None:
        """Cards are neither lost nor found, a deal was promised, and an ended hand can be played again."""
        table = decision.table
        hand = table.hand
        if isinstance(hand, KonkenHand) and hand is not before.hand:
            check_cards(hand)
        if table.phase == "playing" and (table.match_no, table.hand_no) != (before.match_no, before.hand_no):
            assert table.seed == before.seed, "its hash was shown before anyone was ready"
        for item in decision.finished:
            self.check_filed(item)
        assert table.seed not in self.shown, "a seed is used once"

    def check_filed(self, item: AnyFinished) -> None:
        """Hands have numbers of their own, a match ends once."""
        if isinstance(item, FinishedHand):
            assert (item.match, item.hand_no) not in self.hands
            self.hands.add((item.match, item.hand_no))
            self.shown.add(item.seed)
            check_replay(item, self.table)
        if isinstance(item, FinishedMatch) or (isinstance(item, FinishedHand) and item.outcome is not None):
            assert item.match not in self.ended
            self.ended.add(item.match)
        if isinstance(item, MatchState):
            assert item.match not in self.ended

    def check_frames(self, events: tuple[Event, ...]) -> None:
        """Nobody is shown what is somebody else's."""
        view = view_of(self.table, None)
        shown = [(absence.seat, absence.choices, absence.votes) for absence in view.absences]
        assert shown == list(self.model.absences())
        for player in [*sorted(self.table.players), "stranger"]:
            check_frame(self.table, player, self.now, events, self.count)

    def check_missed(self, before: Table, events: tuple[Event, ...]) -> None:
        """Who was away for this version is told of it as those were who saw it."""
        table = self.table
        if (
            table.phase == before.phase == "playing"
            and table.hand_no == before.hand_no
            and self.count % 4 == 0
        ):
            of_the_hand = [e for e in events if isinstance(e, hand_events.Event | StandInSeated | HandedBack)]
            for you in (None, *range(len(table.seats))):
                assert missed(table, before.v, you) == narrate(tuple(of_the_hand), you)

    @invariant()
    def nothing_is_overdue(self) -> None:
        """What is due lies ahead, at the very moment the model knows, once the time is settled."""
        if self.closed or not hasattr(self, "table"):
            return
        due = due_of(self.table, FOR_EVER)
        wanted = self.model_due()
        assert (due if due is not None and due < FOR_EVER else None) == wanted
        assert (self.table.paused_at is None) == any(seat.here for seat in self.table.seats)
        for index, seat in enumerate(self.table.seats):
            until = thinks_until(self.table, index)
            thinks = seat.asked is not None and seat.driven and self.table.paused_at is None
            assert (until is not None) == thinks
            assert until is None or seat.asked is None or 600 <= until - seat.asked < 1500
            assert not (seat.stand_in and seat.here and seat.asked is None and self.table.phase != "playing")

    def model_due(self) -> int | None:
        """When time next decides something."""
        return min((when for when, _, _ in self.model.deadlines()), default=None)

    # ---- time

    @act(ms=st.sampled_from([1, 40, 900, 2_000, 3_001, 9_000, 21_000]))
    def time_goes_by(self, ms: int) -> None:
        """No tick: the next command meets a table that time has overtaken."""
        self.now += ms

    @act(by=st.integers(1, 20_000))
    def tick_early(self, by: int) -> None:
        """Nothing is due yet."""
        due = self.model_due()
        if due is not None and self.now < due:
            self.now = max(self.now, due - by)
            before = self.table
            self.do(Tick())
            assert self.table is before

    @act(late=st.sampled_from([0, 0, 0, 1, 2_500, LATE - 1, LATE]))
    def tick(self, late: int) -> None:
        """On time, or as good as on time."""
        due = self.model_due()
        if due is not None:
            self.now = max(self.now, due + late)
            self.do(Tick())

    @act(late=st.sampled_from([LATE + 1, LATE + 1, 9_000, 20_000, 660_000]))
    def outage(self, late: int) -> None:
        """The servers were away."""
        due = self.model_due()
        self.now = max(self.now, (due or self.now) + late)
        self.do(Tick())

    @precondition(lambda self: self.count % 32 == 0)
    @act()
    def day(self) -> None:
        """A very long outage."""
        self.now += 25 * 3_600_000
        self.do(Tick())

    # ---- seats

    @act(
        player=st.sampled_from(PLAYERS),
        seat=st.none() | seats,
        watches=flags,
        name=st.sampled_from(NAMES),
        more=numbers,
    )
    def sit(self, player: str, seat: int | None, watches: bool, name: str, more: int) -> None:
        """Somebody sits down, ready at once or not; now and then without the token."""
        conn = self.tab(player) if watches else None
        token = None if more % 8 == 0 else self.table.token
        nonce = self.nonce() if more % 3 == 0 else None
        self.do(commands.Sit(self.id(), player, name, conn, seat, token, nonce))

    @act(which=numbers)
    def fill(self, which: int) -> None:
        """The free seats are taken, by persons and bots as it comes."""
        for seat in [i for i, seat in enumerate(self.table.seats) if seat.empty]:
            absent = [p for p in PLAYERS if p not in self.table.players and p not in self.table.barred]
            if absent and which & (1 << seat):
                conn = self.tab(absent[0])
                self.do(commands.Sit(self.id(), absent[0], "Ada", conn, seat, self.table.token))
            elif people := sorted(self.table.players):
                self.do(commands.AddBot(self.id(), people[0], seat, "regular"))

    @act(who=numbers, seat=seats, kind=st.integers(0, 15), name=st.sampled_from(NAMES))
    def ask(self, who: int, seat: int, kind: int, name: str) -> None:
        """Anybody asks for anything else."""
        player = self.somebody(who)
        match kind:
            case 0 | 1 | 2 | 3:
                self.do(commands.Stand(self.id(), player))
            case 4 | 5:
                self.do(commands.Kick(self.id(), player, seat))
            case 6 | 7:
                self.do(commands.AddBot(self.id(), player, seat, "regular"))
            case 8 | 9:
                self.do(commands.DropBot(self.id(), player, seat))
            case 10 | 11:
                self.do(commands.Rename(self.id(), player, name))
            case _:
                self.do(commands.Ready(self.id(), player, kind < 15, self.nonce()))

    @precondition(lambda self: self.count % 4 == 0)
    @act(who=numbers)
    def leave(self, who: int) -> None:
        """For good."""
        self.do(commands.Leave(self.id(), self.somebody(who)))

    @precondition(lambda self: self.table.host is not None and self.table.phase != "playing")
    @act(seat=seats)
    def kick(self, seat: int) -> None:
        """By the one who may."""
        host = self.table.host
        assert host is not None
        self.do(commands.Kick(self.id(), str(self.table.seats[host].player), seat))

    @precondition(lambda self: self.table.phase != "playing")
    @act(which=numbers, but_one=flags)
    def start(self, which: int, but_one: bool) -> None:
        """Whoever is away comes back, the seats are filled, all are ready."""
        for seat in self.table.seats:
            if seat.player and not seat.here and which % 4:
                self.come(seat.player, False)
        self.fill(which)
        self.all_ready(but_one)

    @precondition(lambda self: self.table.phase != "playing")
    @act(but_one=flags)
    def all_ready(self, but_one: bool) -> None:
        """Everyone who is here, or all but one, wants to go on."""
        waiting = [s.player for s in self.table.seats if s.player and s.here and not s.ready]
        for player in waiting[but_one:]:
            self.do(commands.Ready(self.id(), player, True, self.nonce()))

    # ---- moves

    def asked(self) -> int | None:
        """The seat that has to decide."""
        return next((i for i, seat in enumerate(self.table.seats) if seat.asked is not None), None)

    def answer(self, seat: int, action: AnyAction, thorough: bool = True) -> str | None:
        """An action of whoever drives the seat."""
        driven, number = self.table.seats[seat], self.table.seats[seat].decision
        if driven.driven or driven.player is None:
            return self.do(commands.BotPlay(seat, number, action), thorough)
        return self.do(commands.Play(self.id(), driven.player, number, action), thorough)

    @precondition(lambda self: self.asked() is not None)
    @act(which=numbers, wait=st.sampled_from([0, 800, 2_900]))
    def play_legally(self, which: int, wait: int) -> None:
        """One of all the actions there are."""
        seat = self.asked()
        assert seat is not None
        legal = KONKEN.legal(self.table.hand, seat)  # type: ignore[arg-type]
        self.now += wait
        if legal:
            self.answer(seat, legal[which % len(legal)])

    @act(
        who=numbers,
        seat=seats,
        as_bot=flags,
        old=st.sampled_from([0, 0, 0, 1, 5]),
        action=st.sampled_from([Draw(), Take(), Discard("JK"), Discard("7H"), Add(1, ("7H",))]),
    )
    def play_at_random(self, who: int, seat: int, as_bot: bool, old: int, action: AnyAction) -> None:
        """Anybody does anything, in answer to the question of now or to one before."""
        player, seat = self.somebody(who), seat % len(self.table.seats)
        mine = self.table.seat_of(player)
        number = self.table.seats[seat if as_bot else mine or 0].decision - old
        if as_bot:
            self.do(commands.BotPlay(seat, number, action))
        else:
            self.do(commands.Play(self.id(), player, number, action))

    @precondition(lambda self: self.asked() is not None)
    @act(turns=st.integers(2, 40), wait=st.sampled_from([0, 700]))
    def play_on(self, turns: int, wait: int) -> None:
        """The next ones draw and throw; time goes by as they do."""
        for _ in range(turns):
            if not self.plain_action(wait):
                return

    @precondition(lambda self: self.asked() is not None)
    @act(wait=st.sampled_from([0, 700]))
    def play_out(self, wait: int) -> None:
        """The hand comes to its end, unless something is in the way."""
        hand = self.table.hand_no
        for _ in range(LONGEST):
            if self.table.hand_no != hand or not self.plain_action(wait):
                return
        raise AssertionError("the hand does not end")

    def plain_action(self, wait: int) -> bool:
        """Draw, or throw a card."""
        seat, hand = self.asked(), self.table.hand
        if seat is None or not isinstance(hand, KonkenHand) or self.closed:
            return False
        self.now += wait
        return self.answer(seat, KONKEN.timeout(hand, seat), thorough=False) is None

    @precondition(lambda self: self.asked() is not None)
    @act(times=st.integers(1, 6))
    def run_out(self, times: int) -> None:
        """Nobody moves, and ticks are on time."""
        for _ in range(times):
            self.tick(0)

    # ---- absence

    def tab(self, player: str) -> str:
        """Another connection of a player."""
        self.tabs[player] += 1
        return f"tab-of-{player}-{self.tabs[player]}"

    @act(who=numbers, again=flags)
    def open_tab(self, who: int, again: bool) -> None:
        """A new tab, or one that was seen before."""
        self.come(self.somebody(who), again)

    def come(self, player: str, again: bool) -> None:
        """A connection of this player, perhaps the same once more."""
        seat = self.table.seat_of(player)
        known = self.table.seats[seat].conns if seat is not None else ()
        self.do(commands.Attach(player, known[0] if again and known else self.tab(player)))

    @act(who=numbers, all_of_them=flags)
    def lose(self, who: int, all_of_them: bool) -> None:
        """One tab is closed, or the line is gone."""
        self.drop(self.somebody(who), all_of_them)

    def drop(self, player: str, all_of_them: bool) -> None:
        """One or all connections of this player are gone."""
        seat = self.table.seat_of(player)
        tabs = () if seat is None else self.table.seats[seat].conns
        for tab in tabs if all_of_them else tabs[:1] or ("tab-of-nobody",):
            self.do(commands.Detach(tab))

    @act(who=numbers)
    def come_back(self, who: int) -> None:
        """Somebody who is away returns."""
        away = [seat.player for seat in self.table.seats if seat.player and not seat.here]
        if away:
            self.come(away[who % len(away)], False)

    @precondition(lambda self: self.count % 4 == 0)
    @act(come_back=numbers)
    def everybody_drops(self, come_back: int) -> None:
        """A tunnel; some come out at the other end."""
        for player in sorted(self.table.players):
            self.drop(player, True)
        self.now += 40_000
        for i, player in enumerate(sorted(self.table.players)):
            if come_back & (1 << i):
                self.come(player, False)

    @act(which=numbers, choice=st.none() | choices)
    def stay_away(self, which: int, choice: Choice | None) -> None:
        """One of several drops, and the grace goes by with ticks on time; then the others may choose."""
        here = [seat.player for seat in self.table.seats if seat.player and seat.here]
        if len(here) < 2:
            return
        player = here[which % len(here)]
        self.drop(player, True)
        until = self.now + self.model.grace
        while (due := self.model_due()) is not None and due <= until and not self.closed:
            self.now = max(self.now, due)
            self.do(Tick(), thorough=False)
        if choice is not None and any(seat.gone for seat in self.table.seats):
            self.choose(choice, which // 2)

    @act(who=numbers, seat=seats, choice=choices)
    def claim(self, who: int, seat: int, choice: Choice) -> None:
        """Anybody chooses for anybody."""
        self.do(commands.Claim(self.id(), self.somebody(who), seat, choice))

    @precondition(lambda self: any(seat.gone for seat in self.table.seats))
    @act(choice=choices, silent=numbers)
    def choose_now(self, choice: Choice, silent: int) -> None:
        """The choice is open."""
        self.choose(choice, silent)

    def choose(self, choice: Choice, silent: int) -> None:
        """Some of those who are here choose for somebody who is not; the silent ones may drop, too."""
        absent = next(i for i, seat in enumerate(self.table.seats) if seat.gone)
        for i, seat in enumerate(self.table.seats):
            if seat.player and seat.here and not silent & (1 << i) and self.table.seats[absent].gone:
                self.do(commands.Claim(self.id(), seat.player, absent, choice))
        if silent & 64:
            for i, seat in enumerate(self.table.seats):
                if seat.player and seat.here and silent & (1 << i):
                    self.drop(seat.player, True)

    # ---- again

    @precondition(lambda self: self.sent)
    @act(which=numbers)
    def resend(self, which: int) -> None:
        """What was once asked is asked again: it has had its effect, or is judged afresh."""
        self.do(self.sent[-1 - which % len(self.sent)])

    @precondition(lambda self: self.count % 64 == 0)
    @act()
    def many_commands(self) -> None:
        """More than are remembered."""
        for _ in range(66):
            self.do(commands.Rename(self.id(), "ada", "Ada"), thorough=False)


def judged(table: Table, command: Command, moment: Moment) -> tuple[Decision | None, str | None]:
    """The decision, or the code of the refusal."""
    try:
        decision = decide(table, command, moment)
    except Refused as refused:
        return None, refused.code
    assert read(write(decision.table)) == decision.table
    return decision, None


TestTable = TableMachine.TestCase
TestTable.settings = RUNS
