"""What was seen of a run, by the players and in the stores: the evidence that the checks judge."""

from __future__ import annotations

from dataclasses import dataclass, field

from server.protocol import Ack, Frame, Refusal
from server.rules.actions import AnyAction
from server.tables.finished import AnyFinished
from server.tables.table import Table


@dataclass(frozen=True)
class Sent:
    """A player sent a command, for the first time or again. `verb` is its tag, `action` a move's."""

    player: str
    id: str
    table: str
    verb: str
    action: AnyAction | None = None


@dataclass(frozen=True)
class Answered:
    """A player got the answer to a command."""

    player: str
    id: str
    answer: Ack | Refusal


@dataclass(frozen=True)
class Seen:
    """A player's tab got a frame on the connection numbered `socket`; no two tabs or sockets have the same number.

    The frame is made whole by those that this connection got before.
    """

    player: str
    tab: int
    socket: int
    frame: Frame


@dataclass(frozen=True)
class SentAway:
    """A player was told that there is no such table. `asked` is when this tab last asked for it (monotonic seconds)."""

    player: str
    table: str
    asked: float = 0.0


@dataclass(frozen=True)
class Commit:
    """One change of one table in the store's own log; `state` is None where the table was deleted."""

    table: str
    rev: str
    state: Table | None


@dataclass
class Lineage:
    """All that a store ever wrote, in order. One that lost something ends there, and another begins at what it kept.

    `finished` is what was put down for the archive, by its name in the store.
    """

    commits: list[Commit] = field(default_factory=list)
    finished: dict[str, AnyFinished] = field(default_factory=dict)


@dataclass(frozen=True)
class KeptHand:
    """A hand in the archive: its record in the notation, and the version that ended it (0: a lost one's)."""

    match: str
    hand_no: int
    v: int
    seed: str
    record: str


@dataclass(frozen=True)
class KeptMatch:
    """A match in the archive, with the record of all its hands as its players get it."""

    id: str
    table: str
    ended: bool
    winners: tuple[int, ...]
    totals: tuple[int, ...]
    record: str


@dataclass
class History:
    """Everything. `lineages` are as many as the store has lost something, and one; the last is the surviving one.

    `lost_at` is when the store lost something, `known_at` when a table's match was first seen in the archive, both in
    monotonic seconds.
    """

    sent: list[Sent] = field(default_factory=list)
    answered: list[Answered] = field(default_factory=list)
    seen: list[Seen] = field(default_factory=list)
    sent_away: list[SentAway] = field(default_factory=list)
    lineages: list[Lineage] = field(default_factory=list)
    hands: list[KeptHand] = field(default_factory=list)
    matches: list[KeptMatch] = field(default_factory=list)
    lost_at: list[float] = field(default_factory=list)
    known_at: dict[str, float] = field(default_factory=dict)

    @property
    def losses(self) -> int:
        """How often the store has lost something."""
        return len(self.lineages) - 1
