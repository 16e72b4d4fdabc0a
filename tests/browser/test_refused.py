"""What is refused for the moment is asked for again, also where the page has something to show already."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from server.protocol import LobbyRow, LobbyRows
from server.rules.konken import KonkenHand
from server.rules.refusal import Code
from tests.browser.stage import ADA, Stage, on, table
from tests.tables.scene import Scene

pytestmark = pytest.mark.browser

MOMENTARY = (Code.UNAVAILABLE, Code.RATE_LIMITED)


def left(scene: Scene) -> int:
    """How many cards the stock has."""
    hand = scene.table.hand
    assert isinstance(hand, KonkenHand)
    return len(hand.stock)


def comes_back_refused(page: Page, stage: Stage, code: Code) -> None:
    """The line breaks, and whatever is asked for on the next one is refused."""
    stage.refuses = code
    stage.hang_up()
    line = page.get_by_test_id("connection")
    expect(line).to_have_attribute("data-state", "lost")
    expect(line).to_have_attribute("data-state", "open")
    stage.until_quiet()


@pytest.mark.parametrize("code", MOMENTARY)
def test_a_table_goes_on_after_a_line_that_came_back_too_early(phone: Page, code: Code) -> None:
    scene = table("konken", 1, 2, 3)
    scene.ready(ADA)
    stage = Stage(phone, scene=scene)
    phone.goto(stage.path)
    stock = phone.get_by_test_id("stock")
    expect(stock).to_be_visible()
    comes_back_refused(phone, stage, code)
    before = left(scene)
    on(scene, lambda scene: left(scene) < before)
    stage.refuses = None
    expect(stock).to_have_attribute("data-count", str(left(scene)))


@pytest.mark.parametrize("code", MOMENTARY)
def test_the_lobby_goes_on_too(phone: Page, code: Code) -> None:
    stage = Stage(phone)
    phone.goto(stage.path)
    expect(phone.get_by_test_id("new-table")).to_be_visible()
    comes_back_refused(phone, stage, code)
    stage.lobby = LobbyRows((LobbyRow("0-a", 1, "conquian", {}, "open", 0, (None, None)),), full=True)
    stage.refuses = None
    expect(phone.get_by_test_id("table-row")).to_have_count(1)
