"""A newer client is taken as soon as nothing can be lost by it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.stage import ADA, Stage, on, table

pytestmark = pytest.mark.browser

NEWER = "of tomorrow"
OLD = "html[data-old]"
"""The page as it was when the newer client came out."""
LONGER = 1_000
"""Several times what a page takes to look after it, in ms."""


def stays(page: Page) -> None:
    """What is loaded is left as it is, though it is old."""
    expect(page.get_by_text("new version")).to_be_visible()
    page.wait_for_timeout(LONGER)
    expect(page.locator(OLD)).to_have_count(1)


def is_taken(page: Page) -> None:
    """The page loads itself anew."""
    expect(page.locator(OLD)).to_have_count(0)


def comes_out(page: Page, stage: Stage) -> None:
    """A newer client is out, and the page hears of it with its next line."""
    stage.build = NEWER
    page.evaluate("document.documentElement.dataset.old = ''")
    stage.hang_up()


def test_what_is_half_written_is_not_lost_to_a_newer_client(phone: Page) -> None:
    stage = Stage(phone)
    phone.goto(stage.path)
    phone.get_by_test_id("rename").click()
    phone.get_by_test_id("name-input").fill("Ada Love")
    phone.locator("h2").first.click()
    comes_out(phone, stage)
    stays(phone)
    phone.get_by_test_id("rename").click()  # the line that says so lies over it
    is_taken(phone)


def test_nobody_loses_a_sheet_that_is_open(phone: Page) -> None:
    stage = Stage(phone)
    phone.goto(stage.path)
    phone.get_by_test_id("new-table").click()
    expect(phone.get_by_test_id("create")).to_be_visible()
    comes_out(phone, stage)
    stays(phone)
    phone.keyboard.press("Escape")
    is_taken(phone)


def test_a_hand_is_played_to_its_end_before(phone: Page) -> None:
    scene = table("konken", 1, 2, 3)
    scene.ready(ADA)
    stage = Stage(phone, scene=scene)
    phone.goto(stage.path)
    expect(phone.get_by_test_id("hand-card").first).to_be_visible()
    comes_out(phone, stage)
    stays(phone)
    on(scene, lambda scene: scene.table.phase != "playing")
    stage.show()
    is_taken(phone)
