"""Whoever only hears the page is told every card that others see."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from server.rules.conquian import ConquianHand
from tests.browser.axe import nameless
from tests.browser.stage import ADA, Stage, on, table
from tests.tables.scene import Scene

pytestmark = pytest.mark.browser

SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
RANKS = {"A": "ace", "T": "10", "J": "jack", "Q": "queen", "K": "king"}


def said(*cards: str) -> str:
    """Cards in English words."""
    return ", ".join(
        "Joker" if card == "JK" else f"{RANKS.get(card[0], card[0])} of {SUITS[card[1]]}" for card in cards
    )


def shown(page: Page, game: str, there: Callable[[Scene], bool], *bots: int, **options: int | str) -> Stage:
    """The page shows a table that has come to this."""
    scene = table(game, *bots, **options)
    scene.ready(ADA)
    stage = Stage(page, scene=on(scene, there))
    page.goto(stage.path)
    return stage


def own_act(scene: Scene) -> bool:
    return scene.table.phase == "playing" and scene.seat(0).asked is not None


def test_what_is_put_together(phone: Page) -> None:
    shown(phone, "konken", own_act, 1, 2, 3)
    cards = [phone.get_by_test_id("hand-card").nth(at) for at in range(3)]
    names = [card.get_attribute("data-card") or "" for card in cards]
    for card in cards:
        card.click(position={"x": 12, "y": 20})
    phone.get_by_test_id("to-tray").click()
    tray = phone.get_by_test_id("tray")
    expect(tray.get_by_role("img")).to_have_accessible_name(said(*names))
    expect(phone.get_by_test_id("take-back-0")).to_have_accessible_name(
        f"Take the cards back: {said(*names)}"
    )
    assert nameless(phone) == []


def test_what_everybody_was_left_with(phone: Page) -> None:
    shown(phone, "konken", lambda scene: scene.table.phase == "between", 1, 2, 3)
    result = phone.get_by_test_id("result")
    expect(result).to_be_visible()
    assert result.locator(".card").count() > 0
    assert nameless(phone) == []


def test_what_is_out_of_play(phone: Page) -> None:
    def dead(scene: Scene) -> tuple[str, ...]:
        hand = scene.table.hand
        return hand.dead if isinstance(hand, ConquianHand) else ()

    stage = shown(phone, "conquian", lambda scene: own_act(scene) and len(dead(scene)) > 1, 1, show_dead="on")
    assert stage.scene is not None
    cards = dead(stage.scene)
    pile = phone.get_by_test_id("dead")
    expect(pile).to_contain_text(f"{len(cards)} cards, {said(cards[-1])}")
    pile.click()
    expect(phone.get_by_role("dialog").get_by_role("img")).to_have_accessible_name(said(*cards))
    assert nameless(phone) == []


# ---- what stands on a button, and beside a field


def waiting(page: Page) -> Stage:
    """Ada and Ben wait for two more."""
    stage = Stage(page, scene=table("konken"))
    page.goto(stage.path)
    return stage


def test_a_button_whose_words_change_does_not_say_twice_that_it_is_on(phone: Page) -> None:
    stage = waiting(phone)
    ready = phone.get_by_test_id("ready")
    for words in ("Ready", "Not ready after all"):
        expect(ready).to_have_text(words)
        assert ready.get_attribute("aria-pressed") is None
        assert stage.scene is not None
        stage.scene.ready(ADA)
        stage.show()
    phone.get_by_test_id("seat-menu-1").click()
    mute = phone.get_by_test_id("mute-1")
    for words in ("Mute", "Unmute"):
        expect(mute).to_have_text(words)
        assert mute.get_attribute("aria-pressed") is None
        mute.click()


def test_two_fields_for_the_name_each_have_their_own_label(phone: Page) -> None:
    phone.add_init_script("localStorage.removeItem('upcard.named')")
    waiting(phone)
    expect(phone.get_by_test_id("name-input")).to_have_count(1)
    phone.get_by_test_id("open-settings").click()
    phone.get_by_test_id("rename").click()
    fields = phone.get_by_test_id("name-input")
    expect(fields).to_have_count(2)
    for at in range(2):
        label = fields.nth(at).evaluate("(field) => field.labels.length === 1 && field.labels[0].innerText")
        assert label == "Your name at the table"
    ids = phone.evaluate("[...document.querySelectorAll('[id]')].map((one) => one.id)")
    assert len(ids) == len(set(ids)), sorted(ids)
