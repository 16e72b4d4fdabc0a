"""A finger on the glass: touches that move, as the browser gets them from a screen. Playwright itself only taps."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Locator, Page

from tests.browser.axe import SETTLED

Place = Callable[[Locator], tuple[float, float]]

STEPS = 8
"""Moves on the way: enough that a page sees a drag and no leap."""


def spot(of: Locator) -> tuple[float, float]:
    """A point of an element where nothing of its neighbours lies: of a card the strip with its index."""
    box = of.bounding_box()
    assert box is not None
    return box["x"] + min(22.0, box["width"] / 2), box["y"] + min(22.0, box["height"] / 2)


def corner(of: Locator) -> tuple[float, float]:
    """The lower right end of an element, where a felt is empty."""
    box = of.bounding_box()
    assert box is not None
    return box["x"] + box["width"] - 12, box["y"] + box["height"] - 12


class Finger:
    """One finger on one page."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._session = page.context.new_cdp_session(page)
        self._at = (0.0, 0.0)

    def down(self, at: Locator) -> None:
        """Touch the glass, at what stands still: a card that glides would be elsewhere by then."""
        self._page.evaluate(SETTLED)
        self._at = spot(at)
        self._tell("touchStart", *self._at)

    def move(self, to: Locator, place: Place = spot) -> None:
        """Move, without letting go."""
        (x, y), (to_x, to_y) = self._at, place(to)
        for step in range(1, STEPS + 1):
            part = step / STEPS
            self._tell("touchMove", x + (to_x - x) * part, y + (to_y - y) * part)
        self._at = (to_x, to_y)

    def up(self) -> None:
        """Let go."""
        self._send("touchEnd", [])

    def interrupted(self) -> None:
        """The system takes the finger away, as for a call that comes in."""
        self._send("touchCancel", [])

    def drag(self, what: Locator, to: Locator, place: Place = spot) -> None:
        """From one place to another."""
        self.down(what)
        self.move(to, place)
        self.up()

    def _tell(self, kind: str, x: float, y: float) -> None:
        self._send(kind, [{"x": x, "y": y}])

    def _send(self, kind: str, points: list[dict[str, float]]) -> None:
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
