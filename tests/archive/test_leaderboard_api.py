"""The leaderboard over HTTP: for everybody, without ids, asked of the archive seldom; 503 while that is away."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import httpx
import msgspec
import pytest
from fastapi import FastAPI
from msgspec.structs import replace

from server.api import answers, archived
from server.api import leaderboard as api
from server.archive import standings
from server.archive.matches import save
from server.archive.session import SessionFactory, create_engine, create_session_factory
from server.archive.standings import Board
from server.bodies import Leaderboard, Standing
from server.clock import FakeClock
from server.config import Settings
from server.players import COOKIE, Player, sign
from server.tables.finished import FinishedSeat
from server.telemetry import Outage
from tests.archive.test_standings import ADA, BEN, LATER, a_match

SECRET = b"s" * 32


class House:
    """The route alone, on an archive, with a watch that the test sets."""

    def __init__(self, archive: SessionFactory) -> None:
        self.seconds = 0.0
        self.app = FastAPI()
        self.app.include_router(api.router)
        self.app.add_exception_handler(answers.Unserved, answers.unserved)
        self.app.state.settings = Settings(redis_url="", database_url="", secret=SECRET)
        self.open(archive)

    def open(self, archive: SessionFactory) -> None:
        """On this archive, and with nothing kept."""
        self.app.state.archive = archive
        self.app.state.boards = api.Boards(archive, FakeClock(LATER + 3_600_000), lambda: self.seconds)

    async def ask(self, player: str | None = None, game: str = "konken") -> httpx.Response:
        cookie = "" if player is None else f"{COOKIE}={sign(Player(player, 'Anything'), SECRET)}"
        transport = httpx.ASGITransport(self.app)
        async with httpx.AsyncClient(transport=transport, base_url="http://upcard.test") as client:
            return await client.get(f"/api/leaderboard/{game}", headers={"cookie": cookie})

    async def read(self, player: str | None = None) -> Leaderboard:
        answer = await self.ask(player)
        assert answer.status_code == 200
        return msgspec.json.decode(answer.content, type=Leaderboard)


@pytest.fixture
def house(archive: SessionFactory, monkeypatch: pytest.MonkeyPatch) -> House:
    monkeypatch.setattr(archived, "archive_outage", Outage("archive"))
    return House(archive)


@pytest.fixture
async def away() -> AsyncIterator[SessionFactory]:
    engine = create_engine("postgresql://nobody@127.0.0.1:1/archive")  # nothing listens on port 1
    yield create_session_factory(engine)
    await engine.dispose()


async def test_the_best_and_oneself(house: House, archive: SessionFactory) -> None:
    for number in range(3):
        await save(archive, a_match(number, ADA, BEN))
    first = Standing(1, "Ada", None, False, 3.0, 3, 3)
    second = Standing(2, "Ben", None, False, -3.0, 3, 0)
    assert await house.read() == Leaderboard("konken", 30, 3, (first, second), None)
    assert await house.read("stranger") == await house.read()
    found = await house.read("ben")
    assert (found.best[0], found.best[1], found.own) == (
        first,
        replace(second, you=True),
        replace(second, you=True),
    )
    answer = await house.ask("ben")
    assert b"ada" not in answer.content  # ids stay in the house
    assert b"ben" not in answer.content


async def test_who_has_no_place_yet_is_told_how_far_it_is(house: House, archive: SessionFactory) -> None:
    await save(archive, a_match(1, ADA, BEN))
    found = await house.read("ada")
    assert (found.best, found.own) == ((), Standing(None, "Ada", None, True, 1.0, 1, 1))


async def test_equal_names_are_told_apart(house: House, archive: SessionFactory) -> None:
    alis = (FinishedSeat("one", "Ali"), FinishedSeat("two", "Ali"), FinishedSeat("three", "ALI"))
    for number in range(3):
        await save(archive, a_match(number, *alis, BEN))
    best = (await house.read()).best
    tags = {one.tag for one in best if one.name != "Ben"}
    assert len(tags) == 3
    assert all(tag is not None and len(tag) == 4 for tag in tags)
    assert [one.tag for one in best if one.name == "Ben"] == [None]
    await save(archive, a_match(3, *alis, BEN, won=(1,)))
    house.seconds = api.KEEP_SECONDS
    moved = (await house.read()).best
    assert [one.points for one in moved] != [one.points for one in best]
    assert {one.tag for one in moved if one.name != "Ben"} == tags, "the same whatever place they have"


async def test_there_is_no_such_game(house: House) -> None:
    answer = await house.ask(game="chess")
    assert (answer.status_code, answer.json()) == (404, {"code": "malformed"})


async def test_the_archive_is_asked_seldom(house: House, archive: SessionFactory) -> None:
    assert (await house.read()).best == ()
    for number in range(3):
        await save(archive, a_match(number, ADA, BEN))
    house.seconds = api.KEEP_SECONDS - 1
    assert (await house.read()).best == ()
    own = (await house.read("ben")).own
    assert own is not None
    assert own.place == 1, "of those that the board knows"
    house.seconds = api.KEEP_SECONDS
    assert len((await house.read()).best) == 2


async def test_all_who_ask_at_once_wait_for_one_answer(
    house: House, archive: SessionFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    async def counted(*given: object) -> object:
        asked.append(given)
        return await real(*given)  # type: ignore[arg-type]

    real = standings.board
    monkeypatch.setattr(api, "board", counted)
    await asyncio.gather(*(house.ask() for _ in range(20)))
    assert len(asked) == 1


async def test_an_archive_that_is_away(house: House, archive: SessionFactory, away: SessionFactory) -> None:
    """Told to everybody, with the usual code; and nothing of it is kept for when it is back."""
    house.open(away)
    for player in (None, "ada"):
        answer = await house.ask(player)
        assert (answer.status_code, answer.json()) == (503, {"code": "unavailable"})
        assert int(answer.headers["retry-after"]) > 0
    house.app.state.boards._archive = house.app.state.archive = archive
    assert (await house.read("ada")).best == ()


async def test_who_goes_away_while_asking_takes_the_answer_from_nobody(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, answered = asyncio.Event(), asyncio.Event()

    async def slow(*_: object) -> Board:
        asked.set()
        await answered.wait()
        return Board((), (), 0)

    monkeypatch.setattr(api, "board", slow)
    first = asyncio.create_task(house.app.state.boards.of("konken"))
    await asked.wait()
    second = asyncio.create_task(house.app.state.boards.of("konken"))
    await asyncio.sleep(0)
    first.cancel()
    answered.set()
    assert await second == Board((), (), 0)
