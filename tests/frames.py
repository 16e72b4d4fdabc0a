"""What a screen would show if its frame were sent whole."""

from __future__ import annotations

from server.protocol import Frame
from server.tables.table import Event, Table
from server.tables.views import sight_of


def frame_of(
    table: Table, player: str, now: int, events: tuple[Event, ...] = (), seen: int | None = None
) -> Frame:
    """The whole frame for one player; `seen` is the version that it was shown last."""
    return sight_of(table, player, now, events, seen=seen).frame
