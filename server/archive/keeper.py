"""What live tables ask of the archive: keep what is finished, and bring back what the store has lost."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Coroutine
from typing import Any, TypeVar

from server.archive.matches import save
from server.archive.recovery import lost_table, open_tables_of
from server.archive.session import Away, SessionFactory
from server.clock import Clock
from server.rules.refusal import Code, Refused
from server.tables import archiver
from server.tables.finished import AnyFinished
from server.tables.recovery import rebuild
from server.tables.service import SEED_BYTES
from server.tables.table import Decision, Moment
from server.tables.timers import PAUSED_MS
from server.telemetry import archive_outage

Answer = TypeVar("Answer")

PATIENCE = 1.0
"""Seconds that somebody at the door waits for the archive. A database that hangs must be away long before their client
gives the connection up (web/src/net/link.ts): else nobody would get in, not even to the tables that are here."""


class Keeper:
    """The archive as the tables see it."""

    def __init__(self, sessions: SessionFactory, clock: Clock) -> None:
        self._sessions = sessions
        self._clock = clock
        self._asked: set[asyncio.Task[Any]] = set()

    async def save(self, item: AnyFinished) -> bool:
        """Keep one item; returns whether it was new. Raises archiver.Away."""
        try:
            return await save(self._sessions, item)
        except Away as away:
            raise archiver.Away(str(away)) from away

    async def recover(self, table_id: str) -> Decision | None:
        """A table whose match was in play, built again; None if there is none. Raises Refused(UNAVAILABLE)."""
        moment = Moment(self._clock.now(), secrets.token_hex(SEED_BYTES))
        try:
            lost = await self._soon(lost_table(self._sessions, table_id, moment.now - PAUSED_MS))
        except Away as away:
            raise Refused(Code.UNAVAILABLE) from away
        return None if lost is None else rebuild(lost, moment)

    async def lost_tables(self, player: str) -> tuple[str, ...]:
        """Tables where the player holds a seat in a match that has not ended; empty while the archive is away."""
        try:
            return await self._soon(open_tables_of(self._sessions, player, self._clock.now() - PAUSED_MS))
        except Away:
            return ()

    async def _soon(self, asking: Coroutine[Any, Any, Answer]) -> Answer:
        """What the archive answers. Raises Away, also if it takes too long; the connection is closed meanwhile."""
        task = asyncio.create_task(asking)
        self._asked.add(task)
        task.add_done_callback(self._heard)
        try:
            await asyncio.wait({task}, timeout=PATIENCE)
        finally:
            task.cancel()
        try:
            if not task.done():
                raise Away(f"no answer within {PATIENCE} s")
            answer = task.result()
        except Away as away:
            archive_outage.began(away)
            raise
        archive_outage.ended()
        return answer

    def _heard(self, task: asyncio.Task[Any]) -> None:
        self._asked.discard(task)
        if not task.cancelled():
            task.exception()  # of one that was given up, nobody else asks
