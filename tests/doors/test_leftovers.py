"""Tables opened and left in every way, through real sockets, by the hundred; with `--full` by the thousand: whatever
they took is given back. The clocks that clean up are hurried, the ways are those of tests/tables/test_endings.py."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import itertools
import os
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from redis.asyncio import Redis

from server.client import Client
from server.doorway import Doorway, Line
from server.gateway.connection import Connection
from server.gateway.limits import RATES
from server.gateway.outbox import Outbox
from server.players import Player, new_player_id, sign
from server.protocol import Claim, Create, Frame, Kick, Leave, Quick, Stand
from server.rules.refusal import Refused
from server.tables import match, timers
from server.tables.hub import Watch
from server.tables.table import Table
from tests.doors.inside import SECRET, Inside, inside
from tests.gateway.players import play_on

QUICK = 48
FULL = 5000
AT_ONCE = 24
"""Parties at the same time: each is up to three sockets and a table."""
HURRY_MS = 5_000
"""In the place of the minute, the ten minutes and the day after which tables are cleaned up."""
KEPT = (Table, Watch, Connection, Outbox, Line, Doorway)
"""What there is of each table or socket."""
MOST_GROWTH = 48 * 1024 * 1024
"""Bytes that the process may grow by, with its clients, however many tables it has seen: what the allocator keeps."""


class Party:
    """A few people who meet at one table."""

    def __init__(self, house: Inside, stack: contextlib.AsyncExitStack) -> None:
        self._house = house
        self._stack = stack

    async def person(self, name: str) -> Client:
        """Somebody with a socket of their own."""
        cookie = sign(Player(new_player_id(), name), SECRET)
        return await self._stack.enter_async_context(Client(self._house.url, cookie))

    async def pair(self, *, game: str = "conquian", **options: int | str) -> tuple[Client, Client, str]:
        """Two people with a hand in play, or in three games' words: a table that is full."""
        ada, ben = await self.person("Ada"), await self.person("Ben")
        table = await ada.create({"turn_seconds": 60, **options}, game=game)  # type: ignore[arg-type]
        await ben.watch(table)
        await ben.sit(table, 1)
        for seat, there in enumerate(ada.frames[table].view.seats):
            if seat > 1 and there.kind == "empty":
                await ada.add_bot(table, seat)
        await asyncio.gather(ada.ready(table), ben.ready(table))
        for client in (ada, ben):
            await client.frame(table, lambda f: f.view.phase == "playing")
        return ada, ben, table


def cut(client: Client) -> None:
    """Break a line without a word."""
    assert client._socket is not None
    client._socket.transport.abort()


def over(frame: Frame) -> bool:
    """Whether the match has ended."""
    return frame.view.phase == "over"


# ---- the ways


async def never_joined(party: Party) -> None:
    ada = await party.person("Ada")
    await ada.command(Create(ada.new_id(), "konken"))


async def opened_and_dropped(party: Party) -> None:
    ada = await party.person("Ada")
    await ada.create()
    cut(ada)


async def stood_up(party: Party) -> None:
    ada = await party.person("Ada")
    table = await ada.create(private=True)
    await ada.command(Stand(ada.new_id(), table))
    await ada.unwatch(table)


async def looked_on_to_the_end(party: Party) -> None:
    ada, cem = await party.person("Ada"), await party.person("Cem")
    table = await ada.create()
    await cem.watch(table)
    await ada.command(Leave(ada.new_id(), table))
    cut(ada)
    await cem.until(lambda client: table in client.gone, 30)


async def waited_for_nobody(party: Party) -> None:
    ada = await party.person("Ada")
    await ada.send_text('{"t":"lobby","on":true}')
    found = await ada.command(Quick(ada.new_id(), "konken"))
    await ada.watch(found.table)


async def sent_away(party: Party) -> None:
    ada, ben = await party.person("Ada"), await party.person("Ben")
    table = await ada.create(private=True)
    about = ada.frames[table].about
    assert about is not None
    await ben.watch(table, about.token)
    await ben.sit(table, 1)
    await ada.command(Kick(ada.new_id(), table, 1))
    await ben.until(lambda client: table in client.gone)
    await ada.command(Leave(ada.new_id(), table))


async def match_over(party: Party) -> None:
    ada, ben, table = await party.pair(wins=1)
    await ben.command(Leave(ben.new_id(), table))
    await ada.frame(table, over)


async def match_played(party: Party) -> None:
    ada, ben, table = await party.pair(game="konken", max_hands=1, tie="turn_order")
    await asyncio.gather(play_on(ada, table, 9), play_on(ben, table, 9))


async def claimed(party: Party) -> None:
    ada, ben, table = await party.pair(grace_seconds=2)
    cut(ben)
    await ada.frame(table, lambda f: bool(f.view.absences), 30)
    await ada.command(Claim(ada.new_id(), table, 1, "claim"))
    await ada.frame(table, over)


async def deserted(party: Party) -> None:
    ada, ben, _ = await party.pair(game="conker")
    cut(ada)
    cut(ben)


async def everybody_left(party: Party) -> None:
    ada, ben, table = await party.pair(game="konken")
    for client in (ada, ben):
        await client.command(Leave(client.new_id(), table))


async def everybody_left_between_hands(party: Party) -> None:
    ada, ben, table = await party.pair(game="konken")
    await asyncio.gather(play_on(ada, table, 1), play_on(ben, table, 1))
    for client in (ada, ben):
        await client.command(Leave(client.new_id(), table))


Way = Callable[[Party], Awaitable[None]]
WAYS: tuple[Way, ...] = (
    never_joined,
    opened_and_dropped,
    stood_up,
    looked_on_to_the_end,
    waited_for_nobody,
    sent_away,
    match_over,
    match_played,
    claimed,
    deserted,
    everybody_left,
    everybody_left_between_hands,
)


async def go_all_ways(house: Inside, count: int) -> Counter[str]:
    """So many tables, some at the same time; returns how many went which way."""
    gone: Counter[str] = Counter()
    ways = iter(list(itertools.islice(itertools.cycle(WAYS), count)))

    async def one_after_another() -> None:
        for way in ways:
            async with contextlib.AsyncExitStack() as stack:
                try:
                    await way(Party(house, stack))
                    gone[way.__name__] += 1
                except (
                    Refused,
                    TimeoutError,
                ):  # an overloaded machine: broken off in the middle is a way too
                    gone["broken_off"] += 1

    async with asyncio.TaskGroup() as group:
        for _ in range(AT_ONCE):
            group.create_task(one_after_another())
    return gone


# ---- what is left


def living() -> dict[str, int]:
    """How many objects there are of each kind that a table or a socket has."""
    gc.collect()
    found = Counter(type(thing).__name__ for thing in gc.get_objects() if isinstance(thing, KEPT))
    return {kind.__name__: found[kind.__name__] for kind in KEPT}


def resident() -> int:
    """Bytes of this process in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.fixture
async def hurried(store_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Inside]:
    """A worker that cleans up at once, on a store of its own."""
    monkeypatch.setattr(timers, "EMPTY_MS", HURRY_MS)
    monkeypatch.setattr(timers, "PAUSED_MS", HURRY_MS)
    monkeypatch.setattr(match, "OVER_MS", HURRY_MS)
    store = Redis.from_url(store_url)
    await store.flushall()
    await store.aclose()
    async with inside(store_url, tmp_path) as house:
        yield house


async def settled(
    store: Redis, house: Inside, seconds: float = 90
) -> tuple[list[bytes | str], dict[str, int]]:
    """What is left of keys and in memory, once everything has had its time to end."""
    deadline = time.monotonic() + seconds
    while True:
        keys = await store.keys()
        kept = {name: size for name, size in house.sizes().items() if name not in {"absent", "tasks"}}
        buckets = kept.pop("buckets") + kept.pop("http_buckets")
        assert buckets <= len(RATES) + 2, "one address has one bucket of a kind"
        if (not keys and not any(kept.values())) or time.monotonic() > deadline:
            return keys, {name: size for name, size in kept.items() if size}
        await asyncio.sleep(0.2)


async def test_whatever_tables_and_sockets_took_is_given_back(
    hurried: Inside, store_url: str, full: bool
) -> None:
    store = Redis.from_url(store_url)
    async with contextlib.AsyncExitStack() as stack:
        await Party(hurried, stack).pair()
        alive = {kind for kind, count in living().items() if count}
        assert alive >= {"Table", "Watch", "Connection", "Outbox", "Line"}, "or nothing left would be found"
        assert await store.keys()
    await go_all_ways(hurried, AT_ONCE)  # whatever is kept once, pools and caches, is there from here on
    assert await settled(store, hurried) == ([], {})
    tasks, memory, files = hurried.sizes()["tasks"], resident(), len(os.listdir("/proc/self/fd"))
    count = FULL if full else QUICK
    gone = await go_all_ways(hurried, count)
    assert gone.total() == count
    assert set(gone) - {"broken_off"} == {way.__name__ for way in WAYS}
    assert gone["broken_off"] <= max(1, count / 50)
    left = await settled(store, hurried, 90 + count / 10)  # the archive may be behind
    grown = resident() - memory
    print(f"\n{dict(gone)}\n{count} tables: {left} left, {grown / 2**20:+.1f} MiB, {living()}")
    assert left == ([], {})
    assert hurried.sizes()["tasks"] <= tasks
    assert len(os.listdir("/proc/self/fd")) <= files + 8, "connections of the pools of stores may differ"
    assert not any(living().values())
    assert grown < MOST_GROWTH
    await store.aclose()
