"""A phone held sideways shows all that a turn needs at once: the piles, one's cards and the buttons."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.axe import SETTLED
from tests.browser.conftest import Arrive
from tests.browser.person import Person

pytestmark = pytest.mark.browser

SIZES = ((640, 360), (740, 360), (932, 430))
NEEDED = {
    "konken": ("stock", "discard-pile", "draw", "discard"),
    "conker": ("stock", "discard-pile", "draw", "discard"),
    "conquian": ("centre", "new-meld", "pass", "meld"),
}
DRAWN = "new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)))"
SEEN = """(needed) => {
  const room = { top: 0, left: 0, right: innerWidth, bottom: innerHeight };
  const felt = document.querySelector('.felt').getBoundingClientRect();
  const outside = (box, place) => box.width < 20 || box.top < place.top - 1 || box.bottom > place.bottom + 1
    || box.left < place.left - 1 || box.right > place.right + 1;
  const unseen = (testid) => {
    const found = [...document.querySelectorAll(`[data-testid="${testid}"]`)];
    const boxes = found.map((one) => [one.getBoundingClientRect(), one.closest('.felt') ? felt : room]);
    const cut = boxes.filter(([box, place]) => outside(box, place)).map(([box]) => JSON.stringify(box));
    return found.length ? cut.map((box) => `${testid} ${box}`) : [`no ${testid}`];
  };
  return ['hand-card', ...needed].flatMap(unseen);
}"""
"""What is not to be seen whole, and where it lies."""


@pytest.mark.parametrize("game", NEEDED)
def test_nothing_that_a_turn_needs_is_out_of_sight(arrive: Arrive, game: str) -> None:
    north = arrive("North", phone=True, language="es")
    north.open_table(game=game, turn_seconds="60")
    north.fill_with_bots()
    north.by("ready").click()
    north.wait_until(lambda: north.my_turn, "the turn")
    north.by("guide-skip").click()
    expect(north.by("guide")).to_have_count(0)
    for width, height in SIZES:
        north.page.set_viewport_size({"width": width, "height": height})
        north.page.evaluate(DRAWN)  # or cards are seen where they lay before, or on their way
        north.page.evaluate(SETTLED)
        assert missing(north, game) == [], f"at {width} by {height}"
        assert north.page.evaluate("document.documentElement.scrollWidth") == width


def missing(person: Person, game: str) -> list[str]:
    """What is cut off, or nowhere."""
    found: list[str] = person.page.evaluate(SEEN, list(NEEDED[game]))
    return found
