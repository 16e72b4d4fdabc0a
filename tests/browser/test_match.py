"""Two people and two bots in real browsers: a hand, a reload, a stalled line, a return, a claim, a match."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Arrive
from tests.browser.person import Person, play_hand, play_until
from tests.house import House
from tests.line import running_line

pytestmark = pytest.mark.browser


def two_and_two(north: Person, south: Person, **options: str) -> str:
    """North opens a table, South sits down, bots fill it, the hand is dealt."""
    address = north.open_table(**options)
    south.sit(address.replace(north.base, south.base), 2)
    north.add_bots(1, 3)
    north.by("ready").click()
    south.by("ready").click()
    for person in (north, south):
        # The hand is shown a moment after the deal is known: the part of the page that shows it has to come.
        person.wait_until(lambda person=person: len(person.cards()) >= 13, "the deal")  # type: ignore[misc]
    return address


def test_a_match_to_a_hundred_is_the_same_on_screen_and_in_the_archive(
    arrive: Arrive, browser_house: House
) -> None:
    north, south = arrive("North"), arrive("South", phone=True, language="tr")
    two_and_two(north, south, target="100")
    for _ in range(30):
        play_hand(north, south)
        north.wait_until(lambda: north.phase in ("between", "over"), "the result")
        if north.phase == "over":
            break
        expect(north.by("result").first).to_be_visible()
        for person in (north, south):
            person.by("ready").click()
        north.wait_until(lambda: north.phase == "playing", "the next hand")
        south.wait_until(lambda: south.phase == "playing", "the next hand")
    expect(north.by("match-result")).to_be_visible()
    expect(south.by("match-result")).to_be_visible()
    shown = sheet_numbers(north)
    assert shown == sheet_numbers(south)
    match = archived_match(north)
    detail = north.page.request.get(f"{browser_house.url}/api/history/{match['id']}").json()
    rows = [list(hand["result"]["points"]) for hand in detail["hands"] if hand["result"]["ending"] != "void"]
    totals = [seat["total"] for seat in detail["match"]["seats"]]
    assert totals == [sum(points) for points in zip(*rows, strict=True)]
    assert sorted(shown[-1]) == sorted(totals)
    assert [sorted(row) for row in shown[: len(rows)]] == [sorted(row) for row in rows]


def sheet_numbers(person: Person) -> list[list[int]]:
    """The score sheet on screen, row by row, without the column of hand numbers."""
    sheet = person.by("score-sheet").first
    if not sheet.is_visible():
        person.by("open-score").click()
    rows = []
    for row in person.by("score-sheet").first.locator("tbody tr, tfoot tr").all():
        cells = [cell.inner_text().strip().replace("\u2212", "-") for cell in row.locator("td").all()]
        numbers = [int(cell) for cell in cells if re.fullmatch(r"[+-]?\d+", cell)]
        rows.append(numbers[-4:])
    return [row for row in rows if len(row) == 4]


def archived_match(person: Person) -> dict[str, object]:
    """The newest match of a person, once it has ended in the archive."""
    for _ in range(100):
        matches = person.page.request.get(f"{person.base}/api/history").json()["matches"]
        if matches and matches[0]["ended"] is not None:
            return dict(matches[0])
        person.page.wait_for_timeout(100)
    raise AssertionError("the archive has no ended match")


def test_a_reload_in_mid_turn_keeps_the_card_and_the_turn(arrive: Arrive) -> None:
    north = arrive("North", phone=True)
    north.open_table()
    north.add_bots(1, 2, 3)
    north.by("ready").click()
    north.wait_until(lambda: north.my_turn, "the turn")
    north.draw()
    cards = north.cards()
    north.page.reload()
    north.wait_until(lambda: len(north.cards()) == len(cards), "the hand after the reload")
    assert sorted(north.cards()) == sorted(cards)
    assert north.my_turn
    north.discard_one()


def test_a_stalled_line_is_told_and_heals_by_itself(arrive: Arrive, browser_house: House) -> None:
    with running_line(browser_house) as line:
        north, south = arrive("North"), arrive("South", base=line.url)
        two_and_two(north, south, turn_seconds="60")
        cards = sorted(south.cards())
        line.silence()
        expect(south.by("connection")).not_to_have_attribute("data-state", "open", timeout=15_000)
        expect(north.by("seat-2")).to_contain_text(re.compile(r"\d+ s"), timeout=15_000)
        line.restore()
        expect(south.by("connection")).to_have_attribute("data-state", "open", timeout=15_000)
        expect(north.by("seat-2")).not_to_contain_text(re.compile(r"\d+ s"), timeout=15_000)
        south.wait_until(lambda: sorted(south.cards()) == cards, "the hand as it was")
        play_hand(north, south)


def test_a_return_in_a_new_tab(arrive: Arrive) -> None:
    north, south = arrive("North"), arrive("South")
    address = two_and_two(north, south, turn_seconds="60")
    south.page.goto("about:blank")
    expect(north.by("seat-2")).to_contain_text(re.compile(r"\d+ s"), timeout=15_000)
    north.page.wait_for_timeout(2_000)
    again = Person(south.page.context.new_page(), south.base, "South")
    again.page.goto(south.base)
    again.by("back-to-table").click()
    again.wait_until(lambda: len(again.cards()) >= 13, "the hand in the new tab")
    assert again.page.url.startswith(address.partition("#")[0])
    play_until(lambda: again.my_turn, north)
    again.take_turn()


def test_a_claim_after_the_grace(arrive: Arrive) -> None:
    north, south = arrive("North", phone=True), arrive("South")
    two_and_two(north, south, turn_seconds="60", grace_seconds="5")
    south.page.goto("about:blank")
    expect(north.by("absence-dialog")).to_be_visible(timeout=20_000)
    north.by("claim").click()
    north.by("vote-confirm").click()
    expect(north.by("match-result")).to_be_visible()
    match = archived_match(north)
    assert match["by"] == "forfeit"
