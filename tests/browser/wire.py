"""A wire between page and server on which a test can say something in the server's name."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Page, WebSocketRoute

from server.brief import complete
from tests.browser.person import Person


class Wire:
    """Passes everything on, and remembers the last frame. Has to be laid before the page is opened."""

    def __init__(self, page: Page) -> None:
        self.frame: dict[str, Any] = {}
        self.heard: dict[str, Any] = {}
        """The last frame that the server has sent, told to the page or not."""
        self.cut = False
        self.held = False
        """The page hears of nothing that happens: what it shows stays as it is."""
        self._socket: WebSocketRoute | None = None
        page.route_web_socket("**/ws*", self._connect)

    def say(self, message: dict[str, Any]) -> None:
        """Tell the page something."""
        assert self._socket is not None
        self._socket.send(json.dumps(message))

    def hang_up(self, reason: str) -> None:
        """Say why, and take no more calls until `cut` is taken back."""
        assert self._socket is not None
        self.cut = True
        self.say({"t": "bye", "reason": reason})
        self._socket.close()

    def change(self, **view: Any) -> None:
        """Tell the page a next frame, in which the hand's view differs."""
        self.frame = {**self.frame, "v": self.frame["v"] + 1, "events": [], "missed": None}
        hand = {**self.frame["view"]["hand"], **view}
        self.frame["view"] = {**self.frame["view"], "hand": hand}
        self.say(self.frame)

    def _connect(self, socket: WebSocketRoute) -> None:
        if self.cut:
            socket.close()
            return
        server = socket.connect_to_server()
        self._socket = socket

        def hear(text: str | bytes) -> None:
            message = json.loads(text)
            if message["t"] == "frame":
                # Whole, so that nothing of a change stays once the server has spoken.
                message = self.heard = complete(message, self.heard)
                if self.held:
                    return
                self.frame = message
            socket.send(json.dumps(message))

        server.on_message(hear)


def at_a_table(person: Person, **options: str) -> Wire:
    """Have somebody sit with bots, asked for the first time: nobody else moves while a test speaks on the wire."""
    wire = Wire(person.page)
    person.page.reload()
    person.open_table(**options)
    person.fill_with_bots()
    person.by("ready").click()
    person.wait_until(lambda: person.my_turn, "the turn")
    return wire
