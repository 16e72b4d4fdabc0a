"""What is done to a cluster in the course of a run: planned from a seed, then inflicted.

All times are real seconds. The house lives ten times as fast (see RATE in run.py): two seconds are its twenty.
A client whose clock is wrong is no fault of its own here: no message from a client has a time in it (docs/protocol.md).
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import signal
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from redis.exceptions import RedisError

from tests.cluster.houses import Cluster, Worker
from tests.cluster.people import Person

Inflict = Callable[["Scene", "Fault"], Awaitable[None]]


@dataclass(frozen=True)
class Fault:
    """What, when after play has begun, to which worker or person (by number), and how long or how much."""

    kind: str
    at: float
    whom: int
    much: float

    def __str__(self) -> str:
        return f"{self.at:.2f}s {self.kind} #{self.whom} {self.much:.2f}"


@dataclass
class Scene:
    """Where faults happen."""

    cluster: Cluster
    people: list[Person]

    def worker(self, fault: Fault) -> Worker:
        """The worker meant."""
        return self.cluster.workers[fault.whom % len(self.cluster.workers)]

    def person(self, fault: Fault) -> Person:
        """The person meant."""
        return self.people[fault.whom % len(self.people)]


def plan(chance: random.Random, span: float, kinds: tuple[str, ...] = ()) -> list[Fault]:
    """One to six faults, no kind twice, within `span` seconds, in order."""
    known = kinds or tuple(sorted(KINDS))
    weights = [KINDS[kind][1] for kind in known]
    found = []
    for kind in dict.fromkeys(chance.choices(known, weights, k=chance.randint(2, 6))):
        least, most = KINDS[kind][2]
        found.append(
            Fault(kind, chance.uniform(0.2, span), chance.randrange(12), chance.uniform(least, most))
        )
    return sorted(found, key=lambda fault: fault.at)


async def inflict(scene: Scene, fault: Fault) -> None:
    """Do it, and wait until its cause is over: a killed worker has been started again, a frozen one thawed."""
    await KINDS[fault.kind][0](scene, fault)


# ---- workers ----------------------------------------------------------------------------------------------------


async def start_again(worker: Worker) -> None:
    """A supervisor would, also if another fault ends it meanwhile. Raises AssertionError for one that cannot start."""
    for _ in range(3):
        if not worker.running:
            worker.spawn()
        if await worker.serves():
            return
    await worker.ready()


async def kill_worker(scene: Scene, fault: Fault) -> None:
    """kill -9 at any moment."""
    worker = scene.worker(fault)
    worker.signal(signal.SIGKILL)
    await worker.ended()
    await asyncio.sleep(fault.much)
    await start_again(worker)


def next_move(scene: Scene) -> asyncio.Future[int]:
    """The worker to which the next move is written."""
    hit: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def moved(worker: int) -> None:
        if not hit.done():
            hit.set_result(worker)

    for person in scene.people:
        person.on_move = moved
    return hit


def nobody_minds(scene: Scene) -> None:
    """Moves are moves again."""
    for person in scene.people:
        person.on_move = lambda worker: None


async def kill_at_a_move(scene: Scene, fault: Fault) -> None:
    """kill -9 of the worker to which somebody has just written a move, before it can have answered, or just then."""
    hit = next_move(scene)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(2):
            worker = scene.cluster.workers[await hit]
            await asyncio.sleep(fault.much)
            worker.signal(signal.SIGKILL)
            await worker.ended()
            await start_again(worker)
    nobody_minds(scene)


async def kill_before_the_ack(scene: Scene, fault: Fault) -> None:
    """A move's commit lies before a frozen store when its worker is killed: it is committed, and never answered."""
    hit = next_move(scene)
    scene.cluster.store.signal(signal.SIGSTOP)
    try:
        async with asyncio.timeout(2):
            worker = scene.cluster.workers[await hit]
            await asyncio.sleep(
                0.02 + fault.much
            )  # for the move to be read, decided and written to the store
            worker.signal(signal.SIGKILL)
            await worker.ended()
    except TimeoutError:
        return
    finally:
        scene.cluster.store.signal(signal.SIGCONT)
        nobody_minds(scene)
    await start_again(worker)


async def freeze_worker(scene: Scene, fault: Fault) -> None:
    """It stops for longer than its connections' leases last, and then goes on as if nothing had happened."""
    worker = scene.worker(fault)
    worker.signal(signal.SIGSTOP)
    await asyncio.sleep(fault.much)
    worker.signal(signal.SIGCONT)


async def roll(scene: Scene, fault: Fault) -> None:
    """A deploy: one worker after the other goes down in order and comes back."""
    for worker in scene.cluster.workers:
        worker.signal(signal.SIGCONT)
        worker.signal(signal.SIGTERM)
        await worker.ended()
        await start_again(worker)


# ---- lines ------------------------------------------------------------------------------------------------------


async def half_open(scene: Scene, fault: Fault) -> None:
    """A person's line goes silent, and nobody is told."""
    scene.person(fault).road.silence()


async def cut(scene: Scene, fault: Fault) -> None:
    """A person's connections break."""
    scene.person(fault).road.cut()


async def away(scene: Scene, fault: Fault) -> None:
    """A person closes everything and comes back later: within the grace, or long after."""
    person = scene.person(fault)
    await person.go()
    await asyncio.sleep(fault.much)
    await person.open_tab()


async def second_tab(scene: Scene, fault: Fault) -> None:
    """A person opens the table twice for a while, and plays in both."""
    person = scene.person(fault)
    tab = await person.open_tab()
    await asyncio.sleep(fault.much)
    if tab in person.tabs:
        await person.close_tab(tab)


async def other_network(scene: Scene, fault: Fault) -> None:
    """A new socket while the old one looks open to the server."""
    for tab in scene.person(fault).tabs:
        tab.switch()


async def leave(scene: Scene, fault: Fault) -> None:
    """A person leaves a match for good."""
    person = scene.person(fault)
    person.leaving.update(person.tables[: 1 + (fault.much > 0.5)])


# ---- stores -----------------------------------------------------------------------------------------------------


async def freeze_store(scene: Scene, fault: Fault) -> None:
    """Nobody gets an answer for a while."""
    scene.cluster.store.signal(signal.SIGSTOP)
    await asyncio.sleep(fault.much)
    scene.cluster.store.signal(signal.SIGCONT)


async def slow_store(scene: Scene, fault: Fault) -> None:
    """Everything takes its time."""
    ends = asyncio.get_running_loop().time() + 1
    while asyncio.get_running_loop().time() < ends:
        with contextlib.suppress(RedisError, OSError):
            await scene.cluster.store.hold_up(int(20 + 100 * fault.much))
        await asyncio.sleep(0.01)


async def restart_store(scene: Scene, fault: Fault) -> None:
    """kill -9 of the store; its append-only file is whole."""
    scene.cluster.store.power_cut(0)


async def lose_the_last_second(scene: Scene, fault: Fault) -> None:
    """A power cut: what was not yet on the disk is gone."""
    scene.cluster.store.power_cut(fault.much)


async def lose_everything(scene: Scene, fault: Fault) -> None:
    """The store comes back empty."""
    scene.cluster.store.power_cut(None)


async def archive_away(scene: Scene, fault: Fault) -> None:
    """The database cannot be reached."""
    await scene.cluster.archive.away(fault.much)


KINDS: dict[str, tuple[Inflict, int, tuple[float, float]]] = {
    "kill_worker": (kill_worker, 3, (0, 0.5)),
    "kill_at_a_move": (kill_at_a_move, 4, (0, 0.004)),
    "kill_before_the_ack": (kill_before_the_ack, 4, (0, 0.05)),
    "freeze_worker": (freeze_worker, 3, (0.3, 2.5)),
    "roll": (roll, 1, (0, 0)),
    "half_open": (half_open, 3, (0, 0)),
    "cut": (cut, 2, (0, 0)),
    "away": (away, 3, (0.1, 3)),
    "second_tab": (second_tab, 3, (0.3, 3)),
    "other_network": (other_network, 3, (0, 0)),
    "leave": (leave, 1, (0, 1)),
    "freeze_store": (freeze_store, 2, (0.1, 1.5)),
    "slow_store": (slow_store, 2, (0, 1)),
    "restart_store": (restart_store, 2, (0, 0)),
    "lose_the_last_second": (lose_the_last_second, 2, (0.1, 1)),
    "lose_everything": (lose_everything, 1, (0, 0)),
    "archive_away": (archive_away, 2, (0.5, 6)),
}
"""By name: what is done, how often in relation to the others, and from least to most of `much`."""
