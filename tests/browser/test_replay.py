"""A finished hand, step by step, and the proof of its shuffle computed in the page."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.axe import faults
from tests.browser.conftest import Arrive
from tests.browser.person import Person, play_hand
from tests.browser.stage import Stage, on, replay_of, table
from tests.conftest import FULL

pytestmark = pytest.mark.browser

PHONE_FIRST = [True, False] if FULL else [True]
"""On a phone, and with `--full` on a desk as well."""


def after_a_hand(arrive: Arrive) -> Person:
    """North has played a hand with bots."""
    north = arrive("North", phone=True)
    north.open_table(turn_seconds="60")
    north.fill_with_bots()
    north.by("ready").click()
    north.wait_until(lambda: north.phase == "playing", "the deal")
    play_hand(north)
    north.wait_until(lambda: archived(north) > 0, "the archive")
    return north


def archived(person: Person) -> int:
    """How many hands of the newest match the archive has."""
    matches = person.page.request.get(f"{person.base}/api/history").json()["matches"]
    return int(matches[0]["hands"]) if matches else 0


def test_a_hand_is_seen_again_from_every_seat_and_its_shuffle_proved(arrive: Arrive) -> None:
    north = after_a_hand(arrive)
    north.by("open-replay").click()
    expect(north.by("proof")).to_have_attribute("data-proved", "true")
    dealt = [north.read(f"replay-hand-{seat}", "data-cards")[0].split() for seat in range(4)]
    assert [len(cards) for cards in dealt] == [13] * 4
    north.by("replay-next").click()
    expect(north.by("replay-at")).to_have_attribute("data-at", "1")
    assert north.by("replay-now").inner_text()
    north.page.keyboard.press("End")
    expect(north.by("replay-next")).to_be_disabled()
    left = [north.read(f"replay-hand-{seat}", "data-cards")[0].split() for seat in range(4)]
    assert any(len(cards) != 13 for cards in left)
    north.page.keyboard.press("Home")
    north.by("replay-eyes").select_option("2")
    assert north.read("replay-hand-0", "data-cards") == [""]
    assert north.read("replay-hand-2", "data-cards")[0].split() == dealt[2]
    north.page.reload()
    expect(north.by("proof")).to_have_attribute("data-proved", "true")


@pytest.mark.parametrize("phone", PHONE_FIRST)
def test_whoever_is_sent_the_link_sees_the_hand(arrive: Arrive, phone: bool) -> None:
    north = after_a_hand(arrive)
    north.by("open-replay").click()
    north.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    north.by("share").click()
    expect(north.by("share")).to_contain_text("copied")
    link = north.page.evaluate("navigator.clipboard.readText()")
    dealt = [north.read(f"replay-hand-{seat}", "data-cards") for seat in range(4)]
    west = arrive("West", phone=phone, language="tr", link=link)
    expect(west.by("proof")).to_have_attribute("data-proved", "true")
    assert [west.read(f"replay-hand-{seat}", "data-cards") for seat in range(4)] == dealt
    assert west.page.locator("main").get_by_text("North").count()
    west.by("replay-eyes").select_option("2")
    assert west.read("replay-hand-0", "data-cards") == [""]
    expect(west.by("share-url")).to_have_text(link)
    assert faults(west.page) == []
    assert west.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    west.page.get_by_role("link").first.click()
    expect(west.by("name")).to_be_visible()
    assert west.page.request.get(f"{west.base}/api/history").json() == {"matches": []}


@pytest.mark.parametrize("phone", PHONE_FIRST)
def test_a_link_that_opens_nothing_says_so_and_leads_on(arrive: Arrive, phone: bool) -> None:
    north = after_a_hand(arrive)
    north.by("open-replay").click()
    link = north.by("share-url").inner_text()
    west = arrive("West", phone=phone, language="es", link=link[:-1])
    expect(west.by("no-hand")).to_be_visible()
    assert faults(west.page) == []
    west.page.goto(link)
    expect(west.by("proof")).to_have_attribute("data-proved", "true")


def test_a_deal_that_was_tampered_with_is_not_proved(arrive: Arrive) -> None:
    north = after_a_hand(arrive)
    exchange_two_cards(north.page)
    north.by("open-replay").click()
    expect(north.by("proof").get_by_role("status")).to_contain_text("not proved")
    expect(north.by("proof")).to_have_attribute("data-proved", "false")


def exchange_two_cards(page: Page) -> None:
    """Whoever answers in the server's place says that the stock lay another way."""

    def answer(route: Route) -> None:
        replay = route.fetch().json()
        stock = replay["stock"]
        other = next(at for at, card in enumerate(stock) if card != stock[0])
        stock[0], stock[other] = stock[other], stock[0]
        route.fulfill(body=json.dumps(replay), content_type="application/json")

    page.route("**/hands/*", answer)


def test_a_button_that_leads_no_further_keeps_the_focus(phone: Page) -> None:
    replay = replay_of(on(table("conker", 1, 2, 3), lambda scene: scene.table.phase == "between"))
    phone.goto(Stage(phone, replay=replay).path)
    at, ends = phone.get_by_test_id("replay-at"), (("last", str(len(replay.steps) - 1)), ("first", "0"))
    for name, step in ends:
        button = phone.get_by_test_id(f"replay-{name}")
        button.focus()
        for _ in range(2):
            phone.keyboard.press("Enter")
            expect(at).to_have_attribute("data-at", step)
            expect(button).to_have_attribute("aria-disabled", "true")
            expect(button).to_be_focused()
