"""What requests and answers of the HTTP part carry: JSON bodies, strict like all that is on the wire (protocol.py)."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from server.rules.cards import Card
from server.rules.events import AnyEvent
from server.rules.refusal import Code
from server.rules.registry import AnyView, GameName
from server.rules.result import Result


class SessionRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """`POST /api/session`: become a guest, or change the name."""

    name: Annotated[str, Meta(max_length=200)]


class Session(Struct, frozen=True):
    """Who this browser is; the player id itself stays in the cookie."""

    name: str


class HandoverRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """`POST /api/handover`: a link for another device. There is nothing to choose."""


class Handover(Struct, frozen=True):
    """What makes another device the same player: its page is `/handover#` and the `token`.

    It works once, and for so many `seconds`. Behind the token a dot and a table may stand, where that page then leads.
    """

    token: str
    seconds: int


class HandoverToken(Struct, frozen=True, forbid_unknown_fields=True):
    """`POST /api/handover/take`: become the player for whom the `token` was made; `…/look`: whether it still waits."""

    token: Annotated[str, Meta(max_length=100)]


class Problem(Struct, frozen=True):
    """Why a request was not served."""

    code: Code


class HistorySeat(Struct, frozen=True):
    """A seat of an archived match; `you`: it was the reader's. `stood_in` counts hands a bot finished for a person."""

    name: str
    bot: bool
    you: bool
    total: int
    stood_in: int


class HistoryMatch(Struct, frozen=True):
    """A match of one's own. `id` is the match's; `started` and `ended` are milliseconds, `ended` None while it goes on.

    `left` says that the reader left it (a loss), or was sent away; then no seat is `you`. `hands` counts
    those that are kept, `by` says how it ended.
    """

    id: str
    game: GameName
    options: dict[str, int | str]
    started: int
    ended: int | None
    by: Literal["points", "forfeit", "void"] | None
    winners: tuple[int, ...]
    seats: tuple[HistorySeat, ...]
    hands: int
    left: Literal["left", "kicked"] | None = None


class HistoryHand(Struct, frozen=True):
    """A hand that `ended` then (ms), with its `record` in the notation."""

    hand_no: int
    ended: int
    result: Result
    record: str


class History(Struct, frozen=True):
    """`GET /api/history`: the newest `matches` first, at most 50."""

    matches: tuple[HistoryMatch, ...]


class HistoryDetail(Struct, frozen=True):
    """`GET /api/history/{match}`: one `match` with its `hands`."""

    match: HistoryMatch
    hands: tuple[HistoryHand, ...]


class ReplayStep(Struct, frozen=True):
    """A moment of a finished hand: who moved, what happened (`events`), and how the table stood then.

    `seat` is None for what only befell a seat, as `note` says in the words of the notation. `hands` are all cards held,
    by seat; `view` is what a spectator saw.
    """

    seat: int | None
    note: str
    events: tuple[AnyEvent, ...]
    hands: tuple[tuple[Card, ...], ...]
    view: AnyView


class HandReplay(Struct, frozen=True):
    """`GET /api/history/{match}/hands/{hand}`: a finished hand step by step, with all that proves its shuffle.

    The first of the `steps` is the deal. `players` are by seat as the record names them; `deal`, `turned` and `stock`
    are how the cards lay, in the order in which they were dealt. `commit` was shown before, `seed` and `nonces` are
    hex; `result` is how it ended. `share` opens it to anybody: its page is `/replay#` and that token.
    """

    game: GameName
    hand_no: int
    dealer: int
    players: tuple[str, ...]
    steps: tuple[ReplayStep, ...]
    deal: tuple[tuple[Card, ...], ...]
    turned: Card | None
    stock: tuple[Card, ...]
    commit: str
    seed: str
    nonces: tuple[str, ...]
    result: Result
    share: str


class ReplayToken(Struct, frozen=True, forbid_unknown_fields=True):
    """`POST /api/replay`: the hand that was shared with this `token`, as HandReplay."""

    token: Annotated[str, Meta(max_length=200)]


class Standing(Struct, frozen=True):
    """What somebody has come to: `points`, taken from others and given to them, in `matches`, of which they `won` some.

    `place` is the same for all who have as many points, and None before there were enough matches. `tag` tells people
    of one name apart, where the page has such. `you`: it is the reader's.
    """

    place: int | None
    name: str
    tag: str | None
    you: bool
    points: float
    matches: int
    won: int


class Leaderboard(Struct, frozen=True):
    """`GET /api/leaderboard/{game}`: the `best`, and the reader's `own` standing, whatever it is.

    It counts the last so many `days`; whoever has played `least` matches in them has a place.
    """

    game: GameName
    days: int
    least: int
    best: tuple[Standing, ...]
    own: Standing | None
