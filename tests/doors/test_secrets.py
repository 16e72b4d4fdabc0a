"""What nobody may know is in no log, however much is logged; what an operator needs to know is there, once."""

from __future__ import annotations

import asyncio
import contextlib
import json
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from itsdangerous import URLSafeSerializer
from redis.asyncio import Redis

from server.client import Client, new_session
from server.embedded import running_store
from server.players import COOKIE, pseudonym
from server.protocol import Frame, Kick, Leave, Ready, Rename
from server.rules.refusal import Code, Refused
from server.tables.ids import shard_of
from server.tables.keys import table_channel
from tests.gateway.players import play_on
from tests.house import House, running_house

SECRET = "a secret of the server, and long enough to be one"


def player_id(cookie: str) -> str:
    """The player of a session cookie."""
    found: str = URLSafeSerializer(SECRET, salt="upcard-player").loads(cookie)["id"]
    return found


def lines(house: House) -> list[dict[str, Any]]:
    """The log, read as what it is."""
    return [json.loads(line) for line in house.log.splitlines() if line.startswith("{")]


async def records(store: Redis, table: str) -> str:
    """A table as it lies in the store."""
    found = await store.hget(table_channel(table), "record")
    assert isinstance(found, bytes)
    return found.decode()


@pytest.fixture
def told(store_url: str) -> dict[str, str]:
    """The environment of a house that logs all it can."""
    return {
        "UPCARD_REDIS_URL": store_url,
        "UPCARD_SECRET": SECRET,
        "UPCARD_LOG_LEVEL": "debug",
        "UPCARD_LOG_JSON": "1",
    }


async def test_a_match_from_end_to_end_leaves_no_secret_in_the_logs(
    tmp_path: Path, told: dict[str, str], store_url: str
) -> None:
    secrets = {SECRET}
    store = Redis.from_url(store_url)
    with running_house(tmp_path, 1, **told) as house:
        cookies = [await asyncio.to_thread(new_session, house.url, name) for name in ("Ada", "Ben", "Cem")]
        secrets |= {*cookies, *map(player_id, cookies)}
        async with (
            Client(house.url, cookies[0], keep_log=True) as ada,
            Client(house.url, cookies[1], keep_log=True) as ben,
            Client(house.url, cookies[2], keep_log=True) as cem,
        ):
            table = await ada.create({"max_hands": 2, "turn_seconds": 60}, private=True)
            about = ada.frames[table].about
            assert about is not None
            assert about.token
            secrets.add(about.token)
            for client in (ben, cem):
                await client.watch(table, about.token)
                await client.sit(table)
            await ada.command(Kick("k1", table, 2))
            for seat in (2, 3):
                await ada.add_bot(table, seat)
            nonces = ["5e" * 16, "c4" * 16]
            for client, nonce in zip((ada, ben), nonces, strict=True):
                await client.command(Ready(client.new_id(), table, True, nonce))
            await ada.frame(table, lambda f: f.view.phase == "playing")
            live = msgspec.json.decode(await records(store, table))
            secrets |= {live["seed"], live["token"]}
            watch = json.dumps({"t": "watch", "table": table, "token": live["token"], "unknown": 1})
            await ada.send_text(watch)
            await ada.send_text(watch[:-1])
            await ben.command(Rename("r1", "Benjamin"))
            with pytest.raises(Refused):
                await cem.command(Leave("l1", table))
            ends = await asyncio.gather(play_on(ada, table, 9), play_on(ben, table, 9))
            assert ends[0].view.phase == "over"
            seeds = {
                frame.view.proof.seed
                for frame in ada.log or ()
                if isinstance(frame, Frame) and frame.view.proof is not None
            }
            assert len(seeds) >= 2, "two hands, and more as long as the best are level"
            secrets |= seeds
            async with httpx.AsyncClient(base_url=house.url, cookies={COOKIE: cookies[0]}) as http:
                for path in ("/api/session", "/api/history", f"/t/{table}", f"/api/history/{table}/record"):
                    await http.get(path)
                link = (await http.post("/api/handover", json={})).json()["token"]
                secrets.add(link)
                other = await http.post("/api/handover/take", json={"token": link})
                secrets.add(other.cookies[COOKIE])
                await http.post("/api/handover/take", json={"token": link})
                match = (await http.get("/api/history")).json()["matches"][0]["id"]
                shared = (await http.get(f"/api/history/{match}/hands/1")).json()["share"]
                secrets.add(shared)
                opened = await http.post("/api/replay", json={"token": shared})
                assert opened.status_code == 200
                await http.post("/api/replay", json={"token": f"{shared}x"})
                metrics = (await http.get("/metrics")).text
        house.stop()
        text = house.log + metrics
        heard = [line for line in lines(house) if line["event"] == "heard"]
        assert {line["player"] for line in heard} == {pseudonym(player_id(cookie)) for cookie in cookies}
        assert any(line["table"] == table for line in heard), "all that is logged has been looked at"
        for secret in secrets:
            assert secret not in text, f"a secret of {len(secret)} characters"
    await store.aclose()


async def test_a_fault_is_told_once_with_table_and_player(
    tmp_path: Path, told: dict[str, str], store_url: str
) -> None:
    store = Redis.from_url(store_url)
    with running_house(tmp_path, 1, **told) as house:
        cookie = await asyncio.to_thread(new_session, house.url, "Ada")
        async with Client(house.url, cookie) as ada:
            table = await ada.create({"turn_seconds": 60})
            await ada.unwatch(table)
            with pytest.raises(Refused):  # and that is done with
                await ada.command(Leave("l1", "0-abcdefghijklm"))
            shard = f"{{{shard_of(table)}}}"
            await store.hset(table_channel(table), mapping={"rev": "9-x", "record": '{"id": 7}'})
            await store.zrem(f"{shard}due", table)
            before = len(lines(house))
            with pytest.raises(Refused) as refused:
                await ada.command(Ready("r1", table, True))
            assert refused.value.code == Code.UNAVAILABLE
        faults = [line for line in lines(house)[before:] if line["level"] in {"error", "critical"}]
        [fault] = [line for line in faults if line.get("table") == table and line["event"] == "fault"]
        assert fault["player"] == pseudonym(player_id(cookie))
        assert fault["message"] == "Ready"
        assert len(fault["conn"]) == 12
        assert "ValidationError" in fault["exception"]
        assert house.log.count('"fault"') == 1
        await store.delete(table_channel(table))
    await store.aclose()


async def test_an_outage_of_the_store_is_told_once_and_its_end_once(
    tmp_path: Path, told: dict[str, str]
) -> None:
    folder = tmp_path / "store"
    with contextlib.ExitStack() as stack:
        first = stack.enter_context(contextlib.ExitStack())
        url = first.enter_context(running_store(folder))
        given = {**told, "UPCARD_REDIS_URL": url, "UPCARD_LOG_LEVEL": "info"}
        house = stack.enter_context(running_house(tmp_path / "house", 1, **given))
        async with Client(house.url, await asyncio.to_thread(new_session, house.url, "Ada")) as ada:
            await ada.create({"turn_seconds": 60})
            await asyncio.to_thread(first.close)
            for _ in range(20):
                with pytest.raises(Refused) as refused:
                    await ada.command(Ready(ada.new_id(), "0-abcdefghijklm", True))
                assert refused.value.code == Code.UNAVAILABLE
            stack.enter_context(running_store(folder))
            async with asyncio.timeout(20):
                while not any(line["event"] == "store back" for line in lines(house)):  # noqa: ASYNC110
                    await asyncio.sleep(0.05)
        events = [line["event"] for line in lines(house) if "store" in line["event"]]
        assert events == ["store away", "store back"]
