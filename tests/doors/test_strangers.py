"""Whoever has no seat changes nothing at a table, whatever message of the protocol is sent; and a private table is
found, opened and heard of by nobody without its key."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import re
from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from redis.asyncio import Redis

from server.client import Client, new_session
from server.players import COOKIE
from server.protocol import (
    Ack,
    AnyClientMessage,
    AnyServerMessage,
    Arranged,
    Checked,
    Frame,
    Gone,
    Kick,
    Ping,
    Pong,
    Quick,
    Refusal,
    Sit,
    Watch,
)
from server.rules.actions import Discard, Draw, Take
from server.rules.refusal import Code
from server.tables.ids import shard_of
from server.tables.keys import table_channel
from tests.doors.messages import one_of_each
from tests.gateway.players import asked
from tests.house import House, running_house

TRIED: dict[str, tuple[Any, ...]] = {
    "seat": (0, 1, 2, 3),
    "on": (True, False),
    "choice": ("claim", "bot", "wait"),
    "action": (Draw(), Take(), Discard("AS")),
}
"""What is tried for fields that decide who or what is meant."""


class Room:
    """A house on a store that the test can read, and a table there: Ada (host), Ben, two bots."""

    def __init__(self, house: House, store: Redis, ada: Client, ben: Client, table: str, token: str) -> None:
        self.house = house
        self.store = store
        self.ada = ada
        self.ben = ben
        self.table = table
        self.token = token

    async def bytes(self) -> list[Any]:
        """Everything that the store has of the table, but for leases."""
        shard = f"{{{shard_of(self.table)}}}"
        return [
            await self.store.hgetall(table_channel(self.table)),
            await self.store.zscore(f"{shard}due", self.table),
            await self.store.hget(f"{shard}lobby", self.table),
        ]

    @contextlib.asynccontextmanager
    async def guest(self, name: str) -> AsyncIterator[Client]:
        """Somebody else."""
        cookie = await asyncio.to_thread(new_session, self.house.url, name)
        async with Client(self.house.url, cookie, keep_log=True) as client:
            yield client


@contextlib.asynccontextmanager
async def room(tmp_path: Path, store_url: str, *, private: bool, playing: bool) -> AsyncIterator[Room]:
    """A table that stands still: without a clock it waits for Ada, or before the match for a fourth seat."""
    store = Redis.from_url(store_url)
    await store.flushall()
    given = {"UPCARD_REDIS_URL": store_url, "UPCARD_SECRET": "for tests only, and long enough to be one"}
    options: dict[str, int | str] = {"turn_seconds": 0 if private else 60}
    with running_house(tmp_path / "house", 1, **given) as house:
        cookies = [await asyncio.to_thread(new_session, house.url, name) for name in ("Ada", "Ben")]
        async with (
            Client(house.url, cookies[0], keep_log=True) as ada,
            Client(house.url, cookies[1], keep_log=True) as ben,
        ):
            table = await ada.create(options, private)
            about = ada.frames[table].about
            assert about is not None
            await ben.watch(table, about.token)
            await ben.sit(table, 1)
            await ada.add_bot(table, 2)
            if playing:
                await ada.add_bot(table, 3)
                await asyncio.gather(ada.ready(table), ben.ready(table))
                # Both have a bot before them, who plays at once: from then on nothing moves by itself.
                await ada.frame(table, lambda f: asked(f) or (f.view.seats[1].asked), 30)
            else:
                await ada.frame(table, lambda f: f.view.seats[2].kind == "bot")
            yield Room(house, store, ada, ben, table, about.token or "")
    await store.aclose()


def attempts(room: Room) -> Iterable[AnyClientMessage]:
    """Every message that names a table, for this one, in every variant that could matter."""
    ids = itertools.count()
    decision = max(client.frames[room.table].decision for client in (room.ada, room.ben))
    for message in one_of_each(table=room.table, decision=decision).values():
        fields = [name for name in TRIED if name in message.__struct_fields__]
        for values in itertools.product(*(TRIED[name] for name in fields)):
            changes = dict(zip(fields, values, strict=True))
            if "id" in message.__struct_fields__:
                changes["id"] = f"attempt-{next(ids)}"
            yield msgspec.structs.replace(message, **changes)


async def try_everything(client: Client, room: Room) -> list[tuple[AnyClientMessage, list[AnyServerMessage]]]:
    """Send each attempt, and collect what comes back before the answer to a ping behind it."""
    assert client.log is not None
    found: list[tuple[AnyClientMessage, list[AnyServerMessage]]] = []
    for message in attempts(room):
        if isinstance(message, Ping):
            continue
        start, pongs = len(client.log), sum(isinstance(one, Pong) for one in client.log)
        await client.send(message)
        await client.send(Ping())

        def answered(client: Client, before: int = pongs) -> bool:
            return sum(isinstance(one, Pong) for one in client.log or ()) > before

        await client.until(answered)
        found.append((message, [one for one in client.log[start:] if not isinstance(one, Pong)]))
    return found


def named_first(here: Room, table: str, client: Client) -> str | None:
    """What the page of a table says that it needs first, which depends on how the table stands."""
    headers = {"cookie": f"{COOKIE}={client.cookie}"}
    link: str | None = httpx.get(f"{here.house.url}/t/{table}", headers=headers).headers.get("link")
    return link


def assert_in_vain(found: list[tuple[AnyClientMessage, list[AnyServerMessage]]], *, may_look: bool) -> None:
    """No message that names the table was carried out or told anything."""
    for message, answers in found:
        if "table" not in message.__struct_fields__:
            continue
        for answer in answers:
            assert not isinstance(answer, Ack | Arranged), f"{message}: {answer}"
            assert not (isinstance(answer, Checked) and answer.code is None), f"{message}: {answer}"
            assert may_look or not isinstance(answer, Frame), f"{message}: {answer}"
        if "id" in message.__struct_fields__:
            [told] = [one for one in answers if isinstance(one, Refusal | Checked)]
            assert told.id == getattr(message, "id", None)
            assert told.code not in {None, Code.UNAVAILABLE}, f"{message}: {told}"
            if not isinstance(message, Sit) and told.code is not Code.RATE_LIMITED:
                assert told.code is Code.NOT_SEATED, f"{message}: {told}"


def kinds(found: list[tuple[AnyClientMessage, list[AnyServerMessage]]]) -> set[str]:
    """The messages that were really judged, not refused for their rate."""
    return {
        type(message).__name__
        for message, answers in found
        if not any(isinstance(one, Refusal) and one.code is Code.RATE_LIMITED for one in answers)
    }


async def test_strangers_and_spectators_change_not_a_byte(tmp_path: Path, store_url: str) -> None:
    everything = {type(message).__name__ for message in one_of_each().values()} - {"Ping"}
    async with room(tmp_path, store_url, private=False, playing=True) as here:
        before = await here.bytes()
        async with here.guest("Stranger") as stranger:
            found = await try_everything(stranger, here)
            assert_in_vain(found, may_look=True)
            assert kinds(found) == everything
        async with here.guest("Spectator") as spectator:
            assert (await spectator.watch(here.table)).you is None
            found = await try_everything(spectator, here)
            assert_in_vain(found, may_look=True)
            assert kinds(found) == everything
        async with here.guest("Neighbour") as neighbour:
            other = await neighbour.create({"turn_seconds": 60})
            for seat in (1, 2, 3):
                await neighbour.add_bot(other, seat)
            await neighbour.ready(other)
            await neighbour.frame(other, lambda f: f.view.phase == "playing")
            assert_in_vain(await try_everything(neighbour, here), may_look=True)
        assert await here.bytes() == before


@pytest.mark.parametrize("playing", [True, False])
async def test_a_private_table_is_closed_to_all_without_its_key(
    tmp_path: Path, store_url: str, playing: bool
) -> None:
    async with room(tmp_path, store_url, private=True, playing=playing) as here:
        before = await here.bytes()
        async with here.guest("Stranger") as stranger:
            assert_in_vain(await try_everything(stranger, here), may_look=False)
            for wrong in ("", "x", here.token[:-1], here.token + "a", here.token.upper()):
                await stranger.send(Watch(here.table, None, wrong))
            await stranger.command(Quick("q1", "konken"))
            unknown = here.table[:-1] + ("a" if here.table[-1] != "a" else "b")
            assert named_first(here, here.table, stranger) == named_first(here, unknown, stranger)
            assert not any(isinstance(one, Frame) and one.table == here.table for one in stranger.log or ())
        if playing:
            seated, other = (named_first(here, table, here.ada) for table in (here.table, unknown))
            assert seated != other, "who sits there may know how it stands"
            async with here.guest("Friend") as friend:
                await friend.watch(here.table, here.token)
                found = await try_everything(friend, here)
                assert_in_vain(found, may_look=True)
        assert await here.bytes() == before


async def test_who_was_sent_away_from_a_private_table_neither_plays_nor_looks_on(
    tmp_path: Path, store_url: str
) -> None:
    async with (
        room(tmp_path, store_url, private=True, playing=False) as here,
        here.guest("Friend") as friend,
        here.guest("Ben again") as again,
    ):
        for client in (friend, again):
            await client.watch(here.table, here.token)
        await here.ada.command(Kick("k1", here.table, 1))
        await here.ben.until(lambda client: client.gone.get(here.table) == Code.BARRED)
        for client in (friend, again):
            await client.until(lambda client: client.gone.get(here.table) == Code.PRIVATE)
        frame = await here.ada.frame(here.table, lambda f: f.view.seats[1].kind == "empty")
        assert frame.about is not None
        assert frame.about.token not in {None, here.token}
        before = await here.bytes()
        for client in (here.ben, again):
            for message in (Watch(here.table, None, here.token), Watch(here.table)):
                await client.send(message)
            assert_in_vain(await try_everything(client, here), may_look=False)
        for client in (here.ben, friend, again):
            assert client.log is not None
            last = [one for one in client.log if isinstance(one, Frame | Gone) and one.table == here.table][
                -1
            ]
            assert isinstance(last, Gone)
            assert last.code is (Code.BARRED if client is here.ben else Code.PRIVATE)
        assert await here.bytes() == before
        await friend.watch(here.table, frame.about.token)
        await friend.sit(here.table, 1)


async def test_nobody_hears_of_a_private_table(tmp_path: Path, store_url: str) -> None:
    async with (
        room(tmp_path, store_url, private=True, playing=True) as here,
        here.guest("Stranger") as stranger,
        here.guest("Friend") as friend,
    ):
        await friend.watch(here.table, here.token)
        for client in (stranger, friend):
            await client.send_text('{"t":"hello","protocol":1}')
            await client.send_text('{"t":"lobby","on":true}')
        public = await here.ada.create({"turn_seconds": 60})
        for client in (stranger, friend):
            await client.until(lambda client: any(public in text for text in client.raw or ()))
            found = await client.command(Quick("q1", "konken"))
            assert found.table != here.table
        assert not any(here.table in text for text in stranger.raw or ())
        told_of = [text for text in friend.raw or () if here.table in text]
        assert {msgspec.json.decode(text)["t"] for text in told_of} == {"frame"}
        assert not any(here.token in text for text in friend.raw or ())
        async with httpx.AsyncClient(base_url=here.house.url, cookies={COOKIE: stranger.cookie}) as http:
            for path in ("/metrics", "/ready", "/api/history", f"/api/history/{here.table}"):
                assert here.table not in (await http.get(path)).text.replace(path, "")
        tables = [public, here.table]
        rests = [re.fullmatch(r"[0-9a-f]-([a-z2-7]{13})", table) for table in tables]
        assert all(rests), "65 bits each that nobody can guess"
        assert re.fullmatch("[a-z2-7]{26}", here.token)
