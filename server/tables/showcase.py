"""Which tables of a game the lobby shows: no more than fit a page, those with a free seat before all others.

A house may have twenty thousand tables, and who opens the lobby wants to sit down at one. All that look at it see the
same, so that a change is told in the same words to everyone, and not at all if it is of a table that is not shown.
"""

from __future__ import annotations

from typing import NamedTuple

from server.protocol import LobbyRow

MOST = 30
"""Tables of one game that are shown: two screens of a desk, six of a phone."""


class Change(NamedTuple):
    """What is to be told: rows that are new or have changed, and tables that are shown no more."""

    rows: list[LobbyRow]
    gone: list[str]


def has_room(row: LobbyRow) -> bool:
    """Whether one may sit down at a table: between two hands, too, somebody may have left."""
    return row.phase != "playing" and None in row.seats


class Showcase:
    """The tables of one game, shown and hidden."""

    def __init__(self) -> None:
        self._shown: dict[str, LobbyRow] = {}
        self._roomy: dict[str, LobbyRow] = {}
        """Hidden, with a free seat."""
        self._others: dict[str, LobbyRow] = {}
        """Hidden, without."""

    def __len__(self) -> int:
        return len(self._shown) + self.hidden

    @property
    def shown(self) -> list[LobbyRow]:
        """In the order in which they came to be shown."""
        return list(self._shown.values())

    @property
    def hidden(self) -> int:
        """How many are not shown."""
        return len(self._roomy) + len(self._others)

    @property
    def roomy(self) -> list[LobbyRow]:
        """All where one may sit down, shown or not."""
        return [*filter(has_room, self._shown.values()), *self._roomy.values()]

    @property
    def rows(self) -> dict[str, LobbyRow]:
        """All of them, by table."""
        return {**self._shown, **self._roomy, **self._others}

    def get(self, table: str) -> LobbyRow | None:
        """The row of a table."""
        return self._shown.get(table) or self._roomy.get(table) or self._others.get(table)

    def put(self, row: LobbyRow) -> Change:
        """A table is new, or has changed."""
        if row.table in self._shown:
            self._shown[row.table] = row
            return self._settle([row], [])
        self._take(row.table)
        (self._roomy if has_room(row) else self._others)[row.table] = row
        return self._settle([], [])

    def drop(self, table: str) -> Change:
        """A table is no more."""
        if self._shown.pop(table, None) is not None:
            return self._settle([], [table])
        self._take(table)
        return Change([], [])

    def _take(self, table: str) -> None:
        self._roomy.pop(table, None)
        self._others.pop(table, None)

    def _settle(self, rows: list[LobbyRow], gone: list[str]) -> Change:
        """Fill what has become free, and let those with room take the places of those without."""
        while len(self._shown) < MOST and (hidden := self._roomy or self._others):
            rows.append(self._show(hidden))
        while self._roomy and (full := self._first_full()):
            self._others[full] = self._shown.pop(full)
            gone.append(full)
            rows = [row for row in rows if row.table != full]
            rows.append(self._show(self._roomy))
        return Change(rows, gone)

    def _show(self, hidden: dict[str, LobbyRow]) -> LobbyRow:
        """The one that has waited longest."""
        table = next(iter(hidden))
        row = self._shown[table] = hidden.pop(table)
        return row

    def _first_full(self) -> str | None:
        return next((table for table, row in self._shown.items() if not has_room(row)), None)
