"""A deploy under people: three workers go down and come back one after the other, and nobody at fifty tables is away,
refused anything, or kept waiting for long.

In real time, unlike the runs: here the house's own fifteen and thirty seconds are what is tried.
"""

from __future__ import annotations

import asyncio
import random
import signal
import time
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from server.config import Settings
from server.protocol import Create, Refusal, Sit
from server.rules.registry import GameName
from server.tables.events import SeatAway
from tests.cluster.archives import SqliteArchive, migrated_template
from tests.cluster.checker import UNSETTLED, check, steps
from tests.cluster.faults import Fault, Scene, roll
from tests.cluster.history import History
from tests.cluster.houses import Cluster
from tests.cluster.people import Person
from tests.cluster.run import lineages, read_archive, settled, watch

pytestmark = pytest.mark.cluster

TABLES = 50
OPTIONS: dict[GameName, dict[str, int | str]] = {
    "konken": {"players": 2},
    "conker": {"players": 2},
    "conquian": {"wins": 20},
}
LEASE_OVER = Settings.lease_seconds + 1
"""Until a lease has run out, and a sweep has found that."""
BEARABLE_SECONDS = 10.0
"""Between the end of one socket and the next greeting: what is left of a lease at the least. The figure is printed."""


async def pairs_at_tables(
    cluster: Cluster, history: History, chance: random.Random, stack: AsyncExitStack
) -> list[Person]:
    """Two people at each table, all of them playing."""
    ports = [worker.port for worker in cluster.workers]
    people = [Person(f"P{number}", ports, history, chance) for number in range(2 * TABLES)]
    for person in people:
        person.pace, person.patience, person.bold = (0.5, 1.5), 4.0, False
        await stack.enter_async_context(person.road)
        stack.push_async_callback(person.go)
        await person.open_tab()
    games = list(OPTIONS)
    for number in range(TABLES):
        host, guest = people[2 * number : 2 * number + 2]
        game = games[number % len(games)]
        answer = await settled(host, Create(host.new_id(), game, {"turn_seconds": 60, **OPTIONS[game]}))
        for person in (host, guest):
            await watch(person, answer.table)
        await settled(guest, Sit(guest.new_id(), answer.table))
    await all_at_play(people)
    return people


def at_play(person: Person) -> bool:
    """Whether everybody at a person's table is there, and the hand has been dealt."""
    frame = person.tabs[0].frames.get(person.tables[0])
    return frame is not None and frame.view.phase == "playing" and all(seat.here for seat in frame.view.seats)


async def all_at_play(people: list[Person]) -> None:
    """Wait until they are."""
    deadline = time.monotonic() + 60
    while not all(at_play(person) for person in people):
        assert time.monotonic() < deadline
        await asyncio.sleep(0.05)


async def test_a_deploy_marks_nobody_away(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    history = History()
    archive = SqliteArchive(tmp_path, migrated_template(tmp_path))
    async with Cluster(tmp_path / "cluster", archive, {}) as cluster, AsyncExitStack() as stack:
        people = await pairs_at_tables(cluster, history, random.Random(50), stack)
        began = len(history.seen)
        for person in people:
            person.tabs[0].longest_gap = 0.0
        await roll(Scene(cluster, people), Fault("roll", 0, 0, 0))
        await asyncio.sleep(LEASE_OVER)  # whoever had not come back by then would be away now
        await all_at_play(people)
        gaps = sorted(person.tabs[0].longest_gap for person in people)
        rolled = history.seen[began:]
        for person in people:
            await person.go()
        for worker in cluster.workers:
            worker.signal(signal.SIGKILL)
        cluster.store.stop()
        history.lineages = lineages(cluster)
        await read_archive(cluster, history)
    with capsys.disabled():
        print(f"\nlongest gap {gaps[-1]:.2f} s, median {gaps[len(gaps) // 2]:.2f} s, {len(rolled)} frames")
    assert [seen for seen in rolled for event in seen.frame.events if isinstance(event, SeatAway)] == []
    refused = [each.answer for each in history.answered if isinstance(each.answer, Refusal)]
    assert [answer for answer in refused if answer.code not in UNSETTLED] == []
    assert all(gap > 0 for gap in gaps), "everybody was on a worker that went down"
    assert gaps[-1] < BEARABLE_SECONDS
    assert check(history) == []
    assert max(after.v for _, after in steps(history.lineages[0])) > 20
