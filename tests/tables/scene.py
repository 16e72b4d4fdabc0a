"""A table under a fake clock, spoken to in the words of the game."""

from __future__ import annotations

import itertools
import random
from typing import Any

from server.clock import FakeClock
from server.protocol import Create
from server.rules.actions import AnyAction, Discard, Draw
from server.rules.refusal import Refused
from server.rules.registry import rules_of
from server.tables import commands
from server.tables.decide import decide
from server.tables.finished import AnyFinished
from server.tables.opening import open_table
from server.tables.table import Event, Moment, Seat, Table, read, write
from server.tables.timers import due_of

SECRET = b"a secret of at least thirty-two characters"


class Scene:
    """One table; every change goes through `decide` and through the store's form."""

    def __init__(self, private: bool = False, game: Any = "konken", /, **options: int | str) -> None:
        self.clock = FakeClock()
        self.chance = random.Random(7)
        self.ids = itertools.count(1)
        self.events: list[Event] = []
        self.finished: list[AnyFinished] = []
        self.closed = False
        message = Create(id="create", game=game, options=options, private=private)
        self.table = open_table(message, "ada", "Ada", SECRET, self.moment())

    def moment(self) -> Moment:
        return Moment(self.clock.now(), self.chance.randbytes(96).hex())

    def do(self, command: commands.Command) -> Table:
        decision = decide(self.table, command, self.moment())
        self.events += decision.events
        self.finished += decision.finished
        self.closed = decision.closed
        assert read(write(decision.table)) == decision.table
        self.table = decision.table
        return self.table

    def refused(self, command: commands.Command) -> str:
        """The code of a command that must be refused and change nothing."""
        before = self.table
        try:
            self.do(command)
        except Refused as refused:
            assert self.table is before
            return refused.code.value
        raise AssertionError(f"{command} was accepted")

    def id(self) -> str:
        return f"c{next(self.ids)}"

    # ---- what people do

    def come(self, player: str, conn: str | None = None) -> None:
        self.do(commands.Attach(player, conn or f"{player}-1"))

    def go(self, conn: str) -> None:
        self.do(commands.Detach(conn))

    def sit(self, player: str, seat: int | None = None, **more: Any) -> None:
        self.do(self.sit_command(player, seat, **more))

    def sit_command(self, player: str, seat: int | None = None, **more: Any) -> commands.Sit:
        given: dict[str, Any] = {
            "id": self.id(),
            "conn": f"{player}-1",
            "token": None,
            "name": player.title(),
        } | more
        return commands.Sit(player=player, seat=seat, **given)

    def bots(self, *seats: int) -> None:
        for seat in seats:
            self.do(commands.AddBot(self.id(), "ada", seat, "regular"))

    def ready(self, *players: str) -> None:
        for player in players:
            self.do(commands.Ready(self.id(), player, True, "0a"))

    def pass_time(self, seconds: float) -> None:
        """Time goes by with punctual ticks, as the servers would make them. Bots do not move."""
        end = self.clock.now() + int(seconds * 1000)
        while (due := due_of(self.table)) is not None and due <= end and not self.closed:
            self.clock.ms = max(due, self.clock.ms)
            before = self.table
            self.do(commands.Tick())
            if self.table is before:
                break  # a bot's moment: that is the ticker's
        self.clock.ms = end
        if not self.closed:
            self.do(commands.Tick())

    # ---- the hand

    @property
    def turn(self) -> int:
        return next(i for i, seat in enumerate(self.table.seats) if seat.asked is not None)

    def seat(self, index: int) -> Seat:
        return self.table.seats[index]

    def play(self, player: str, action: AnyAction) -> None:
        index = self.table.seat_of(player)
        assert index is not None
        self.do(commands.Play(self.id(), player, self.seat(index).decision, action))

    def bot_play(self, index: int, action: AnyAction) -> None:
        self.do(commands.BotPlay(index, self.seat(index).decision, action))

    def plain_turn(self) -> None:
        """Whoever has the turn draws and throws the drawn card."""
        index = self.turn
        for _ in range(2):
            hand = self.table.hand
            assert hand is not None
            action: AnyAction = Draw() if hand.phase == "draw" else Discard(hand.hands[index][-1])
            if self.seat(index).driven:
                self.bot_play(index, action)
            else:
                self.play(str(self.seat(index).player), action)

    def play_out(self, most: int = 400) -> None:
        """Play the hand to its end by plain turns."""
        for _ in range(most):
            if self.table.phase != "playing":
                return
            self.plain_turn()
        raise AssertionError("the hand does not end")


def seated(*players: str, bots: int = 0, **options: int | str) -> Scene:
    """A scene with Ada and others connected and seated, and bots behind them; nobody is ready."""
    scene = Scene(False, **options)
    scene.come("ada")
    for player in players:
        scene.sit(player)
    scene.bots(*range(1 + len(players), 1 + len(players) + bots))
    return scene


def dealt(*players: str, bots: int = 0, **options: int | str) -> Scene:
    """The same with the first hand dealt."""
    scene = seated(*players, bots=bots, **options)
    scene.ready("ada", *players)
    assert scene.table.phase == "playing"
    return scene


def rules() -> Any:
    return rules_of("konken")
