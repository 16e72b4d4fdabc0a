"""Somebody stays away, and the others decide: each absence by itself, and as often as they like."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from server.protocol import Ack
from tests.browser.stage import ADA, Stage, on, table
from tests.tables.scene import Scene

pytestmark = pytest.mark.browser

BEN, CEM, DAN = 1, 2, 3


def four() -> Scene:
    """Ada, Ben, Cem and Dan play."""
    scene = table("konken", grace_seconds=2)
    for seat, player in ((CEM, "cem"), (DAN, "dan")):
        scene.sit(player, seat, token=scene.table.token)
        scene.come(player)
    scene.ready(ADA, "ben", "cem", "dan")
    return scene


def go(scene: Scene, *players: str) -> None:
    """They lose their line, and stay away for longer than their seats are kept unasked."""
    for player in players:
        scene.go(f"{player}-1")
    scene.pass_time(3)


def between(scene: Scene) -> bool:
    return scene.table.phase == "between"


def choose(page: Page, choice: str) -> None:
    """Take a choice in the dialog."""
    page.get_by_test_id(choice).click()
    page.get_by_test_id("vote-confirm").click()


def asks_about(page: Page, name: str) -> None:
    """One dialog is open: this one."""
    dialog = page.get_by_test_id("absence-dialog")
    expect(dialog).to_have_count(1)
    expect(dialog).to_have_attribute("aria-label", f"\u2068{name}\u2069 is away")


def test_whoever_waits_may_choose_otherwise_between_two_hands(phone: Page) -> None:
    scene = on(four(), between)
    go(scene, "ben")
    stage = Stage(phone, scene=scene)
    phone.goto(stage.path)
    choose(phone, "wait")
    dialog = phone.get_by_test_id("absence-dialog")
    expect(dialog).to_have_count(0)
    phone.get_by_test_id("decide-1").click()
    asks_about(phone, "Ben")
    choose(phone, "seat-bot")
    expect(dialog).to_have_count(0)
    expect(phone.get_by_test_id("decide-1")).to_have_count(0)
    assert scene.seat(BEN).stand_in


def test_what_was_chosen_about_two_stays_put_away_until_it_is_opened(phone: Page) -> None:
    scene = four()
    go(scene, "ben", "cem")
    stage = Stage(phone, scene=scene)
    phone.goto(stage.path)
    for name in ("Ben", "Cem"):
        asks_about(phone, name)
        choose(phone, "claim")
        expect(phone.get_by_test_id("absence-dialog")).to_contain_text("1 of 2")
        phone.keyboard.press("Escape")
    expect(phone.get_by_test_id("absence-dialog")).to_have_count(0)
    stage.until_quiet()
    expect(phone.get_by_test_id("absence-dialog")).to_have_count(0)
    phone.get_by_test_id("seat-2").click()
    asks_about(phone, "Cem")


def test_a_choice_about_one_who_came_back_leaves_the_question_about_the_next(phone: Page) -> None:
    scene = four()
    go(scene, "ben", "cem")
    stage = Stage(phone, scene=scene)
    stage.holds = True
    phone.goto(stage.path)
    asks_about(phone, "Ben")
    phone.get_by_test_id("vote-confirm").click()
    stage.until_quiet()
    scene.come("ben")
    stage.show()
    asks_about(phone, "Cem")
    stage.tell(Ack(stage.orders[0].id, scene.table.id, scene.table.v))
    stage.until_quiet()
    asks_about(phone, "Cem")


def test_what_is_not_offered_any_more_is_not_chosen_any_more(phone: Page) -> None:
    """A win may be claimed in a hand only."""
    scene = four()
    go(scene, "ben")
    stage = Stage(phone, scene=scene)
    phone.goto(stage.path)
    phone.get_by_test_id("claim").click()
    confirm = phone.get_by_test_id("vote-confirm")
    expect(confirm).to_have_text("Claim the win")
    on(scene, between)
    stage.show()
    expect(phone.get_by_test_id("claim")).to_have_count(0)
    expect(confirm).to_contain_text("Wait for")
    confirm.click()
    expect(phone.get_by_test_id("absence-dialog")).to_have_count(0)
    assert scene.seat(BEN).votes == {0: "wait"}
