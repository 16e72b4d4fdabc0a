"""The same house on a Postgres and a store of its own, as in production: a match to its end, and what is kept of it."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from server.client import Client, new_session
from server.players import COOKIE
from tests.gateway.players import play_on
from tests.house import House, running_house

SECRET = "for tests only, and long enough to be one"


@pytest.fixture
def real(tmp_path: Path, store_url: str, postgres_url: str) -> dict[str, str]:
    """The environment of a server with real stores."""
    given = {"UPCARD_REDIS_URL": store_url, "UPCARD_DATABASE_URL": postgres_url, "UPCARD_SECRET": SECRET}
    subprocess.run([sys.executable, "-m", "server", "migrate"], env={**os.environ, **given}, check=True)
    return given


async def whole_match(house: House) -> None:
    """Play a match of two hands and compare what the archive says with what the players saw."""
    cookies = [new_session(house.url, name) for name in ("Ada", "Ben")]
    async with Client(house.url, cookies[0]) as north, Client(house.url, cookies[1]) as south:
        table = await north.create({"max_hands": 2})
        await south.watch(table)
        await south.sit(table, 2)
        await north.add_bot(table, 1)
        await north.add_bot(table, 3)
        await asyncio.gather(north.ready(table), south.ready(table))
        end, _ = await asyncio.gather(play_on(north, table, 9), play_on(south, table, 9))
        assert end.view.phase == "over"
        assert end.about is not None
        outcome = end.view.outcome
        assert outcome is not None
    async with httpx.AsyncClient(base_url=house.url, cookies={COOKIE: cookies[0]}) as http:
        matches: list[dict[str, Any]] = []
        for _ in range(100):
            matches = (await http.get("/api/history")).json()["matches"]
            if matches and matches[0]["ended"] is not None and matches[0]["hands"] == 2:
                break
            await asyncio.sleep(0.1)
        [match] = matches
        assert match["options"] == {"max_hands": 2}
        assert match["winners"] == list(outcome.winners)
        assert [seat["total"] for seat in match["seats"]] == [seat.total for seat in end.view.seats]
        assert [(seat["bot"], seat["you"]) for seat in match["seats"]] == [
            (False, True),
            (True, False),
            (False, False),
            (True, False),
        ]
        detail = (await http.get(f"/api/history/{match['id']}")).json()
        assert [hand["result"]["points"] for hand in detail["hands"]] == [
            list(row.points) for row in end.about.sheet
        ]
        record = (await http.get(f"/api/history/{match['id']}/record")).text
    assert record.startswith("upcard-record 1\ngame konken\n")
    file = house.folder / "match.txt"
    file.write_text(record)
    verify = [sys.executable, "-m", "server", "replay", "--verify", str(file)]
    assert subprocess.run(verify, check=False).returncode == 0


async def test_a_match_on_real_stores(tmp_path: Path, real: dict[str, str]) -> None:
    with running_house(tmp_path / "house", workers=2, **real) as house:
        await whole_match(house)


async def test_a_match_on_embedded_stores(house: House) -> None:
    await whole_match(house)
