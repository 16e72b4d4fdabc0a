"""The life of a table on screen: how people come to it, leave it, speak at it, miss a part of it, and play again."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Arrive
from tests.browser.person import GLANCE, Person
from tests.browser.test_match import two_and_two

pytestmark = pytest.mark.browser


def open_private(host: Person, **options: str) -> str:
    """Open a private table and sit at it; returns the link that the host would share."""
    host.by("new-table").click()
    host.by("option-private").check()
    for key, value in options.items():
        host.by(f"option-{key}").fill(value)
    host.by("create").click()
    host.page.wait_for_url("**/t/**")
    link = host.by("share-url")
    expect(link).to_contain_text("#")
    return link.inner_text()


def open_seat_menu(person: Person, seat: int) -> None:
    """Open the menu of a seat while no hand is played."""
    person.by(f"seat-menu-{seat}").click()
    expect(person.by("seat-menu")).to_be_visible()


def row_of(person: Person, address: str) -> Locator:
    """The row of a table in the lobby."""
    table = address.rpartition("/")[2].partition("#")[0]
    return person.page.locator(f'[data-testid="table-row"][data-table="{table}"]')


def everyone_plays(*people: Person) -> None:
    """Wait until a hand is played on every screen."""
    for person in people:
        person.wait_until(lambda person=person: person.phase == "playing", "the deal")  # type: ignore[misc]


def test_a_private_link_opens_in_another_browser_and_a_cut_off_one_is_explained(arrive: Arrive) -> None:
    north, south = arrive("North"), arrive("South", phone=True, language="tr")
    link = open_private(north)
    south.page.goto(link)
    expect(south.by("watching")).to_be_visible()
    expect(south.by("sit-1")).to_be_visible()
    south.by("sit").click()
    expect(south.by("ready")).to_be_visible()
    expect(north.by("seat-1")).to_contain_text("South")
    expect(north.by("host-mark-0")).to_be_visible()
    east = arrive("East", phone=True)
    east.page.goto(link[:-4])
    expect(east.by("gone")).to_contain_text("link")
    east.by("gone").get_by_role("link").click()
    expect(east.by("play-now-konken")).to_be_visible()


def test_play_now_brings_two_to_one_table_and_then_offers_bots(arrive: Arrive) -> None:
    north, south = arrive("North", phone=True), arrive("South", language="tr")
    north.by("play-now-konken").click()
    north.page.wait_for_url("**/t/**")
    expect(north.by("seats")).to_contain_text("100")
    expect(row_of(south, north.page.url)).to_be_visible()
    south.by("play-now-konken").click()
    south.page.wait_for_url(north.page.url)
    expect(south.by("fill-with-bots")).to_have_count(0)
    expect(south.by("fill-with-bots")).to_be_visible(timeout=12_000)
    south.by("fill-with-bots").click()
    everyone_plays(north, south)


def test_the_others_claim_the_match_fill_the_seat_and_play_another(arrive: Arrive) -> None:
    north, south, west = arrive("North"), arrive("South", phone=True), arrive("West")
    address = north.open_table(turn_seconds="60", grace_seconds="2")
    south.sit(address, 1)
    west.sit(address, 2)
    north.add_bots(3)
    for person in (north, south, west):
        person.by("ready").click()
    everyone_plays(north, south, west)
    west.page.goto("about:blank")
    for person in (north, south):
        expect(person.by("absence-dialog")).to_be_visible(timeout=15_000)
    north.by("claim").click()
    north.by("vote-confirm").click()
    expect(south.by("votes")).to_contain_text("North wants to claim")
    south.by("claim").click()
    south.by("vote-confirm").click()
    for person in (north, south):
        expect(person.by("match-result")).to_be_visible()
        expect(person.by("absence-dialog")).to_have_count(0)
    north.by("add-bot-2").click()
    north.by("rematch").click()
    expect(north.by("rematch")).to_contain_text("South")
    expect(north.by("match-result")).to_contain_text("West")
    south.by("rematch").click()
    everyone_plays(north, south)
    assert north.read("phase", "data-hand") == ["1"]
    assert len(north.cards()) >= 13


def test_leaving_is_warned_of_and_somebody_else_takes_the_seat(arrive: Arrive) -> None:
    north, south = arrive("North"), arrive("South", phone=True, language="tr")
    address = two_and_two(north, south, turn_seconds="60")
    south.by("open-settings").click()
    south.by("leave").click()
    expect(south.by("leave-cancel")).to_be_focused()
    south.page.keyboard.press("Escape")
    expect(south.by("leave-dialog")).to_have_count(0)
    assert south.phase == "playing"
    south.by("open-settings").click()
    south.by("leave").click()
    south.by("leave-confirm").click()
    expect(south.by("play-now-konken")).to_be_visible()
    expect(south.by("back-to-table")).to_have_count(0)
    expect(north.by("seats")).to_contain_text("South has left")
    east = arrive("East", phone=True)
    east.sit(address, 2)
    expect(north.by("seat-2")).to_contain_text("East")
    east.by("ready").click()
    north.by("ready").click()
    everyone_plays(north, east)
    south.page.goto(address)
    expect(south.by("watching")).to_be_visible()
    expect(south.by("hand-card")).to_have_count(0)


def test_the_host_sends_somebody_away(arrive: Arrive) -> None:
    north, south = arrive("North", phone=True), arrive("South")
    address = north.open_table()
    south.sit(address, 1)
    open_seat_menu(south, 0)
    expect(south.by("kick-0")).to_have_count(0)
    south.page.keyboard.press("Escape")
    open_seat_menu(north, 1)
    north.by("kick-1").click()
    expect(north.by("kick-cancel")).to_be_focused()
    north.by("kick-confirm").click()
    expect(south.by("sent-away")).to_be_visible()
    expect(north.by("seat-menu")).to_have_count(0)
    expect(north.by("add-bot-1")).to_be_visible()
    south.by("sent-away").get_by_role("link").click()
    row_of(south, address).get_by_test_id("sit").click()
    expect(south.page.get_by_role("alert")).to_be_visible()


def test_who_was_sent_away_is_told_so_in_another_tab_too(arrive: Arrive) -> None:
    north, south = arrive("North", phone=True), arrive("South")
    link = open_private(north)
    south.sit(link, 1)
    open_seat_menu(north, 1)
    north.by("kick-1").click()
    north.by("kick-confirm").click()
    expect(south.by("gone")).to_contain_text("The host has sent you away")
    tab = Person(south.page.context.new_page(), south.base, "South")
    tab.page.goto(link)
    expect(tab.by("gone")).to_contain_text("You left this table, or were sent away")
    stranger = arrive("East", link=link)
    expect(stranger.by("gone")).to_contain_text("does not open")


def test_a_spectator_sees_what_is_public_and_no_hand(arrive: Arrive) -> None:
    north = arrive("North", phone=True)
    address = north.open_table(turn_seconds="60")
    north.add_bots(1, 2, 3)
    north.by("ready").click()
    north.wait_until(lambda: north.my_turn, "the turn")
    east = arrive("East", language="tr")
    east.page.goto(address)
    expect(east.by("watching")).to_be_visible()
    expect(east.by("seat-0")).to_contain_text("North")
    expect(east.by("discard-pile")).to_have_attribute("data-card", north.read("discard-pile", "data-card")[0])
    for testid in ("hand-card", "draw", "say", "leave", "arrange"):
        expect(east.by(testid)).to_have_count(0)
    public = east.page.locator(".meld [data-card], .pile [data-card]").count()
    assert east.page.locator("span[data-card]").count() == public
    north.by("arrange").click()
    north.draw()
    assert len(north.cards()) == 14


def test_people_speak_in_their_own_languages_are_muted_and_change_their_names(arrive: Arrive) -> None:
    north, south = arrive("North"), arrive("South", phone=True, language="tr")
    address = north.open_table()
    south.sit(address, 1)
    north.by("say").click()
    north.by("phrase-3").click()
    expect(south.by("bubble-0")).to_have_text("Teşekkürler!")
    expect(north.by("bubble-0")).to_have_text("Thank you!")
    open_seat_menu(south, 0)
    south.by("mute-0").click()
    south.page.keyboard.press("Escape")
    expect(south.by("bubble-0")).to_have_count(0)
    north.by("say").click()
    north.by("phrase-1").click()
    expect(north.by("bubble-0")).to_have_text("Good luck!")
    south.by("say").click()
    south.by("phrase-0").click()
    expect(north.by("bubble-1")).to_have_text("Hello!")
    expect(south.by("bubble-0")).to_have_count(0)
    for _ in range(4):
        north.by("say").click()
        north.by("phrase-4").click()
    expect(north.page.get_by_role("alert")).to_contain_text("enough")
    north.by("open-settings").click()
    north.by("rename").click()
    expect(north.by("name-input")).to_be_focused()
    north.by("name-input").fill("South")
    north.by("name-save").click()
    expect(south.by("seat-0")).to_contain_text("South 2")
    expect(north.by("name-dialog")).to_have_count(0)
    south.page.reload()
    expect(south.by("seat-0")).to_contain_text("susturuldu")


def test_what_was_missed_is_told_on_return_and_put_away(arrive: Arrive) -> None:
    north, south = arrive("North", phone=True), arrive("South", language="tr")
    address = two_and_two(north, south, turn_seconds="60")
    while not south.my_turn:
        if north.my_turn:
            north.take_turn()
        south.page.wait_for_timeout(GLANCE)
    north.page.goto("about:blank")
    south.take_turn()
    north.page.goto(address)
    expect(north.by("missed")).to_contain_text("South discarded", timeout=15_000)
    north.by("missed-close").click()
    expect(north.by("missed")).to_have_count(0)
    north.by("open-log").click()
    expect(north.by("log")).to_contain_text("South discarded")
    north.page.keyboard.press("Escape")
    north.wait_until(lambda: north.my_turn, "the turn")
    north.take_turn()


# ---- a clock that goes wrong

WRONG_CLOCK = """
{
  const off = MINUTES * 60_000, Right = Date;
  Date = class extends Right {
    constructor(...given) { super(...(given.length ? given : [Right.now() + off])); }
    static now() { return Right.now() + off; }
  };
}
"""


@pytest.mark.parametrize("minutes", [-10, 10])
def test_a_clock_that_is_wrong_counts_down_rightly(arrive: Arrive, minutes: int) -> None:
    north = arrive("North")
    north.page.add_init_script(WRONG_CLOCK.replace("MINUTES", str(minutes)))
    north.open_table(turn_seconds="60")
    north.page.reload()
    off = north.page.evaluate("Date.now()") / 1000 - time.time()
    assert abs(off - minutes * 60) < 30
    north.fill_with_bots()
    north.by("ready").click()
    north.wait_until(lambda: north.my_turn, "the turn")
    shown = re.search(r"\d+", north.by("status").locator(".chip").inner_text())
    assert shown is not None
    assert 30 <= int(shown[0]) <= 60
    north.take_turn()
    expect(north.by("connection")).to_have_attribute("data-state", "open")
