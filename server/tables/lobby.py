"""The lobby as this worker knows it: a copy of the store's rows, fed by pub/sub, and read anew now and then."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Protocol, get_args

from server.protocol import LobbyRow, LobbyRows
from server.rules.registry import GameName
from server.tables.news import read_lobby
from server.tables.showcase import Change, Showcase
from server.tables.store import Store


class Follower(Protocol):
    """A socket, as the lobby sees it."""

    def lobby(self, rows: LobbyRows) -> None:
        """The lobby has changed."""
        ...


class Lobby:
    """The rows, who follows them, and what is shown to them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._followers: set[Follower] = set()
        self._cases = _cases(())
        self._heard: list[bytes] | None = None
        self._reading = asyncio.Lock()
        self.ready = asyncio.Event()
        """Set once the rows have been read."""

    def roomy(self, game: GameName) -> list[LobbyRow]:
        """All tables of a game where one may sit down."""
        return self._cases[game].roomy

    def row(self, table_id: str) -> LobbyRow | None:
        """That of one table; private ones have none."""
        return next(filter(None, (case.get(table_id) for case in self._cases.values())), None)

    def sizes(self) -> dict[str, int]:
        """How much is kept in memory, by name."""
        return {"followers": len(self._followers), "lobby": sum(map(len, self._cases.values()))}

    async def follow(self, follower: Follower) -> None:
        """A snapshot now, changes later."""
        await self.ready.wait()
        self._followers.add(follower)
        follower.lobby(self._snapshot())

    def unfollow(self, follower: Follower) -> None:
        """No more of it."""
        self._followers.discard(follower)

    def change(self, payload: bytes) -> None:
        """News came."""
        if self._heard is not None:
            self._heard.append(payload)
        change = read_lobby(payload)
        if isinstance(change, str):
            if (known := self.row(change)) is not None:
                self._tell(self._cases[known.game].drop(change))
            return
        case = self._cases[change.game]
        known = case.get(change.table)
        if known is None or known.v < change.v:
            self._tell(case.put(change))

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
        if rows != self._rows():
            # What is shown keeps its place, as far as it is there.
            shown = [row.table for case in self._cases.values() for row in case.shown]
            place = {table: place for place, table in enumerate(shown)}
            self._cases = _cases(sorted(rows.values(), key=lambda row: place.get(row.table, len(place))))
            snapshot = self._snapshot()
            for follower in self._followers:
                follower.lobby(snapshot)
        self.ready.set()

    def _rows(self) -> dict[str, LobbyRow]:
        return {table: row for case in self._cases.values() for table, row in case.rows.items()}

    def _snapshot(self) -> LobbyRows:
        shown = [row for case in self._cases.values() for row in case.shown]
        return LobbyRows(tuple(shown), full=True, more=self._hidden())

    def _hidden(self) -> int:
        return sum(case.hidden for case in self._cases.values())

    def _tell(self, change: Change) -> None:
        if change.rows or change.gone:
            rows = LobbyRows(tuple(change.rows), tuple(change.gone), more=self._hidden())
            for follower in self._followers:
                follower.lobby(rows)


def _cases(rows: Iterable[LobbyRow]) -> dict[GameName, Showcase]:
    cases: dict[GameName, Showcase] = {game: Showcase() for game in get_args(GameName)}
    for row in rows:
        cases[row.game].put(row)
    return cases
