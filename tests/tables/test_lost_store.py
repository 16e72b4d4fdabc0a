"""The store has lost a table that a worker still has a copy of."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from msgspec.structs import replace

from server.rules.refusal import Code, Refused
from server.tables import commands
from server.tables.events import Recovered
from server.tables.table import Decision, Table
from tests.tables.shop import Shop


@pytest.fixture
async def shop(store_url: str) -> AsyncIterator[Shop]:
    shop = Shop(store_url)
    await shop.redis.flushall()
    await shop.deal()
    yield shop
    await shop.close()


def archive_of(table: Table | None) -> Callable[[str], Awaitable[Decision | None]]:
    """An archive that brings this table back, some versions on, or knows nothing of it."""

    async def recover(table_id: str) -> Decision | None:
        return None if table is None else Decision(replace(table, v=table.v + 100_000), (Recovered(),))

    return recover


async def test_a_command_on_the_copy_brings_the_table_back(shop: Shop) -> None:
    """Who plays on at once must not be told that there is no such table."""
    before = await shop.service.read(shop.id)
    shop.service.recover = archive_of(before)
    await shop.redis.flushall()
    after = await shop.do(commands.Rename, "ada", "Countess")
    assert after.v == before.v + 100_001
    assert after.seats[0].name == "Countess"
    assert shop.sockets["ben"].shown[-1] == after


async def test_so_does_another_connection(shop: Shop) -> None:
    before = await shop.service.read(shop.id)
    shop.service.recover = archive_of(before)
    await shop.redis.flushall()
    shop.sockets["ben"].conn = "another"
    await shop.come("ben")
    assert shop.sockets["ben"].shown[-1].v > before.v + 100_000
    assert shop.sockets["ada"].ended == shop.sockets["ben"].ended == []


async def test_one_that_the_archive_does_not_know_is_gone(shop: Shop) -> None:
    shop.service.recover = archive_of(None)
    await shop.redis.flushall()
    with pytest.raises(Refused) as refused:
        await shop.do(commands.Rename, "ada", "Countess")
    assert refused.value.code is Code.NO_SUCH_TABLE
