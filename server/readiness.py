"""Whether this worker should be sent guests: what `/ready` answers from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Readiness:
    """Reasons to be left alone that last: nothing here is ever taken back."""

    leaving: bool = False
    """The worker goes down; its sockets are closed a moment later."""
    outdated: bool = False
    """Newer code has written to the store or the database, and this code cannot read it."""

    @property
    def serving(self) -> bool:
        """Whether guests may come."""
        return not (self.leaving or self.outdated)
