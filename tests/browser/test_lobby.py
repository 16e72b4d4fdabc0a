"""The lobby of a house that has more tables than fit a page."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from server.protocol import LobbyRow, LobbyRows, LobbySeat
from tests.browser.stage import Stage

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


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
