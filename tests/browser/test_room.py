"""Room for words and cards: nothing is squeezed, cut or covered, on a small phone nor on a desk."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Arrive
from tests.browser.person import Person
from tests.browser.wire import at_a_table
from tests.conftest import FULL

pytestmark = pytest.mark.browser

LANGUAGES = ["en", "tr", "id", "es"]
WORDY = ["es", "tr"]
"""Those with the longest words; `--full` looks at all."""
WIDTH_OF = """
  const pen = document.createElement('canvas').getContext('2d');
  const widthOf = (text, like) => {
    const { fontWeight, fontSize, fontFamily } = getComputedStyle(like);
    pen.font = `${fontWeight} ${fontSize} ${fontFamily}`;
    return pen.measureText(text).width;
  };
"""


def broken_words(page: Page, cells: str) -> list[str]:
    """Words in cells of a table for which those are too narrow."""
    found: list[str] = page.evaluate(
        f"""(cells) => {{
          {WIDTH_OF}
          return [...document.querySelectorAll(cells)].flatMap((cell) =>
            cell.textContent.split(/[\\s-]+/).filter((word) => widthOf(word, cell) > cell.clientWidth + 1));
        }}""",
        cells,
    )
    return found


@pytest.mark.parametrize("language", LANGUAGES if FULL else WORDY)
def test_no_word_of_the_rules_is_broken_on_a_small_phone(arrive: Arrive, language: str) -> None:
    north = arrive("North", phone=True, language=language)
    north.page.set_viewport_size({"width": 320, "height": 640})
    north.page.goto(f"{north.base}/rules/konken")
    expect(north.by("rules-text").locator("tbody th").first).to_be_visible()
    assert broken_words(north.page, "[data-testid=rules-text] :is(th, td)") == []
    assert north.page.evaluate("document.documentElement.scrollWidth") <= 320


@pytest.mark.parametrize("language", LANGUAGES if FULL else WORDY)
def test_every_choice_of_a_new_table_can_be_read_on_a_small_phone(arrive: Arrive, language: str) -> None:
    north = arrive("North", phone=True, language=language)
    north.page.set_viewport_size({"width": 320, "height": 640})
    north.by("new-table").click()
    north.by("more-options").click()
    for game in ("konken", "conker", "conquian"):
        north.by("option-game").select_option(game)
        cut = north.page.evaluate(
            f"""() => {{
              {WIDTH_OF}
              return [...document.querySelectorAll('dialog select')].flatMap((field) => {{
                const {{ paddingLeft, paddingRight }} = getComputedStyle(field);
                const room = field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
                return [...field.options].map((one) => one.label)
                  .filter((label) => widthOf(label, field) > room + 1);
              }});
            }}"""
        )
        assert cut == [], game
        assert north.page.evaluate("document.querySelectorAll('dialog select').length") > 5


@pytest.mark.parametrize("language", LANGUAGES if FULL else WORDY[:1])
def test_a_game_with_many_seats_keeps_its_name_in_one_piece(arrive: Arrive, language: str) -> None:
    north, south = arrive("North"), arrive("South", phone=True, language=language)
    address = north.open_table(game="conker", players="6")
    south.page.set_viewport_size({"width": 320, "height": 640})
    row = south.page.locator(f'[data-testid="table-row"][data-table="{address.rpartition("/")[2]}"]')
    expect(row).to_be_visible()
    assert row.locator("b").evaluate("name => name.getClientRects().length") == 1
    assert row.evaluate("row => row.scrollWidth <= row.clientWidth")
    assert south.page.evaluate("document.documentElement.scrollWidth") <= 320


def test_what_is_built_on_a_phone_is_in_sight_with_the_way_back(arrive: Arrive) -> None:
    north = arrive("North", phone=True)
    wire = at_a_table(north, turn_seconds="60")
    north.draw()
    cards = ["7C", "8C", "9C", "QH", "QS", "QD", "2D", "5D", "6D", "TD", "KS", "3H", "4H", "JH"]
    melds = [["5H", "6H", "7H", "8H"], ["9S", "9D", "9H"], ["TS", "JS", "QS", "KS"], ["3C", "3D", "3S"]]
    table = [{"id": at + 1, "kind": "run", "cards": cards} for at, cards in enumerate(melds)]
    wire.change(hand=cards, drawn="JH", table=table)
    for group in (cards[:3], cards[3:6]):
        for card in group:
            spot = {"x": 12, "y": 20}
            north.page.locator(f'[data-testid="hand-card"][data-card="{card}"]').click(position=spot)  # type: ignore[arg-type]
        north.by("to-tray").click()
    expect(north.by("take-back-1")).to_be_visible()
    for width in (320, 360, 390):
        north.page.set_viewport_size({"width": width, "height": 740})
        north.wait_until(lambda: hidden_in_the_tray(north) == [], f"the tray at {width}", 3)


def hidden_in_the_tray(person: Person) -> list[str]:
    """Cards and buttons of the tray whose middle is not there to be seen and touched."""
    found: list[str] = person.page.evaluate(
        """() => [...document.querySelectorAll('.tray .card, .tray button')].filter((one) => {
          const { left, top, bottom } = one.getBoundingClientRect();
          const there = document.elementFromPoint(left + 10, (top + bottom) / 2);
          return !there || (there !== one && !one.contains(there));
        }).map((one) => one.dataset.card ?? one.dataset.testid)"""
    )
    return found


@pytest.mark.parametrize("language", LANGUAGES if FULL else WORDY[:1])
def test_who_is_away_is_told_on_the_seat_in_full(arrive: Arrive, language: str) -> None:
    north = arrive("North", phone=True, language=language)
    wire = at_a_table(north, turn_seconds="60")
    me, *others = wire.frame["view"]["seats"]
    gone = [{**seat, "kind": "person", "level": None, "here": False, "away_until": 1} for seat in others]
    wire.frame["view"] = {**wire.frame["view"], "seats": [me, *gone]}
    wire.change()
    words = north.page.locator(".seats .late")
    expect(words).to_have_count(3)
    for width in (360, 390):
        north.page.set_viewport_size({"width": width, "height": 740})
        cut = words.evaluate_all(
            """all => all.filter((one) => {
              const seat = one.closest('.seat').getBoundingClientRect();
              return one.getBoundingClientRect().right > seat.right - 2;
            }).map((one) => one.textContent)"""
        )
        assert cut == [], width


@pytest.mark.parametrize("width", [720, 1440])
def test_who_watches_two_play_reads_both_names(arrive: Arrive, width: int) -> None:
    north, west = arrive("Maximilian"), arrive("West")
    address = north.open_table(game="conquian", turn_seconds="60")
    north.add_bots(1)
    north.by("ready").click()
    west.page.set_viewport_size({"width": width, "height": 900})
    west.page.goto(address)
    expect(west.by("duel")).to_be_visible()
    names = west.page.locator(".seats bdi")
    expect(names).to_have_count(2)
    assert names.evaluate_all("all => all.filter((one) => one.scrollWidth > one.clientWidth).length") == 0
    overlapping = west.page.evaluate(
        """() => {
          const boxes = [...document.querySelectorAll('.seats > *, .duel .far > .melds, .duel .piles')]
            .map((one) => one.getBoundingClientRect());
          return [boxes.length, ...boxes.filter((a, at) => boxes.slice(at + 1).some((b) =>
            a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom))];
        }"""
    )
    assert overlapping == [4]
