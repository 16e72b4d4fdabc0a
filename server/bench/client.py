"""The client: what its first load weighs, and what a frame costs a slow phone.

A real Chromium with its CPU slowed down looks over the shoulder of one of four scripted players, with motion and a
turn clock that is off. What is told is the CPU time of the page's main thread, twice. By the kind of frame: the script
from its message to the picture that shows it, which is what a player may wait for, and the script after that, until
things have come to rest. By the cards in hand: all that a move sets in motion there, script, style and layout, both
parts together, with what the browser has to do besides. Neither counts what this bench evaluates in the page.
The yardstick is what no client could do without, in the same page: to read the frame's text, and to put a bare list of
as many cards in the place of another.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from server.api.preload import FIRST as PAGES
from server.api.preload import GAME, MANIFEST, STAGES, TABLE, TEXTS, files_of
from server.bench.browsers import launch_options
from server.bench.parties import seated
from server.bench.pictures import CATEGORY, Spent, pictures
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
OWN_SEAT = 0
"""The page is a second window of the party's first player."""
FULL_HAND = 14
"""Cards in a hand of Konken that has drawn."""
REST_SECONDS = 2.5
"""After the page is there: what it fetches beforehand has come, and what moves cards, too."""
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
        await context.add_cookies(
            [{"name": COOKIE, "value": party.people[OWN_SEAT].cookie, "url": there.url}]
        )
        page = await context.new_page()
        # Whoever plays has been guided once; the panel would be drawn with every frame.
        await page.add_init_script(f"localStorage.setItem('upcard.guided', '{json.dumps([*GAMES])}')")
        heard: list[str] = []
        page.on("websocket", lambda socket: socket.on("framereceived", lambda text: heard.append(str(text))))
        await page.goto(f"{there.url}/t/{party.table}")
        await page.get_by_test_id("hand-card").first.wait_for()
        await asyncio.sleep(REST_SECONDS)
        watch = Watch(await context.new_cdp_session(page))
        await watch.begin()
        trace = Trace(await browser.new_browser_cdp_session())
        await trace.begin()
        before = len(heard)
        full: list[dict[str, float]] = []
        other: list[dict[str, float]] = []
        for _ in range(moves):
            spent = await watch.spent(party.play(1), SETTLE_SECONDS)
            (full if await page.get_by_test_id("hand-card").count() == FULL_HAND else other).append(spent)
        told = heard[before:]
        shown = list(pictures(await trace.end(), f"{there.url}/assets/"))
        stick = [
            await watch.spent(page.evaluate(LIST, [_frames_of(told)[-1], FULL_HAND, STICK_TIMES]))
            for _ in range(STICK_ROUNDS)
        ]
    rows = _kinds(told, shown)
    for name, found in ((f"a frame, {FULL_HAND} cards in hand", full), ("a frame, any other", other)):
        rows += [spread(f"{name}: {what}", "ms", [one[what] for one in found], STICK) for what in SPENT]
    return [*rows, spread(STICK, "ms", [one["script"] / STICK_TIMES for one in stick])]


def _frames_of(told: list[str]) -> list[str]:
    return [text for text in told if json.loads(text)["t"] == "frame"]


def _kinds(told: list[str], shown: list[Spent]) -> list[Row]:
    """What frames of each kind have cost, most of all and then the rarer ones."""
    if len(told) != len(shown):
        raise RuntimeError(f"{len(told)} messages were told, and {len(shown)} are in the trace")
    kinds: dict[str, list[Spent]] = defaultdict(list)
    for text, spent in zip(told, shown, strict=True):
        if name := kind_of(text):
            kinds[name].append(spent)
    rows = []
    for name, found in sorted(kinds.items(), key=lambda kind: -len(kind[1])):
        rows.append(spread(f"{name}: script until it is drawn", "ms", [one.drawn for one in found], STICK))
        rows.append(spread(f"{name}: script after that", "ms", [one.after for one in found], STICK))
    return rows


def kind_of(text: str) -> str | None:
    """The kind of frame that a message is; None if it is none in which one player does one thing."""
    message = json.loads(text)
    if message["t"] != "frame" or len(events := message.get("events", ())) != 1:
        return None
    [event] = events
    whose = "own" if event.get("seat") == OWN_SEAT else "another's"
    return f"a frame, {whose} {event['e']}" if "seat" in event else None


class Trace:
    """What a browser was busy with."""

    def __init__(self, session: CDPSession) -> None:
        self._session = session
        self._events: list[Any] = []

    async def begin(self) -> None:
        """Listen from here on."""
        self._session.on("Tracing.dataCollected", lambda part: self._events.extend(part["value"]))
        config = {"includedCategories": [CATEGORY]}
        await self._session.send("Tracing.start", {"transferMode": "ReportEvents", "traceConfig": config})

    async def end(self) -> list[Any]:
        """All that was heard."""
        complete = asyncio.Event()
        self._session.on("Tracing.tracingComplete", lambda _: complete.set())
        await self._session.send("Tracing.end")
        await complete.wait()
        return self._events


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
