"""The leaderboard of a game: who is where, oneself among them, on a phone and on a desk."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from itsdangerous import URLSafeSerializer
from playwright.sync_api import expect

from server.archive.matches import save
from server.archive.session import create_engine, create_session_factory
from server.archive.standings import LEAST, SHOWN
from server.players import COOKIE
from server.tables.finished import FinishedMatch, FinishedSeat
from tests.archive.test_standings import a_match
from tests.browser.axe import faults
from tests.browser.conftest import DESK, PHONE, Arrive
from tests.browser.person import Person
from tests.browser.test_room import LANGUAGES, broken_words
from tests.conftest import FULL
from tests.house import House, running_house

pytestmark = pytest.mark.browser

LONG = "Wolfeschlegelsteinha"
RIGHT_TO_LEFT = "محمد بن عبد الله ط"


@pytest.fixture(scope="module")
def quiet_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house in which nobody has played, where nobody has looked at Conker's board: a board is kept for a while."""
    with running_house(tmp_path_factory.mktemp("quiet-house")) as house:
        yield house


@pytest.fixture
def other_house(tmp_path: Path) -> Iterator[House]:
    """One where nobody has looked at any."""
    with running_house(tmp_path / "other-house") as house:
        yield house


def seat_of(person: Person) -> FinishedSeat:
    """Somebody as the archive knows them."""
    cookie = next(one for one in person.page.context.cookies() if one.get("name") == COOKIE)
    _, player = URLSafeSerializer("read without the seal").loads_unsafe(cookie.get("value", ""))
    return FinishedSeat(player["id"], person.name)


def archive(house: House, *matches: FinishedMatch) -> None:
    """Put matches into the archive, as if they had just ended."""

    async def keep() -> None:
        engine = create_engine(f"sqlite:///{house.folder / 'data' / 'upcard.db'}")
        for match in matches:
            assert await save(create_session_factory(engine), match)
        await engine.dispose()

    with ThreadPoolExecutor(1) as apart:  # the browser's loop runs in this thread
        apart.submit(asyncio.run, keep()).result()


def matches(game: str, *seats: FinishedSeat, count: int = LEAST) -> list[FinishedMatch]:
    """So many matches, all won by the first."""
    now = int(time.time() * 1000)
    name = f"{game}-{seats[0].player}"
    return [
        a_match(0, *seats, game=game, match=f"{name}-{n}", table=name, ended=now - n) for n in range(count)
    ]


def looks_well(person: Person) -> None:
    """On a phone and on a desk, light and dark: nothing to find for axe, nothing beyond the edge."""
    for size in (PHONE, DESK):
        person.page.set_viewport_size(size)
        assert person.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        for theme in ("light", "dark"):
            person.page.emulate_media(color_scheme=theme)
            assert faults(person.page) == []


@pytest.mark.parametrize("language", LANGUAGES if FULL else ["es"])
def test_nobody_yet(arrive: Arrive, quiet_house: House, language: str) -> None:
    north = arrive("North", phone=True, language=language, base=quiet_house.url)
    north.by("open-leaderboard").click()
    expect(north.by("leaderboard-empty")).to_contain_text(str(LEAST))
    expect(north.by("to-go")).to_have_count(0)
    north.page.locator("summary").click()
    looks_well(north)
    north.by("leaderboard-conquian").click()
    expect(north.page.locator("h1")).to_contain_text("Conquian")
    north.page.goto(f"{north.base}/history")
    north.by("open-leaderboard").click()
    expect(north.by("leaderboard-empty")).to_be_visible()
    north.by("leaderboard-empty").get_by_role("link").click()
    expect(north.by("play-now-konken")).to_be_visible()


def test_the_best_and_oneself_among_them(arrive: Arrive, quiet_house: House) -> None:
    north = arrive(LONG, base=quiet_house.url)
    west = FinishedSeat("west-id", RIGHT_TO_LEFT)
    others = (FinishedSeat("south-id", "Ali"), FinishedSeat("east-id", "Ali"))
    archive(quiet_house, *matches("conker", west, seat_of(north), *others))
    north.page.goto(f"{north.base}/leaderboard/conker")
    rows = north.by("standing")
    expect(rows).to_have_count(4)
    assert north.read("standing", "data-place") == ["1", "2", "2", "2"]
    assert north.by("standing-points").all_inner_texts() == ["+9", "−3", "−3", "−3"]
    own = north.page.locator("[data-testid=standing][aria-current=true]")
    expect(own).to_have_count(1)
    expect(own).to_contain_text(LONG)
    assert rows.filter(has_text="#").count() == 2, "whose names are equal"
    looks_well(north)
    for language in LANGUAGES:
        north.page.evaluate("language => localStorage.setItem('upcard.lang', language)", language)
        north.page.set_viewport_size({"width": 320, "height": 640})
        north.page.reload()
        expect(rows).to_have_count(4)
        assert north.page.evaluate("document.documentElement.scrollWidth") <= 320
        assert broken_words(north.page, "[data-testid=leaderboard] :is(thead th + th, td)") == []


def test_oneself_below_the_best(arrive: Arrive, other_house: House) -> None:
    north, east = arrive("North", base=other_house.url), arrive("East", phone=True, base=other_house.url)
    archive(other_house, *matches("conquian", FinishedSeat("zero", "Zero"), seat_of(north)))
    archive(other_house, *matches("conquian", seat_of(east), FinishedSeat("one", "One"), count=1))
    for pair in range(SHOWN):
        people = (FinishedSeat(f"{side}-{pair}", f"{side} {pair}") for side in ("Good", "Poor"))
        archive(other_house, *matches("conquian", *people))
    north.page.goto(f"{north.base}/leaderboard/conquian")
    expect(north.by("standing")).to_have_count(SHOWN + 1)
    assert north.read("standing", "data-place")[-1] == str(SHOWN + 2)
    expect(north.by("standing").last).to_contain_text("North")
    expect(north.by("standing").last).to_be_in_viewport()
    looks_well(north)
    east.page.goto(f"{east.base}/leaderboard/conquian")
    expect(east.by("standing")).to_have_count(SHOWN)
    expect(east.by("to-go")).to_contain_text("You have played 1.")
    looks_well(east)


def test_an_archive_that_is_away_is_told(arrive: Arrive, quiet_house: House) -> None:
    north = arrive("North", base=quiet_house.url)
    north.page.route(
        "**/api/leaderboard/*", lambda route: route.fulfill(status=503, body='{"code":"unavailable"}')
    )
    north.page.goto(f"{north.base}/leaderboard/konken")
    expect(north.by("leaderboard-failed")).to_be_visible()
    looks_well(north)
