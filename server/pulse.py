"""The worker's pulse: every few seconds it is measured what grows, and asked whether newer code has taken over."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterable
from typing import Protocol

from server import telemetry
from server.archive.session import Away
from server.readiness import Readiness
from server.tables.archiver import Archiver
from server.tables.store import Store, StoreError

BEAT_SECONDS = 5.0
"""A scrape comes every 15 s or so; a proxy may notice newer code a little later than at once."""

KnowsSchema = Callable[[], Awaitable[bool]]
"""Whether the database has no revision that this code does not know. Raises Away."""


class Keeps(Protocol):
    """A part of the worker that keeps things in memory."""

    def sizes(self) -> dict[str, int]:
        """How many of what, by name."""
        ...


class Pulse:
    """Measures and asks; changes nothing but gauges and readiness."""

    def __init__(
        self,
        store: Store,
        archiver: Archiver,
        readiness: Readiness,
        knows_schema: KnowsSchema,
        parts: Iterable[Keeps],
    ) -> None:
        self._store = store
        self._archiver = archiver
        self._readiness = readiness
        self._knows_schema = knows_schema
        self._parts = tuple(parts)

    async def run(self) -> None:
        """Beat until cancelled."""
        while True:
            with contextlib.suppress(StoreError):  # the ticker tells that it is away
                await self.beat()
            await asyncio.sleep(BEAT_SECONDS)

    def sizes(self) -> dict[str, int]:
        """How much this worker keeps in memory, by name."""
        found = {name: size for part in self._parts for name, size in part.sizes().items()}
        return {**found, "tasks": len(asyncio.all_tasks())}

    async def beat(self) -> None:
        """Measure once, and look whether newer code has written what this cannot read. Raises StoreError."""
        telemetry.tell_tallies()
        for name, size in self.sizes().items():
            telemetry.KEPT.labels(name).set(size)
        with contextlib.suppress(Away):
            if not await self._knows_schema():
                self._readiness.outdated = True
        if self._store.met_newer:
            self._readiness.outdated = True
        await self._measure_store()

    async def _measure_store(self) -> None:
        await self._store.forget_expired()
        for game, count in (await self._store.count()).items():
            telemetry.TABLES.labels(game).set(count)
        waiting = await self._store.waiting()
        telemetry.ARCHIVE_WAITING.set(waiting)
        telemetry.ARCHIVE_LAG.set(self._archiver.lag_seconds if waiting else 0)
