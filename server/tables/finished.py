"""What a table leaves behind for the archive: a finished hand, or a match that ended without finishing one.

The commit that ends a hand or a match writes one of these into the store, where it waits for the archive.
So each is complete in itself: it may arrive twice, late, or before an earlier hand of the same match.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import Struct

from server.rules.cards import Card
from server.rules.registry import GameName
from server.rules.result import Result


class FinishedSeat(Struct, frozen=True, omit_defaults=True):
    """A seat as the hand left it. `player` is None for a bot, `bot` its level; `total` counts this hand.

    `stand_in` says that a bot had to finish this hand for the person.
    """

    player: str | None
    name: str
    bot: str | None = None
    stand_in: bool = False
    total: int = 0


class LogLine(Struct, frozen=True, omit_defaults=True, array_like=True):
    """One accepted input in the notation: `draw` by a seat; with seat None what befell one: `bot 2`.

    `ms` is how long the seat took to decide; `v` the version of the table that holds it; `note` is `timeout` where the
    clock played. It waits for the archive as a row without names, of which a hand has a hundred and more.
    """

    seat: int | None
    text: str
    ms: int = 0
    v: int = 0
    note: str = ""


class _Named(Struct, frozen=True):
    """A line as an older release stored it, with names."""

    seat: int | None
    text: str
    ms: int = 0
    note: str = ""
    v: int = 0


class Outcome(Struct, frozen=True):
    """How a match ended. `ranking` is the seats from first to last."""

    by: Literal["points", "forfeit", "void"]
    winners: tuple[int, ...]
    ranking: tuple[int, ...]


class Finished(Struct, frozen=True, tag_field="kind", omit_defaults=True):
    """The head that all share. `options` names game and house options that differ from the defaults.

    `match` is the match's own id, the same for all its hands and for no other match. Times are milliseconds.
    """

    match: str
    table: str
    game: GameName
    options: dict[str, int | str]
    private: bool
    started: int
    ended: int
    seats: tuple[FinishedSeat, ...]


class FinishedHand(Finished, frozen=True, tag="hand"):
    """A hand that came to its end, void ones too. `outcome` is set if the match ended with it.

    `hand_no` counts every hand dealt, from 1: two hands of a match never share one. `deal` is by seat in
    dealing order, `stock` top first. `seed` and `nonces` (by seat) are hex, revealed with the hand.
    """

    hand_no: int
    dealer: int
    commitment: str
    seed: str
    nonces: tuple[str, ...]
    deal: tuple[tuple[Card, ...], ...]
    upcard: Card | None
    stock: tuple[Card, ...]
    log: tuple[LogLine, ...]
    result: Result
    outcome: Outcome | None = None


class FinishedMatch(Finished, frozen=True, tag="match"):
    """A match that ended without finishing a hand: claimed by forfeit, or void. A hand begun is not kept.

    `hands` is how many had been finished; None where an older release tells of it.
    """

    outcome: Outcome
    hands: int | None = None


class Departure(Struct, frozen=True):
    """A person who left a match for good (a loss), or was sent away: when, from which seat, with which total."""

    seat: int
    player: str
    name: str
    total: int
    hand_no: int
    at: int
    kind: Literal["left", "kicked"]


class MatchState(Finished, frozen=True, tag="state"):
    """A match as it began, or after a change of its seats: what a table that the store has lost is rebuilt from.

    `v` orders states of one match, a lower one is older. `dealer` is that of the hand in play, or of the last one.
    `hands` is how many had been finished; None where an older release tells of it.
    """

    v: int
    dealer: int
    hand_no: int
    quick: bool
    token: str
    barred: tuple[str, ...]
    departure: Departure | None = None
    hands: int | None = None


class LostHand(Finished, frozen=True, tag="lost"):
    """The hand in play when the store lost its table: what the commit tells that brings the table back without it.

    Seats and totals are those that the table goes on with.
    """

    hand_no: int
    dealer: int


AnyFinished = FinishedHand | FinishedMatch | MatchState | LostHand


class LostTable(Struct, frozen=True):
    """What the archive knows of a table that the store has lost: its last state, and the hands that counted.

    `hand_no` is the last hand's that the archive has, `dealer` its dealer; `redeal`: it was void, so the same dealer
    deals again. `sheet` is (hand number, winners, points by seat) for each counted hand.
    """

    state: MatchState
    totals: tuple[int, ...]
    hand_no: int
    dealer: int
    redeal: bool
    sheet: tuple[tuple[int, tuple[int, ...], tuple[int, ...]], ...]


_decoder = msgspec.json.Decoder(AnyFinished)
_encoder = msgspec.json.Encoder()


def encode(finished: AnyFinished) -> bytes:
    """As it waits in the store."""
    return _encoder.encode(finished)


def decode(data: bytes | str) -> AnyFinished:
    """Read it back; raises msgspec.MsgspecError for anything else."""
    try:
        return _decoder.decode(data)
    except msgspec.ValidationError:
        return _decoder.decode(with_rows(data))


def with_rows(data: bytes | str) -> bytes:
    """What an older release stored, its log in rows. Raises msgspec.MsgspecError for what was no such thing."""
    record = msgspec.json.decode(data, type=dict[str, Any])
    record["log"] = [
        LogLine(line.seat, line.text, line.ms, line.v, line.note)
        for line in msgspec.convert(record.get("log", []), list[_Named])
    ]
    return _encoder.encode(record)
