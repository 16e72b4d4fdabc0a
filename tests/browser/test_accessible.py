"""axe on every page and state: one language, width and theme for each in every run, all of them in the long one.

The long run plays each test once in each language, and looks at each state in every width and theme on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Literal

import pytest
from playwright.sync_api import expect

from tests.browser.axe import faults
from tests.browser.conftest import Arrive
from tests.browser.person import GLANCE, Person, play_hand
from tests.browser.wire import at_a_table
from tests.conftest import FULL

pytestmark = pytest.mark.browser

Look = Callable[[str], None]
Theme = Literal["light", "dark"]
RIGHT_TO_LEFT = "محمد بن عبد الله ط"
LANGUAGES = ("en", "tr", "id", "es")
LOOKS = tuple(product((360, 768, 1440), ("light", "dark")))
FEW = {
    "test_the_pages": ("id", 360, "dark"),
    "test_a_table_and_all_that_lies_over_it": ("tr", 360, "light"),
    "test_melds_that_take_what_is_chosen": ("en", 1440, "dark"),
    "test_lists_that_scroll": ("id", 1440, "light"),
    "test_a_result_the_history_and_a_replay": ("es", 768, "dark"),
    "test_between_hands": ("tr", 1440, "light"),
    "test_a_guest": ("id", 768, "light"),
    "test_the_other_games": ("es", 360, "light"),
    "test_nothing_in_the_air_can_be_reached": ("en", 360, "dark"),
    "test_a_table_that_is_gone_and_a_line_that_is_lost": ("en", 1440, "light"),
}
"""How each test looks in every run: between them all languages, widths and themes."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Every look in the long run."""
    if "look" in metafunc.fixturenames:
        language, *look = FEW[metafunc.function.__name__]
        looks = [(one, LOOKS) for one in LANGUAGES] if FULL else [(language, (tuple(look),))]
        metafunc.parametrize("look", looks, indirect=True, ids=[one for one, _ in looks])


@pytest.fixture
def look(request: pytest.FixtureRequest, arrive: Arrive) -> Iterator[tuple[Person, Look]]:
    """Somebody, and how the page is looked at in each state."""
    language, looks = request.param
    home = looks[-1]
    north = arrive("North", phone=home[0] < 720, language=language)
    seen: list[str] = []

    def dress(width: int, theme: Theme) -> None:
        north.page.set_viewport_size({"width": width, "height": 740 if width < 720 else 900})
        north.page.emulate_media(color_scheme=theme)

    def at(state: str) -> None:
        for width, theme in looks:
            dress(width, theme)
            seen.append(state)
            assert faults(north.page) == [], f"{state} at {width}, {theme}"
        dress(*home)

    dress(*home)
    yield north, at
    assert seen


def close(person: Person) -> None:
    """Put a dialog away."""
    person.page.keyboard.press("Escape")
    expect(person.page.locator("dialog")).to_have_count(0)


def test_the_pages(look: tuple[Person, Look]) -> None:
    north, at = look
    at("lobby")
    north.by("new-table").click()
    expect(north.by("create")).to_be_visible()
    at("new table")
    close(north)
    north.by("open-settings").click()
    expect(north.by("theme")).to_be_visible()
    at("settings")
    close(north)
    for game in ("konken", "conker", "conquian"):
        north.page.goto(f"{north.base}/rules/{game}")
        expect(north.by("rules-text").locator("table")).to_be_visible()
        at(f"rules of {game}")
    north.page.goto(f"{north.base}/leaderboard/konken")
    north.page.locator("summary").click()
    at("leaderboard")
    north.page.goto(f"{north.base}/replay#nothing")
    expect(north.by("no-hand")).to_be_visible()
    at("a link that opens nothing")


def test_a_table_and_all_that_lies_over_it(look: tuple[Person, Look], arrive: Arrive) -> None:
    north, at = look
    north.open_table(private="on", turn_seconds="0", grace_seconds="2")
    address = north.by("share-url").inner_text()
    at("waiting alone")
    south = arrive(RIGHT_TO_LEFT, phone=True)
    south.sit(address, 2)
    north.add_bots(1)  # with a seat free, nobody is ready by themselves
    at("waiting together")
    north.by("seat-menu-2").click()
    expect(north.by("seat-menu")).to_be_visible()
    at("menu of a seat")
    close(north)
    north.add_bots(3)
    for person in (north, south):
        person.by("ready").click()
    while not north.my_turn:
        if south.my_turn:
            south.take_turn()
        north.page.wait_for_timeout(GLANCE)
    expect(north.by("guide")).to_be_visible()
    at("own turn, guided")
    north.draw()
    for index in (0, 1, 2):
        north.by("hand-card").nth(index).click()
    north.by("to-tray").click()
    north.by("hand-card").nth(1).click()
    at("a tray and a choice")
    for key, state in (("say", "phrases"), ("table-rules", "rules of the table"), ("open-settings", "menu")):
        north.by(key).click()
        expect(north.page.locator("dialog")).to_be_visible()
        at(state)
        close(north)
    north.page.keyboard.press("?")
    expect(north.by("keys")).to_be_visible()
    at("keys")
    close(north)
    if not north.by("leave").count():
        north.by("open-settings").click()
    north.by("leave").click()
    expect(north.by("leave-dialog")).to_be_visible()
    at("leave warning")
    close(north)
    south.page.goto("about:blank")
    expect(north.by("absence-dialog")).to_be_visible(timeout=20_000)
    at("somebody is away")


def test_melds_that_take_what_is_chosen(look: tuple[Person, Look]) -> None:
    north, at = look
    wire = at_a_table(north, private="on", turn_seconds="0")
    north.draw()
    melds = [("run", ["5H", "6H", "JK=7H"]), ("group", ["9S", "9D", "9C"]), ("run", ["9C", "TC", "JK=JC"])]
    table = [{"id": at + 1, "kind": kind, "cards": cards} for at, (kind, cards) in enumerate(melds)]
    verbs = dict.fromkeys(("add", "swap", "lay", "discard"))
    legal = {**wire.frame["legal"], "verbs": verbs, "add": {"4H": [1]}, "swap": {"7H": [1], "JC": [3]}}
    wire.frame = {**wire.frame, "legal": legal}
    wire.change(hand=["4H", "7H", "JC", "2S", "KD"], drawn="4H", table=table, laid=[True] * 4)
    for card in ("4H", "7H"):
        chosen = north.page.locator(f'[data-testid="hand-card"][data-card="{card}"]')
        chosen.click()
        expect(north.by("meld-1")).to_have_attribute("aria-disabled", "false")
        at(f"a meld for {card}")
        chosen.click()


def test_lists_that_scroll(look: tuple[Person, Look]) -> None:
    north, at = look
    wire = at_a_table(north, private="on", turn_seconds="0")
    wire.held = True
    long = [{"e": "drew", "seat": seat % 4} for seat in range(40)]
    wire.frame = {**wire.frame, "v": wire.frame["v"] + 1, "events": long}
    wire.say(wire.frame)
    wire.frame = {**wire.frame, "v": wire.frame["v"] + 1, "events": [], "missed": long}
    wire.say(wire.frame)
    expect(north.by("missed")).to_be_visible()
    lists = "[...document.querySelectorAll('.side, .note ol')]"
    assert any(north.page.evaluate(f"{lists}.map((one) => one.scrollHeight > one.clientHeight)"))
    at("long lists")


def test_a_result_the_history_and_a_replay(look: tuple[Person, Look]) -> None:
    north, at = look
    north.open_table(private="on", turn_seconds="0", max_hands="1")
    north.fill_with_bots()
    north.by("ready").click()
    north.wait_until(lambda: north.phase == "playing", "the deal")
    play_hand(north)
    expect(north.by("match-result")).to_be_visible()
    at("result")
    north.wait_until(lambda: archived(north), "the archive")
    north.page.goto(f"{north.base}/history")
    north.by("history-match").first.wait_for()
    at("history")
    north.by("history-match").first.click()
    north.by("replay-1").wait_for()
    at("a match")
    north.by("replay-1").click()
    expect(north.by("proof")).to_have_attribute("data-proved", "true")
    north.by("replay-next").click()
    at("a replay")
    shared = north.by("share-url").inner_text()
    north.page.goto("about:blank")
    north.page.goto(shared)
    expect(north.by("proof")).to_have_attribute("data-proved", "true")
    at("a shared replay")


def test_between_hands(look: tuple[Person, Look]) -> None:
    north, at = look
    wire = at_a_table(north, private="on", turn_seconds="0")
    play_hand(north)
    expect(north.by("result").first).to_be_visible()
    wire.held = True  # the next hand would begin in the middle of it
    at("between hands")
    north.by("open-log").click()
    expect(north.by("log")).to_be_visible()
    at("log")


def test_a_guest(look: tuple[Person, Look], arrive: Arrive) -> None:
    north, at = look
    south = arrive("South")
    south.open_table(private="on", turn_seconds="0", game="conquian")
    link = south.by("share-url").inner_text()
    north.page.goto(link)
    expect(north.by("watching")).to_be_visible()
    at("watching a table that waits")
    south.fill_with_bots()
    south.by("ready").click()
    expect(north.by("duel")).to_be_visible()
    at("watching a hand")
    south.page.goto(south.base)
    north.sit(south.open_table(), 1)
    south.by("seat-menu-1").click()
    south.by("kick-1").click()
    south.by("kick-confirm").click()
    expect(north.by("sent-away")).to_be_visible()
    at("sent away")


def archived(person: Person) -> bool:
    """Whether the archive has a hand of the newest match."""
    matches = person.page.request.get(f"{person.base}/api/history").json()["matches"]
    return bool(matches and matches[0]["hands"])


@pytest.mark.parametrize("game", ["conker", "conquian"])
def test_the_other_games(look: tuple[Person, Look], game: str) -> None:
    north, at = look
    north.open_table(game=game, private="on", turn_seconds="0")
    north.fill_with_bots()
    north.by("ready").click()
    north.wait_until(lambda: north.my_turn, "the turn")
    at("own turn")
    if game == "conker":
        north.draw()
        for index in (2, 0, 1):
            north.by("hand-card").nth(index).click(position={"x": 12, "y": 20})
        north.by("to-tray").click()
    else:
        for index in (0, 1, 2):
            north.by("hand-card").nth(index).click(position={"x": 12, "y": 20})
        north.by("new-meld").click()
        expect(north.by("own-card")).to_have_count(3)
    at("something built")


def test_nothing_in_the_air_can_be_reached(look: tuple[Person, Look]) -> None:
    """What flies is a picture of what may be a button where it lies."""
    north, at = look
    at_a_table(north, private="on", turn_seconds="0")
    reached = """() => {
      const copy = document.createElement('button');
      document.querySelector('.air').append(copy);
      copy.focus();
      return document.activeElement === copy;
    }"""
    assert not north.page.evaluate(reached)
    at("a button in the air")


def test_a_table_that_is_gone_and_a_line_that_is_lost(look: tuple[Person, Look]) -> None:
    north, at = look
    north.page.goto(f"{north.base}/t/0-abcdefghijklm")
    expect(north.by("gone")).to_be_visible()
    at("gone")
    north.page.goto(north.base)
    expect(north.by("connection")).to_have_attribute("data-state", "open")
    north.page.context.route_web_socket("**/ws", lambda socket: socket.close())
    north.page.reload()
    expect(north.by("connection")).to_have_attribute("data-state", "lost")
    at("no line")
