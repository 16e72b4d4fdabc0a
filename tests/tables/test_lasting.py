"""What outlasts what: tables that are watched, what expired ones leave behind, and hints of who sits where."""

from __future__ import annotations

import pytest

from server.tables import commands
from server.tables.hub import LIFE_BEATS
from server.tables.keys import table_channel
from server.tables.store import LIFE_MS, Held, StoreError
from server.tables.table import Decision
from server.tables.whereabouts import Whereabouts
from tests.tables.shop import Shop

# ---- tables


async def test_a_table_where_somebody_waits_does_not_expire(shop: Shop) -> None:
    await shop.open()
    await shop.come("ada")
    key = table_channel(shop.id)
    await shop.redis.pexpire(key, 60_000)
    await shop.hub.beat(LIFE_BEATS - 1)
    assert await shop.redis.pttl(key) <= 60_000, (
        "not with every beat: it is written into the log of the store"
    )
    await shop.hub.beat(LIFE_BEATS)
    assert await shop.redis.pttl(key) > 0.9 * LIFE_MS


async def test_to_prolong_a_table_that_is_gone_brings_nothing_back(shop: Shop) -> None:
    await shop.open()
    held = await shop.store.load(shop.id)
    assert held is not None
    await shop.redis.flushall()
    await shop.store.prolong([held.table])
    assert await shop.redis.keys() == []


async def test_what_an_expired_table_left_is_buried_by_whoever_misses_it(shop: Shop) -> None:
    await shop.open()
    await shop.come("ada")
    assert len(await shop.store.lobby()) == 1
    await shop.redis.delete(table_channel(shop.id))
    await shop.hub.beat(1)
    assert shop.sockets["ada"].ended == [shop.id]
    assert await shop.store.lobby() == []


# ---- hints


@pytest.mark.parametrize("creates", [True, False])
async def test_whose_seat_was_taken_without_an_answer_is_found_there(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, creates: bool
) -> None:
    whereabouts = Whereabouts(shop.store, shop.service)
    commit = shop.store.commit
    player = "ada" if creates else "ben"
    if not creates:
        await shop.open()

    async def unheard(before: Held | None, decision: Decision) -> Held | None:
        await commit(before, decision)
        raise StoreError("no answer")

    monkeypatch.setattr(shop.store, "commit", unheard)
    with pytest.raises(StoreError):
        await (shop.open() if creates else shop.do(commands.Sit, "ben", "Ben", None, None, None))
    assert [table.id for table in await whereabouts.tables_of(player)] == [shop.id]


async def test_a_hint_for_a_seat_that_was_never_taken_is_forgotten(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    await shop.open()
    whereabouts = Whereabouts(shop.store, shop.service)

    async def away(before: Held | None, decision: Decision) -> Held | None:
        raise StoreError("away")

    monkeypatch.setattr(shop.store, "commit", away)
    with pytest.raises(StoreError):
        await shop.do(commands.Sit, "ben", "Ben", None, None, None)
    assert await shop.store.tables_of("ben") == [shop.id]
    assert not await whereabouts.tables_of("ben")
    assert await shop.store.tables_of("ben") == []


async def test_who_looks_while_a_seat_is_being_taken_does_not_hide_it(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    await shop.open()
    whereabouts = Whereabouts(shop.store, shop.service)
    commit = shop.store.commit

    async def watched(before: Held | None, decision: Decision) -> Held | None:
        assert not await whereabouts.tables_of("ben")
        return await commit(before, decision)

    monkeypatch.setattr(shop.store, "commit", watched)
    await shop.do(commands.Sit, "ben", "Ben", None, None, None)
    assert [table.id for table in await whereabouts.tables_of("ben")] == [shop.id]


async def test_hints_that_do_not_hold_take_nobodys_room(shop: Shop) -> None:
    await shop.open()
    whereabouts = Whereabouts(shop.store, shop.service)
    for n in range(3):
        await shop.store.note_seat("ada", f"0-gone{n}", True)
    assert await whereabouts.has_room("ada", 2, "another")
    assert not await whereabouts.has_room("ada", 1, "another")
    assert await whereabouts.has_room("ada", 1, shop.id)
