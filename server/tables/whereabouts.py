"""Where a player holds seats: the store's hints, each checked against its table."""

from __future__ import annotations

from server.protocol import OwnTable
from server.rules.refusal import Refused
from server.tables.forms import TooNew
from server.tables.service import Service
from server.tables.store import Store
from server.tables.table import Table
from server.tables.views import own_table


class Whereabouts:
    """Finds the tables of a player."""

    def __init__(self, store: Store, service: Service) -> None:
        self._store = store
        self._service = service

    async def tables_of(self, player: str, lost: tuple[str, ...] = ()) -> list[Table]:
        """The tables where a player holds a seat: by the store's hints, and those the archive would bring back.

        A hint that does not hold is forgotten. Should its seat be taken just now, it is written once more after that.
        """
        tables: list[Table] = []
        for table_id in dict.fromkeys((*await self._store.tables_of(player), *lost)):
            try:
                held = self._service.cached(table_id) or await self._service.find(table_id)
            except (Refused, TooNew):
                continue  # one that cannot be had now must not hide the others
            if held is not None and held.table.seat_of(player) is not None:
                tables.append(held.table)
            else:
                await self._store.note_seat(player, table_id, False)
        return tables

    async def own_tables(self, player: str, lost: tuple[str, ...] = ()) -> list[OwnTable]:
        """*Back to your table*."""
        rows = [own_table(table, player) for table in await self.tables_of(player, lost)]
        return [row for row in rows if row is not None]

    async def has_room(self, player: str, most: int, table_id: str) -> bool:
        """Whether a player may take a seat at a table: it is one of theirs, or they hold fewer than `most`."""
        hints = await self._store.tables_of(player)
        if len(hints) < most or table_id in hints:
            return True
        return len(await self.tables_of(player)) < most
