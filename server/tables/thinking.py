"""Bots that think: the quick ones in a thread, those that search in processes of their own, and never for too long.

A table does not wait. A search is told when to come to an end; one that has not answered at its last moment is left
alone, and the seat plays what the regular would. So it does when a process has died, or all are busy.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import random
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from threading import Thread

import structlog

from server import telemetry
from server.bots.conquian_columns import columns_of
from server.bots.policy import choose, searches
from server.bots.sampling import FOREVER, Budget
from server.lifeline import die_with_launcher
from server.protocol import Level
from server.rules.actions import AnyAction
from server.rules.conquian_hand import FULL_DEAL
from server.rules.events import AnyEvent
from server.rules.registry import rules_of
from server.tables.missed import missed
from server.tables.table import Table

log = structlog.get_logger(__name__)

BUDGET_SECONDS = 0.15
"""A search comes to an end after this, counted from the question: it may have to wait for a process."""
LAST_SECONDS = 0.3
"""An answer that is not there by then is not waited for: with the regular's choice it all takes less than 400 ms."""
STUCK_SECONDS = 10.0
"""A process that has answered nothing for so long will not, and is replaced: on a busy machine one may be slow."""
START_SECONDS = 30.0
"""As long as a new process may take to begin. Until then the regular plays at once, and nobody waits."""
PROCESSES = 1
"""Search processes of a worker: a bot searches for a tenth of the time that it takes to play, so one serves many."""
NICE = 5
"""Searches give way to what serves people."""


def think(table: Table, seat: int, level: Level | None = None, budget: Budget = FOREVER) -> AnyAction:
    """A bot's choice for its seat, from what the seat sees, has seen and may do, and nothing else."""
    rules = rules_of(table.game)
    level = level or table.seats[seat].level
    # Not a secret: the choice of a bot may be repeated by whoever knows the table.
    chance = random.Random(f"{table.id}:{table.hand_no}:{seat}:{table.seats[seat].decision}")  # noqa: S311
    seen: tuple[AnyEvent, ...] = ()
    if level == "expert":
        seen = tuple(event for event in missed(table, 0, seat) if isinstance(event, AnyEvent))
    return choose(
        table.game,
        rules.view(table.hand, seat),
        rules.legal(table.hand, seat),
        table.options,
        chance,
        seen,
        level,
        budget,
    )


def search(table: Table, seat: int, until: float) -> AnyAction:
    """In another process: a choice by `until`, on the clock that all processes of a machine share."""
    return think(table, seat, budget=Budget(late=lambda: time.monotonic() > until))


def warm_up() -> None:
    """Make the longest table that bots look things up in: a tenth of a second, once in each process."""
    columns_of(FULL_DEAL + 1)


def _begin(parent: int) -> None:
    die_with_launcher(parent)
    os.nice(NICE)


class Thinkers:
    """The bots of one worker."""

    def __init__(self, search: Callable[[Table, int, float], AnyAction] = search) -> None:
        # Beside the start of the server, which need not wait for it; who is asked before it has ended, waits.
        self._warming = Thread(target=warm_up, daemon=True)
        self._warming.start()
        self._search = search
        self._pool: ProcessPoolExecutor | None = None
        self._warm: Future[None] | None = None
        self._begun = 0.0
        self._stuck_since: float | None = None

    def expect(self, table: Table) -> None:
        """A table may soon ask: where a bot searches the processes are started, as that takes a second."""
        if self._pool is None and any(searches(table.game, seat.level) for seat in table.seats):
            self._start()

    def _start(self) -> ProcessPoolExecutor:
        self._pool = _new_pool()
        self._warm = self._pool.submit(warm_up)
        self._begun = time.monotonic()
        return self._pool

    async def begun(self) -> None:
        """Start the search process, if there is none, and wait until it answers."""
        self._pool or self._start()
        if self._warm is not None:
            await asyncio.wrap_future(self._warm)

    async def choose(self, table: Table, seat: int) -> AnyAction:
        """What the bot of a seat plays. Raises what the regular's policy may raise, and nothing else."""
        level = table.seats[seat].level
        if searches(table.game, level):
            try:
                return await self._search_for(table, seat)
            except Exception as fault:
                telemetry.BOT_FALLBACKS.labels("regular").inc()
                log.warning(
                    "expert late or failed, regular plays", table=table.id, seat=seat, fault=repr(fault)
                )
                level = "regular"
        if self._warming.is_alive():
            # Else each of many that are asked at once would make the same table for itself.
            await asyncio.to_thread(self._warming.join)
        return await asyncio.to_thread(think, table, seat, level)

    async def _search_for(self, table: Table, seat: int) -> AnyAction:
        begun = time.monotonic()
        if self._stuck_since is not None and begun - self._stuck_since > STUCK_SECONDS:
            self.close()
        pool = self._pool or self._start()
        if self._warm is not None and not self._warm.done():
            if begun - self._begun > START_SECONDS:
                self.close()
            raise TimeoutError("the search process is still beginning")
        try:
            answer = asyncio.wrap_future(pool.submit(self._search, table, seat, begun + BUDGET_SECONDS))
            answer.add_done_callback(self._overhear)
            async with asyncio.timeout(LAST_SECONDS):
                # Shielded: a search that is late ends by itself, and the pool trips over one that is cancelled.
                action = await asyncio.shield(answer)
        except TimeoutError:
            self._stuck_since = self._stuck_since or begun
            raise
        except BrokenExecutor:
            if self._pool is pool:
                self.close()
            raise
        return action

    def _overhear(self, answer: asyncio.Future[AnyAction]) -> None:
        """Whoever answers is not stuck; a fault that nobody waits for any more is no news to the loop."""
        self._stuck_since = None
        if not answer.cancelled():
            answer.exception()

    def close(self) -> None:
        """End the search processes; the next search starts new ones."""
        pool, self._pool, self._warm, self._stuck_since = self._pool, None, None, None
        if pool is not None:
            processes = list((pool._processes or {}).values())
            pool.shutdown(wait=False)
            for process in processes:
                process.kill()


def _new_pool() -> ProcessPoolExecutor:
    # Spawned: a fork would take sockets and the event loop's threads along.
    return ProcessPoolExecutor(
        PROCESSES, multiprocessing.get_context("spawn"), initializer=_begin, initargs=(os.getpid(),)
    )
