"""A person at a browser: says what is done at the table in the table's words."""

from __future__ import annotations

import time
from collections.abc import Callable

from playwright.sync_api import ConsoleMessage, Locator, Page, expect

SECONDS = 30
"""Longer than any bot thinks or any line takes to come back."""
GLANCE = 40
"""How long somebody looks away who waits (ms): every look costs the machine as much as a frame costs the page."""


class Person:
    """One page, used by test ids alone: the texts may be in any language."""

    def __init__(self, page: Page, base: str, name: str) -> None:
        self.page = page
        self.base = base
        self.name = name
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._hear)

    def _hear(self, message: ConsoleMessage) -> None:
        """What the security policy has refused is an error of ours, and what Svelte warns of."""
        if "Security Policy" in message.text or "svelte.dev/e/" in message.text:
            self.errors.append(message.text)

    def by(self, testid: str) -> Locator:
        """Whatever carries a test id."""
        return self.page.get_by_test_id(testid)

    def wait_until(self, holds: Callable[[], bool], what: str, seconds: float = SECONDS) -> None:
        """Wait until something holds."""
        deadline = time.monotonic() + seconds
        while not holds():
            assert time.monotonic() < deadline, f"{self.name} waited in vain: {what}"
            self.page.wait_for_timeout(GLANCE)

    def read(self, testid: str, attribute: str) -> list[str]:
        """An attribute of whatever carries a test id, read at one moment: the page may change in the next."""
        found = self.by(testid).evaluate_all(
            "(found, name) => found.map((one) => one.getAttribute(name))", attribute
        )
        return [value or "" for value in found]

    # ---- lobby

    def arrive(self) -> None:
        """Open the lobby and give a name."""
        self.page.goto(self.base)
        self.by("name-input").fill(self.name)
        self.by("name-save").click()
        expect(self.by("name")).to_contain_text(self.name)

    def open_table(self, **options: str) -> str:
        """Open a table and sit at it; returns its address."""
        self.by("new-table").click()
        for key, value in options.items():
            field = self.by(f"option-{key}")
            match field.evaluate("field => field.type"):
                case "select-one":
                    field.select_option(value)
                case "checkbox":
                    field.set_checked(value == "on")
                case _:
                    field.fill(value)
        self.by("create").click()
        self.page.wait_for_url("**/t/**")
        return self.page.url

    def sit(self, address: str, seat: int) -> None:
        """Open a table's address and take a seat."""
        self.page.goto(address)
        self.by(f"sit-{seat}").click()
        expect(self.by("ready")).to_be_visible()

    def add_bots(self, *seats: int) -> None:
        """Seat bots."""
        for seat in seats:
            self.by(f"add-bot-{seat}").click()
            expect(self.by(f"drop-bot-{seat}")).to_be_visible()

    def fill_with_bots(self) -> None:
        """Seat bots wherever a seat is free."""
        expect(self.by("ready")).to_be_visible()
        free = self.page.locator('[data-testid^="add-bot-"]')
        while free.count():
            seat = int((free.first.get_attribute("data-testid") or "").rpartition("-")[2])
            self.add_bots(seat)

    # ---- the hand

    @property
    def phase(self) -> str:
        """Of the table."""
        return next(iter(self.read("phase", "data-phase")), "")

    @property
    def my_turn(self) -> bool:
        """Whether this person is asked."""
        return self.read("status", "data-turn") == ["true"]

    def can(self, verb: str) -> bool:
        """Whether a button of the action bar may be used."""
        disabled = self.read(verb, "aria-disabled")
        return bool(disabled) and disabled != ["true"]

    def cards(self) -> list[str]:
        """The hand as it is shown, left to right."""
        return self.read("hand-card", "data-card")

    def draw(self) -> None:
        """Draw from the stock."""
        count = len(self.cards())
        self.by("draw").click()
        self.wait_until(lambda: len(self.cards()) == count + 1, "the drawn card")

    def discard_one(self) -> None:
        """Choose the newest card that may be thrown, and throw it."""
        count = len(self.cards())
        self.wait_until(lambda: self._choose_one_of(count), "a card that may be thrown")
        self.by("discard").click()
        self.wait_until(lambda: len(self.cards()) < count or self.phase != "playing", "the discard")

    def _choose_one_of(self, count: int) -> bool:
        """Whether one was found; while an act is under way none may be thrown."""
        for index in reversed(range(count)):
            card = self.by("hand-card").nth(index)
            card.click()
            self.page.wait_for_timeout(30)
            if self.can("discard"):
                return True
            card.click()
        return False

    def take_turn(self) -> None:
        """A plain turn: draw and throw."""
        if self.can("draw"):
            self.draw()
        if self.phase == "playing" and self.my_turn:
            self.discard_one()


def play_hand(*people: Person, seconds: float = 180) -> None:
    """Everybody makes plain turns until the hand is over."""
    play_until(lambda: people[0].phase != "playing", *people, seconds=seconds)


def play_until(there: Callable[[], bool], *people: Person, seconds: float = 180) -> None:
    """Everybody makes plain turns until it has come to that."""
    deadline = time.monotonic() + seconds
    while not there():
        assert time.monotonic() < deadline, "it does not come to that"
        for person in people:
            if person.phase == "playing" and person.my_turn:
                person.take_turn()
        people[0].page.wait_for_timeout(GLANCE)
