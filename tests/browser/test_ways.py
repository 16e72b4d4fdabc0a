"""A whole game by keys alone and by taps alone; what must not move when much happens; hands and names of every size."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Arrive
from tests.browser.person import Person
from tests.browser.wire import Wire, at_a_table
from tests.conftest import FULL

pytestmark = pytest.mark.browser

FRAMES = 300
LONGEST_NAME = "W" * 20


# ---- a whole game ----------------------------------------------------------------------------------------------


def tab_to(person: Person, testid: str) -> None:
    """Walk to something with the Tab key alone."""
    for _ in range(80):
        focused = person.page.evaluate("document.activeElement?.dataset?.testid ?? ''")
        if focused == testid:
            return
        person.page.keyboard.press("Tab")
    raise AssertionError(f"the keyboard does not get to {testid}")


def test_a_game_by_keys_alone(arrive: Arrive) -> None:
    north = arrive("North")
    press = north.page.keyboard.press
    tab_to(north, "new-table")
    press("Enter")
    expect(north.by("create")).to_be_visible()
    tab_to(north, "option-max_hands")
    north.page.keyboard.type("1")
    press("Enter")
    north.page.wait_for_url("**/t/**")
    expect(north.by("ready")).to_be_visible()
    for seat in (1, 2, 3):
        tab_to(north, f"add-bot-{seat}")
        press("Enter")
        expect(north.by(f"drop-bot-{seat}")).to_be_visible()
    tab_to(north, "ready")
    press("Enter")
    north.wait_until(lambda: north.phase == "playing", "the deal")
    press("?")
    expect(north.by("keys")).to_be_visible()
    press("Escape")
    while north.phase == "playing":
        north.wait_until(lambda: north.my_turn or north.phase != "playing", "the turn")
        if north.phase == "playing":
            take_turn_by_keys(north)
    expect(north.by("match-result")).to_be_visible()


def take_turn_by_keys(north: Person) -> None:
    """Draw, lay what is proposed, throw the last card."""
    press = north.page.keyboard.press
    count = len(north.cards())
    press("d")
    north.wait_until(lambda: len(north.cards()) == count + 1 or north.phase != "playing", "the drawn card")
    tab_to(north, "hand-card")
    press("End")
    press("Space")
    north.wait_until(lambda: north.can("discard") or north.phase != "playing", "the choice")
    press("x")
    north.wait_until(lambda: len(north.cards()) <= count or north.phase != "playing", "the discard")


def test_a_game_by_taps_alone(arrive: Arrive) -> None:
    north = arrive("North", phone=True)
    north.by("new-table").tap()
    north.by("option-max_hands").fill("1")
    north.by("create").tap()
    north.page.wait_for_url("**/t/**")
    for seat in (1, 2, 3):
        north.by(f"add-bot-{seat}").tap()
        expect(north.by(f"drop-bot-{seat}")).to_be_visible()
    north.by("ready").tap()
    north.wait_until(lambda: north.phase == "playing", "the deal")
    while north.phase == "playing":
        north.wait_until(lambda: north.my_turn or north.phase != "playing", "the turn")
        if north.phase == "playing":
            take_turn_by_taps(north)
    expect(north.by("match-result")).to_be_visible()


def take_turn_by_taps(north: Person) -> None:
    """Tap the stock, lay what is proposed, throw the last card."""
    count = len(north.cards())
    north.by("stock").tap()
    north.wait_until(lambda: len(north.cards()) == count + 1 or north.phase != "playing", "the drawn card")
    north.by("hand-card").last.tap()
    north.wait_until(lambda: north.can("discard") or north.phase != "playing", "the choice")
    north.by("discard").tap()
    north.wait_until(lambda: len(north.cards()) <= count or north.phase != "playing", "the discard")


# ---- what must not move ----------------------------------------------------------------------------------------


@pytest.fixture
def wired(arrive: Arrive) -> tuple[Person, Wire]:
    """North on a phone, asked for the first time, with a wire that a test can speak on."""
    north, wire = asked(arrive, "konken")
    north.draw()
    return north, wire


def asked(arrive: Arrive, game: str) -> tuple[Person, Wire]:
    """North on a phone, asked for the first time at a game."""
    north = arrive("North", phone=True)
    return north, at_a_table(north, game=game, turn_seconds="60")


def test_a_burst_of_frames_moves_nothing(wired: tuple[Person, Wire]) -> None:
    north, wire = wired
    for index in (4, 1, 7):
        north.by("hand-card").nth(index).click()
    north.by("to-tray").click()
    north.by("hand-card").nth(3).click()
    north.by("hand-card").nth(5).focus()
    before = state(north)
    north.page.evaluate(
        """() => {
          window.shifts = 0;
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) window.shifts += entry.value;
          }).observe({ type: 'layout-shift' });
        }"""
    )
    counts = wire.frame["view"]["hand"]["counts"]
    for number in range(FRAMES):
        wire.change(counts=[counts[0], 5 + number % 9, 13 - number % 9, counts[3]], stock=50 - number % 40)
    wire.change(stock=7)
    expect(north.by("stock")).to_have_attribute("data-count", "7")
    assert state(north) == before
    assert north.page.evaluate("window.shifts") < 0.01
    expect(north.by("dragged")).to_have_count(0)


def state(person: Person) -> object:
    """What is the player's own on the screen: hand, choice, tray, focus, scrolling."""
    return person.page.evaluate(
        """() => ({
          hand: [...document.querySelectorAll('[data-testid=hand-card]')].map((one) => one.dataset.key),
          chosen: [...document.querySelectorAll('[aria-selected=true]')].map((one) => one.dataset.key),
          tray: [...document.querySelectorAll('.tray .card')].map((one) => one.dataset.card),
          focus: document.activeElement.dataset.key,
          scroll: [window.scrollY, document.querySelector('.board').scrollTop],
          places: [...document.querySelectorAll('.actions button')].map((one) => one.getBoundingClientRect().top),
        })"""
    )


@pytest.mark.parametrize(
    ("game", "counts"),
    [
        ("konken", (14, 16)),  # dealt and drawn; and two Jokers swapped out of melds
        ("conker", (14, 16)),
        ("conquian", (8, 10)),  # one is dealt ten at most, and draws none into the hand
    ],
)
def test_every_card_of_a_full_hand_can_be_read_and_touched(
    arrive: Arrive, game: str, counts: tuple[int, ...]
) -> None:
    north, wire = asked(arrive, game)
    cards = ["AS", "2S", "TS", "QS", "KH", "9H", "3H", "8C", "JC", "TC", "4D", "5D", "JK", "TD", "QD", "KD"]
    for width in (320, 360, 390):
        north.page.set_viewport_size({"width": width, "height": 740})
        for count in counts:
            wire.change(hand=cards[:count])
            expect(north.by("hand-card")).to_have_count(count)
            north.wait_until(lambda count=count: touchable(north) == count, f"{count} cards at {width}")  # type: ignore[misc]
            assert north.page.evaluate("document.documentElement.scrollWidth") <= width


def touchable(person: Person) -> int:
    """How many cards have a strip of 44 px with rank and suit on it, with nothing above it, and lie on the screen."""
    found: int = person.page.evaluate(
        """() => [...document.querySelectorAll('[data-testid=hand-card]')].filter((card) => {
          const { left, top, bottom } = card.getBoundingClientRect();
          const mine = (x, y) => document.elementFromPoint(x, y)?.closest('[data-key]') === card;
          // Rank and suit take the left 44 % and the upper 57 % of a card.
          const index = Math.min(44, card.clientWidth * 0.44);
          return [[1, 2], [index, 2], [43, 4], [1, 40], [43, 40]].every(([x, y]) => mine(left + x, top + y))
            && bottom <= innerHeight && left >= 0 && left + 44 <= innerWidth;
        }).length"""
    )
    return found


# ---- names and letters -----------------------------------------------------------------------------------------


def test_long_and_turkish_names_keep_their_letters_and_the_layout(arrive: Arrive) -> None:
    north = arrive("İpek Işık ıIiİ", language="tr")
    south = arrive(LONGEST_NAME, phone=True, language="tr")
    address = north.open_table(turn_seconds="60")
    south.sit(address, 1)
    expect(south.by("seat-0")).to_contain_text("İpek Işık ıIiİ")
    for width in (320, 360):
        south.page.set_viewport_size({"width": width, "height": 640})
        assert south.page.evaluate("document.documentElement.scrollWidth") <= width
    north.fill_with_bots()
    for person in (north, south):
        person.by("ready").click()
    for width in (320, 360):
        south.page.set_viewport_size({"width": width, "height": 640})
        south.wait_until(lambda: south.phase == "playing", "the deal")
        assert south.page.evaluate("document.documentElement.scrollWidth") <= width
    upper = south.page.evaluate(
        "[...document.querySelectorAll('*')].filter((one) => getComputedStyle(one).textTransform !== 'none').length"
    )
    assert upper == 0
    assert south.page.evaluate("document.documentElement.lang") == "tr"


def test_long_names_leave_a_table_its_row_in_the_lobby(arrive: Arrive) -> None:
    north, south = arrive(LONGEST_NAME), arrive("South", phone=True)
    address = north.open_table(turn_seconds="60")
    north.add_bots(1, 2, 3)
    table = address.rpartition("/")[2]
    row = south.page.locator(f'[data-testid="table-row"][data-table="{table}"]')
    expect(row.locator(".seat")).to_have_count(4)
    expect(row).to_contain_text("Bot 4")
    places = row.locator(".seat").evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().y)")
    assert len(set(places)) == 1, places
    button = row.get_by_role("link").or_(row.get_by_role("button")).last
    assert button.evaluate("(one) => one.getBoundingClientRect().height") <= 48


@pytest.mark.parametrize("language", ["en", "es"] if FULL else ["es"])
def test_a_chip_holds_what_stands_in_it(arrive: Arrive, language: str) -> None:
    """Who only watches a duel sees two of them side by side, with more words than at any other game."""
    north, south = arrive("North"), arrive("South", phone=True, language=language)
    address = north.open_table(game="conquian", turn_seconds="60")
    north.fill_with_bots()
    north.by("ready").click()
    south.page.goto(address)
    expect(south.by("duel")).to_be_visible()
    for width in (360, 390, 768):
        south.page.set_viewport_size({"width": width, "height": 740})
        # The page moves the chips to another place when it gets wider: until then one may have no width.
        south.page.wait_for_function(
            """() => {
                const chips = [...document.querySelectorAll('.seat')];
                return chips.length === 2 && chips.every((one) => one.clientWidth);
            }"""
        )
        out = south.page.evaluate(
            "[...document.querySelectorAll('.seat')].map((one) => one.scrollWidth - one.clientWidth)"
        )
        assert out == [0, 0], f"{out} px out of the chips at {width}"


@pytest.mark.parametrize("width", [320, 360, 390] if FULL else [320])
def test_the_guide_of_a_first_duel_does_not_hide_where_a_meld_begins(arrive: Arrive, width: int) -> None:
    north = arrive("North", phone=True)
    north.page.set_viewport_size({"width": width, "height": 640})
    at_a_table(north, game="conquian", turn_seconds="60")
    expect(north.by("guide")).to_have_attribute("data-step", "1")
    north.by("hand-card").first.click(position={"x": 12, "y": 20})
    expect(north.by("guide")).to_have_attribute("data-step", "2")
    north.page.wait_for_function(
        """() => {
            const box = (id) => document.querySelector(`[data-testid=${id}]`).getBoundingClientRect();
            return box('new-meld').bottom <= box('guide').top;
        }"""
    )
    north.by("new-meld").click()
    expect(north.by("own-card")).to_have_count(1)


def test_names_beside_the_course_of_a_match_stay_in_its_panel(arrive: Arrive) -> None:
    north = arrive("North", phone=True)
    wire = at_a_table(north, turn_seconds="60")
    wire.held = True
    rows = [{"hand_no": hand, "winners": [0], "points": [30, -10, -10, -10]} for hand in (1, 2)]
    view = wire.frame["view"]
    names = (north.name, LONGEST_NAME, "محمد بن عبد الله ط", "W")
    seats = [
        {**seat, "name": name, "total": 60 if at == 0 else -20}
        for at, (seat, name) in enumerate(zip(view["seats"], names, strict=True))
    ]
    outcome = {"by": "points", "winners": [0], "ranking": [0, 1, 2, 3]}
    wire.say(
        {
            **wire.frame,
            "v": wire.frame["v"] + 1,
            "about": {**wire.frame["about"], "sheet": rows},
            "view": {**view, "phase": "over", "seats": seats, "outcome": outcome},
        }
    )
    chart = north.page.locator(".chart")
    expect(chart).to_contain_text(LONGEST_NAME)
    right = chart.evaluate(
        "(chart) => Math.max(...[...chart.children].map((one) => one.getBoundingClientRect().right))"
    )
    assert right <= chart.evaluate("(chart) => chart.getBoundingClientRect().right") + 0.5
    assert chart.locator("text").count() == 0


# ---- the network -----------------------------------------------------------------------------------------------


def test_a_move_made_without_a_network_is_made_once_when_it_is_back(arrive: Arrive) -> None:
    north = arrive("North", phone=True)
    north.open_table(turn_seconds="60")
    north.fill_with_bots()
    north.by("ready").click()
    north.wait_until(lambda: north.my_turn, "the turn")
    north.page.context.set_offline(True)
    north.by("draw").click()
    expect(north.by("connection")).not_to_have_attribute("data-state", "open", timeout=15_000)
    assert len(north.cards()) == 13
    north.page.context.set_offline(False)
    north.wait_until(lambda: len(north.cards()) == 14, "the drawn card")
    expect(north.by("connection")).to_have_attribute("data-state", "open")
    assert len(north.cards()) == 14


def test_a_slow_network_shows_a_page_and_then_a_table(arrive: Arrive) -> None:
    north = arrive("North", phone=True)
    north.page.context.new_cdp_session(north.page).send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 25_000},
    )
    north.page.reload()
    north.by("play-now-conquian").click()
    expect(north.by("seats")).to_be_visible(timeout=20_000)


@pytest.mark.parametrize(
    ("reason", "words"),
    [("restart", "starts anew"), ("flood", "too much"), ("full", "full"), ("crowd", "network")],
)
def test_a_server_that_hangs_up_says_why_and_is_called_again(
    wired: tuple[Person, Wire], reason: str, words: str
) -> None:
    north, wire = wired
    cards = north.cards()
    wire.hang_up(reason)
    expect(north.by("connection")).to_contain_text(words)
    assert north.cards() == cards
    assert not north.can("discard")
    wire.cut = False
    expect(north.by("connection")).to_have_attribute("data-state", "open", timeout=15_000)
    north.discard_one()


def test_in_the_lobby_a_lost_line_costs_no_seat(arrive: Arrive) -> None:
    north = arrive("North")
    wire = Wire(north.page)
    north.page.reload()
    expect(north.by("connection")).to_have_attribute("data-state", "open")
    wire.hang_up("restart")
    expect(north.by("connection")).to_have_attribute("data-state", "lost")
    expect(north.by("connection")).not_to_contain_text("seat")


def test_another_language_is_put_on_in_place(arrive: Arrive) -> None:
    """The page says the same in other words: what is open stays open, and the focus where it is."""
    north = arrive("North")
    north.by("open-settings").click()
    for language, word in (("tr", "Dil"), ("es", "Idioma"), ("en", "Language")):
        north.by("language").focus()
        north.by("language").select_option(language)
        expect(north.page.locator("html")).to_have_attribute("lang", language)
        north.page.wait_for_timeout(300)
        expect(north.by("language")).to_be_focused()
        expect(north.page.get_by_role("dialog")).to_contain_text(word)


def test_whoever_closes_a_dialog_is_where_they_were(arrive: Arrive) -> None:
    north = arrive("North")
    at_a_table(north, private="on", turn_seconds="0")
    card = north.by("hand-card").first
    card.focus()
    north.page.keyboard.press("?")
    expect(north.by("keys")).to_be_visible()
    north.page.keyboard.press("Escape")
    expect(north.page.locator("dialog")).to_have_count(0)
    expect(card).to_be_focused()
