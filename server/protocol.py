"""Every message on a socket, both ways, with its encoder and decoder; what HTTP carries is in bodies.py.

JSON text frames, tag `t`, strict: unknown fields and messages are refused. Times are milliseconds on the server's
time line. The client's TypeScript types are generated from both files.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from server.rules.actions import AnyAction
from server.rules.cards import Placed
from server.rules.events import AnyEvent
from server.rules.game import Legal
from server.rules.refusal import Code, Detail
from server.rules.registry import AnyOptions, AnyView, GameName
from server.tables.events import AnyTableEvent
from server.tables.finished import Outcome

PROTOCOL = 2
"""Number of this protocol; the server accepts it and the one before, whose frames were told whole."""

CommandId = Annotated[str, Meta(min_length=1, max_length=40)]
"""The client's own, unique for its player; a re-send carries the same."""
TableId = Annotated[str, Meta(pattern="^[0-9a-f]{1,4}-[0-9a-z]{12,20}$(?!\n)")]
"""Shard, a dash, and an unguessable rest."""
Token = Annotated[str, Meta(max_length=64)]
"""Opens a private table; from `about` of somebody who sits there."""
SeatNo = Annotated[int, Meta(ge=0, le=5)]
Nonce = Annotated[str, Meta(pattern="^[0-9a-f]{0,64}$(?!\n)")]
"""A client's share of the shuffle, in hex."""
Level = Literal["novice", "regular", "expert"]
Choice = Literal["claim", "bot", "wait"]
"""What the others choose for an absent player's seat: to win the match, a bot, or to wait."""
PHRASES = 10
"""How many phrases there are; the client words them."""
Phrase = Annotated[int, Meta(ge=0, lt=PHRASES)]
"""Number of a phrase; the client words it."""


class House(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Options that every game's tables have, whatever is played at them."""

    turn_seconds: Literal[0, 15, 30, 60] = 30
    """The clock of a question; 0, only at private tables: none."""
    grace_seconds: Annotated[int, Meta(ge=2, le=120)] = 30
    """How long a lost connection may take to come back."""
    absent: Choice = "claim"
    """After the grace: the others may claim the match, a bot plays on, or everybody waits."""
    meld_help: Literal["off", "on"] = "on"
    """Whether `arrange` answers."""
    bots: Literal["off", "on"] = "on"
    """Whether bots may be seated."""


# ---- client to server -------------------------------------------------------------------------------------------


class ClientMessage(Struct, frozen=True, tag_field="t", forbid_unknown_fields=True, omit_defaults=True):
    """A message of the client."""


class Hello(ClientMessage, frozen=True, tag="hello"):
    """First message on a socket; answered by `welcome`. `protocol` is the client's number, `lang` its language."""

    protocol: int
    lang: Annotated[str, Meta(max_length=10)] = "en"


class Lobby(ClientMessage, frozen=True, tag="lobby"):
    """Begin (`on`) or stop to follow the lobby."""

    on: bool


class Create(ClientMessage, frozen=True, tag="create"):
    """Open a table and sit down at it. `options` names game and house options that differ from the defaults.

    A `private` table is in no lobby, and opens to its seats and its token only.
    """

    id: CommandId
    game: GameName
    options: dict[str, int | str] = {}
    private: bool = False


class Quick(ClientMessage, frozen=True, tag="quick"):
    """*Play now*: a seat at the fullest waiting quick table of the game, else at a new one; ready at once."""

    id: CommandId
    game: GameName
    nonce: Nonce = ""


class Sit(ClientMessage, frozen=True, tag="sit"):
    """Take a seat, the first free one if none is named."""

    id: CommandId
    table: TableId
    seat: SeatNo | None = None


class Stand(ClientMessage, frozen=True, tag="stand"):
    """Leave before the match has begun; costs nothing."""

    id: CommandId
    table: TableId


class Leave(ClientMessage, frozen=True, tag="leave"):
    """Leave for good. In a match that is a loss, voids the hand, and bars the way back to this table."""

    id: CommandId
    table: TableId


class Kick(ClientMessage, frozen=True, tag="kick"):
    """The host sends a person away, while no hand is played; that person may not come back to this table."""

    id: CommandId
    table: TableId
    seat: SeatNo


class Ready(ClientMessage, frozen=True, tag="ready"):
    """Ready (`on`) or not for the next hand, or after the match for another; `nonce` goes into the shuffle."""

    id: CommandId
    table: TableId
    on: bool
    nonce: Nonce = ""


class AddBot(ClientMessage, frozen=True, tag="add_bot"):
    """Seat a bot at an empty seat, while no hand is played."""

    id: CommandId
    table: TableId
    seat: SeatNo
    level: Level = "regular"


class DropBot(ClientMessage, frozen=True, tag="drop_bot"):
    """Send a bot away, before or after a match."""

    id: CommandId
    table: TableId
    seat: SeatNo


class Watch(ClientMessage, frozen=True, tag="watch"):
    """Open, reload or come back to a table: answered by a whole frame. `token` opens a private table.

    With `seen`, the last version this client has shown, the frame tells what was `missed` since in this hand.
    """

    table: TableId
    seen: int | None = None
    token: Token | None = None


class Unwatch(ClientMessage, frozen=True, tag="unwatch"):
    """No more frames of this table on this socket."""

    table: TableId


class Play(ClientMessage, frozen=True, tag="play"):
    """A move, in answer to the question `decision` of the last frame."""

    id: CommandId
    table: TableId
    decision: int
    action: AnyAction


class Check(ClientMessage, frozen=True, tag="check"):
    """A dry run of exactly what `play` would do; answered by `checked`."""

    id: CommandId
    table: TableId
    decision: int
    action: AnyAction


class Claim(ClientMessage, frozen=True, tag="claim"):
    """What shall become of the absent player's `seat`: one of the choices of its absence in the frame."""

    id: CommandId
    table: TableId
    seat: SeatNo
    choice: Choice


class Arrange(ClientMessage, frozen=True, tag="arrange"):
    """Ask for the best melds of one's own hand, where the table has `meld_help`; answered by `arranged`."""

    id: CommandId
    table: TableId


class Say(ClientMessage, frozen=True, tag="say"):
    """Say one of the fixed phrases to the table; each reader sees it in the own language."""

    id: CommandId
    table: TableId
    phrase: Phrase


class Rename(ClientMessage, frozen=True, tag="rename"):
    """Take another name, at all tables where one sits. The cookie's name is set by `POST /api/session`."""

    id: CommandId
    name: Annotated[str, Meta(max_length=200)]


class Ping(ClientMessage, frozen=True, tag="ping"):
    """Answered by `pong` at once."""


AnyClientMessage = (
    Hello
    | Lobby
    | Create
    | Quick
    | Sit
    | Stand
    | Leave
    | Kick
    | Ready
    | AddBot
    | DropBot
    | Watch
    | Unwatch
    | Play
    | Check
    | Arrange
    | Claim
    | Say
    | Rename
    | Ping
)


# ---- what a frame is made of ------------------------------------------------------------------------------------


class SeatView(Struct, frozen=True):
    """A seat as everyone sees it. `deadline` is when its clock runs out, `away_until` when its grace does.

    `kind` is who holds it; `stand_in`: a bot plays on for the absent person. `here` says that the person is connected
    (bots always are), `ready` that the next hand need not wait for it, `asked` that it has a question now. `total` is
    its match points.
    """

    kind: Literal["empty", "person", "bot"]
    name: str
    level: Level | None
    stand_in: bool
    here: bool
    away_until: int | None
    ready: bool
    total: int
    asked: bool
    deadline: int | None


class Absence(Struct, frozen=True):
    """The grace of `seat` is over: the `choices` that the others have, and by seat their `votes` so far."""

    seat: int
    choices: tuple[Choice, ...]
    votes: dict[int, Choice]


class Proof(Struct, frozen=True):
    """The shuffle of the last hand, revealed: hex `seed`, and each seat's share in `nonces`."""

    hand_no: int
    commitment: str
    seed: str
    nonces: tuple[str, ...]


class SheetRow(Struct, frozen=True):
    """One counted hand of the score sheet."""

    hand_no: int
    winners: tuple[int, ...]
    points: tuple[int, ...]


class About(Struct, frozen=True):
    """What seldom changes. `token` only for those seated.

    `house` are the options that all games share, `quick` tables were opened by *Play now*, `sheet` is the score sheet.
    """

    game: GameName
    options: AnyOptions
    house: House
    private: bool
    quick: bool
    token: str | None
    sheet: tuple[SheetRow, ...]


class TableView(Struct, frozen=True):
    """A table as one viewer sees it.

    `phase` is `open` before the match, `between` hands, `over` after it; `paused`: no person is connected, and no
    clock runs. `hand` is the game's own view, `proof` the last hand's shuffle, `outcome` how the match ended.
    `commitment` is of the hand in play or the next; `ready_by` when connected persons are ready by themselves; `host`
    the seat that may kick between hands; `absences` are the seats whose grace is over.
    """

    phase: Literal["open", "playing", "between", "over"]
    paused: bool
    seats: tuple[SeatView, ...]
    hand_no: int
    hand: AnyView | None
    dealer: int | None
    host: int | None
    ready_by: int | None
    commitment: str
    proof: Proof | None
    absences: tuple[Absence, ...]
    outcome: Outcome | None


class LobbySeat(Struct, frozen=True):
    """A taken seat in the lobby."""

    name: str
    bot: bool


class LobbyRow(Struct, frozen=True, omit_defaults=True):
    """A public table in the lobby; a row with a lower `v` is older. `options` is what differs from the defaults.

    `quick`: *Play now* seats people here.
    """

    table: str
    v: int
    game: GameName
    options: dict[str, int | str]
    phase: Literal["open", "playing", "between", "over"]
    hand_no: int
    seats: tuple[LobbySeat | None, ...]
    quick: bool = False


class OwnTable(Struct, frozen=True):
    """A table at which the player holds a seat: *Back to your table*. `your_turn`: the seat is asked now."""

    table: str
    game: GameName
    phase: Literal["open", "playing", "between", "over"]
    hand_no: int
    your_turn: bool


# ---- server to client -------------------------------------------------------------------------------------------


class ServerMessage(Struct, frozen=True, tag_field="t", omit_defaults=True):
    """A message of the server."""


class Welcome(ServerMessage, frozen=True, tag="welcome"):
    """Answer to `hello`: who one is, the client `build` this server carries, and where one holds a seat (`tables`).

    `gathered`: a socket that names its table in the address, `/ws?table=…`, comes to the others of that table.
    """

    name: str
    build: str
    now: int
    tables: tuple[OwnTable, ...]
    gathered: bool = False


class LobbyRows(ServerMessage, frozen=True, tag="lobby"):
    """The lobby: with `full` all its `rows`, else those that changed.

    Of each game some thirty tables are shown, those with a free seat first. `gone` are tables that no longer are, or
    are shown no more, and `more` counts all that are not shown; `own` are the player's own.
    """

    rows: tuple[LobbyRow, ...]
    gone: tuple[str, ...] = ()
    full: bool = False
    own: tuple[OwnTable, ...] | None = None
    more: int = 0


class Ack(ServerMessage, frozen=True, tag="ack"):
    """The command `id` is committed. `table` is where it took effect, `v` the version that holds it.

    A phrase or a name changes no single table and has no `v`.
    """

    id: str
    table: str = ""
    v: int | None = None


class Refusal(ServerMessage, frozen=True, tag="refused"):
    """The command is refused and has changed nothing. `id` is empty where the message had none or could not be read."""

    id: str
    code: Code
    detail: Detail = {}


class Frame(ServerMessage, frozen=True, tag="frame"):
    """The view of one table for one viewer; it replaces what was there. `you` is the viewer's seat.

    After a `watch` it is whole, later without what has not changed (see *Frames*). `legal` is for seats, while a hand
    is played; `about` has what seldom changes. `events` only narrate, `missed` tells on return what happened
    meanwhile. `sync` says that versions may have stepped back (the store has lost its last second, or the table came
    back from the archive).
    """

    table: str
    v: int
    now: int
    you: int | None
    view: TableView
    legal: Legal | None
    decision: int
    about: About | None = None
    events: tuple[AnyEvent | AnyTableEvent, ...] = ()
    missed: tuple[AnyEvent | AnyTableEvent, ...] | None = None
    sync: bool = False


class Gone(ServerMessage, frozen=True, tag="gone"):
    """There is no such table (any more), or it is not for this viewer."""

    table: str
    code: Code


class Checked(ServerMessage, frozen=True, tag="checked"):
    """Answer to the `check` with this `id`: `points` of what would be laid; with `code` it would be refused."""

    id: str
    points: int | None = None
    code: Code | None = None
    detail: Detail = {}


class Arranged(ServerMessage, frozen=True, tag="arranged"):
    """Answer to the `arrange` with this `id`: the `melds` that leave the least in hand."""

    id: str
    melds: tuple[tuple[Placed, ...], ...]


class Said(ServerMessage, frozen=True, tag="said"):
    """Somebody at the table says `phrase`."""

    table: str
    seat: int
    phrase: int


class Pong(ServerMessage, frozen=True, tag="pong"):
    """Answer to `ping`."""

    now: int


class Bye(ServerMessage, frozen=True, tag="bye"):
    """The socket is about to be closed, for this `reason`.

    `reload`: the client is too old for this server. `restart`: this server goes down, another one takes over. `flood`:
    the socket asks for too much, or does not read. `full`: this server has as many sockets as it may. `crowd`: the
    address has.
    """

    reason: Literal["reload", "restart", "flood", "full", "crowd"]


AnyServerMessage = Welcome | LobbyRows | Ack | Refusal | Frame | Gone | Checked | Arranged | Said | Pong | Bye

_decoder = msgspec.json.Decoder(AnyClientMessage)
_encoder = msgspec.json.Encoder()


def decode(text: str | bytes) -> AnyClientMessage:
    """Read one message of a client; raises msgspec.MsgspecError (or ValueError for broken text)."""
    return _decoder.decode(text)


def encode(message: AnyServerMessage) -> str:
    """Write one message to a client."""
    return _encoder.encode(message).decode()
