"""The house on a Redis Cluster: whole matches on two workers, while slots move and a master restarts."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest
from redis.crc import key_slot

from server.client import Client, new_session
from server.players import COOKIE
from server.protocol import Ack, Frame, Refusal
from server.rules.cards import Placed
from server.rules.registry import GameName
from server.tables.keys import table_channel
from tests.gateway.players import play_on
from tests.house import House, running_house
from tests.masters import Masters, until

pytestmark = pytest.mark.cluster

MATCHES: dict[GameName, dict[str, int]] = {
    "konken": {"players": 3, "max_hands": 1},
    "conker": {"players": 3, "max_hands": 1},
    "conquian": {"wins": 1},
}
"""Long enough for a slot to move and a master to restart in their midst."""
MATCH_SECONDS = 60
ARCHIVE_SECONDS = 40
"""A call waits five seconds for a master, and what was left behind is looked for every five: some rounds of both."""


class Thoughtful(Client):
    """Looks at the cards for a moment before it asks for the best melds: that may be asked ten times a second."""

    async def arrange(self, table: str) -> tuple[tuple[Placed, ...], ...]:
        await asyncio.sleep(0.1)
        return await super().arrange(table)


class Played(NamedTuple):
    """A match: its last frame, Ada's cookie, and the sockets of all people."""

    end: Frame
    cookie: str
    people: list[Client]


async def play_match(house: House, game: GameName, began: asyncio.Queue[str]) -> Played:
    """Ada and bots, and Ben where three play."""
    names = ("Ada", "Ben")[: MATCHES[game].get("players", 2) - 1]
    cookies = [await asyncio.to_thread(new_session, house.url, name) for name in names]
    people: list[Client] = [Thoughtful(house.url, cookie, keep_log=True) for cookie in cookies]
    async with contextlib.AsyncExitStack() as stack:
        for person in people:
            await stack.enter_async_context(person)
        table = await people[0].create({**MATCHES[game]}, game=game)
        for person in people[1:]:
            await person.watch(table)
            await person.sit(table)
        await people[0].add_bot(table, len(people))
        await asyncio.gather(*(person.ready(table) for person in people))
        began.put_nowait(table)
        ends = await asyncio.gather(*(play_on(person, table, 99, MATCH_SECONDS) for person in people))
    assert {end.view.phase for end in ends} == {"over"}
    assert all(end.view.outcome == ends[0].view.outcome for end in ends)
    return Played(ends[0], cookies[0], people)


async def disturb(masters: Masters, began: asyncio.Queue[str]) -> None:
    """Move the slot of every table, and restart the last one's master."""
    slot = 0
    for _ in MATCHES:
        slot = key_slot(table_channel(await began.get()).encode())
        await asyncio.to_thread(moved, masters, slot)
    master = masters.owner(slot)
    master.stop()
    master.start()
    await asyncio.to_thread(until, master.serves)


def moved(masters: Masters, slot: int) -> None:
    """Move a slot to the next master."""
    with masters.moving(slot):
        pass


async def test_whole_matches_while_slots_move_and_a_master_restarts(masters: Masters, tmp_path: Path) -> None:
    environment = {
        "UPCARD_REDIS_URL": masters.url,
        "UPCARD_SECRET": "for tests only, and long enough to be one",
    }
    with running_house(tmp_path / "house", workers=2, **environment) as house:
        began: asyncio.Queue[str] = asyncio.Queue()
        disturbed = asyncio.create_task(disturb(masters, began))
        played = await asyncio.gather(*(play_match(house, game, began) for game in MATCHES))
        await disturbed
        for end, cookie, people in played:
            for person in people:
                assert_answered_once(person)
            record = await whole_record(house, cookie, end)
            file = tmp_path / "record.txt"
            file.write_text(record)
            verify = [sys.executable, "-m", "server", "replay", "--verify", str(file)]
            told = await asyncio.to_thread(
                subprocess.run, verify, capture_output=True, text=True, check=False
            )
            assert told.returncode == 0, told.stdout + told.stderr
        assert "fault" not in house.log


def assert_answered_once(client: Client) -> None:
    """Every command has one answer, and a table's versions never step back."""
    assert client.log is not None
    answers = Counter(message.id for message in client.log if isinstance(message, Ack | Refusal))
    assert set(answers.values()) == {1}
    versions = [message.v for message in client.log if isinstance(message, Frame)]
    assert versions == sorted(versions)


async def whole_record(house: House, cookie: str, end: Frame) -> str:
    """The record of the match, once the archive has all of its hands: each once, and as the sheet says."""
    assert end.about is not None
    hands = len(end.about.sheet)
    async with httpx.AsyncClient(base_url=house.url, cookies={COOKIE: cookie}) as http:
        for _ in range(ARCHIVE_SECONDS * 10):
            matches = (await http.get("/api/history")).json()["matches"]
            if matches and matches[0]["ended"] is not None and matches[0]["hands"] == hands:
                assert len(matches) == 1
                assert [seat["total"] for seat in matches[0]["seats"]] == [s.total for s in end.view.seats]
                text = (await http.get(f"/api/history/{matches[0]['id']}/record")).text
                assert sum(line.startswith("result") for line in text.splitlines()) == hands
                return text
            await asyncio.sleep(0.1)
    raise AssertionError(f"the match has not reached the archive:\n{house.log}")
