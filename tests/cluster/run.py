"""One run from one seed: a cluster, some tables with people and bots, faults while they play, then a judgement."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import random
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from redis.asyncio import Redis
from sqlalchemy import select

from server.archive.history import record_of
from server.archive.models import DepartureRow, HandRow, MatchRow, SeatRow
from server.archive.session import Away, create_engine, create_session_factory, reading
from server.protocol import Ack, AddBot, Create, Sit
from server.rules.registry import GameName
from server.tables.ids import SHARDS, shard_of
from server.tables.table import read
from tests.cluster.archives import Archive
from tests.cluster.checker import check
from tests.cluster.chronicle import read_lineage
from tests.cluster.faults import Fault, Scene, inflict, plan, start_again
from tests.cluster.history import History, KeptHand, KeptMatch, Lineage
from tests.cluster.houses import Cluster
from tests.cluster.people import Person

RATE = 10
"""The house's seconds in a real one."""
FAULT_SECONDS = 2.5
"""Faults begin within that time."""
CALM_SECONDS = 30.0
"""After the last fault every table has to go on within that time: a lease, a grace, a vote, a clock and more; a
machine at work on other things may take its time."""
WHOLE_SECONDS = 240.0
"""Far more than all the waits of a run together."""
LOOK_SECONDS = 0.1
"""How often it is asked what the archive knows."""
PROGRESS = 6
"""Versions that a table has to move on by in the calm, if its match does not end."""
GAMES: tuple[GameName, ...] = ("konken", "conker", "conquian")
HASTE = {
    "UPCARD_TIME_RATE": str(RATE),
    "UPCARD_BOT_PACE": "0.1",
}


@dataclass
class Verdict:
    """What came of a run."""

    seed: int
    faults: list[Fault]
    wrong: list[str]
    seconds: float
    commits: int = 0
    frames: int = 0
    acked: int = 0
    refused: int = 0
    losses: int = 0
    over: int = 0
    tables: int = 0
    kinds: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        faults = "; ".join(map(str, self.faults))
        figures = f"{self.commits} commits, {self.frames} frames, {self.acked} acked, {self.refused} refused"
        head = (
            f"seed {self.seed}: {figures}, {self.over} of {self.tables} over, {self.seconds:.1f} s [{faults}]"
        )
        return "\n".join([head, *(f"    WRONG {fault}" for fault in self.wrong)])


async def run(
    seed: int,
    folder: Path,
    archive: Archive,
    games: tuple[GameName, ...] = GAMES,
    kinds: tuple[str, ...] = (),
) -> Verdict:
    """Live through one seed and judge it; with `kinds` only faults of these. Raises TimeoutError for a run without an
    end."""
    chance = random.Random(seed)
    faults = plan(chance, FAULT_SECONDS, kinds)
    async with asyncio.timeout(WHOLE_SECONDS):
        return await live(seed, folder, archive, games, faults, chance)


async def live(
    seed: int,
    folder: Path,
    archive: Archive,
    games: tuple[GameName, ...],
    faults: list[Fault],
    chance: random.Random,
) -> Verdict:
    """Open the cluster, let people play, inflict the faults, close it and judge."""
    began = time.monotonic()
    history = History()
    wrong: list[str] = []
    async with Cluster(folder, archive, HASTE) as cluster, AsyncExitStack() as stack:
        await stack.enter_async_context(watching_the_archive(archive.url, history))
        people = await people_at_tables(cluster, history, chance, games, stack)
        scene = Scene(cluster, people)
        wrong += await live_through(scene, faults)
        wrong += await calm(cluster, people)
        for person in people:
            await person.go()
        wrong += await drained(cluster)
        wrong += await cluster.close_doors()
        wrong += cluster.complaints()
        cluster.store.stop()
        history.lineages = lineages(cluster)
        history.lost_at = cluster.store.losses
        await read_archive(cluster, history)
    wrong += check(history)
    last = {commit.table: commit.state for commit in history.lineages[-1].commits}
    return Verdict(
        seed,
        faults,
        wrong,
        time.monotonic() - began,
        commits=sum(len(lineage.commits) for lineage in history.lineages),
        frames=len(history.seen),
        acked=sum(isinstance(each.answer, Ack) for each in history.answered),
        refused=sum(not isinstance(each.answer, Ack) for each in history.answered),
        losses=history.losses,
        over=sum(state is None or state.phase == "over" for state in last.values()),
        tables=len(last),
    )


# ---- before ------------------------------------------------------------------------------------------------------


async def people_at_tables(
    cluster: Cluster,
    history: History,
    chance: random.Random,
    games: tuple[GameName, ...],
    stack: AsyncExitStack,
) -> list[Person]:
    """Five people, one of whom only looks on, at a table of each game and one more."""
    ports = [worker.port for worker in cluster.workers]
    people = [Person(name, ports, history, chance) for name in ("Ada", "Ben", "Cem", "Dee", "Eve")]
    for person in people:
        await stack.enter_async_context(person.road)
        stack.push_async_callback(person.go)
        await person.open_tab()
    onlooker = people[-1]
    for game in (*games, chance.choice(games)):
        host, *guests = chance.sample(people[:-1], chance.choice((1, 2, 2, 3)))
        table, seats = await open_table(host, game, chance)
        guests = guests[: seats - 1]
        for person in (host, onlooker, *guests):
            await watch(person, table)
        for guest in guests:
            await settled(guest, Sit(guest.new_id(), table))
        for seat in range(1 + len(guests), seats):
            await settled(host, AddBot(host.new_id(), table, seat))
        for person in (host, *guests):
            person.hosting.add(table)
    return people


async def open_table(host: Person, game: GameName, chance: random.Random) -> tuple[str, int]:
    """A table with options that make for a short match; returns its id and how many seats it has."""
    players = 2 if game == "conquian" else chance.choice((2, 3, 4))
    options: dict[str, int | str] = {
        "turn_seconds": chance.choice((15, 15, 30)),
        "grace_seconds": chance.choice((10, 15, 30)),  # it takes a moment to sit down and look
        "absent": chance.choice(("claim", "bot", "wait")),
    }
    match game:
        case "konken":
            options |= {"players": players, "max_hands": chance.choice((1, 2))}
        case "conker":
            options |= {"players": players, "max_hands": chance.choice((1, 2)), "max_reshuffles": 1}
        case "conquian":
            options |= {"wins": chance.choice((1, 2)), "exchange": chance.choice(("off", "on"))}
    answer = await settled(host, Create(host.new_id(), game, options))
    return answer.table, players


async def settled(person: Person, message: Create | Sit | AddBot) -> Ack:
    """Give an order that must be carried out."""
    answer = await person.order(message)
    assert isinstance(answer, Ack), f"{message} was {answer}"
    return answer


async def watch(person: Person, table: str) -> None:
    """Look at a table from now on, whatever happens to the line."""
    person.tables.append(table)
    for tab in person.tabs:
        await tab.watch(table)


# ---- meanwhile ---------------------------------------------------------------------------------------------------


async def live_through(scene: Scene, faults: list[Fault]) -> list[str]:
    """Inflict every fault at its time; returns what went wrong with that."""
    began = time.monotonic()

    async def at_its_time(fault: Fault) -> None:
        await asyncio.sleep(max(0, began + fault.at - time.monotonic()))
        await inflict(scene, fault)

    results = await asyncio.gather(*map(at_its_time, faults), return_exceptions=True)
    return [
        f"{fault}: {result!r}"
        for fault, result in zip(faults, results, strict=True)
        if isinstance(result, BaseException)
    ]


async def calm(cluster: Cluster, people: list[Person]) -> list[str]:
    """Everybody is back: every table has to come to its end or to go on, and every order to be answered."""
    for worker in cluster.workers:
        await start_again(worker)
    for person in people:
        if not person.tabs:
            await person.open_tab()
    tables = {table for person in people for table in person.tables}
    began = time.monotonic()
    start: dict[str, int] = {}
    waiting: dict[str, str] = {}
    silent: list[str] = []
    while time.monotonic() < began + CALM_SECONDS:
        waiting = {table: what for table in tables if (what := why_waiting(table, people, start)) is not None}
        tabs = [(person.name, tab) for person in people for tab in person.tabs]
        silent = [f"{name} {tab.broken}" for name, tab in tabs if not tab.greeted.is_set() or tab.broken]
        if not waiting and not silent:
            return []
        await asyncio.sleep(0.05)
    stuck = [f"{table} is stuck: {await due_in(cluster, table)}; {what}" for table, what in waiting.items()]
    return stuck + [f"{name} is not connected" for name in silent]


async def due_in(cluster: Cluster, table: str) -> str:
    """When the store says that a table is due, for whoever looks into why nothing happens there."""
    async with cluster.store.client() as redis:
        shard = shard_of(table)
        score = await redis.zscore(f"{{{shard}}}due", table)
        rev = await redis.hget(f"{{{shard}}}table:{table}", "rev")
    now = time.time() * 1000 * RATE
    return f"{rev!r} is due {'never' if score is None else f'in {score - now:.0f} ms of the house'}"


def why_waiting(table: str, people: list[Person], start: dict[str, int]) -> str | None:
    """What a table still owes; None for one that is gone, over, left by all, or has gone on."""
    watchers = [tab for person in people for tab in person.tabs if table in person.tables]
    if any(table in tab.gone for tab in watchers):
        return None
    frames = [tab.frames[table] for tab in watchers if table in tab.frames]
    if len(frames) < len(watchers):
        return "somebody sees nothing"
    newest = max(frames, key=lambda frame: frame.v)
    if newest.view.phase == "over":
        return None
    if not any(seat.kind == "person" for seat in newest.view.seats):
        return None
    first = start.setdefault(table, newest.v)
    if newest.v >= first + PROGRESS:
        return None
    return f"version {newest.v}, {newest.v - first} since the calm; {newest.view}"


async def drained(cluster: Cluster) -> list[str]:
    """Every table notices that all have gone, so that no bot plays on; then the archive gets all that waits for it."""
    deadline = time.monotonic() + CALM_SECONDS
    waits: list[str] = []
    async with cluster.store.client() as redis:
        while time.monotonic() < deadline:
            waits = [f"{name!r} is not at rest" async for name in still_played(redis)]
            if not waits:
                dones = [await redis.hkeys(f"{{{shard:x}}}done") for shard in range(SHARDS)]
                waits = [f"still waits for the archive: {name!r}" for names in dones for name in names]
            if not waits:
                return []
            await asyncio.sleep(0.05)
    return waits


async def still_played(redis: Redis) -> AsyncIterator[bytes]:
    """Tables that have not been paused, nor are over."""
    async for key in redis.scan_iter("*table:*"):
        record: bytes | None = await redis.hget(key, "record")  # type: ignore[assignment]
        if record is not None:
            table = read(record)
            if table.paused_at is None and table.phase != "over":
                yield key


@asynccontextmanager
async def watching_the_archive(url: str, history: History) -> AsyncIterator[None]:
    """Note when the archive first knows of a match, as long as the block lasts."""
    engine = create_engine(url)
    sessions = create_session_factory(engine)

    async def look() -> None:
        while True:
            with contextlib.suppress(Away):
                async with reading(sessions) as session:
                    tables = list(await session.scalars(select(MatchRow.table_id)))
                for table in tables:
                    history.known_at.setdefault(table or "", time.monotonic())
            await asyncio.sleep(LOOK_SECONDS)

    looking = asyncio.create_task(look())
    try:
        yield
    finally:
        looking.cancel()
        await asyncio.gather(looking, return_exceptions=True)
        await engine.dispose()


# ---- afterwards --------------------------------------------------------------------------------------------------


def lineages(cluster: Cluster) -> list[Lineage]:
    """All that the store ever wrote; restarts that lost nothing begin no lineage of their own."""
    found = [read_lineage(path) for path in (*cluster.store.copies, cluster.store.appended)]
    kept = []
    for lineage, after in itertools.pairwise(found):
        revisions = {commit.rev for commit in after.commits}
        if any(commit.rev not in revisions for commit in lineage.commits):
            kept.append(lineage)
    return [*kept, found[-1]]


async def read_archive(cluster: Cluster, history: History) -> None:
    """Everything that was kept, the records as the players get them."""
    engine = create_engine(cluster.archive.url)
    async with reading(create_session_factory(engine)) as session:
        for row in await session.scalars(select(HandRow)):
            history.hands.append(KeptHand(row.match, row.hand_no, row.v, row.seed, row.record))
        for match in list(await session.scalars(select(MatchRow))):
            players = [
                *await session.scalars(select(SeatRow.player).where(SeatRow.match == match.id)),
                *await session.scalars(select(DepartureRow.player).where(DepartureRow.match == match.id)),
            ]
            reader = next(player for player in players if player is not None)
            record = await record_of(session, reader, match.id)
            history.matches.append(
                KeptMatch(
                    match.id,
                    match.table_id or "",
                    match.ended is not None,
                    tuple(match.winners),
                    tuple(match.totals),
                    record or "",
                )
            )
    await engine.dispose()
