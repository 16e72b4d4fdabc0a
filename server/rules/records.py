"""Records: a finished hand as text that a player can read and a program can replay (docs/rules/notation.md, records);
`record_reader` reads them.

The deal is written out, so that no shuffle is needed to replay; the seed beside it proves that it was the one promised.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct

from server.rules.cards import Card

VERSION = "upcard-record 1"
LOST = "- lost"
"""Why a hand is void that was lost with its table: nothing of it is known but its number and its dealer."""
NOTES = {"bot": 1, "back": 1, "left": 1, "forfeit": 1, "sit": 2}
"""What may befall a seat, with the number of words that follow; a newcomer's name may have spaces."""
RESHUFFLE = "reshuffle"
"""Begins the line of a new stock, top first; it stands before the draw that needed it."""

COUNT = re.compile(r"[0-9]{1,9}")
"""A number as records have it; nothing they count is longer, and text that is may be past what a program reads."""

Value = int | str


class Entry(Struct, frozen=True):
    """One line of a log: an action of a seat, or with seat None what befell one, such as `bot 1`, or the stock.

    `comment` says more: `timeout` where the clock played, or how long the seat took, as `3.2s`.
    """

    seat: int | None
    text: str
    comment: str = ""


class HandRecord(Struct, frozen=True):
    """A hand and how it ended.

    `options` is what differs from the defaults, `dealer` the seat before the one that began. `deal` is by seat in
    dealing order, `stock` top first; `turned` is None in games without an upcard. `winners` and `points` (by seat)
    are the result, nobody for a hand that was void by its own rules; a hand that something else made void has
    `void` instead: what came of which seat, as `1 left`. With `- lost` all that follows from a deal is empty, and the
    log has only what befell seats, see `lost_hand`. `seed` and `nonces` (by seat) are hex. `match` is winners and
    totals, after the last hand of a match.
    """

    game: str
    options: dict[str, Value]
    players: tuple[str, ...]
    hand: int
    dealer: int
    commit: str
    deal: tuple[tuple[Card, ...], ...]
    turned: Card | None
    stock: tuple[Card, ...]
    log: tuple[Entry, ...]
    winners: tuple[int, ...]
    points: tuple[int, ...]
    seed: str
    nonces: tuple[str, ...]
    void: str = ""
    match: tuple[tuple[int, ...], tuple[int, ...]] | None = None


def lost_hand(
    game: str, options: dict[str, Value], players: tuple[str, ...], hand: int, dealer: int
) -> HandRecord:
    """The record of a hand that was lost with its table."""
    return HandRecord(
        game=game,
        options=options,
        players=players,
        hand=hand,
        dealer=dealer,
        commit="",
        deal=(),
        turned=None,
        stock=(),
        log=(),
        winners=(),
        points=(),
        seed="",
        nonces=(),
        void=LOST,
    )


def comment(milliseconds: int, timed_out: bool = False) -> str:
    """The comment of a log line: that the clock played, or the decision time."""
    if timed_out:
        return "timeout"
    return f"{milliseconds / 1000:.1f}s" if milliseconds else ""


def record(hand: HandRecord) -> str:
    """The record of one hand as text."""
    return "\n".join([*_head(hand), *_body(hand)]) + "\n"


def match_record(hands: Iterable[HandRecord]) -> str:
    """The hands of a match one after the other; the head is written again only where it changes."""
    lines: list[str] = []
    last: list[str] = []
    for hand in hands:
        head = _head(hand)
        lines += [] if head == last else head
        lines += _body(hand)
        last = head
    return "\n".join(lines) + "\n"


def _head(hand: HandRecord) -> list[str]:
    options = " ".join(f"{name}={value}" for name, value in sorted(hand.options.items()))
    players = " | ".join(map(escaped, hand.players))
    return [VERSION, f"game {hand.game}", f"options {options}".rstrip(), f"players {players}"]


def _body(hand: HandRecord) -> list[str]:
    lines = [f"hand {hand.hand} dealer {hand.dealer}"]
    lines += [*map(_entry_text, hand.log), f"void {LOST}"] if hand.void == LOST else _played(hand)
    if hand.match is not None:
        winners, totals = hand.match
        lines.append(f"match {_seats(winners)} {' '.join(map(str, totals))}")
    return lines


def _played(hand: HandRecord) -> list[str]:
    lines = [
        f"commit {hand.commit}",
        *(f"deal {seat} {' '.join(cards)}" for seat, cards in enumerate(hand.deal)),
    ]
    if hand.turned is not None:
        lines.append(f"turned {hand.turned}")
    lines.append(f"stock {' '.join(hand.stock)}".rstrip())
    lines += map(_entry_text, hand.log)
    lines.append(
        f"void {hand.void}" if hand.void else f"result {_seats(hand.winners)} {_points(hand.points)}"
    )
    lines.append(f"seed {hand.seed}  nonces {' '.join(nonce or '-' for nonce in hand.nonces)}")
    return lines


def _entry_text(entry: Entry) -> str:
    text = entry.text if entry.seat is None else f"{entry.seat}: {entry.text}"
    return f"{text}  # {entry.comment}" if entry.comment else text


def _seats(seats: tuple[int, ...]) -> str:
    return ",".join(map(str, seats)) or "-"


def _points(points: tuple[int, ...]) -> str:
    return " ".join(f"{number:+d}" for number in points)


def escaped(name: str) -> str:
    """A name that cannot be taken for more than one: names are the players' own words."""
    return " ".join(name.replace("\\", "\\\\").replace("|", "\\p").replace("#", "\\h").split()) or "\\e"


def unescaped(text: str) -> str:
    """The name that was written so."""
    letters = {"\\": "\\", "p": "|", "h": "#", "e": ""}
    return re.sub(r"\\(.)", lambda found: letters.get(found[1], found[0]), text)
