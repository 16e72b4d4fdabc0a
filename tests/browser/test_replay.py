"""A finished hand, step by step, and the proof of its shuffle computed in the page."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Arrive
from tests.browser.person import Person, play_hand

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


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
