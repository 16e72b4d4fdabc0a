"""The history over HTTP: one's own matches only, in the protocol's structs; 503 while the archive is away."""

import httpx
import msgspec
import pytest
from fastapi import FastAPI
from structlog.testing import capture_logs

from server.api import archived
from server.api import history as api
from server.api.session import current_player
from server.archive.matches import save
from server.archive.session import SessionFactory, create_engine, create_session_factory
from server.bodies import History, HistoryDetail
from server.config import Settings
from server.players import Player
from server.telemetry import Outage
from tests.archive.finished import EMPTY, RESULT, SEATS, START, WON, a_hand, a_state, gone

MATCH = a_hand().match


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch) -> FastAPI:
    """The routes alone, asked by North."""
    monkeypatch.setattr(archived, "archive_outage", Outage("archive"))
    app = FastAPI()
    app.include_router(api.router)
    app.state.settings = Settings(redis_url="", database_url="", secret=b"s" * 32)
    asked_by(app, "north")
    return app


def asked_by(app: FastAPI, player: str) -> None:
    """From now on `player` asks."""
    app.dependency_overrides[current_player] = lambda: Player(player, player.title())


async def test_own_matches(app: FastAPI, client: httpx.AsyncClient, archive: SessionFactory) -> None:
    app.state.archive = archive
    await save(archive, a_hand(1))
    await save(archive, a_hand(2, outcome=WON))

    response = await client.get("/api/history")
    assert (response.status_code, response.headers["content-type"]) == (200, "application/json")
    assert "no-store" in response.headers["cache-control"]
    (match,) = msgspec.json.decode(response.content, type=History).matches
    assert (match.id, match.hands, match.winners) == (MATCH, 2, (0,))

    response = await client.get(f"/api/history/{MATCH}")
    found = msgspec.json.decode(response.content, type=HistoryDetail)
    assert found.match == match
    assert [(hand.hand_no, hand.result) for hand in found.hands] == [(1, RESULT), (2, RESULT)]
    assert b"north" not in response.content  # player ids stay in the house


async def test_who_left_still_finds_the_match(
    app: FastAPI, client: httpx.AsyncClient, archive: SessionFactory
) -> None:
    app.state.archive = archive
    await save(archive, a_hand(1))
    seats = (*SEATS[:2], EMPTY, SEATS[3])
    after = START + 61_000
    await save(archive, a_state(20, ended=after, seats=seats, departure=gone(2, "south", 1, after)))
    asked_by(app, "south")
    response = await client.get("/api/history")
    (match,) = msgspec.json.decode(response.content, type=History).matches
    assert (match.id, match.left, any(seat.you for seat in match.seats)) == (MATCH, "left", False)
    response = await client.get(f"/api/history/{MATCH}")
    assert msgspec.json.decode(response.content, type=HistoryDetail).match == match
    response = await client.get(f"/api/history/{MATCH}/record")
    assert "\nleft 2\nresult " in response.text


async def test_the_record_is_a_text_file(
    app: FastAPI, client: httpx.AsyncClient, archive: SessionFactory
) -> None:
    app.state.archive = archive
    await save(archive, a_hand(1))
    await save(archive, a_hand(2, outcome=WON))
    response = await client.get(f"/api/history/{MATCH}/record")
    assert response.headers["content-type"] == "text/plain; charset=utf-8"
    assert response.headers["content-disposition"] == f'attachment; filename="upcard-{MATCH}.txt"'
    lines = response.text.splitlines()
    assert lines[0] == "upcard-record 1"
    assert [line for line in lines if line.startswith("hand ")] == ["hand 1 dealer 3", "hand 2 dealer 0"]
    assert lines[-1].startswith("match 0 ")


@pytest.mark.parametrize(
    "path", [MATCH, f"{MATCH}/record", f"{MATCH}/hands/1", "0-none-1", "%00", "a%2fb", "x" * 5000]
)
async def test_what_is_not_ones_own_is_not_there(
    app: FastAPI, client: httpx.AsyncClient, archive: SessionFactory, path: str
) -> None:
    app.state.archive = archive
    await save(archive, a_hand())
    asked_by(app, "stranger")
    assert (await client.get(f"/api/history/{path}")).status_code == 404
    response = await client.get("/api/history")
    assert msgspec.json.decode(response.content, type=History) == History(())


async def test_nobody_is_refused(app: FastAPI, client: httpx.AsyncClient, archive: SessionFactory) -> None:
    app.state.archive = archive
    app.dependency_overrides.clear()
    assert (await client.get("/api/history")).status_code == 401


async def test_an_archive_that_is_away(
    app: FastAPI, client: httpx.AsyncClient, archive: SessionFactory
) -> None:
    """Told to every client, but to the log only once; and once that it is back."""
    away = create_engine("postgresql://nobody@127.0.0.1:1/archive")  # nothing listens on port 1
    app.state.archive = create_session_factory(away)
    with capture_logs() as logs:
        for path in ("", f"/{MATCH}", f"/{MATCH}/record"):
            response = await client.get(f"/api/history{path}")
            assert (response.status_code, response.json()) == (503, {"code": "unavailable"})
            assert int(response.headers["retry-after"]) > 0
        assert [entry["event"] for entry in logs] == ["archive away"]
        app.state.archive = archive
        assert (await client.get("/api/history")).status_code == 200
        assert (await client.get("/api/history")).status_code == 200
        assert [entry["event"] for entry in logs] == ["archive away", "archive back"]
    await away.dispose()
