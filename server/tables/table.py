"""The table: one immutable value with a version, as it lies in the store."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from server.protocol import Choice, House, Level, Proof, SheetRow
from server.rules.events import AnyEvent
from server.rules.registry import AnyHand, AnyOptions, GameName, rules_of
from server.tables.answered import Ids, knows
from server.tables.events import AnyTableEvent
from server.tables.finished import AnyFinished, LogLine, Outcome
from server.tables.forms import FIRST_SCHEMA, upgraded
from server.tables.logbook import lines_of

Event = AnyEvent | AnyTableEvent
"""Whatever can be told of a table."""
MAX_CONNECTIONS = 16
"""Connections of one seat; more get frames as well, but do not count, so that a tab storm cannot grow the record."""

MAX_BARRED = 64
"""People who may not sit down again. A table that has so many takes nobody new: so nobody is let back in silently, and
the record does not grow without end."""

Phase = Literal["open", "playing", "between", "over"]


class Seat(Struct, frozen=True, omit_defaults=True):
    """One place at the table.

    A seat is empty, a person's (`player`) or a bot's (`bot`). `stand_in`: a bot plays on for the absent person.
    `away_until` is the end of the grace, `gone` that it has passed; `votes` is what the others chose since, by seat.
    `decision` counts this seat's questions; while it is asked, `asked` is since when and `deadline` until when it may
    answer (None: no clock). `lapsed`: it let a clock run out, so its next question is short. Who sat down later has a
    higher `since`: counted, as the clocks of two workers may differ. `after` is the last hand before its occupant came:
    what was won there was not won by this one.
    """

    player: str | None = None
    name: str = ""
    bot: Level | None = None
    stand_in: bool = False
    conns: tuple[str, ...] = ()
    away_until: int | None = None
    gone: bool = False
    votes: dict[int, Choice] = {}
    ready: bool = False
    nonce: str = ""
    decision: int = 0
    asked: int | None = None
    deadline: int | None = None
    lapsed: bool = False
    total: int = 0
    since: int = 0
    after: int = 0

    @property
    def empty(self) -> bool:
        """Nobody sits here."""
        return self.player is None and self.bot is None

    @property
    def driven(self) -> bool:
        """A bot makes the moves."""
        return self.bot is not None or self.stand_in

    @property
    def level(self) -> Level:
        """How well a bot plays here; one that plays on for a person is a regular."""
        return self.bot or "regular"

    @property
    def here(self) -> bool:
        """A person with a connection."""
        return bool(self.conns)

    @property
    def waiting(self) -> bool:
        """Ready for the next hand; bots always are."""
        return self.driven or self.ready


class Table(Struct, frozen=True, omit_defaults=True, weakref=True):
    """A table with everything that must survive a crash. All times are milliseconds on the store's clock.

    `seed` is the secret of the hand in play or, between hands, of the next. Seats stand in turn order. `log` holds the
    accepted inputs of this hand (`lines`), `answered` the last command ids by player. `at` is when it last changed.
    `paused_at`: no person has been connected since; `closes_at`: a finished table's end of life. `dealt_v` is the
    version that dealt the hand, `redeal` says that the last one was void, so that the same dealer deals again. `barred`
    may not sit down here again.
    """

    id: str
    game: GameName
    options: AnyOptions
    house: House
    private: bool
    token: str
    seats: tuple[Seat, ...]
    seed: str
    quick: bool = False
    v: int = 0
    at: int = 0
    schema: int = FIRST_SCHEMA
    created: int = 0
    phase: Phase = "open"
    match_no: int = 1
    started: int = 0
    hand_no: int = 0
    dealer: int | None = None
    hand: AnyHand | None = None
    dealt_v: int = 0
    redeal: bool = False
    nonces: tuple[str, ...] = ()
    log: str = ""
    sheet: tuple[SheetRow, ...] = ()
    proof: Proof | None = None
    ready_by: int | None = None
    paused_at: int | None = None
    closes_at: int | None = None
    outcome: Outcome | None = None
    answered: dict[str, Ids] = {}
    barred: tuple[str, ...] = ()

    def seat_of(self, player: str | None) -> int | None:
        """The seat of a player, or None."""
        if player is None:
            return None
        for index, seat in enumerate(self.seats):
            if seat.player == player:
                return index
        return None

    def has_answered(self, player: str, command_id: str) -> bool:
        """Whether a command of that id has had its effect."""
        return knows(self.answered.get(player, ()), command_id)

    @property
    def lines(self) -> tuple[LogLine, ...]:
        """The log of this hand, the oldest line first."""
        return lines_of(self.log)

    @property
    def match_id(self) -> str:
        """The present match in the archive: a rematch is another one, and so is any at a later table of the same id."""
        return f"{self.id}-{self.created:x}-{self.match_no}"

    def drawn_before(self, hand_no: int) -> int:
        """How many drawn hands in a row came right before that one: counted, and without a winner."""
        count = 0
        for row in reversed([row for row in self.sheet if row.hand_no < hand_no]):
            if row.winners:
                break
            count += 1
        return count

    @property
    def host(self) -> int | None:
        """The seat of the person longest seated, who may kick between hands; a quick table has none."""
        people = [(seat.since, i) for i, seat in enumerate(self.seats) if seat.player is not None]
        return None if self.quick or not people else min(people)[1]

    @property
    def players(self) -> frozenset[str]:
        """Who holds a seat."""
        return frozenset(seat.player for seat in self.seats if seat.player is not None)

    @property
    def full(self) -> bool:
        """Every seat is taken."""
        return not any(seat.empty for seat in self.seats)

    @property
    def totals(self) -> tuple[int, ...]:
        """Match points by seat."""
        return tuple(seat.total for seat in self.seats)


class Moment(Struct, frozen=True):
    """Time and chance of one decision: now in ms, and a fresh secret seed (96 bytes, hex) in case one is needed."""

    now: int
    seed: str


class Draft:
    """A table while one command changes it: the value so far, what happened, and what is finished for the archive."""

    def __init__(self, table: Table, moment: Moment) -> None:
        self.table = table
        self.moment = moment
        self.now = moment.now
        self.events: list[Event] = []
        self.finished: list[AnyFinished] = []
        self.closed = False

    @property
    def rules(self) -> Any:
        """The rules of this table's game."""
        return rules_of(self.table.game)

    def put(self, **changes: Any) -> None:
        """Change fields of the table."""
        self.table = replace(self.table, **changes)

    def put_seat(self, index: int, **changes: Any) -> None:
        """Change fields of one seat."""
        seats = self.table.seats
        self.put(seats=(*seats[:index], replace(seats[index], **changes), *seats[index + 1 :]))

    def fill_seat(self, index: int, seat: Seat) -> None:
        """Put another occupant, or nobody, into a seat. Its questions go on being counted, so that an old answer
        never fits a new one; what the former occupant chose about others is no choice of the new one."""
        counted = replace(seat, decision=self.table.seats[index].decision + 1, after=self.table.hand_no)
        for i, other in enumerate(self.table.seats):
            if index in other.votes:
                self.put_seat(i, votes={voter: vote for voter, vote in other.votes.items() if voter != index})
        seats = self.table.seats
        self.put(seats=(*seats[:index], counted, *seats[index + 1 :]))

    def tell(self, *events: Event) -> None:
        """Add facts to the narration."""
        self.events.extend(events)

    def people(self) -> Iterator[tuple[int, Seat]]:
        """Seats that belong to persons."""
        return ((i, seat) for i, seat in enumerate(self.table.seats) if seat.player is not None)


class Decision(Struct, frozen=True):
    """What a command comes to: the table afterwards, the facts, what the archive gets, and whether the table ends."""

    table: Table
    events: tuple[Event, ...] = ()
    finished: tuple[AnyFinished, ...] = ()
    closed: bool = False


_decoder = msgspec.json.Decoder(Table)
_encoder = msgspec.json.Encoder()


def write(table: Table) -> bytes:
    """The table as it is stored."""
    return _encoder.encode(table)


def read(record: bytes) -> Table:
    """Read a stored table, of this release or an older one; raises TooNew for a newer one's."""
    return _decoder.decode(upgraded(record))
