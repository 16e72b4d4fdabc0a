"""A thousand tables, all due within two seconds, four tickers, two of which die with what they have claimed: whatever
time decides is done, and done once."""

from __future__ import annotations

import asyncio
import contextlib
import random
import signal
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import func, select

from server.archive.models import HandRow, MatchRow
from server.archive.session import create_engine, create_session_factory, reading
from server.lifeline import die_with_parent
from server.rules.actions import AnyAction, Discard, Draw
from server.tables import commands
from server.tables.ids import SHARDS
from server.tables.store import Store
from server.tables.table import Decision, Seat, Table
from server.tables.timers import due_of
from tests.cluster.archives import SqliteArchive, migrated_template
from tests.cluster.checker import logs_only_grow
from tests.cluster.chronicle import read_lineage
from tests.cluster.history import Commit, History
from tests.cluster.houses import LiveStore
from tests.tables.scene import Scene, dealt, seated

pytestmark = pytest.mark.cluster

EACH = 125
"""Tables of each of the eight kinds."""
AHEAD_MS = 4_000
"""For the tables to be put into the store before the first is due."""
SPAN_MS = 2_000
PATIENCE = 120.0
"""Seconds for all of it, should a busy machine be so late that clocks are given again: then it is another minute."""


# ---- tables just before their moment -----------------------------------------------------------------------------


def turn_clock() -> Table:
    """Somebody has to answer."""
    return dealt("ben", players=2, turn_seconds=60).table


def grace() -> Table:
    """Ben is away, and a bot is to play on for him; it is Ada's turn, for a long time."""
    scene = dealt("ben", players=2, grace_seconds=2, absent="bot", turn_seconds=60)
    while scene.turn != 0:
        move(scene)
    scene.go("ben-1")
    return scene.table


def bot_move() -> Table:
    """A bot has the turn."""
    scene = dealt(bots=1, players=2, turn_seconds=60)
    while not scene.seat(scene.turn).driven:
        move(scene)
    return scene.table


def self_ready() -> Table:
    """Before the first hand: those who are here are ready by themselves."""
    return seated("ben", players=2, turn_seconds=60).table


def next_deal() -> Table:
    """Between two hands."""
    scene = dealt("ben", players=2, turn_seconds=60)
    scene.play_out()
    return scene.table


def last_answer() -> Table:
    """The answer that time gives ends the hand, and the match with it."""
    scene = dealt("ben", players=2, max_hands=1, turn_seconds=60)
    before = scene.table
    while scene.table.phase == "playing":
        before = scene.table
        move(scene)
    return before


def finished_table() -> Table:
    """The match is over, and the table to be cleared away."""
    scene = dealt("ben", players=2, max_hands=1)
    scene.play_out()
    return scene.table


def empty_table() -> Table:
    """Nobody is here any more."""
    scene = seated(players=2, grace_seconds=120)
    scene.go("ada-1")
    return scene.table


def move(scene: Scene) -> None:
    """One plain move."""
    index = scene.turn
    hand: Any = scene.table.hand
    action: AnyAction = Draw() if hand.phase == "draw" else Discard(hand.hands[index][-1])
    seat = scene.seat(index)
    if seat.driven:
        scene.bot_play(index, action)
    else:
        scene.do(commands.Play(scene.id(), seat.player or "", seat.decision, action))


def moved_to(table: Table, due: int, name: str) -> Table:
    """The same table under another name, at such a time of day that it is due then."""
    at = due_of(table)
    assert at is not None
    later = due - at

    def when(moment: int | None) -> int | None:
        return None if moment is None else moment + later

    def of_seat(seat: Seat) -> Seat:
        return replace(
            seat, asked=when(seat.asked), deadline=when(seat.deadline), away_until=when(seat.away_until)
        )

    return replace(
        table,
        id=name,
        created=table.created + later,
        started=table.started + later if table.started else 0,
        seats=tuple(map(of_seat, table.seats)),
        ready_by=when(table.ready_by),
        paused_at=when(table.paused_at),
        closes_at=when(table.closes_at),
    )


# ---- the effect of time, as it stands in the chronicle ------------------------------------------------------------

Step = Callable[[Table, Table | None], bool]


def adds(text: str, note: str = "") -> Step:
    """Lines that begin so come to the log."""

    def found(before: Table, after: Table | None) -> bool:
        new = () if after is None else after.lines[len(before.lines) :]
        return any(line.text.startswith(text) and line.note == note for line in new)

    return found


def deals(before: Table, after: Table | None) -> bool:
    """The next hand is dealt."""
    return after is not None and after.hand_no > before.hand_no


def ends(before: Table, after: Table | None) -> bool:
    """The match is over."""
    return after is not None and (before.phase, after.phase) == ("playing", "over")


def goes(before: Table, after: Table | None) -> bool:
    """The table is deleted."""
    return after is None


KINDS: dict[Callable[[], Table], Step] = {
    turn_clock: adds("draw", "timeout"),
    grace: adds("bot 1"),
    bot_move: adds("discard"),
    self_ready: deals,
    next_deal: deals,
    last_answer: ends,
    finished_table: goes,
    empty_table: goes,
}


def times_done(commits: list[Commit], step: Step) -> int:
    """How often a step was made in the life of a table."""
    found, before = 0, commits[0].state
    for commit in commits[1:]:
        found += before is None or step(before, commit.state)
        before = commit.state
    return found


def lives(store: LiveStore) -> tuple[History, dict[str, list[Commit]]]:
    """The chronicle so far, and each table's part of it."""
    lineage = read_lineage(store.appended)
    found: dict[str, list[Commit]] = defaultdict(list)
    for commit in lineage.commits:
        found[commit.table].append(commit)
    return History(lineages=[lineage]), found


# ---- the test ----------------------------------------------------------------------------------------------------


@pytest.fixture
def live(tmp_path: Path) -> Iterator[LiveStore]:
    live = LiveStore(tmp_path / "store")
    live.start()
    yield live
    live.stop()


@contextlib.contextmanager
def ticking(live: LiveStore, archive: SqliteArchive, *doomed: bool) -> Iterator[list[subprocess.Popen[str]]]:
    """Tickers as processes; ready when the block begins, gone when it ends."""
    command = [sys.executable, "-m", "tests.cluster.tickers", live.url, archive.url]
    tickers = [
        subprocess.Popen(
            [*command, *(["doomed"] if fate else [])],
            stdout=subprocess.PIPE,
            text=True,
            preexec_fn=lambda: die_with_parent(signal.SIGKILL),
        )
        for fate in doomed
    ]
    try:
        for ticker in tickers:
            assert ticker.stdout is not None
            assert ticker.stdout.readline() == "ready\n"
        yield tickers
    finally:
        for ticker in tickers:
            ticker.kill()
            ticker.communicate()


async def put(live: LiveStore, chance: random.Random) -> dict[str, Step]:
    """All tables into the store; returns by id what is to happen at each."""
    store = Store(live.url)
    first_due = int(time.time() * 1000) + AHEAD_MS
    steps: dict[str, Step] = {}
    for kind, step in KINDS.items():
        table = kind()
        for number in range(EACH):
            name = f"{chance.randrange(SHARDS):x}-{kind.__name__.replace('_', '')}{number}"
            due = first_due + chance.randrange(SPAN_MS)
            await store.commit(None, Decision(moved_to(table, due, name)))
            steps[name] = step
    assert time.time() * 1000 < first_due, "the machine is too slow to set the tables up in time"
    await store.close()
    return steps


async def test_a_thousand_deadlines_happen_once_each(live: LiveStore, tmp_path: Path) -> None:
    archive = SqliteArchive(tmp_path, migrated_template(tmp_path))
    with ticking(live, archive, True, True, False, False) as tickers:
        steps = await put(live, random.Random(3))
        assert len(steps) == 1000
        deadline = time.monotonic() + PATIENCE
        undone = set(steps)
        while undone and time.monotonic() < deadline:
            await asyncio.sleep(1)
            _, found = lives(live)
            undone = {name for name, step in steps.items() if not times_done(found[name], step)}
        assert not undone, f"{len(undone)} never happened, as {sorted(undone)[:3]}"
        for ticker in tickers[:2]:
            assert ticker.wait(10) == -signal.SIGKILL
            assert ticker.stdout is not None
            assert int(ticker.stdout.readline()) > 0, "it died with tables claimed"
        await drained(live, deadline)
    history, found = lives(live)
    assert {
        name: times for name, step in steps.items() if (times := times_done(found[name], step)) != 1
    } == {}
    assert list(logs_only_grow(history)) == []
    engine = create_engine(archive.url)
    async with reading(create_session_factory(engine)) as session:
        hands = await session.scalar(select(func.count()).select_from(HandRow))
        ended = await session.scalar(select(func.count()).where(MatchRow.ended.is_not(None)))
    await engine.dispose()
    assert (hands, ended) == (EACH, EACH), "the last answers ended a hand and a match each"


async def drained(live: LiveStore, deadline: float) -> None:
    """Everything that was finished is in the archive, and what is gone is due no more."""
    waiting = [1]
    async with live.client() as redis:
        while any(waiting) and time.monotonic() < deadline:
            waiting = [await redis.hlen(f"{{{shard:x}}}done") for shard in range(SHARDS)]
            await asyncio.sleep(0.1)
        assert not any(waiting)
        due = [name for shard in range(SHARDS) for name in await redis.zrange(f"{{{shard:x}}}due", 0, -1)]
    assert len(due) == len(set(due)) == 6 * EACH
