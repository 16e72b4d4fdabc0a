"""The ids of commands that a table remembers, one by one."""

from __future__ import annotations

from server.tables.table import Table


def ids_of(table: Table) -> dict[str, tuple[str, ...]]:
    """By player, the oldest first."""
    return {
        player: tuple(run.head + tail for run in runs for tail in run.tails)
        for player, runs in table.answered.items()
    }
