"""Every game at a real table: two people, bots where there is room, and the archive's record of their hands."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from server.client import Client
from server.players import COOKIE
from server.protocol import Frame, Leave
from server.rules.registry import GameName
from tests.gateway.players import play_on
from tests.house import House


async def seated(
    north: Client, south: Client, game: GameName, options: dict[str, int | str] | None = None
) -> str:
    """A table of a game with two people, filled up with bots, first hand dealt."""
    table = await north.create(options, game=game)
    await south.watch(table)
    await south.sit(table)
    for seat, there in enumerate(north.frames[table].view.seats):
        if there.kind == "empty" and seat > 1:
            await north.add_bot(table, seat)
    await asyncio.gather(north.ready(table), south.ready(table))
    await asyncio.gather(*(c.frame(table, lambda f: f.view.phase == "playing") for c in (north, south)))
    return table


@pytest.mark.parametrize(
    ("game", "options", "hands"),
    [
        ("konken", {"players": 3}, 2),
        ("conker", {"players": 3, "target": 1000}, 2),
        ("conker", {"players": 6, "scoring": "penalty", "target": 1000}, 1),
        ("conquian", {"wins": 20}, 4),
        ("conquian", {"exchange": "on", "deal": 8, "wins": 20, "forcing": "auto"}, 3),
        ("conquian", {"first_card": "upcard", "wins": 20}, 2),
    ],
)
async def test_hands_to_their_end_and_records_that_replay(
    house: House,
    ada: str,
    ben: str,
    tmp_path: Path,
    game: GameName,
    options: dict[str, int | str],
    hands: int,
) -> None:
    async with Client(house.url, ada) as north, Client(house.url, ben) as south:
        table = await seated(north, south, game, options)
        await asyncio.gather(play_on(north, table, hands, 90), play_on(south, table, hands, 90))
        sheet = (await north.frame(table, lambda f: f.view.phase != "playing")).about
        assert sheet is not None
        assert len(sheet.sheet) == hands
        match = await archived(house, ada, hands)
        assert match.startswith(f"upcard-record 1\ngame {game}\n")
        file = tmp_path / "record.txt"
        file.write_text(match)
        verify = [sys.executable, "-m", "server", "replay", "--verify", str(file)]
        told = await asyncio.to_thread(subprocess.run, verify, capture_output=True, text=True, check=False)
        assert told.returncode == 0, told.stdout + told.stderr


async def archived(house: House, cookie: str, hands: int) -> str:
    """The record of the newest match, once so many of its hands are in the archive."""
    async with httpx.AsyncClient(base_url=house.url, cookies={COOKIE: cookie}) as http:
        for _ in range(100):
            matches = (await http.get("/api/history")).json()["matches"]
            text = (await http.get(f"/api/history/{matches[0]['id']}/record")).text if matches else ""
            if sum(line.startswith(("result", "void")) for line in text.splitlines()) >= hands:
                return text
            await asyncio.sleep(0.1)
    raise AssertionError("the hands have not reached the archive")


async def test_leaving_conquian_pays_and_ends_the_match(house: House, ada: str, ben: str) -> None:
    async with Client(house.url, ada) as north, Client(house.url, ben) as south:
        table = await seated(north, south, "conquian", {"stake": 7})
        await south.command(Leave("l1", table))
        frame: Frame = await north.frame(table, lambda f: f.view.phase == "over")
        assert frame.view.outcome is not None
        assert (frame.view.outcome.by, frame.view.outcome.winners) == ("forfeit", (0,))
        assert frame.view.seats[0].total == 7
