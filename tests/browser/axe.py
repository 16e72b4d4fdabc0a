"""axe-core, the checker of accessibility, asked about a page as it is now. It comes with the client's packages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

SOURCE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
NAMELESS = """() => [...document.querySelectorAll('.card[data-card]')].filter((card) => card.checkVisibility()
  && !card.closest('[role=img][aria-label], [role=option][aria-label], button, [aria-hidden=true]'))
  .map((card) => card.closest('[data-testid]')?.dataset.testid + ': ' + card.dataset.card)"""
"""axe knows of no cards: a drawing of one has to be said by what it is part of."""
SETTLED = """Promise.race([
  new Promise((enough) => setTimeout(enough, 2000)),
  Promise.all(document.getAnimations().filter((one) => one.effect.getTiming().iterations < 2)
    .map((one) => one.finished.catch(() => null)))
    .then(function landed() {
      return document.querySelector('[style*="will-change"]')
        && new Promise(requestAnimationFrame).then(landed);
    }).then(() => null),
])"""
"""Half-transparent is not how a page stays: what moves once comes to its end first, and so does what glides
(web/src/motion/glide.ts). What is hidden may never."""


def faults(page: Page) -> list[str]:
    """What is wrong with the page, a line each; empty if nothing is."""
    page.evaluate(SETTLED)
    if not page.evaluate("'axe' in window"):
        page.evaluate(SOURCE.read_text())
    found: dict[str, Any] = page.evaluate("(rules) => axe.run(document, {runOnly: rules})", RULES)
    return [
        f"{fault['id']}: {fault['help']}: {node['html'][:160]}"
        for fault in found["violations"]
        for node in fault["nodes"]
    ] + [f"a card without a name: {card}" for card in nameless(page)]


def nameless(page: Page) -> list[str]:
    """The cards that are seen and not said, each with where it lies."""
    found: list[str] = page.evaluate(NAMELESS)
    return found
