"""Everything that can happen to a table, as data named by verbs.

`player` is who asks (never what the client says, always what its session says), `id` the client's command id for
de-duplication. Commands without them come from the servers themselves.
"""

from typing import Literal

from msgspec import Struct

from server.protocol import Level
from server.rules.actions import AnyAction


class Sit(Struct, frozen=True):
    """A person takes a seat (the first free one if none is named), watching through `conn`.

    With a `nonce` (it may be empty) the person is ready at once.
    """

    id: str
    player: str
    name: str
    conn: str | None
    seat: int | None
    token: str | None
    nonce: str | None = None


class Stand(Struct, frozen=True):
    """A person gives the seat up before the match."""

    id: str
    player: str


class Leave(Struct, frozen=True):
    """A person leaves for good."""

    id: str
    player: str


class Kick(Struct, frozen=True):
    """The host sends a person away."""

    id: str
    player: str
    seat: int


class Rename(Struct, frozen=True):
    """A person takes another name."""

    id: str
    player: str
    name: str


class Ready(Struct, frozen=True):
    """A person is ready for the next hand, or no longer."""

    id: str
    player: str
    on: bool
    nonce: str


class AddBot(Struct, frozen=True):
    """Seat a bot."""

    id: str
    player: str
    seat: int
    level: Level


class DropBot(Struct, frozen=True):
    """Send a bot away."""

    id: str
    player: str
    seat: int


class Play(Struct, frozen=True):
    """Answer the question `decision` of one's seat."""

    id: str
    player: str
    decision: int
    action: AnyAction


class BotPlay(Struct, frozen=True):
    """The same for a seat that a bot drives."""

    seat: int
    decision: int
    action: AnyAction


class Claim(Struct, frozen=True):
    """Choose what shall become of the absent player's seat."""

    id: str
    player: str
    seat: int
    choice: Literal["claim", "bot", "wait"]


class Attach(Struct, frozen=True):
    """A connection of a seated player watches the table."""

    player: str
    conn: str


class Detach(Struct, frozen=True):
    """A connection is gone."""

    conn: str


class Tick(Struct, frozen=True):
    """Time has passed."""


Asked = Sit | Stand | Leave | Kick | Rename | Ready | AddBot | DropBot | Play | Claim
"""The commands of people, which are de-duplicated by their id."""
Command = Asked | BotPlay | Attach | Detach | Tick
