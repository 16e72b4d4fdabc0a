"""Whoever would leave for good is told what that costs at this table."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.stage import ADA, Stage, on, table

pytestmark = pytest.mark.browser

VOID = "The hand being played is void"
KEPT = "The others keep their points"
PAID = "You pay your opponent the stake, and the match is over"


@pytest.mark.parametrize(
    ("game", "phase", "told"),
    [
        ("konken", "playing", [VOID, KEPT]),
        ("conker", "between", [KEPT]),
        ("conquian", "playing", [PAID]),
        ("conquian", "between", [PAID]),
    ],
)
def test_the_price_of_leaving_is_told(phone: Page, game: str, phase: str, told: list[str]) -> None:
    scene = table(game, 1, 2, 3) if game != "conquian" else table(game, 1, wins=2)
    scene.ready(ADA)
    stage = Stage(phone, scene=on(scene, lambda scene: scene.table.phase == phase))
    phone.goto(stage.path)
    phone.get_by_test_id("open-settings").click()
    phone.get_by_test_id("leave").click()
    words = phone.get_by_test_id("leave-dialog").inner_text()
    expect(phone.get_by_test_id("leave-cancel")).to_be_focused()
    assert [one for one in (VOID, KEPT, PAID) if one in words] == told
