"""What one viewer sees of a table, in two parts: what is alike for all, made once a version, and what is its own."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from server.protocol import About, Frame, TableView
from server.rules.events import AnyEvent
from server.rules.game import Legal
from server.tables.events import AnyTableEvent

Fields = dict[str, Any]
Told = tuple[AnyEvent | AnyTableEvent, ...]


class Sight(Struct, frozen=True):
    """A frame in two parts: `common`, which is the same for all who see the table, with its hand as a spectator sees
    it; and what is the viewer's own, the fields of the hand's view in `own` among it.
    """

    table: str
    v: int
    now: int
    you: int | None
    common: TableView
    own: Fields
    legal: Legal | None
    decision: int
    about: About
    events: Told = ()
    missed: Told | None = None
    sync: bool = False

    @property
    def view(self) -> TableView:
        """The table as this viewer sees it."""
        return view_with(self.common, self.own)

    @property
    def frame(self) -> Frame:
        """The whole frame."""
        return Frame(
            table=self.table,
            v=self.v,
            now=self.now,
            you=self.you,
            view=self.view,
            legal=self.legal,
            decision=self.decision,
            about=self.about,
            events=self.events,
            missed=self.missed,
            sync=self.sync,
        )


def view_with(common: TableView, own: Fields) -> TableView:
    """A table as all see it, with what is one viewer's own."""
    if common.hand is None or not own:
        return common
    return replace(common, hand=replace(common.hand, **own))
