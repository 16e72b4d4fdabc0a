"""What live tables ask of the archive: keep what is finished, and bring back what the store has lost."""

from __future__ import annotations

import secrets

import structlog

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

log = structlog.get_logger(__name__)


class Keeper:
    """The archive as the tables see it."""

    def __init__(self, sessions: SessionFactory, clock: Clock) -> None:
        self._sessions = sessions
        self._clock = clock

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
            lost = await lost_table(self._sessions, table_id, moment.now - PAUSED_MS)
        except Away as away:
            log.warning("archive away, table not recovered", table=table_id, error=str(away))
            raise Refused(Code.UNAVAILABLE) from away
        return None if lost is None else rebuild(lost, moment)

    async def lost_tables(self, player: str) -> tuple[str, ...]:
        """Tables where the player holds a seat in a match that has not ended; empty while the archive is away."""
        try:
            return await open_tables_of(self._sessions, player, self._clock.now() - PAUSED_MS)
        except Away as away:
            log.warning("archive away", error=str(away))
            return ()
