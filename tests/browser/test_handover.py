"""A seat goes to another device by a code on the screen; the link in it works once, and says what it costs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.browser.axe import faults
from tests.browser.conftest import PHONE, Arrive
from tests.browser.person import Person
from tests.house import House

pytestmark = pytest.mark.browser


@pytest.fixture
def phone(browser: Browser, browser_house: House) -> Iterator[Person]:
    """Another device, where nobody has played before."""
    with browser.new_context(viewport=PHONE, locale="en", has_touch=True) as context:
        device = Person(context.new_page(), browser_house.url, "North")
        yield device
    assert not device.errors


def code_of(person: Person) -> str:
    """The link in the code that somebody has on the screen."""
    person.by("open-settings").click()
    person.by("handover").click()
    expect(person.by("qr")).to_be_visible()
    assert faults(person.page) == []
    return person.by("share-url").text_content() or ""


def refusal_of(person: Person, link: str) -> None:
    """Follow a link that has been used."""
    person.page.goto(link)
    person.by("handover-take").click()
    expect(person.by("handover-refused")).to_have_attribute("data-code", "no_such_handover")
    expect(person.by("handover-take")).to_have_count(0)


def test_a_hand_is_played_on_on_another_device(arrive: Arrive, phone: Person) -> None:
    north = arrive("North")
    north.open_table(turn_seconds="60")
    north.fill_with_bots()
    north.by("ready").click()
    north.wait_until(lambda: north.my_turn, "the turn")
    link = code_of(north)
    token = link.partition("#")[2].partition(".")[0]
    assert len(token) > 20
    asked: list[str] = []
    phone.page.on("request", lambda request: asked.append(f"{request.method} {request.url}"))
    phone.page.goto(link)
    expect(phone.by("handover-take")).to_be_visible()
    expect(phone.by("handover-warning")).to_have_count(0)
    assert faults(phone.page) == []
    assert not [one for one in asked if "/api/" in one or "/ws" in one], "nobody is anybody before the press"
    phone.by("handover-take").tap()
    phone.page.wait_for_url(north.page.url)
    expect(north.by("handover-used")).to_be_visible()
    expect(north.by("qr")).to_have_count(0)
    assert faults(north.page) == []
    north.by("handover-again").click()
    expect(north.by("qr")).to_be_visible()
    expect(north.by("handover-used")).to_have_count(0)
    phone.wait_until(lambda: phone.my_turn, "the turn on the other device")
    assert sorted(phone.cards()) == sorted(north.cards())
    assert not [one for one in asked if token in one]
    phone.draw()
    north.wait_until(lambda: len(north.cards()) == len(phone.cards()), "the card on the first device")
    north.page.keyboard.press("Escape")
    north.page.goto("about:blank")
    phone.discard_one()
    phone.page.goto(phone.base)
    expect(phone.by("name")).to_contain_text("North")
    expect(phone.by("back-to-table")).to_be_visible()
    expect(phone.by("name-input")).to_have_count(0)


def test_a_used_link_says_so_and_whoever_is_somebody_is_warned(arrive: Arrive, phone: Person) -> None:
    north, south = arrive("North"), arrive("South", phone=True)
    link = code_of(north)
    phone.page.goto(link)
    phone.by("handover-take").tap()
    expect(phone.by("name")).to_contain_text("North")
    south.page.goto(link)
    expect(south.by("handover-warning")).to_contain_text("South")
    refusal_of(south, link)
    assert faults(south.page) == []
    south.page.goto(south.base)
    expect(south.by("name")).to_contain_text("South")


def test_a_code_gets_old_and_makes_room_for_a_new_one(arrive: Arrive) -> None:
    north = arrive("North", phone=True)

    def soon_over(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json={**answer.json(), "seconds": 2})

    north.page.route("**/api/handover", soon_over)
    first = code_of(north)
    expect(north.by("handover-again")).to_be_visible()
    expect(north.by("qr")).to_have_count(0)
    expect(north.by("share-url")).to_have_count(0)
    north.page.unroute("**/api/handover")
    north.by("handover-again").click()
    expect(north.by("qr")).to_be_visible()
    assert north.by("share-url").text_content() != first
    left = int(north.read("handover-left", "data-left")[0])
    assert 80 < left <= 90
