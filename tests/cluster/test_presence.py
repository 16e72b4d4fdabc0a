"""Who is here, by leases: a killed worker's guests are missed in time, whoever comes back is at once where one was."""

from __future__ import annotations

import asyncio
import random
import signal
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from server.config import Settings
from server.protocol import AddBot, Create, Frame, Sit
from tests.cluster.archives import SqliteArchive, migrated_template
from tests.cluster.history import History
from tests.cluster.houses import Cluster, answers
from tests.cluster.people import Person, Tab
from tests.cluster.run import HASTE, RATE, settled, watch

pytestmark = pytest.mark.cluster

LEASE_OVER = (Settings.lease_seconds + 1) / RATE
"""Until a lease has run out in hurried time, and a sweep has found that."""
PATIENCE = 30.0
"""Seconds for what takes two, should the machine be busy."""

DRAIN_SECONDS = 1.0
"""Between a worker's last good answer to `/ready` and its closing of the sockets."""


@pytest.fixture
async def cluster(tmp_path: Path) -> AsyncIterator[Cluster]:
    """Two workers in hurried time: a lease lasts a second and a half."""
    archive = SqliteArchive(tmp_path, migrated_template(tmp_path))
    settings = {**HASTE, "UPCARD_DRAIN_SECONDS": str(DRAIN_SECONDS)}
    async with Cluster(tmp_path / "cluster", archive, settings, workers=2) as cluster:
        yield cluster


@pytest.fixture
async def pair(cluster: Cluster) -> AsyncIterator[tuple[Person, Person]]:
    """Ada on worker 0 and Ben on worker 1, at a table with a bot, in mid-hand."""
    ports = [worker.port for worker in cluster.workers]
    ada, ben = (Person(name, ports, History(), random.Random(7)) for name in ("Ada", "Ben"))
    async with AsyncExitStack() as stack:
        for number, person in enumerate((ada, ben)):
            person.only = number
            person.pace = (1, 2)
            await stack.enter_async_context(person.road)
            stack.push_async_callback(person.go)
            await person.open_tab()
        options: dict[str, int | str] = {"players": 3, "turn_seconds": 60, "grace_seconds": 120}
        answer = await settled(ada, Create(ada.new_id(), "konken", options))
        for person in (ada, ben):
            await watch(person, answer.table)
        await settled(ben, Sit(ben.new_id(), answer.table))
        await settled(ada, AddBot(ada.new_id(), answer.table, 2))
        for person in (ada, ben):
            await sees(person.tabs[0], lambda frame: frame.view.phase == "playing")
        yield ada, ben


async def sees(tab: Tab, holds: Callable[[Frame], bool]) -> Frame:
    """Wait until the newest frame of the tab's table is so."""
    table = tab.person.tables[0]
    deadline = time.monotonic() + PATIENCE
    while table not in tab.frames or not holds(tab.frames[table]):
        assert time.monotonic() < deadline, tab.frames.get(table)
        await asyncio.sleep(0.01)
    return tab.frames[table]


async def test_a_killed_workers_guests_are_missed(cluster: Cluster, pair: tuple[Person, Person]) -> None:
    """Nobody says goodbye; the lease runs out, and everybody sees the countdown. The return ends it, on any worker."""
    ada, ben = pair
    cluster.workers[1].signal(signal.SIGKILL)
    await cluster.workers[1].ended()
    await sees(ada.tabs[0], lambda frame: frame.view.seats[1].away_until is not None)
    ben.only = 0
    await sees(ada.tabs[0], lambda frame: frame.view.seats[1].away_until is None and frame.view.seats[1].here)
    frame = await sees(ben.tabs[0], lambda frame: frame.you == 1)
    assert frame.view.hand is not None
    assert frame.view.hand.hand


async def test_a_frozen_workers_guests_are_missed_and_its_thaw_harms_nobody(
    cluster: Cluster, pair: tuple[Person, Person]
) -> None:
    """It slept through the end of its leases. Whoever has gone elsewhere meanwhile is not sent away by it."""
    ada, ben = pair
    cluster.workers[1].signal(signal.SIGSTOP)
    ben.only = 0
    await sees(ben.tabs[0], lambda frame: frame.view.seats[1].here)
    await asyncio.sleep(LEASE_OVER)
    away = len(ada.history.seen)
    cluster.workers[1].signal(signal.SIGCONT)
    await asyncio.sleep(LEASE_OVER)  # whatever it has to say about its old connections, it has said
    later = [seen.frame for seen in ada.history.seen[away:]]
    assert later
    assert all(frame.view.seats[1].here for frame in later)


async def test_whoever_is_first_to_close_when_a_worker_leaves_is_not_away(
    cluster: Cluster, pair: tuple[Person, Person]
) -> None:
    """A client that closes by itself then, or a line that breaks, is the deploy's doing too."""
    ada, ben = pair
    before = len(ada.history.seen)
    cluster.workers[1].signal(signal.SIGTERM)
    while await answers(cluster.workers[1].port, "/ready"):  # noqa: ASYNC110 - it is another process
        await asyncio.sleep(0.01)
    assert cluster.workers[1].running
    await ben.go()
    ben.only = 0
    await ben.open_tab()
    await sees(ben.tabs[0], lambda frame: frame.you == 1)
    await cluster.workers[1].ended()
    await asyncio.sleep(LEASE_OVER)
    assert [seen.frame.v for seen in ada.history.seen[before:] if not seen.frame.view.seats[1].here] == []


async def test_two_tabs_on_two_workers_are_both_live(pair: tuple[Person, Person]) -> None:
    """Both get every version; closing one is no absence, and either may play."""
    ada, ben = pair
    ben.only = 0
    other = await ben.open_tab()
    first = ben.tabs[0]
    assert (first.worker, other.worker) == (1, 0)
    await sees(other, lambda frame: frame.you == 1)
    turn = max(first.frames[ben.tables[0]].v, other.frames[ben.tables[0]].v) + 4
    await sees(first, lambda frame: frame.v >= turn)
    await sees(other, lambda frame: frame.v >= turn)
    before = len(ada.history.seen)
    await ben.close_tab(first)
    newest = (await sees(other, lambda frame: True)).v
    await sees(other, lambda frame: frame.v >= newest + 6)
    assert all(seen.frame.view.seats[1].here for seen in ada.history.seen[before:])


async def test_a_worker_that_starts_while_the_store_is_away_waits_for_it(cluster: Cluster) -> None:
    """It is alive, not ready, and ready as soon as the store is back; nobody has to start it again."""
    worker = cluster.workers[0]
    worker.signal(signal.SIGTERM)
    assert await worker.ended()
    cluster.store.stop()
    worker.spawn()
    deadline = time.monotonic() + PATIENCE
    while not await answers(worker.port, "/live"):
        assert worker.running, worker.log.read_text()[-500:]
        assert time.monotonic() < deadline
        await asyncio.sleep(0.05)
    assert not await answers(worker.port, "/ready")
    cluster.store.start()
    await worker.ready()
