"""What happens by time: due tables are claimed and decided, bots think and play, lost leases become `Detach`.

Any worker may do any of it; a claim keeps the others away for a moment, compare-and-set makes the effect happen
once. A worker keeps a local timer for the tables it watches, so that clocks and bots are on time; the sweep over all
shards finds what nobody watches, or what a dead worker left.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Coroutine
from typing import Any

import structlog

from server import telemetry
from server.clock import StoreClock
from server.rules.refusal import Refused
from server.rules.registry import rules_of
from server.tables.commands import BotPlay, Detach, Tick
from server.tables.forms import TooNew
from server.tables.manners import remark
from server.tables.service import Service
from server.tables.store import Store, StoreError
from server.tables.table import Table
from server.tables.thinking import Thinkers
from server.tables.timers import due_of, thinks_until

log = structlog.get_logger(__name__)

SWEEP_MS = 1_000
"""How often all shards are swept: tables that nobody watches may wait that long."""
THINK_SECONDS = 2.0
"""A bot that has not answered by then is late, and the harmless move is played."""
EARLY_SECONDS = 0.002
"""A timer may fire a moment before its time, and then nothing is due yet and the sweep would have to find it."""
AGAIN_SECONDS = 0.1
"""Pause before a store that has never answered is asked again."""
CLOCK_MS = 10_000
"""How often the store is asked for the time,"""
SURE_MS = 20.0
"""and again with the next sweep while its last answer took so long that this clock may be wrong by more."""


class Ticker:
    """Time for the tables of one worker, and a share of the others."""

    def __init__(
        self,
        store: Store,
        service: Service,
        clock: StoreClock,
        pace: float = 1.0,
        thinkers: Thinkers | None = None,
    ) -> None:
        self._store = store
        self._service = service
        self._clock = clock
        self._pace = pace
        self._thinkers = thinkers or Thinkers()
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def sizes(self) -> dict[str, int]:
        """How much this ticker keeps in memory, by name."""
        return {"timers": len(self._timers), "ticker_tasks": len(self._tasks)}

    # ---- on time

    def forget(self, table_id: str) -> None:
        """This worker no longer watches a table: no timer of its own any more."""
        timer = self._timers.pop(table_id, None)
        if timer is not None:
            timer.cancel()

    def follow(self, table: Table) -> None:
        """A table that this worker watches has a new version: set the local timer."""
        self.forget(table.id)
        self._thinkers.expect(table)
        due = due_of(table, self._pace)
        if due is not None:
            wait = self._clock.seconds(max(0, due - self._clock.now())) + EARLY_SECONDS
            loop = asyncio.get_running_loop()
            self._timers[table.id] = loop.call_later(wait, self._wake, table.id)

    def _wake(self, table_id: str) -> None:
        self._timers.pop(table_id, None)
        self._spawn(table_id, self._claim_and_serve(table_id))

    async def _claim_and_serve(self, table_id: str) -> None:
        if await self._store.claim_one(table_id, self._clock.now()):
            await self._serve(table_id)

    def _spawn(self, table_id: str, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(self._guarded(table_id, work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _guarded(self, table_id: str, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except StoreError as error:
            telemetry.store_outage.began(error)
        except TooNew:
            return  # newer code looks after that table; the store has noticed (Store.met_newer)
        except Exception:
            log.exception("ticker fault", table=table_id)

    # ---- sweep

    async def run(self) -> None:
        """Sweep all shards until cancelled."""
        asked = 0.0
        loop = asyncio.get_running_loop()
        while True:
            try:
                unsure = self._clock.doubt(loop.time()) > SURE_MS
                if unsure or loop.time() - asked > self._clock.seconds(CLOCK_MS):
                    await self._store.set_clock(self._clock)
                    asked = loop.time()
                await self._sweep()
                telemetry.store_outage.ended()
            except StoreError as error:
                telemetry.store_outage.began(error)
            # Until the store has told the time even once, nothing is as urgent as that.
            await asyncio.sleep(self._clock.seconds(SWEEP_MS) if asked else AGAIN_SECONDS)

    async def _sweep(self) -> None:
        for table_id in await self._store.claim_due(self._clock.now()):
            self._spawn(table_id, self._serve(table_id))
        now = self._clock.now()
        for table_id, conn in await self._store.claim_lost_leases(now):
            self._spawn(table_id, self._lose(table_id, conn, now))

    async def _lose(self, table_id: str, conn: str, claimed_at: int) -> None:
        with contextlib.suppress(Refused):
            await self._service.execute(table_id, Detach(conn))
        await self._store.release(table_id, conn, claimed_at)

    # ---- one table

    async def _serve(self, table_id: str) -> None:
        try:
            table = await self._service.execute(table_id, Tick())
            now = self._clock.now()
            for seat in range(len(table.seats)):
                until = thinks_until(table, seat, self._pace)
                if until is not None and until <= now:
                    telemetry.TICKER_LAG.labels("bot").observe(self._clock.seconds(now - until))
                    await self._play_bot(table, seat)
        except Refused:
            return  # it is gone, or cannot be had now, and then it is due again in a moment

    async def _play_bot(self, table: Table, seat: int) -> None:
        decision = table.seats[seat].decision
        try:
            async with asyncio.timeout(THINK_SECONDS):
                with telemetry.BOT_SECONDS.labels(table.game).time():
                    action = await self._thinkers.choose(table, seat)
            after = await self._service.execute(table.id, BotPlay(seat, decision, action))
            if after.seats[seat].bot is not None and (phrase := remark(after, seat)) is not None:
                await self._store.say(table.id, seat, phrase)
        except StoreError:
            raise
        except Exception as fault:
            if isinstance(fault, Refused) and fault.code in ("stale_decision", "paused", "no_such_table"):
                return
            telemetry.BOT_FALLBACKS.labels("harmless").inc()
            log.error("bot fault, harmless move played", table=table.id, seat=seat, fault=repr(fault))
            harmless = rules_of(table.game).timeout(table.hand, seat)
            await self._service.execute(table.id, BotPlay(seat, decision, harmless))
