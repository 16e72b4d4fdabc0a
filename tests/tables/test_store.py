"""The store on a real server: compare-and-set, what goes with it, claims, leases, and news."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from msgspec.structs import replace
from redis.asyncio import Redis, RedisCluster

from server.tables import commands
from server.tables.decide import decide
from server.tables.finished import decode
from server.tables.forms import SCHEMA, TooNew
from server.tables.keys import lobby_channels, table_channel
from server.tables.news import News, read_lobby, read_news
from server.tables.store import CLAIM_MS, Conflict, Held, Store
from server.tables.table import Decision
from tests.masters import Masters
from tests.tables.scene import Scene, dealt, seated


@pytest.fixture(params=["one server", pytest.param("cluster", marks=pytest.mark.cluster)])
def url(request: pytest.FixtureRequest) -> str:
    """A store of either kind, as everything here must hold on both."""
    if request.param == "cluster":
        masters: Masters = request.getfixturevalue("masters")
        return masters.url
    url: str = request.getfixturevalue("store_url")
    return url


@pytest.fixture
async def redis(url: str) -> AsyncIterator[Redis | RedisCluster]:
    """The store without our store before it, and empty."""
    if "+cluster" in url:
        first = url.replace("+cluster", "").partition(",")[0]
        redis: Redis | RedisCluster = RedisCluster.from_url(first)
    else:
        redis = Redis.from_url(url)
    async with redis:
        await redis.flushall()
        yield redis


@pytest.fixture
async def store(redis: Redis, url: str) -> AsyncIterator[Store]:
    store = Store(url)
    yield store
    await store.close()


@pytest.fixture
async def other(redis: Redis, url: str) -> AsyncIterator[Store]:
    """The store of another worker."""
    other = Store(url)
    yield other
    await other.close()


async def keys(redis: Redis) -> list[bytes]:
    """All there is, of every master."""
    return [key async for key in redis.scan_iter()]


async def created(store: Store, scene: Scene) -> Held:
    held = await store.commit(None, Decision(scene.table))
    assert held is not None
    return held


def some_change(scene: Scene) -> Decision:
    return decide(scene.table, commands.Ready(scene.id(), "ada", True, ""), scene.moment())


async def test_what_is_committed_is_read_back(store: Store) -> None:
    scene = seated("ben")
    held = await created(store, scene)
    assert await store.load(scene.table.id) == held
    assert held.table == scene.table


async def test_a_second_create_meets_the_first(store: Store) -> None:
    scene = seated("ben")
    held = await created(store, scene)
    with pytest.raises(Conflict) as conflict:
        await created(store, scene)
    assert conflict.value.held == held


async def test_of_two_changes_of_one_version_one_wins_and_the_other_learns_of_it(store: Store) -> None:
    scene = seated("ben")
    held = await created(store, scene)
    decision = some_change(scene)
    answers = await asyncio.gather(*(store.commit(held, decision) for _ in range(10)), return_exceptions=True)
    winners = [answer for answer in answers if isinstance(answer, Held)]
    losers = [answer for answer in answers if isinstance(answer, Conflict)]
    assert (len(winners), len(losers)) == (1, 9)
    assert all(loser.held == winners[0] for loser in losers)


async def test_a_lost_table_is_a_conflict_with_nothing(store: Store, redis: Redis) -> None:
    scene = seated("ben")
    held = await created(store, scene)
    await redis.flushall()
    with pytest.raises(Conflict) as conflict:
        await store.commit(held, some_change(scene))
    assert conflict.value.held is None


async def test_another_lineage_of_the_same_version_does_not_pass(store: Store, redis: Redis) -> None:
    scene = seated("ben")
    held = await created(store, scene)
    await redis.flushall()
    other = await created(store, scene)
    assert other.table.v == held.table.v
    with pytest.raises(Conflict):
        await store.commit(held, some_change(scene))


async def test_a_commit_moves_the_deadline_and_a_claim_takes_it_once(store: Store) -> None:
    scene = dealt("ben", bots=2)
    await created(store, scene)
    now = scene.clock.now()
    assert await store.claim_due(now) == []
    later = now + 60_000
    claims = await asyncio.gather(*(store.claim_due(later) for _ in range(5)))
    assert sorted(claim for claimed in claims for claim in claimed) == [scene.table.id]
    assert not await store.claim_one(scene.table.id, later)
    assert await store.claim_one(scene.table.id, later + CLAIM_MS), "the claimer may have died"


async def test_a_closed_table_leaves_nothing_behind(store: Store, redis: Redis) -> None:
    scene = dealt("ben", bots=2)
    held = await created(store, scene)
    assert len(await keys(redis)) == 4  # the table, its deadline, its row, its place in the count
    await store.commit(held, Decision(scene.table, closed=True))
    assert await keys(redis) == []


async def test_tables_are_counted_by_game_until_they_are_closed_or_expire(
    store: Store, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    public, private = dealt("ben", bots=2), replace(Scene(True).table, id="1-aaaaaaaaaaaaa")
    held = await created(store, public)
    monkeypatch.setattr("server.tables.store.LIFE_MS", 3_000)
    await store.commit(None, Decision(private))
    assert await store.count() == {"konken": 2, "conker": 0, "conquian": 0}
    await store.commit(held, Decision(public.table, closed=True))
    assert (await store.count())["konken"] == 1
    while await store.load(private.id) is not None:  # noqa: ASYNC110 - the store lets it expire
        await asyncio.sleep(0.02)
    assert (await store.count())["konken"] == 0
    await store.bury(private.id)
    await store.forget_expired()
    assert await keys(redis) == []


async def test_a_record_of_newer_code_is_noticed(store: Store) -> None:
    scene = seated("ben")
    held = await created(store, scene)
    assert not store.met_newer
    newer = replace(scene.table, schema=SCHEMA + 1, v=scene.table.v + 1)
    await store.commit(held, Decision(newer))
    with pytest.raises(TooNew):
        await store.load(scene.table.id)
    assert store.met_newer


async def test_the_lobby_lists_public_tables_only(store: Store, redis: Redis) -> None:
    public, private = seated("ben"), Scene(True)
    await created(store, public)
    assert [row.table for row in await store.lobby()] == [public.table.id]
    await redis.flushall()
    await created(store, private)
    assert await store.lobby() == []


async def test_the_lobby_hears_of_seats_but_not_of_moves(store: Store, other: Store) -> None:
    heard: asyncio.Queue[tuple[str, bytes | None]] = asyncio.Queue()
    listener = other.listener(lambda channel, payload: heard.put_nowait((channel, payload)))
    scene = dealt("ben", bots=2)
    await listener.subscribe(*lobby_channels(), table_channel(scene.table.id))
    for _ in range(17):
        assert (await heard.get())[1] is None
    held = await created(store, scene)
    before = scene.table
    scene.plain_turn()
    assert scene.table.v > before.v
    after = await store.commit(held, Decision(scene.table, tuple(scene.events[-2:])))
    told = [await heard.get() for _ in range(3)]
    assert [channel.partition("}")[2][:5] for channel, _ in told] == ["lobby", "table", "table"]
    row = read_lobby(told[0][1] or b"")
    assert not isinstance(row, str)
    assert row.table == scene.table.id
    news = read_news(told[2][1] or b"")
    assert isinstance(news, News)
    assert after is not None
    assert (news.rev, news.table) == (after.rev, after.table)
    assert list(news.events) == scene.events[-2:]
    await listener.close()


async def test_what_a_worker_commits_is_news_for_others_only(store: Store, other: Store) -> None:
    scene = seated("ben")
    channel = table_channel(scene.table.id)
    told: asyncio.Queue[bytes | None] = asyncio.Queue()
    others_told: asyncio.Queue[bytes | None] = asyncio.Queue()
    own = store.listener(lambda _, payload: told.put_nowait(payload))
    others = other.listener(lambda _, payload: others_told.put_nowait(payload))
    await own.subscribe(channel)
    assert await told.get() is None
    held = await created(store, scene)
    again = await other.commit(held, some_change(scene))
    assert again is not None
    news = read_news(await told.get() or b"")
    assert isinstance(news, News)
    assert news.rev == again.rev, "the first thing heard is what the other worker did"
    await others.subscribe(channel)
    assert await others_told.get() is None
    await store.commit(again, Decision(scene.table, closed=True))
    assert await others_told.get() == b""
    await own.close()
    await others.close()


async def test_what_is_finished_waits_until_it_is_forgotten(store: Store) -> None:
    scene = dealt("ben", bots=2)
    held = await created(store, scene)
    before = scene.table
    scene.play_out()
    assert scene.table.v > before.v
    await store.commit(held, Decision(scene.table, finished=tuple(scene.finished)))
    waiting = [entry async for entry in store.done(10)]
    assert [decode(payload) for _, _, payload in waiting] == scene.finished
    assert await store.waiting() == len(scene.finished)
    for shard, name, _ in waiting:
        await store.forget_done(shard, name)
    assert await store.waiting() == 0
    assert [entry async for entry in store.done(10)] == []


async def test_what_was_lost_is_brought_away_without_what_came_in_its_place(store: Store) -> None:
    """A worker has read a hand's end, the store loses that, the hand ends anew, and only then the worker is done."""
    scene = dealt("ben", bots=2)
    held = await created(store, scene)
    scene.play_out()
    end = Decision(scene.table, finished=tuple(scene.finished))
    lost = await store.commit(held, end)
    read = [entry async for entry in store.done(10)]
    assert lost is not None
    await store.commit(lost, end)
    for shard, name, _ in read:
        await store.forget_done(shard, name)
    assert [decode(payload) async for _, _, payload in store.done(10)] == scene.finished


async def test_a_handover_is_taken_once_and_not_too_late(store: Store, other: Store) -> None:
    await store.keep_handover("a" * 64, b"ada", 5_000)
    await store.keep_handover("b" * 64, b"ben", 20)
    assert [await s.has_handover("a" * 64) for s in (store, other)] == [True, True]
    taken = await asyncio.gather(*(s.take_handover("a" * 64) for s in (store, other, store)))
    assert not await other.has_handover("a" * 64)
    assert sorted(taken, key=str) == [None, None, b"ada"]
    await asyncio.sleep(0.1)
    assert await store.take_handover("b" * 64) is None
    assert await store.take_handover("c" * 64) is None


async def test_leases_run_out_unless_renewed(store: Store) -> None:
    table_id = Scene().table.id
    await store.lease([(table_id, "a"), (table_id, "b")], 1_000)
    await store.lease([(table_id, "b")], 9_000)
    assert await store.claim_lost_leases(1_500) == [(table_id, "a")]
    await store.release(table_id, "a", 1_500)
    assert await store.claim_lost_leases(8_000) == []


async def test_a_lease_that_is_given_anew_while_its_loss_is_told_stays(store: Store) -> None:
    """A worker that was frozen comes back just then. If the lease went, nobody would ever miss that connection."""
    table_id = Scene().table.id
    await store.lease([(table_id, "a")], 1_000)
    assert await store.claim_lost_leases(1_500) == [(table_id, "a")]
    await store.lease([(table_id, "a")], 9_000)
    await store.release(table_id, "a", 1_500)
    assert await store.claim_lost_leases(8_000) == []
    assert await store.claim_lost_leases(9_500) == [(table_id, "a")]


async def test_where_a_player_sits_is_a_hint(store: Store) -> None:
    await store.note_seat("ada", "1-abc", True)
    assert await store.tables_of("ada") == ["1-abc"]
    await store.note_seat("ada", "1-abc", False)
    assert await store.tables_of("ada") == []
