"""Leases: that a socket lives, said to the store again and again by its worker.

A seat is connected while it holds a connection, and no connection is there without a lease: should its worker die, the
lease runs out, and any other worker tells the table (ticker.py).
"""

from __future__ import annotations

import contextlib

from server.clock import Clock
from server.rules.refusal import Refused
from server.tables.commands import Attach, Detach
from server.tables.service import Service
from server.tables.store import Store
from server.tables.table import Table


class Leases:
    """Those of one worker's connections."""

    def __init__(self, store: Store, service: Service, clock: Clock, seconds: float) -> None:
        self._store = store
        self._service = service
        self._clock = clock
        self._ms = int(seconds * 1000)

    @property
    def beat(self) -> float:
        """Real seconds from one renewal to the next: two may fail before a lease runs out."""
        return self._clock.seconds(self._ms / 3)

    async def lease(self, conn: str, table_id: str) -> None:
        """Say that a socket lives. It comes before the seat knows the connection, so that none is ever without one."""
        await self.renew([(table_id, conn)])

    async def renew(self, pairs: list[tuple[str, str]]) -> None:
        """Say so of these (table, connection)."""
        await self._store.lease(pairs, self._clock.now() + self._ms)

    async def attach(self, player: str, conn: str, table_id: str) -> Table:
        """A seated player's socket counts as a connection of the seat. Raises Refused."""
        await self.lease(conn, table_id)
        return await self._service.execute(table_id, Attach(player, conn))

    async def detach(self, table_id: str, conn: str) -> None:
        """A connection is gone. Its lease runs out later: that tells the table again, should this be too early.

        It is, where the seat's coming is still under way and this worker does not know what has become of that.
        """
        await self.lease(conn, table_id)
        with contextlib.suppress(Refused):
            await self._service.execute(table_id, Detach(conn))
