"""A hand that one of its players shares: open to whoever has the link, and nothing else is."""

from __future__ import annotations

import random

import httpx
import msgspec
import pytest
from fastapi import FastAPI

from server.api import answers, archived, history, replay
from server.archive.matches import save
from server.archive.recovery import lost_table
from server.archive.session import SessionFactory, create_engine, create_session_factory
from server.bodies import HandReplay
from server.config import Settings
from server.players import COOKIE, Player, sign
from server.shares import share, shared
from server.tables import finished
from server.tables.recovery import lost_hand
from server.telemetry import Outage
from tests.archive.finished import a_hand
from tests.archive.test_played import play_at_random
from tests.tables.scene import Scene, dealt

SECRET = b"s" * 32


@pytest.fixture
async def played(archive: SessionFactory) -> Scene:
    """A match of two hands, Ada and Bea with two bots: the first hand is over, the second is being played."""
    scene = dealt("bea", bots=2, max_hands=2)
    play_at_random(scene, random.Random(7))
    scene.ready("ada", "bea")
    assert scene.table.phase == "playing"
    for item in scene.finished:
        assert await save(archive, finished.decode(finished.encode(item)))
    return scene


@pytest.fixture
def app(archive: SessionFactory, monkeypatch: pytest.MonkeyPatch) -> FastAPI:
    """The routes alone."""
    monkeypatch.setattr(archived, "archive_outage", Outage("archive"))
    app = FastAPI()
    for part in (history, replay):
        app.include_router(part.router)
    app.add_exception_handler(answers.Unserved, answers.unserved)
    app.state.settings = Settings(redis_url="", database_url="", secret=SECRET)
    app.state.archive = archive
    return app


async def opened(client: httpx.AsyncClient, token: str) -> httpx.Response:
    return await client.post("/api/replay", json={"token": token})


async def test_whoever_has_the_link_sees_what_its_players_see(
    client: httpx.AsyncClient, played: Scene
) -> None:
    path = f"/api/history/{played.table.match_id}/hands/1"
    bea = {"cookie": f"{COOKIE}={sign(Player('bea', 'Bea'), SECRET)}"}
    own = await client.get(path, headers=bea)
    hand = msgspec.json.decode(own.content, type=HandReplay)
    answer = await opened(client, hand.share)
    assert (answer.status_code, answer.content) == (200, own.content)
    assert "no-store" in answer.headers["cache-control"]
    assert "set-cookie" not in answer.headers
    assert (await client.get(path)).status_code == 401, "the link opens nothing besides"


async def test_all_that_opens_nothing_is_answered_alike(
    client: httpx.AsyncClient, played: Scene, archive: SessionFactory
) -> None:
    match = played.table.match_id
    good = share(match, 1, SECRET)
    assert (await opened(client, good)).status_code == 200
    payload, _, seal = good.rpartition(".")
    other = share(match, 2, SECRET)
    wrong = {
        "still being played": other,
        "never dealt": share(match, 77, SECRET),
        "no such match": share("0-none-1", 1, SECRET),
        "another hand under this seal": f"{other.rpartition('.')[0]}.{seal}",
        "cut off": good[:-1],
        "no seal": payload,
        "nothing": "",
        "another house": share(match, 1, b"t" * 32),
        "a session": sign(Player("bea", "Bea"), SECRET),
        "no text": "\x00\ud7ff",
    }
    for what, token in wrong.items():
        answer = await opened(client, token)
        assert (answer.status_code, answer.json()) == (404, {"code": "no_such_match"}), what


async def test_a_hand_that_was_lost_opens_to_nobody(
    client: httpx.AsyncClient, played: Scene, archive: SessionFactory
) -> None:
    lost = await lost_table(archive, played.table.id, 0)
    assert lost is not None
    assert await save(archive, lost_hand(lost, played.clock.now()))
    token = share(played.table.match_id, 2, SECRET)
    assert (await opened(client, token)).json() == {"code": "no_such_match"}


async def test_only_our_pages_ask_and_only_in_json(client: httpx.AsyncClient, played: Scene) -> None:
    body = {"token": share(played.table.match_id, 1, SECRET)}
    stranger = await client.post("/api/replay", json=body, headers={"origin": "https://elsewhere.example"})
    assert stranger.status_code == 403
    assert (await client.post("/api/replay", data=body)).status_code == 415
    assert (await client.post("/api/replay", json={**body, "more": 1})).status_code == 422


async def test_an_archive_that_is_away(app: FastAPI, client: httpx.AsyncClient) -> None:
    away = create_engine("postgresql://nobody@127.0.0.1:1/archive")  # nothing listens on port 1
    app.state.archive = create_session_factory(away)
    answer = await opened(client, share(a_hand().match, 1, SECRET))
    assert (answer.status_code, answer.json()) == (503, {"code": "unavailable"})
    assert int(answer.headers["retry-after"]) > 0
    await away.dispose()


def test_the_seal_of_a_hand_is_no_session() -> None:
    token = share("0-k3n-1", 3, SECRET)
    assert shared(token, SECRET) == ("0-k3n-1", 3)
    assert shared(sign(Player("0-k3n-1", "3"), SECRET), SECRET) is None
