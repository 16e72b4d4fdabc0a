"""The store has lost a table that a worker still has a copy of."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from msgspec.structs import replace

from server.rules.refusal import Code, Refused
from server.tables import commands
from server.tables.events import Recovered
from server.tables.finished import LostTable, MatchState, decode
from server.tables.recovery import rebuild
from server.tables.store import Held
from server.tables.table import Decision, Table
from tests.tables.shop import Shop


@pytest.fixture
async def shop(shop: Shop) -> Shop:
    await shop.deal()
    return shop


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


async def test_two_workers_bring_it_back_at_once(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    """One finds nothing; before it looks further the other has brought the table back, with word for the archive."""
    (state,) = [decode(payload) async for _, _, payload in shop.store.done(10)]
    assert isinstance(state, MatchState)
    await shop.redis.flushall()
    load, loads = shop.store.load, 0

    async def load_and_be_late(table_id: str) -> Held | None:
        nonlocal loads
        held = await load(table_id)
        if (loads := loads + 1) == 1:
            lost = LostTable(state, (0, 0, 0, 0), 0, 0, True, ())
            await shop.store.commit(None, rebuild(lost, shop.service.moment()))
        return held

    monkeypatch.setattr(shop.store, "load", load_and_be_late)
    found = await shop.service.find(shop.id)
    assert found is not None
    assert found.table.match_id == state.match


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
