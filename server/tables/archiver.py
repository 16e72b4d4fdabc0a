"""Drains finished hands from the store into the archive: by primary key, so that twice is once."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

import structlog

from server import telemetry
from server.clock import Clock
from server.tables.finished import AnyFinished, FinishedHand, decode
from server.tables.store import Store

log = structlog.get_logger(__name__)

SWEEP_MS = 5_000
"""How often what other workers left is looked for; one's own commits wake the archiver at once."""
ROUND_MS = 20_000
"""A round that takes longer begins anew, where it was: an answer that never comes must not be waited for for ever."""
PAGE = 50
"""Items read of one shard at a time: a hand weighs some kilobytes."""


class Away(Exception):
    """The archive cannot be reached now."""


Save = Callable[[AnyFinished], Awaitable[bool]]
"""Writes one item into the archive; returns whether it was new. Raises Away."""


class Archiver:
    """Takes what waits, writes it, and only then lets the store forget it."""

    def __init__(self, store: Store, save: Save, clock: Clock) -> None:
        self._store = store
        self._save = save
        self._clock = clock
        self._wake = asyncio.Event()
        self._away = False
        self._caught_up = time.monotonic()

    @property
    def lag_seconds(self) -> float:
        """Whatever waits now has waited no longer than this: since the last round that left nothing behind began."""
        return time.monotonic() - self._caught_up

    def wake(self) -> None:
        """Something has been finished."""
        self._wake.set()

    async def run(self) -> None:
        """Drain until cancelled. An archive that is away is told once; what waits stays in the store."""
        while True:
            self._wake.clear()  # before draining: what is finished meanwhile is another round
            try:
                async with asyncio.timeout(self._clock.seconds(ROUND_MS)):
                    await self.drain()
                self._away = False
            except Exception as error:
                if not self._away:
                    log.error("archive or store away, finished hands wait", error=repr(error))
                self._away = True
            try:
                async with asyncio.timeout(self._clock.seconds(SWEEP_MS)):
                    await self._wake.wait()
            except TimeoutError:
                continue

    async def drain(self) -> int:
        """Write all that waits; returns how many."""
        began = time.monotonic()
        count = 0
        left = False
        async for shard, name, payload in self._store.done(PAGE):
            try:
                item = decode(payload)
                new = await self._save(item)
            except Away:
                raise
            except Exception:
                # One that cannot be written must not keep the others waiting; it stays, and is told every time.
                log.exception("cannot archive", item=name)
                left = True
                continue
            if new and isinstance(item, FinishedHand):
                telemetry.ARCHIVED_HANDS.inc()
            await self._store.forget_done(shard, name)
            count += 1
        if not left:
            self._caught_up = began
        return count
