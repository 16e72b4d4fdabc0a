"""The main states look as they did when somebody last looked at them and was pleased.

Each is told to the page by a test, so that it is the same in every run (stage.py), and seen on a phone by day and on
a desk by night. What is meant to look different is kept anew (baseline.py), and looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, NamedTuple

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from server.protocol import LobbyRow, LobbyRows, LobbySeat
from server.tables.checking import arrange
from tests.browser.axe import SETTLED
from tests.browser.baseline import difference, set_font
from tests.browser.conftest import DESK, PHONE
from tests.browser.stage import ADA, Stage, on, replay_of, table
from tests.house import House
from tests.tables.scene import Scene

pytestmark = pytest.mark.browser

MOST = 0.004
"""Which share of a picture may look different."""
LOOKS: dict[str, tuple[ViewportSize, Literal["light", "dark"]]] = {
    "phone": (PHONE, "light"),
    "desk": (DESK, "dark"),
}


def acting(melds: int) -> Callable[[Scene], bool]:
    """Ada has drawn and could lay something, and so many melds lie on the table."""

    def there(scene: Scene) -> bool:
        hand: Any = scene.table.hand
        asked = scene.table.phase == "playing" and scene.turn == 0 and hand.phase == "act"
        return asked and len(hand.table) >= melds and arrange(scene.table, ADA) != ()

    return there


def asked_in_a_duel(scene: Scene) -> bool:
    """Ada may meld what Ben has turned up, and both have melded before."""
    hand: Any = scene.table.hand
    return scene.table.phase == "playing" and scene.turn == 0 and hand.phase == "offered" and all(hand.melds)


def choose(page: Page, *cards: int) -> None:
    """Tap cards of one's own hand."""
    for card in cards:
        page.get_by_test_id("hand-card").nth(card).click(position={"x": 12, "y": 20})


def build(page: Page) -> None:
    """Put together what the table would propose, and choose a card besides."""
    page.get_by_test_id("arrange").click()
    expect(page.locator(".meld-line, [data-testid=tray] .card").first).to_be_visible()
    if not page.get_by_test_id("tray").count():
        choose(page, 0, 1, 2)
        page.get_by_test_id("to-tray").click()
    expect(page.get_by_test_id("tray-points")).to_be_visible()
    choose(page, 0)


def lobby(page: Page) -> Stage:
    seats = [
        LobbySeat("Ben", False),
        LobbySeat("Bot 2", True),
        LobbySeat("Cem", False),
        LobbySeat("Deniz", False),
    ]
    rows = (
        LobbyRow(
            "0-aaaaaaaaaaaaa", 3, "konken", {"target": 100}, "open", 0, (seats[0], seats[1], None, None)
        ),
        LobbyRow("0-bbbbbbbbbbbbb", 9, "conker", {}, "playing", 2, tuple(seats)),
        LobbyRow("0-ccccccccccccc", 1, "conquian", {}, "open", 0, (seats[2], None)),
    )
    return Stage(page, LobbyRows(rows, full=True))


def waiting(page: Page) -> Stage:
    return Stage(page, scene=table("konken", 2))


def konken(page: Page) -> Stage:
    return Stage(page, scene=on(table("konken", 2, 3), acting(melds=3)))


def conker(page: Page) -> Stage:
    return Stage(page, scene=on(table("conker", 2, 3), acting(melds=2)))


def conquian(page: Page) -> Stage:
    return Stage(page, scene=on(table("conquian"), asked_in_a_duel))


def away(page: Page) -> Stage:
    scene = on(table("konken", 2, 3), acting(melds=3))
    scene.go("ben-1")
    scene.pass_time(40)
    return Stage(page, scene=scene)


def result(page: Page) -> Stage:
    return Stage(page, scene=on(table("conker", 2, 3), lambda scene: scene.table.phase == "between"))


def over(page: Page) -> Stage:
    return Stage(
        page, scene=on(table("konken", 2, 3, max_hands=2), lambda scene: scene.table.phase == "over")
    )


def replay(page: Page) -> Stage:
    scene = on(table("conker", 2, 3), lambda scene: scene.table.phase == "between")
    return Stage(page, replay=replay_of(scene))


class State(NamedTuple):
    """What the page is told, the test id that shows that it has heard it, and what is done then."""

    tell: Callable[[Page], Stage]
    shown: str
    act: Callable[[Page], None] | None = None


STATES = {
    "lobby": State(lobby, "table-row"),
    "waiting": State(waiting, "ready"),
    "konken": State(konken, "hand-card", build),
    "conker": State(conker, "hand-card", build),
    "conquian": State(conquian, "hand-card", lambda page: choose(page, 0)),
    "away": State(away, "absence-dialog"),
    "result": State(result, "result"),
    "over": State(over, "match-result"),
    "replay": State(replay, "proof", lambda page: page.get_by_test_id("replay-next").click(click_count=9)),
}


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("state", STATES)
def test_it_looks_as_it_did(
    browser: Browser, browser_house: House, tmp_path: Path, state: str, look: str
) -> None:
    tell, shown, act = STATES[state]
    size, theme = LOOKS[look]
    context = browser.new_context(
        viewport=size, locale="en", color_scheme=theme, has_touch=look == "phone", reduced_motion="reduce"
    )
    page = context.new_page()
    stage = tell(page)
    page.add_init_script("localStorage.setItem('upcard.named', 'yes')")
    page.goto(browser_house.url + stage.path)
    expect(page.get_by_test_id(shown).first).to_be_visible()
    set_font(page)
    if act:
        act(page)
    stage.until_quiet()
    page.evaluate(SETTLED)
    page.wait_for_load_state("networkidle")
    now = tmp_path / f"{state}-{look}.jpg"
    share = difference(page, now.stem, now)
    context.close()
    assert share <= MOST, f"{share:.1%} of it look different; as it is now: {now}"
