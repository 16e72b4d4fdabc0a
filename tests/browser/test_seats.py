"""What the others' chips tell, on a phone and on a desk."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Arrive

pytestmark = pytest.mark.browser

LEVELS = ("novice", "regular", "expert")


@pytest.mark.parametrize("phone", [True, False], ids=["phone", "desk"])
def test_every_bot_says_how_well_it_plays(arrive: Arrive, phone: bool) -> None:
    north = arrive("North", phone=phone, language="es")
    north.open_table(turn_seconds="60")
    for seat, level in enumerate(LEVELS, start=1):
        north.by(f"bot-level-{seat}").select_option(level)
        north.add_bots(seat)
    north.by("ready").click()
    north.wait_until(lambda: north.phase == "playing", "the deal")
    for seat, word in enumerate(("Principiante", "Normal", "Experto"), start=1):
        chip = north.by(f"seat-{seat}")
        assert f"Bot, {word}" in (chip.get_attribute("aria-label") or "")
        bars = chip.locator(".bars rect")
        assert [bar.get_attribute("opacity") for bar in bars.all()] == ["1"] * seat + ["0.35"] * (3 - seat)
        box = chip.locator(".bars").bounding_box()
        assert box is not None
        assert box["width"] < 12, "the bars are no bigger than the word beside them"
        expect(north.by(f"level-{seat}")).to_be_visible(visible=not phone)
        assert chip.evaluate("chip => chip.scrollWidth <= chip.clientWidth"), "nothing hangs over"
