"""The first load stays small: script and style together, packed as browsers get them."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from server.api.preload import MANIFEST, files_of
from server.bench.client import FIRST, packed_size
from server.config import STATIC
from tests.browser.conftest import Arrive
from tests.browser.person import Person

MOST = 70 * 1024
"""Bytes; a second on a slow phone line."""


@pytest.mark.parametrize("ending", [".gz", ".br"])
@pytest.mark.parametrize("language", ["en", "tr", "id", "es"])
@pytest.mark.parametrize("page", FIRST)
def test_the_first_load_is_small(page: str, language: str, ending: str) -> None:
    parts = json.loads((STATIC / MANIFEST).read_text())
    names = [entry.format(language) for entry in FIRST[page]]
    assert set(names) <= set(parts)
    files = files_of(parts, names)
    size = sum(packed_size(STATIC / file, ending) for file in files)
    assert size <= MOST, f"{page} in {language}: {size} bytes"
    assert size > MOST // 3, "what is measured is the client"


@pytest.mark.browser
@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("/", "name"),
        ("/rules/conker", "rules-text"),
        ("/history", None),
        ("/handover#x", None),
        ("/leaderboard/conquian", "leaderboard-empty"),
        ("/replay#x", "no-hand"),
    ],
)
def test_the_browser_need_not_read_a_script_to_learn_of_the_next(
    arrive: Arrive, path: str, shown: str | None
) -> None:
    north = arrive("North", language="tr")
    assert told_first(north, path, shown)


@pytest.mark.browser
def test_a_table_that_waits_is_there_with_what_its_page_names(arrive: Arrive) -> None:
    north = arrive("North", language="es")
    address = north.open_table()
    expect(north.by("seats")).to_be_visible()
    assert told_first(north, address.removeprefix(north.base), "seats")


@pytest.mark.browser
def test_a_hand_that_is_played_is_there_with_what_its_page_names(arrive: Arrive) -> None:
    north, south = arrive("North"), arrive("South", language="id", phone=True)
    address = north.open_table(game="conquian", turn_seconds="60")
    north.fill_with_bots()
    north.by("ready").click()
    north.wait_until(lambda: north.my_turn, "the turn")

    def told() -> str:
        """Each worker hears of the deal in a moment."""
        return south.page.request.get(address).headers["link"]

    south.wait_until(lambda: "Playing" in told(), "the hand in the head of the answer")
    loaded = told_first(south, address.removeprefix(south.base), "stock", then="motion")
    assert any("conquian" in script for script in loaded)
    assert not [script for script in loaded if "Waiting" in script or "Seats" in script], "named in vain"


def told_first(person: Person, path: str, shown: str | None, then: str | None = None) -> list[str]:
    """The scripts that a page loads until something shows; all are in its markup or the head of its answer.

    `then` is in the name of what may come as soon as it shows.
    """
    person.page.goto("about:blank")
    markup = person.page.request.get(person.base + path).text()
    scripts: list[str] = []
    person.page.on(
        "request", lambda request: scripts.append(request.url) if request.url.endswith(".js") else None
    )
    answer = person.page.goto(person.base + path, wait_until="commit")
    assert answer is not None
    told = answer.headers["link"]
    expect(person.by(shown) if shown else person.page.locator("main")).to_be_visible()
    loaded = [script.removeprefix(person.base) for script in scripts if not (then and then in script)]
    assert [script for script in loaded if script not in told and script not in markup] == []
    return loaded
