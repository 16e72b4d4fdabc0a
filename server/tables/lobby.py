"""The lobby as this worker knows it: a copy of the store's rows, fed by pub/sub, and read anew now and then."""

from __future__ import annotations

import asyncio
from typing import Protocol

from server.protocol import LobbyRow
from server.tables.store import Store, read_lobby


class Follower(Protocol):
    """A socket, as the lobby sees it."""

    def lobby(self, rows: list[LobbyRow], gone: list[str], full: bool) -> None:
        """The lobby has changed."""
        ...


class Lobby:
    """The rows, and who follows them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._followers: set[Follower] = set()
        self._rows: dict[str, LobbyRow] = {}
        self._heard: list[bytes] | None = None
        self._reading = asyncio.Lock()
        self.ready = asyncio.Event()
        """Set once the rows have been read."""

    def rows(self) -> list[LobbyRow]:
        """All of them."""
        return list(self._rows.values())

    def row(self, table_id: str) -> LobbyRow | None:
        """That of one table; private ones have none."""
        return self._rows.get(table_id)

    def sizes(self) -> dict[str, int]:
        """How much is kept in memory, by name."""
        return {"followers": len(self._followers), "lobby": len(self._rows)}

    async def follow(self, follower: Follower) -> None:
        """A snapshot now, changes later."""
        await self.ready.wait()
        self._followers.add(follower)
        follower.lobby(self.rows(), [], True)

    def unfollow(self, follower: Follower) -> None:
        """No more of it."""
        self._followers.discard(follower)

    def change(self, payload: bytes) -> None:
        """News came."""
        if self._heard is not None:
            self._heard.append(payload)
        change = read_lobby(payload)
        if isinstance(change, str):
            if self._rows.pop(change, None) is not None:
                self._tell([], [change], False)
            return
        known = self._rows.get(change.table)
        if known is None or known.v < change.v:
            self._rows[change.table] = change
            self._tell([change], [], False)

    async def read(self) -> None:
        """Read the rows anew. Raises StoreError."""
        async with self._reading:
            self._heard = []
            rows = {row.table: row for row in await self._store.lobby()}
            heard, self._heard = self._heard or [], None
        for change in map(read_lobby, heard):  # what was heard meanwhile is newer than what was read
            if isinstance(change, str):
                rows.pop(change, None)
            else:
                rows[change.table] = change
        if rows != self._rows:
            self._rows = rows
            self._tell(self.rows(), [], True)
        self.ready.set()

    def _tell(self, rows: list[LobbyRow], gone: list[str], full: bool) -> None:
        for follower in self._followers:
            follower.lobby(rows, gone, full)
