"""The store on a cluster whose slots move and whose masters go: what waits, what goes on, and what is heard after."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from redis.crc import key_slot

from server.tables import redis_cluster
from server.tables.ids import shard_of
from server.tables.keys import lobby_channels, table_channel
from server.tables.news import read_news
from server.tables.store import Held, Store, StoreError
from server.tables.table import Decision
from tests.masters import Masters, until
from tests.tables.scene import Scene, dealt
from tests.tables.test_store import created

pytestmark = pytest.mark.cluster


@pytest.fixture
async def store(masters: Masters) -> AsyncIterator[Store]:
    for node in masters.nodes:
        node.redis.flushall()
    store = Store(masters.url)
    yield store
    await store.close()


def slot_of(scene: Scene) -> int:
    """The slot that all keys of a table share."""
    slot: int = key_slot(f"{{{shard_of(scene.table.id)}}}".encode())
    return slot


async def move(store: Store, scene: Scene, held: Held) -> Held:
    """Commit the next move."""
    told = len(scene.events)
    scene.plain_turn()
    after = await store.commit(held, Decision(scene.table, tuple(scene.events[told:])))
    assert after is not None
    return after


def test_shards_are_spread(masters: Masters) -> None:
    owners = {masters.owner(key_slot(channel.encode())).port for channel in lobby_channels()}
    assert owners == {node.port for node in masters.nodes}


async def test_a_commit_waits_for_a_slot_on_its_way(store: Store, masters: Masters) -> None:
    scene = dealt("ben", bots=2)
    held = await created(store, scene)
    with masters.moving(slot_of(scene)) as target:
        # The lobby's row goes ahead: no node has all keys now.
        source = masters.owner(slot_of(scene))
        lobby = f"{{{shard_of(scene.table.id)}}}lobby"
        source.say("MIGRATE", "127.0.0.1", target.port, lobby, 0, 5000)
        waiting = asyncio.create_task(move(store, scene, held))
        await asyncio.wait([waiting], timeout=0.2)
        assert not waiting.done()
    held = await waiting
    assert await store.load(scene.table.id) == held
    assert target.redis.hget(table_channel(scene.table.id), "rev") == held.rev.encode()
    assert [row.table for row in await store.lobby()] == [scene.table.id]


async def test_news_come_from_where_the_slot_has_gone(store: Store, masters: Masters) -> None:
    scene = dealt("ben", bots=2)
    channel = table_channel(scene.table.id)
    heard: asyncio.Queue[tuple[str, bytes | None]] = asyncio.Queue()
    other = Store(masters.url)
    listener = other.listener(lambda channel, payload: heard.put_nowait((channel, payload)))
    try:
        await listener.subscribe(channel)
        assert await heard.get() == (channel, None)
        held = await created(store, scene)
        assert (await heard.get())[1]
        with masters.moving(slot_of(scene)):
            pass
        assert await asyncio.wait_for(heard.get(), 5) == (channel, None), "it stands again, and says so"
        held = await move(store, scene, held)
        told = read_news((await asyncio.wait_for(heard.get(), 5))[1] or b"")
        assert told is not None
        assert told.rev == held.rev  # type: ignore[union-attr]
    finally:
        await listener.close()
        await other.close()


async def test_a_master_that_is_away_stops_nobody_else(
    store: Store, masters: Masters, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_cluster, "PATIENCE_SECONDS", 0.3)
    scene = dealt("ben", bots=2)
    held = await created(store, scene)
    here = masters.owner(slot_of(scene))
    away = next(node for node in masters.nodes if node is not here)
    stranger = next(c for c in lobby_channels() if masters.owner(key_slot(c.encode())) is away)
    lost = f"{stranger[1]}-aaaaaaaaaaaaa"
    away.stop()
    try:
        held = await move(store, scene, held)
        assert [row.table for row in await store.lobby()] == [scene.table.id]
        assert await store.claim_due(scene.clock.now() + 60_000) == [scene.table.id]
        assert await store.revisions([scene.table.id, lost]) == {scene.table.id: held.rev}
        await store.ping()
        with pytest.raises(StoreError):
            await store.load(lost)
    finally:
        away.start()
        until(away.serves)
    monkeypatch.undo()
    assert await store.load(lost) is None


async def test_a_commit_waits_for_a_master_that_restarts(store: Store, masters: Masters) -> None:
    scene = dealt("ben", bots=2)
    held = await created(store, scene)
    master = masters.owner(slot_of(scene))
    master.stop()
    waiting = asyncio.create_task(move(store, scene, held))
    master.start()
    held = await waiting
    assert await store.load(scene.table.id) == held
