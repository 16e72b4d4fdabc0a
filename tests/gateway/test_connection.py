"""One socket's conversation without the socket, where the house is in an odd moment."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from server.gateway.connection import Connection
from server.gateway.context import Context
from server.gateway.limits import MOST_WATCHED, Doorkeeper
from server.readiness import Readiness
from server.rules.refusal import Code, Refused
from server.tables import commands
from server.tables.forms import TooNew
from server.tables.keys import table_channel
from server.tables.store import StoreError
from server.tables.table import Table
from server.tables.whereabouts import Whereabouts
from tests.tables.scene import SECRET
from tests.tables.shop import Shop


class Caller:
    """A connection, and what it is told."""

    def __init__(self, shop: Shop, player: str) -> None:
        async def none_lost(_: str) -> tuple[str, ...]:
            return ()

        context = Context(
            hub=shop.hub,
            service=shop.service,
            whereabouts=Whereabouts(shop.store, shop.service),
            clock=shop.clock,
            secret=SECRET,
            build="",
            origins=(),
            lost_tables=none_lost,
            doorkeeper=Doorkeeper(100, 100),
            readiness=Readiness(),
            gathered=True,
        )
        self.connection = Connection(context, player, player.title(), "192.0.2.1")

    async def says(self, t: str, **fields: Any) -> list[dict[str, Any]]:
        """Say something; returns what is there to be sent then."""
        await self.connection.receive(json.dumps({"t": t, **fields}))
        return await self.told()

    async def told(self) -> list[dict[str, Any]]:
        """What waits to be sent."""
        outbox = self.connection.outbox
        return [json.loads(await outbox.next()) for _ in list(outbox._queue)]

    def kept(self) -> int:
        """Of how many tables it keeps anything."""
        outbox = self.connection.outbox
        return len({*outbox._seen, *outbox._shown, *outbox._pending, *self.connection._tokens})


@pytest.fixture
async def shop(store_url: str) -> AsyncIterator[Shop]:
    shop = Shop(store_url)
    await shop.redis.flushall()
    yield shop
    await shop.close()


async def private_table(shop: Shop) -> Table:
    """Ada's, where Ben looks on by its link."""
    await shop.open(private=True)
    return await shop.service.read(shop.id)


async def test_a_second_watch_that_is_refused_ends_the_first(shop: Shop) -> None:
    token = (await private_table(shop)).token
    caller = Caller(shop, "ben")
    assert [message["t"] for message in await caller.says("watch", table=shop.id, token=token)] == ["frame"]
    (gone,) = await caller.says("watch", table=shop.id, seen=1)
    assert (gone["t"], gone["code"]) == ("gone", Code.PRIVATE)
    await shop.do(commands.AddBot, "ada", 2, "regular")
    assert await caller.told() == [], "who is told that it is gone sees no more of it"
    assert caller.kept() == 0
    assert shop.hub.watched_by(caller.connection) == []


@pytest.mark.parametrize(
    ("fault", "answered"),
    [
        (StoreError("away"), "refused"),
        (Refused(Code.UNAVAILABLE), "refused"),
        (Refused(Code.NO_SUCH_TABLE), "gone"),
    ],
)
async def test_a_watch_that_fails_leaves_nothing_behind(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, fault: Exception, answered: str
) -> None:
    async def failing(_: str) -> Table:
        raise fault

    monkeypatch.setattr(shop.service, "read", failing)
    caller = Caller(shop, "ben")
    for n in range(MOST_WATCHED + 1):
        (answer,) = await caller.says("watch", table=f"0-abcdefghijk{n:02}", seen=3)
        assert answer["t"] == answered
    assert caller.kept() == 0


async def test_one_table_of_newer_code_does_not_keep_the_others_from_hearing_that_a_socket_is_gone(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    await shop.open()
    first = shop.id
    await shop.open()
    caller = Caller(shop, "ada")
    for table_id in (first, shop.id):
        await caller.says("watch", table=table_id)
    detach = shop.hub.leases.detach

    async def newer(table_id: str, conn: str) -> None:
        if table_id == first:
            raise TooNew
        await detach(table_id, conn)

    monkeypatch.setattr(shop.hub.leases, "detach", newer)
    await caller.connection.close()
    assert shop.hub.watched_by(caller.connection) == []
    held = await shop.store.load(shop.id)
    assert held is not None
    assert not held.table.seats[0].here


async def test_whoever_closes_with_a_fault_is_watched_for_no_more(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    caller = Caller(shop, "ada")
    for _ in range(2):
        await shop.open()
        await caller.says("watch", table=shop.id)

    async def broken(table_id: str, conn: str) -> None:
        raise ValueError

    monkeypatch.setattr(shop.hub.leases, "detach", broken)
    with pytest.raises(ValueError):  # noqa: PT011 - the one above
        await caller.connection.close()
    assert shop.hub.watched_by(caller.connection) == []


async def test_a_new_name_reaches_all_tables_though_one_has_just_ended(shop: Shop) -> None:
    await shop.open()
    await shop.come("ada")
    first = shop.id
    await shop.open()
    await shop.redis.delete(table_channel(first))  # this worker has a copy still
    caller = Caller(shop, "ada")
    assert [message["t"] for message in await caller.says("rename", id="r", name="Countess")] == ["ack"]
    assert (await shop.service.read(shop.id)).seats[0].name == "Countess"
