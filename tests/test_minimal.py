"""A new game is its own file and its lines in the registry: everything else takes it as it is."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import Any

import msgspec
from websockets.asyncio.client import connect

from server.bench.parties import seated
from server.bench.processes import serving
from server.brief import Reader
from server.players import COOKIE, Player, new_player_id, sign
from server.protocol import PROTOCOL, Hello, Watch
from tests.minimal import HAND, SEATS, Minimal

MOVES = 130
"""More than the stock has cards for, so that the pile becomes a new one."""
NAME: Any = Minimal.name


async def test_a_game_that_the_house_does_not_know_is_played(tmp_path: Path) -> None:
    data = str(tmp_path / "data")
    with serving("tests.minimal", "serve", "--port", "0", "--data", data) as (url, _):
        async with contextlib.AsyncExitStack() as stack:
            secret = (tmp_path / "data" / "secret").read_bytes()
            party = await seated(stack, url, secret, NAME, {"turn_seconds": 0})
            cookie = f"{COOKIE}={sign(Player(new_player_id(), 'Onlooker'), secret)}"
            socket = connect(url.replace("http", "ws", 1) + "/ws", additional_headers={"cookie": cookie})
            onlooker = await stack.enter_async_context(socket)
            for message in (Hello(PROTOCOL), Watch(party.table, None, party.people[0].token)):
                await onlooker.send(msgspec.json.encode(message), text=True)
            reader = Reader(dict[str, Any])

            async def told_until(v: int) -> list[Any]:
                """What comes until a version is shown."""
                told: list[Any] = []
                async with asyncio.timeout(10):
                    while not told or told[-1].get("v", 0) < v:
                        told.append(reader.read(await onlooker.recv()))
                return [message for message in told if message["t"] == "frame"]

            await told_until(1)
            await party.play(MOVES)
            frames = await told_until(getattr(party.people[0].frame, "v", 0))
    hands = [frame["view"]["hand"] for frame in frames]
    assert {hand["hand"] for hand in hands} == {None}
    assert {sum(hand["counts"]) for hand in hands} == {SEATS * HAND, SEATS * HAND + 1}
    assert min(hand["stock"] for hand in hands) < hands[-1]["stock"], "the pile has become a new stock"
    drawn = [event for frame in frames for event in frame["events"] if event["e"] == "drew"]
    assert len(drawn) == MOVES / 2
    assert not any("card" in event for event in drawn)
