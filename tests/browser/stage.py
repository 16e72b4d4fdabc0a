"""A page whose server is a test: what it is told of is the same in every run, to the last card.

The tables are real ones (tests/tables/scene.py) and their frames what a server would send; only what goes over the
wire comes from here. Who looks is Ada.
"""

from __future__ import annotations

import json
from typing import Any

import msgspec
from playwright.sync_api import Page, Route, WebSocketRoute

from server.bodies import HandReplay, Session
from server.config import STATIC
from server.protocol import (
    AnyServerMessage,
    Arrange,
    Arranged,
    Check,
    Checked,
    Hello,
    Lobby,
    LobbyRow,
    LobbyRows,
    Ping,
    Pong,
    Watch,
    Welcome,
    decode,
    encode,
)
from server.rules.refusal import Refused
from server.tables.checking import arrange, check
from tests.frames import frame_of
from tests.tables.scene import Scene

ADA = "ada"


class Stage:
    """Answers a page: with a lobby, with one table, with a shared hand."""

    def __init__(
        self,
        page: Page,
        rows: tuple[LobbyRow, ...] = (),
        scene: Scene | None = None,
        replay: HandReplay | None = None,
    ) -> None:
        self.page = page
        self.rows = rows
        self.scene = scene
        self.replay = replay
        page.route_web_socket("**/ws", self._connect)
        page.route("**/api/**", self._answer)

    @property
    def path(self) -> str:
        """Where on the page's site there is something to see."""
        if self.replay:
            return "/replay#shared"
        return f"/t/{self.scene.table.id}" if self.scene else "/"

    def _connect(self, socket: WebSocketRoute) -> None:
        def hear(text: str | bytes) -> None:
            for message in self._answers(text):
                socket.send(encode(message))

        socket.on_message(hear)

    def _answers(self, text: str | bytes) -> list[AnyServerMessage]:
        now = self.scene.clock.now() if self.scene else 0
        match decode(text):
            case Hello():
                return [Welcome("Ada", (STATIC / "build.txt").read_text().strip(), now, ())]
            case Lobby(on=True):
                return [LobbyRows(self.rows, full=True)]
            case Watch() if self.scene:
                return [frame_of(self.scene.table, ADA, now)]
            case Check(id=asked, decision=decision, action=action) if self.scene:
                try:
                    return [Checked(asked, check(self.scene.table, ADA, decision, action))]
                except Refused as refused:
                    return [Checked(asked, code=refused.code, detail=refused.detail)]
            case Arrange(id=asked) if self.scene:
                return [Arranged(asked, arrange(self.scene.table, ADA))]
            case Ping():
                return [Pong(now)]
        return []

    def _answer(self, route: Route) -> None:
        answers: dict[str, Any] = {"session": Session("Ada"), "replay": self.replay}
        body = answers[route.request.url.rpartition("/api/")[2]]
        route.fulfill(json=json.loads(msgspec.json.encode(body)))
