"""The client: what its first load weighs, and what a frame costs a slow phone.

A real Chromium with its CPU slowed down looks over the shoulder of one of four scripted players. What is told is the
CPU time of the page's main thread, for whatever a move sets in motion there. The yardstick is what no client could do
without, in the same page: to read the frame's text, and to put a bare list of as many cards in the place of another.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from pathlib import Path
from typing import TYPE_CHECKING

from server.api.preload import FIRST as PAGES
from server.api.preload import GAME, MANIFEST, STAGES, TABLE, TEXTS, files_of
from server.bench.browsers import launch_options
from server.bench.parties import seated
from server.bench.report import Report, Row, machine, spread
from server.bench.tables import House, house
from server.config import STATIC
from server.players import COOKIE
from server.rules.registry import GAMES

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from playwright.async_api import CDPSession, ViewportSize

START = ("index.html", TEXTS)
FIRST = {
    "lobby": (*START, *PAGES["/"]),
    "a table that waits": (*START, *PAGES[TABLE]),
    **{f"a hand of {game}": (*START, *STAGES["playing"], GAME.format(game)) for game in GAMES},
}
"""What each way into the house needs before anything can be done there."""
PACKINGS = {"gzip": ".gz", "brotli": ".br"}
"""Over plain HTTP, and over HTTPS."""
LANGUAGE = "en"

SLOWER = 4
"""How many times; what DevTools takes for a phone of the middle sort."""
PHONE: ViewportSize = {"width": 360, "height": 740}
FULL_HAND = 14
"""Cards in a hand of Konken that has drawn."""
SETTLE_SECONDS = 0.4
"""After a move: what it sets in motion on the page has come to rest."""
STICK = f"yardstick: read a frame and list {FULL_HAND} cards"
STICK_ROUNDS, STICK_TIMES = 10, 100

# In a task of its own: what a debugger calls itself does not count as script.
LIST = """
([text, cards, times]) => new Promise((done) => setTimeout(() => {
  const place = document.body.appendChild(document.createElement('div'));
  for (let time = 0; time < times; time += 1) {
    const frame = JSON.parse(text);
    const list = document.createElement('ul');
    for (let card = 0; card < cards; card += 1) {
      const item = document.createElement('li');
      item.textContent = `${frame.v} ${card}`;
      list.appendChild(item);
    }
    place.replaceChildren(list);
  }
  place.remove();
  done();
}))
"""
SPENT = {
    "script": "ScriptDuration",
    "style": "RecalcStyleDuration",
    "layout": "LayoutDuration",
    "all": "TaskDuration",
}
"""What a page's main thread has done, and how DevTools calls it."""


def measure(moves: int) -> Report:
    """Weigh the built client, and have it look on at a table for so many moves. Raises RuntimeError without a build."""
    rows = first_loads()
    with house(1) as there:
        rows += asyncio.run(_frames(there, moves))
    return Report(f"bench client: {moves} moves, CPU ÷ {SLOWER}", machine(), tuple(rows))


# ---- the first load ----------------------------------------------------------------------------------------


def first_loads() -> list[Row]:
    """Script and style of each way into the house."""
    manifest = STATIC / MANIFEST
    if not manifest.exists():
        raise RuntimeError("the client is not built: run `python build_client.py`")
    parts = json.loads(manifest.read_text())
    rows = []
    for page, entries in FIRST.items():
        files = files_of(parts, [entry.format(LANGUAGE) for entry in entries])
        for packing, ending in PACKINGS.items():
            size = sum(packed_size(STATIC / file, ending) for file in files)
            rows.append(Row(f"first load, {page}: {packing}", "B", len(files), size))
    return rows


def packed_size(file: Path, ending: str) -> int:
    """Bytes of a file as the server sends it."""
    packed = file.with_name(file.name + ending)
    return (packed if packed.exists() else file).stat().st_size


# ---- frames ------------------------------------------------------------------------------------------------


async def _frames(there: House, moves: int) -> list[Row]:
    from playwright.async_api import async_playwright

    async with contextlib.AsyncExitStack() as stack:
        party = await seated(stack, there.url, there.secret)
        playwright = await stack.enter_async_context(async_playwright())
        browser = await playwright.chromium.launch(**launch_options())
        stack.push_async_callback(browser.close)
        context = await browser.new_context(viewport=PHONE, locale=LANGUAGE)
        await context.add_cookies([{"name": COOKIE, "value": party.people[0].cookie, "url": there.url}])
        page = await context.new_page()
        frames: list[str] = []

        def hear(text: bytes | str) -> None:
            if str(text).startswith('{"t":"frame"'):
                frames.append(str(text))

        page.on("websocket", lambda socket: socket.on("framereceived", hear))
        await page.goto(f"{there.url}/t/{party.table}")
        await page.get_by_test_id("hand-card").first.wait_for()
        watch = Watch(await context.new_cdp_session(page))
        await watch.begin()
        full: list[dict[str, float]] = []
        other: list[dict[str, float]] = []
        for _ in range(moves):
            spent = await watch.spent(party.play(1), SETTLE_SECONDS)
            (full if await page.get_by_test_id("hand-card").count() == FULL_HAND else other).append(spent)
        stick = [
            await watch.spent(page.evaluate(LIST, [frames[-1], FULL_HAND, STICK_TIMES]))
            for _ in range(STICK_ROUNDS)
        ]
    rows = []
    for name, found in ((f"a frame, {FULL_HAND} cards in hand", full), ("a frame, any other", other)):
        rows += [spread(f"{name}: {what}", "ms", [one[what] for one in found], STICK) for what in SPENT]
    return [*rows, spread(STICK, "ms", [one["script"] / STICK_TIMES for one in stick])]


class Watch:
    """Looks at how a page's main thread spends its CPU time."""

    def __init__(self, session: CDPSession) -> None:
        self._session = session

    async def begin(self) -> None:
        """Slow the page down, and count from here on."""
        await self._session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        await self._session.send("Performance.enable", {"timeDomain": "threadTicks"})

    async def spent(self, work: Awaitable[object], settle: float = 0) -> dict[str, float]:
        """What some work takes the page, in ms."""
        before = await self._so_far()
        await work
        await asyncio.sleep(settle)
        after = await self._so_far()
        return {what: (after[name] - before[name]) * 1000 for what, name in SPENT.items()}

    async def _so_far(self) -> dict[str, float]:
        told = await self._session.send("Performance.getMetrics")
        return {one["name"]: one["value"] for one in told["metrics"]}
