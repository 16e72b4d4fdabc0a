"""A page whose server is a test: what it is told of is the same in every run, to the last card.

The tables are real ones (tests/tables/scene.py) and their frames what a server would send; only what goes over the
wire comes from here. Who looks is Ada.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import msgspec
from playwright.sync_api import Page, Route, WebSocketRoute

from server.archive.playback import played_back
from server.archive.record import hand_record
from server.bodies import HandReplay, Session
from server.config import STATIC
from server.gateway.endpoint import RESTARTING
from server.protocol import (
    Ack,
    AnyServerMessage,
    Arrange,
    Arranged,
    Check,
    Checked,
    Claim,
    Create,
    Hello,
    Leave,
    Lobby,
    LobbyRows,
    Ping,
    Pong,
    Quick,
    Refusal,
    Sit,
    Watch,
    Welcome,
    decode,
    encode,
)
from server.rules.actions import AnyAction
from server.rules.refusal import Code, Refused
from server.tables import commands
from server.tables.checking import arrange, check
from server.tables.finished import FinishedHand
from server.tables.thinking import think
from tests.frames import frame_of
from tests.tables.scene import Scene

Order = Claim | Create | Leave | Quick | Sit

ADA = "ada"
QUIET = 500
"""Several times what a page waits before it asks, in ms."""
EMPTY = LobbyRows((), full=True)


class Stage:
    """Answers a page: with a lobby, with one table, with a shared hand."""

    def __init__(
        self,
        page: Page,
        lobby: LobbyRows = EMPTY,
        scene: Scene | None = None,
        replay: HandReplay | None = None,
        build: str | None = None,
        gathered: bool = False,
    ) -> None:
        self.page = page
        self.build = build or (STATIC / "build.txt").read_text().strip()
        self.lobby = lobby
        self.scene = scene
        self.replay = replay
        self.gathered = gathered
        self.refuses: Code | None = None
        """Why nothing can be shown at the moment: so a server answers whose store is away."""
        self.orders: list[Order] = []
        """What the page has ordered. Answered is a choice about somebody absent; the rest waits for the test."""
        self.holds = False
        """No order is answered before the test does, and what is asked of the archive waits for `let_go`."""
        self.archive: dict[str, Any] = {}
        """What `/api/` answers, by the rest of the address; nothing else is there."""
        self._waiting: list[Route] = []
        self.lines: list[str] = []
        """The addresses of all sockets that the page has opened."""
        self._socket: WebSocketRoute | None = None
        self._asked = 0
        page.route_web_socket("**/ws*", self._connect)
        page.route("**/api/**", self._answer)

    @property
    def path(self) -> str:
        """Where on the page's site there is something to see."""
        if self.replay:
            return "/replay#shared"
        return f"/t/{self.scene.table.id}" if self.scene else "/"

    def until_quiet(self) -> None:
        """Wait until the page has asked what it wants to know: what a move would do is asked a moment after a tap."""
        asked = -1
        while asked != self._asked:
            asked = self._asked
            self.page.wait_for_timeout(QUIET)

    def hang_up(self) -> None:
        """Close the page's line; it comes again."""
        if self._socket:
            self._socket.close(code=RESTARTING)

    def show(self) -> None:
        """Show the table as it is now."""
        if self.scene:
            self.tell(frame_of(self.scene.table, ADA, self.scene.clock.now()))

    def let_go(self) -> None:
        """Answer what has waited."""
        self.holds = False
        while self._waiting:
            self._answer(self._waiting.pop(0))

    def tell(self, message: AnyServerMessage) -> None:
        """Send what was not asked for."""
        if self._socket:
            self._socket.send(encode(message))

    def _connect(self, socket: WebSocketRoute) -> None:
        self._socket = socket
        self.lines.append(socket.url.partition("/ws")[2])

        def hear(text: str | bytes) -> None:
            answers = self._answers(text)
            self._asked += not any(isinstance(answer, Pong) for answer in answers)
            for message in answers:
                socket.send(encode(message))

        socket.on_message(hear)

    def _answers(self, text: str | bytes) -> list[AnyServerMessage]:
        now = self.scene.clock.now() if self.scene else 0
        match decode(text):
            case Hello():
                return [Welcome("Ada", self.build, now, (), self.gathered)]
            case Lobby(on=True) | Watch() if self.refuses:
                return [Refusal("", self.refuses)]
            case Lobby(on=True):
                return [self.lobby]
            case Watch() if self.scene:
                return [frame_of(self.scene.table, ADA, now)]
            case Check(id=asked, decision=decision, action=action) if self.scene:
                try:
                    return [Checked(asked, check(self.scene.table, ADA, decision, action))]
                except Refused as refused:
                    return [Checked(asked, code=refused.code, detail=refused.detail)]
            case Claim() | Create() | Leave() | Quick() | Sit() as order:
                self.orders.append(order)
                return self._obeyed(order)
            case Arrange(id=asked) if self.scene:
                return [Arranged(asked, arrange(self.scene.table, ADA))]
            case Ping():
                return [Pong(now)]
        return []

    def _obeyed(self, order: Order) -> list[AnyServerMessage]:
        if self.holds or self.scene is None or not isinstance(order, Claim):
            return []
        scene = self.scene
        scene.do(commands.Claim(order.id, ADA, order.seat, order.choice))
        frame = frame_of(scene.table, ADA, scene.clock.now())
        return [Ack(order.id, order.table, scene.table.v), frame]

    def _answer(self, route: Route) -> None:
        asked = route.request.url.rpartition("/api/")[2]
        if self.holds and asked != "session":
            self._waiting.append(route)
            return
        answers = {"session": Session("Ada"), "replay": self.replay, **self.archive}
        if asked in answers:
            route.fulfill(json=json.loads(msgspec.json.encode(answers[asked])))
        else:
            route.fulfill(status=404, json={"code": "no_such_match"})


def table(game: str, *bots: int, **options: int | str) -> Scene:
    """A private table without a clock: Ada, and Ben if no bot sits there."""
    scene = Scene(True, game, turn_seconds=0, **options)
    scene.come(ADA)
    scene.bots(*bots)
    if 1 not in bots:
        scene.sit("ben", 1, token=scene.table.token)
        scene.come("ben")
    return scene


def replay_of(scene: Scene) -> HandReplay:
    """The first hand that was played to its end, as the archive would show it."""
    hand = next(one for one in scene.finished if isinstance(one, FinishedHand))
    replay = played_back(hand_record(hand), hand.result, "shared")
    assert replay is not None
    return replay


def step(scene: Scene) -> None:
    """Whoever is asked makes a move of a regular."""
    scene.clock.advance(1)
    asked = scene.seat(scene.turn)
    action: AnyAction = think(scene.table, scene.turn)
    if asked.driven:
        scene.bot_play(scene.turn, action)
    else:
        scene.do(commands.Play(scene.id(), asked.player or "", asked.decision, action))


def on(scene: Scene, there: Callable[[Scene], bool]) -> Scene:
    """Play until it has come to that."""
    while not there(scene):
        if scene.table.phase == "playing":
            step(scene)
        else:
            scene.ready(*(seat.player for seat in scene.table.seats if seat.player and not seat.ready))
    return scene
