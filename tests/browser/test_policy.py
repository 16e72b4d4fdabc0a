"""The client lives within its own security policy: nothing it does, on any page, is refused by the browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Arrive

pytestmark = pytest.mark.browser

LISTEN = """
window.refused = [];
document.addEventListener('securitypolicyviolation', (event) =>
  window.refused.push(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`));
"""


def refused_on(page: Page) -> list[str]:
    """What the page has been told of since it was loaded."""
    found: list[str] = page.evaluate("window.refused")
    return found


def test_every_page_and_a_hand_keep_to_the_policy(arrive: Arrive) -> None:
    ada = arrive("Ada")
    page = ada.page
    page.add_init_script(LISTEN)
    for path in (
        "/",
        "/history",
        "/rules",
        "/rules/konken",
        "/rules/conker",
        "/rules/conquian",
        "/leaderboard",
        "/t/0-abcdefghijklm",
    ):
        page.goto(ada.base + path)
        page.wait_for_load_state("networkidle")
        assert refused_on(page) == [], path
    page.goto(ada.base)
    ada.open_table(max_hands="1")
    ada.add_bots(1, 2, 3)
    ada.by("ready").click()
    ada.wait_until(lambda: ada.phase == "playing", "the deal")
    for _ in range(3):
        ada.wait_until(lambda: ada.my_turn or ada.phase != "playing", "the turn")
        if ada.my_turn:
            ada.take_turn()
    assert refused_on(page) == []


def test_what_the_policy_is_there_for_is_refused(arrive: Arrive) -> None:
    ada = arrive("Ada")
    ada.page.add_init_script(LISTEN)
    ada.page.goto(ada.base)
    expect(ada.by("name")).to_be_visible()
    ada.page.evaluate(
        """() => {
          const script = document.createElement('script');
          script.textContent = 'window.broken_in = true';
          document.body.append(script);
          const image = document.createElement('img');
          image.src = 'http://127.0.0.1:9/x.png';
          document.body.append(image);
        }"""
    )
    ada.wait_until(lambda: len(refused_on(ada.page)) >= 2, "two refusals")
    assert not ada.page.evaluate("window.broken_in === true")
    assert len(ada.errors) >= 2, "and every browser test would have noticed"
    ada.errors.clear()
