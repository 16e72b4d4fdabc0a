"""The shell around the tables: what one worker does when sockets, messages and stores misbehave."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from server.protocol import Create
from server.rules.refusal import Code, Refused
from server.tables import commands
from server.tables.archiver import Archiver
from server.tables.finished import AnyFinished
from server.tables.forms import SCHEMA
from server.tables.keys import table_channel
from server.tables.opening import open_table
from server.tables.showcase import MOST
from server.tables.store import Held, StoreError
from server.tables.table import MAX_CONNECTIONS, Decision
from tests.tables.releases import written
from tests.tables.scene import SECRET
from tests.tables.shop import Onlooker, Shop


async def heard(shop: Shop) -> asyncio.Task[None]:
    """The hub listens, and its lobby stands."""
    loop = asyncio.create_task(shop.hub.run())
    await asyncio.wait_for(shop.hub.lobby.ready.wait(), 5)
    return loop


async def test_more_tabs_than_count_cause_no_storm(shop: Shop) -> None:
    await shop.open()
    tabs = [Onlooker("ada") for _ in range(MAX_CONNECTIONS + 3)]
    for number, tab in enumerate(tabs):
        tab.conn = f"tab-{number}"
        await shop.hub.watch(tab, shop.id, None)
    before = (await shop.service.read(shop.id)).v
    await shop.do(commands.Rename, "ada", "Countess")
    await shop.wait(0)
    assert (await shop.service.read(shop.id)).v == before + 1
    assert all(tab.shown[-1].seats[0].name == "Countess" for tab in tabs)


async def test_a_dropped_socket_is_told_to_nobody_and_its_lease_runs_out(shop: Shop) -> None:
    await shop.open()
    await shop.come("ada")
    shop.hub.drop(shop.sockets["ada"])
    held = await shop.store.load(shop.id)
    assert held is not None
    assert held.table.seats[0].here
    await shop.wait(16)
    held = await shop.store.load(shop.id)
    assert held is not None
    assert not held.table.seats[0].here


async def test_a_seats_coming_that_is_cut_off_and_carried_out_late_does_not_keep_it(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker was frozen in the midst of it, its lease ran out, and the socket is gone when it goes on."""
    await shop.open()
    commit = shop.store.commit
    under_way: list[tuple[Held | None, Decision]] = []

    async def cut_off(held: Held | None, decision: Decision) -> Held:
        under_way.append((held, decision))
        shop.clock.advance(20)
        for lost in await shop.store.claim_lost_leases(shop.clock.now()):
            await shop.store.release(*lost, shop.clock.now())
        raise asyncio.CancelledError

    with monkeypatch.context() as frozen:
        frozen.setattr(shop.store, "commit", cut_off)
        with pytest.raises(asyncio.CancelledError):
            await shop.come("ada")
    assert (await commit(*under_way[-1])).table.seats[0].here  # type: ignore[union-attr]
    await shop.wait(20)
    held = await shop.store.load(shop.id)
    assert held is not None
    assert not held.table.seats[0].here


async def test_whose_going_the_store_has_lost_is_missed_all_the_same(shop: Shop) -> None:
    """The store is back at the time when Ada was here; the worker has a later copy, where she had gone already."""
    await shop.open()
    await shop.come("ada")
    earlier = await shop.redis.hgetall(table_channel(shop.id))
    await shop.come("ben")
    await shop.go("ada")
    await shop.redis.hset(table_channel(shop.id), mapping=earlier)  # type: ignore[arg-type]
    await shop.wait(20)
    held = await shop.store.load(shop.id)
    assert held is not None
    assert not held.table.seats[0].here


async def test_news_that_cannot_be_read_end_nothing(shop: Shop) -> None:
    await shop.open()
    loop = await heard(shop)
    await shop.come("ada")
    await shop.redis.spublish(table_channel(shop.id), b'{"rev":"x","table":{"schema":99}}')
    await shop.redis.spublish("{0}lobby", b"+{")
    await shop.store.say(shop.id, 0, 3)
    await asyncio.sleep(0.1)
    assert not loop.done()
    loop.cancel()


async def test_the_lobby_tells_of_no_more_than_fits_a_page(shop: Shop) -> None:
    for _ in range(MOST + 2):
        await shop.open()
    await shop.hub.lobby.read()
    ben = shop.sockets["ben"]
    await shop.hub.lobby.follow(ben)
    (snapshot,) = ben.told
    assert len(shop.hub.lobby.roomy("konken")) == MOST + 2
    assert (len(snapshot.rows), snapshot.full, snapshot.more) == (MOST, True, 2)
    shown = [row.table for row in snapshot.rows]
    hidden = next(row for row in await shop.store.lobby() if row.table not in shown)
    shop.hub.lobby.change(b"+" + msgspec.json.encode(replace(hidden, v=hidden.v + 1)))
    assert len(ben.told) == 1
    shop.hub.lobby.change(b"-" + shown[3].encode())
    (risen,) = ben.told[-1].rows
    assert (ben.told[-1].gone, ben.told[-1].more) == ((shown[3],), 1)
    await shop.hub.lobby.read()  # the store has never heard of it
    after = [row.table for row in ben.told[-1].rows]
    assert ben.told[-1].full
    assert after == [*shown[:3], *shown[4:], risen.table]


@pytest.mark.parametrize("schema", [1, 2, SCHEMA, SCHEMA + 1])
async def test_news_of_another_release_are_looked_up(shop: Shop, schema: int) -> None:
    """While a new release rolls out: an older table is read as it is, a newer one left alone."""
    await shop.open()
    loop = await heard(shop)
    await shop.come("ada")
    held = shop.hub.held(shop.id)
    assert held is not None
    seats = (replace(held.table.seats[0], name="Countess"), *held.table.seats[1:])
    table = replace(held.table, v=held.table.v + 1, seats=seats)
    record = json.dumps(written(table, schema)).encode()
    await shop.redis.hset(table_channel(shop.id), mapping={"rev": "99-other", "record": record})
    await shop.redis.spublish(
        table_channel(shop.id), b'{"rev":"99-other","events":[],"table":' + record + b"}"
    )
    await asyncio.sleep(0.2)
    later = schema > SCHEMA
    assert shop.sockets["ada"].shown[-1].seats[0].name == ("Ada" if later else "Countess")
    assert shop.store.met_newer == later
    loop.cancel()


@pytest.mark.parametrize("ending", [StoreError("gone"), asyncio.CancelledError()])
async def test_a_commit_without_an_answer_is_looked_up(shop: Shop, ending: BaseException) -> None:
    await shop.open()
    loop = await heard(shop)
    await shop.come("ada")
    commit = shop.store.commit

    async def lost(before: Held | None, decision: Decision) -> Held | None:
        await commit(before, decision)
        raise ending

    shop.store.commit = lost  # type: ignore[method-assign]
    with pytest.raises(type(ending)):
        await shop.do(commands.Rename, "ada", "Countess")
    async with asyncio.timeout(5):  # at once, and not only when leases are renewed
        while shop.sockets["ada"].shown[-1].seats[0].name != "Countess":  # noqa: ASYNC110 - what the socket sees
            await asyncio.sleep(0.01)
    loop.cancel()


async def test_a_private_table_shows_a_stranger_nothing(shop: Shop) -> None:
    await shop.open()
    held = await shop.store.load(shop.id)
    assert held is not None
    stranger = Onlooker("eve")
    table = held.table
    shop.hub.held = lambda table_id: None  # type: ignore[method-assign]

    async def private(table_id: str) -> object:
        from msgspec.structs import replace

        return replace(table, private=True)

    shop.service.read = private  # type: ignore[method-assign, assignment]
    with pytest.raises(Refused) as refused:
        await shop.hub.watch(stranger, shop.id, None)
    assert refused.value.code == Code.PRIVATE
    assert stranger.shown == []
    assert shop.hub._watches == {}


async def test_a_table_that_has_just_ended_is_not_brought_back(shop: Shop) -> None:
    await shop.deal()
    before = (await shop.service.read(shop.id)).match_id
    asked: list[str] = []

    async def recover(table_id: str) -> None:
        asked.append(table_id)

    shop.service.recover = recover
    for player in ("ada", "ben"):
        await shop.do(commands.Leave, player)
    assert await shop.service.find(shop.id) is None
    assert asked == [], f"the ending of {before} still waits for the archive"


async def test_what_an_expired_table_left_is_buried(shop: Shop) -> None:
    await shop.deal()
    await shop.redis.delete(table_channel(shop.id))
    await shop.go("ada")
    shop.hub._watches.clear()
    await shop.wait(40)
    assert await shop.store.claim_due(shop.clock.now() + 10_000_000) == []
    assert await shop.store.lobby() == []


async def test_one_item_that_cannot_be_archived_keeps_no_other_waiting(shop: Shop) -> None:
    await shop.deal()
    await shop.play_out()
    shard = shop.id.partition("-")[0]
    await shop.redis.hset(f"{{{shard}}}done", "spoilt", b"{")
    kept: list[AnyFinished] = []

    async def keep(item: AnyFinished) -> bool:
        kept.append(item)
        return True

    await Archiver(shop.store, keep, shop.clock).drain()
    assert len(kept) == 2, "the beginning of the match, and its first hand"
    assert [name async for _, name, _ in shop.store.done(10)] == ["spoilt"]


async def test_an_answer_that_never_comes_stops_the_archive_for_one_round_only(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.tables.archiver.ROUND_MS", 50)
    monkeypatch.setattr("server.tables.archiver.SWEEP_MS", 10)
    await shop.deal()
    await shop.play_out()
    asked: list[AnyFinished] = []
    both = asyncio.Event()

    async def keep(item: AnyFinished) -> bool:
        asked.append(item)
        if len(asked) == 1:
            await asyncio.Event().wait()
        if len(asked) == 3:
            both.set()
        return True

    async with asyncio.timeout(10), asyncio.TaskGroup() as group:
        running = group.create_task(Archiver(shop.store, keep, shop.clock).run())
        await both.wait()
        running.cancel()
    assert asked[0] in asked[1:], "the beginning of the match or its first hand is asked for anew"


async def test_after_a_long_outage_all_that_waits_is_archived_in_one_go(shop: Shop) -> None:
    """What was first in a large hash leaves empty places behind; whatever is beyond them has to be found, too."""
    await shop.deal()
    await shop.play_out()
    shard = shop.id.partition("-")[0]
    (one, *_) = [payload async for _, _, payload in shop.store.done(10)]
    await shop.redis.hset(f"{{{shard}}}done", mapping={f"item {n}": one for n in range(5000)})
    waiting = await shop.store.waiting()
    kept: list[AnyFinished] = []

    async def keep(item: AnyFinished) -> bool:
        kept.append(item)
        return True

    archiver = Archiver(shop.store, keep, shop.clock)
    assert await archiver.drain() == waiting == len(kept)
    assert await shop.store.waiting() == 0
    assert archiver.lag_seconds < 60


async def test_a_worker_that_has_fallen_behind_shows_nobody_what_they_have_seen(shop: Shop) -> None:
    """Another worker, whose news have not come yet, has shown more of the table."""
    await shop.open()
    await shop.come("ada")
    behind = shop.hub.held(shop.id)
    newest = (await shop.do(commands.Rename, "ada", "Countess")).v
    shop.hub._watches[shop.id].held = behind
    back = Onlooker("eve")
    await shop.hub.watch(back, shop.id, None, newest)
    assert {table.v for table in back.shown} == {newest}


async def test_what_the_store_has_lost_is_said_to_who_has_seen_it(shop: Shop) -> None:
    await shop.open()
    await shop.come("ada")
    back = Onlooker("eve")
    await shop.hub.watch(back, shop.id, None, 9)
    assert back.synced == [True]
    await shop.hub.watch(back, shop.id, None, 1)
    await shop.hub.watch(back, shop.id, None)
    assert back.synced == [True, False, False]


async def test_news_that_come_while_a_table_is_read_again_are_no_loss(shop: Shop) -> None:
    """What was read is older than what this worker has by now; the store has lost nothing."""
    await shop.open()
    await shop.come("ada")
    loop = await heard(shop)
    behind = shop.hub.held(shop.id)
    await shop.do(commands.Rename, "ada", "Countess")
    read = await shop.store.load(shop.id)
    assert read is not None
    shop.hub._watches[shop.id].held = behind
    loaded = shop.store.load

    async def load(table_id: str) -> Held | None:
        shop.hub._watches[shop.id].held = read
        await shop.do(commands.Rename, "ada", "Duchess")
        return read

    shop.store.load = load  # type: ignore[method-assign]
    await shop.hub.reconcile()
    shop.store.load = loaded  # type: ignore[method-assign]
    assert not any(shop.sockets["ada"].synced)
    assert shop.sockets["ada"].shown[-1].seats[0].name == "Duchess"
    loop.cancel()


async def test_what_the_store_has_lost_is_shown_as_it_is(shop: Shop) -> None:
    await shop.open()
    await shop.come("ada")
    kept: dict[Any, Any] = await shop.redis.hgetall(table_channel(shop.id))
    await shop.do(commands.Rename, "ada", "Countess")
    await shop.redis.delete(table_channel(shop.id))
    await shop.redis.hset(table_channel(shop.id), mapping=kept)
    await shop.hub.reconcile()
    assert shop.sockets["ada"].synced[-1]
    assert shop.sockets["ada"].shown[-1].seats[0].name == "Ada"


async def test_who_has_lost_their_seat_while_away_looks_on(shop: Shop) -> None:
    """This worker has not heard of it yet, and takes them for seated."""
    await shop.open()
    eve = Onlooker("eve")
    await shop.hub.watch(eve, shop.id, None)
    await shop.do(commands.Sit, "ben", "Ben", None, None, None)
    behind = shop.hub.held(shop.id)
    await shop.do(commands.Stand, "ben")
    shop.hub._watches[shop.id].held = behind
    await shop.come("ben")
    ben = shop.sockets["ben"]
    assert ben.ended == []
    assert ben.shown[-1].seat_of("ben") is None


@pytest.mark.parametrize("player", ["ada", "eve"])
async def test_a_table_that_is_gone_when_it_is_read_again_is_told_once(shop: Shop, player: str) -> None:
    """This worker has not heard that it has ended; whoever comes back has seen more of it elsewhere."""
    await shop.open()
    await shop.hub.watch(Onlooker("cem"), shop.id, None)
    await shop.redis.delete(table_channel(shop.id))
    back = Onlooker(player)
    await shop.hub.watch(back, shop.id, None, 9)
    assert back.ended == [shop.id]
    assert back.shown == []
    assert shop.hub._watches == {}


async def test_who_has_lost_their_seat_at_a_private_table_needs_its_link(shop: Shop) -> None:
    create = Create("create", "konken", private=True)
    table = open_table(create, "ada", "Ada", SECRET, shop.service.moment())
    shop.id, token = table.id, table.token
    await shop.service.create(table)
    await shop.hub.watch(Onlooker("eve"), shop.id, token)
    await shop.do(commands.Sit, "ben", "Ben", None, None, token)
    behind = shop.hub.held(shop.id)
    await shop.do(commands.Stand, "ben")
    shop.hub._watches[shop.id].held = behind
    with pytest.raises(Refused) as refused:
        await shop.come("ben")
    assert refused.value.code == Code.PRIVATE
    await shop.hub.watch(shop.sockets["ben"], shop.id, token)
    assert shop.sockets["ben"].shown[-1].seat_of("ben") is None
