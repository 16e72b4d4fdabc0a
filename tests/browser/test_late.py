"""An answer that comes late takes nobody away from where they have gone meanwhile."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from playwright.sync_api import Page, expect

from server.bodies import HandReplay, History, HistoryMatch, Session
from server.protocol import Ack, LobbyRow, LobbyRows, LobbySeat
from tests.browser.stage import ADA, Stage, on, replay_of, table
from tests.tables.scene import Scene

pytestmark = pytest.mark.browser

ELSEWHERE = "/rules/conker"
ROWS = LobbyRows(
    (LobbyRow("0-abcdefghijklm", 1, "konken", {}, "open", 0, (LobbySeat("Ben", False), None)),), full=True
)


def go_elsewhere(page: Page) -> None:
    """To the lobby, if it is not that, and to the rules of a game."""
    if page.get_by_test_id("lobby").count():
        page.get_by_test_id("lobby").click()
    page.get_by_test_id("rules-conker").click()
    page.wait_for_url(f"**{ELSEWHERE}")


def is_still_there(page: Page, stage: Stage) -> None:
    stage.until_quiet()
    assert page.evaluate("location.pathname") == ELSEWHERE


def create(page: Page) -> None:
    page.get_by_test_id("new-table").click()
    page.get_by_test_id("create").click()
    page.keyboard.press("Escape")


def play_now(page: Page) -> None:
    page.get_by_test_id("play-now-konken").click()


def sit(page: Page) -> None:
    page.get_by_test_id("table-row").get_by_test_id("sit").click()


@pytest.mark.parametrize("order", [create, play_now, sit])
def test_a_seat_that_is_had_late(phone: Page, order: Callable[[Page], None]) -> None:
    stage = Stage(phone, ROWS)
    phone.goto(stage.path)
    order(phone)
    stage.until_quiet()
    go_elsewhere(phone)
    stage.tell(Ack(stage.orders[0].id, "0-abcdefghijklm", 2))
    is_still_there(phone, stage)


def test_a_table_that_is_left_late(phone: Page) -> None:
    scene = table("konken", 1, 2, 3)
    scene.ready(ADA)
    stage = Stage(phone, scene=scene)
    phone.goto(stage.path)
    phone.get_by_test_id("open-settings").click()
    phone.get_by_test_id("leave").click()
    phone.get_by_test_id("leave-confirm").click()
    stage.until_quiet()
    phone.keyboard.press("Escape")
    go_elsewhere(phone)
    stage.tell(Ack(stage.orders[0].id, scene.table.id, scene.table.v + 1))
    is_still_there(phone, stage)


def test_another_player_that_one_becomes_late(phone: Page) -> None:
    """The page begins anew as that player, but stays what it is."""
    stage = Stage(phone)
    stage.holds = True
    stage.archive["handover/take"] = Session("Ben")
    phone.goto("/handover#token.0-a")
    phone.get_by_test_id("handover-take").click()
    phone.get_by_role("link").last.click()
    go_elsewhere(phone)
    phone.evaluate("document.documentElement.dataset.old = ''")
    stage.let_go()
    expect(phone.locator("html[data-old]")).to_have_count(0)
    is_still_there(phone, stage)


# ---- the replay of the hand that has just ended


def between() -> Scene:
    """Ada has played a hand with bots."""
    return on(table("conker", 1, 2, 3), lambda scene: scene.table.phase == "between")


def keep(stage: Stage, scene: Scene, replay: HandReplay, match_no: int) -> None:
    """The archive has this as the first hand of that match at the table."""
    match = f"{scene.table.id}-0-{match_no}"
    seats = HistoryMatch(match, "conker", {}, 0, None, None, (), (), hands=1)
    stage.archive["history"] = History((seats,))
    stage.archive[f"history/{match}/hands/1"] = replay


def test_a_replay_that_is_found_late(phone: Page) -> None:
    scene = between()
    stage = Stage(phone, scene=scene)
    keep(stage, scene, replay_of(scene), 1)
    stage.holds = True
    phone.goto(stage.path)
    phone.get_by_test_id("open-replay").click()
    stage.until_quiet()
    go_elsewhere(phone)
    stage.let_go()
    is_still_there(phone, stage)


def test_a_replay_that_is_found_when_the_next_hand_is_dealt(phone: Page) -> None:
    scene = between()
    stage = Stage(phone, scene=scene)
    keep(stage, scene, replay_of(scene), 1)
    stage.holds = True
    phone.goto(stage.path)
    phone.get_by_test_id("open-replay").click()
    stage.until_quiet()
    scene.ready(ADA)
    stage.show()
    expect(phone.get_by_test_id("hand-card").first).to_be_visible()
    stage.let_go()
    stage.until_quiet()
    expect(phone.get_by_test_id("hand-card").first).to_be_visible()


def test_only_the_hand_itself_is_shown_as_its_replay(phone: Page) -> None:
    """The match before had a first hand too, and may be all that the archive has."""
    scene = between()
    stage = Stage(phone, scene=scene)
    mine = replay_of(scene)
    keep(stage, scene, msgspec.structs.replace(mine, commit="00" * 32), 1)
    phone.goto(stage.path)
    phone.get_by_test_id("open-replay").click()
    expect(phone.get_by_role("alert")).to_contain_text("not there yet")
    keep(stage, scene, mine, 2)
    phone.get_by_test_id("open-replay").click()
    phone.wait_for_url(f"**/history/{scene.table.id}-0-2/1")
