"""The lobby of a house that has more tables than fit a page."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from server.protocol import LobbyRow, LobbyRows, LobbySeat
from tests.browser.stage import ADA, Stage, table

pytestmark = pytest.mark.browser


def row(table: str, v: int = 1) -> LobbyRow:
    return LobbyRow(f"0-{table}", v, "conquian", {}, "open", 0, (LobbySeat("Ben", False), None))


def test_tables_come_and_go_and_those_that_are_not_shown_are_counted(phone: Page) -> None:
    stage = Stage(phone, LobbyRows((row("a"), row("b")), full=True, more=240))
    phone.goto(stage.path)
    rows = phone.get_by_test_id("table-row")
    expect(rows).to_have_count(2)
    expect(phone.get_by_test_id("more-tables")).to_have_text("And 240 more tables.")
    stage.tell(LobbyRows((row("c"),), ("0-a",), more=1))
    expect(phone.get_by_test_id("more-tables")).to_have_text("And 1 more table.")
    assert rows.evaluate_all("(all) => all.map((one) => one.dataset.table)") == ["0-b", "0-c"]
    stage.tell(LobbyRows((row("a"),)))
    expect(rows).to_have_count(3)
    expect(phone.get_by_test_id("more-tables")).to_have_count(0)


@pytest.mark.parametrize("gathered", [True, False])
def test_whoever_goes_to_a_table_goes_to_where_the_others_of_it_are(phone: Page, gathered: bool) -> None:
    scene = table("konken", 1, 2, 3)
    scene.ready(ADA)
    there = scene.table
    seats = tuple(LobbySeat(seat.name, seat.bot is not None) for seat in there.seats)
    rows = LobbyRows((LobbyRow(there.id, 1, "konken", {}, "playing", 1, seats),), full=True)
    stage = Stage(phone, rows, scene, gathered=gathered)
    phone.goto("/")
    phone.get_by_test_id("table-row").get_by_role("link").click()
    expect(phone.get_by_test_id("hand-card").first).to_be_visible()
    for _ in range(3):
        phone.evaluate("() => new Promise((done) => setTimeout(done, 100))")
        expect(phone.get_by_test_id("connection")).to_have_attribute("data-state", "open")
    assert stage.lines == (["", f"?table={there.id}"] if gathered else [""])
    stage.hang_up()
    expect(phone.get_by_test_id("connection")).to_have_attribute("data-state", "lost")
    expect(phone.get_by_test_id("connection")).to_have_attribute("data-state", "open")
    assert stage.lines[-1] == f"?table={there.id}"
