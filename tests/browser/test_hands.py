"""Ways to move a card: taps alone, keys alone, a finger that drags, a mouse that drags."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Arrive
from tests.browser.finger import Finger, corner
from tests.browser.person import Person

pytestmark = pytest.mark.browser


def own_turn(arrive: Arrive, game: str = "konken", phone: bool = False, **options: str) -> Person:
    """North at a table of a game against bots, asked for the first time."""
    north = arrive("North", phone=phone)
    north.open_table(game=game, turn_seconds="60", **options)
    north.fill_with_bots()
    north.by("ready").click()
    north.wait_until(lambda: north.my_turn, "the turn")
    return north


# ---- dragging --------------------------------------------------------------------------------------------------


def test_a_finger_draws_orders_builds_and_throws(arrive: Arrive) -> None:
    north = own_turn(arrive, phone=True)
    finger = Finger(north.page)
    finger.drag(north.by("stock"), north.by("hand"))
    north.wait_until(lambda: len(north.cards()) == 14, "the drawn card")

    before = north.cards()
    finger.drag(north.by("hand-card").nth(0), north.by("hand-card").nth(3))
    assert north.cards() == [*before[1:4], before[0], *before[4:]]
    assert north.read("hand-card", "aria-selected") == ["false"] * 14

    finger.drag(north.by("hand-card").nth(1), north.page.locator(".felt"), corner)
    expect(north.by("tray")).to_be_visible()
    finger.drag(north.by("hand-card").nth(2), north.by("tray").locator("[data-drop]"))
    assert len(north.cards()) == 12
    finger.drag(north.by("tray").locator("[data-grab]").first, north.by("hand"))
    assert len(north.cards()) == 13
    north.by("take-back-0").tap()
    north.wait_until(lambda: sorted(north.cards()) == sorted(before), "the whole hand")

    card = north.cards()[4]
    finger.drag(north.by("hand-card").nth(4), north.by("discard-pile"))
    north.wait_until(lambda: len(north.cards()) == 13, "the discard")
    north.by("open-log").tap()
    expect(north.by("log")).to_contain_text(sign(card))


def test_a_drag_that_is_broken_off_puts_everything_back(arrive: Arrive) -> None:
    north = own_turn(arrive, phone=True)
    north.draw()
    before = north.cards()
    finger = Finger(north.page)
    for end in (
        finger.interrupted,
        lambda: north.page.keyboard.press("Escape"),
    ):  # the first lifts the finger as well
        finger.down(north.by("hand-card").nth(0))
        finger.move(north.by("hand-card").nth(5))
        expect(north.by("dragged")).to_be_visible()
        assert north.cards() != before
        end()
        expect(north.by("dragged")).to_have_count(0)
        assert north.cards() == before
    finger.up()
    assert north.cards() == before
    finger.drag(north.by("hand-card").nth(0), north.by("status"))
    assert north.cards() == before
    assert north.my_turn


def test_a_mouse_drags_as_a_finger_does(arrive: Arrive) -> None:
    north = own_turn(arrive)
    north.by("stock").drag_to(north.by("hand"))
    north.wait_until(lambda: len(north.cards()) == 14, "the drawn card")
    before = north.cards()
    north.by("hand-card").nth(9).drag_to(north.by("hand-card").nth(2))
    assert north.cards() == [*before[:2], before[9], *before[2:9], *before[10:]]
    north.by("hand-card").nth(2).drag_to(north.by("discard-pile"))
    north.wait_until(lambda: len(north.cards()) == 13, "the discard")


def test_conquian_is_arranged_with_a_finger(arrive: Arrive) -> None:
    north = own_turn(arrive, "conquian", phone=True)
    north.page.set_viewport_size({"width": 360, "height": 740})
    finger = Finger(north.page)
    before = north.cards()
    north.wait_until(
        lambda: north.read("duel", "data-phase") in (["own"], ["offered"]), "a card in the centre"
    )
    finger.drag(north.by("hand-card").nth(0), north.by("new-meld"))
    expect(north.by("own-meld-1")).to_have_attribute("data-cards", before[0])
    finger.drag(north.by("centre"), north.by("own-meld-1"))
    assert len(north.read("own-meld-1", "data-cards")[0].split()) == 2
    finger.drag(north.by("own-card").locator("visible=true").first, north.by("hand"))
    assert len(north.read("own-meld-1", "data-cards")[0].split()) == 1
    north.by("reset").tap()
    north.wait_until(lambda: sorted(north.cards()) == sorted(before), "the whole hand")


def sign(card: str) -> str:
    """A card as the log writes it."""
    if card.startswith("JK"):
        return "★"
    return card[0].replace("T", "10") + {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}[card[1]]
