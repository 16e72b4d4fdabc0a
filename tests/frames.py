"""What a screen would show if its frame were sent whole."""

from __future__ import annotations

from server.protocol import Frame, TableView
from server.sight import view_with
from server.tables.table import Event, Table
from server.tables.views import common_of, own_of, sight_of


def frame_of(
    table: Table, player: str, now: int, events: tuple[Event, ...] = (), seen: int | None = None
) -> Frame:
    """The whole frame for one player; `seen` is the version that it was shown last."""
    return sight_of(table, player, now, events, seen=seen).frame


def view_of(table: Table, viewer: int | None) -> TableView:
    """A table as a seat sees it, or a spectator (None)."""
    return view_with(common_of(table), own_of(table, viewer))
