"""Records, read: text is what `records` would have written, or it is told which line is not."""

from __future__ import annotations

import re

from msgspec import Struct
from msgspec.structs import replace

from server.rules.cards import Card
from server.rules.notation import NotationError, parse_action, parse_card, parse_cards, parse_line
from server.rules.records import (
    COUNT,
    LOST,
    NOTES,
    RESHUFFLE,
    VERSION,
    Entry,
    HandRecord,
    Value,
    lost_hand,
    unescaped,
)


class Located(Struct, frozen=True):
    """A record that was read, and where its parts stood: line numbers from 1 by part, and of each log entry."""

    record: HandRecord
    lines: dict[str, int]
    log_lines: tuple[int, ...]


def parse_record(text: str) -> HandRecord:
    """Read the record of one hand. Raises NotationError with the line that is wrong."""
    records = parse_records(text)
    if len(records) != 1:
        raise NotationError(f"{len(records)} hands where one is expected")
    return records[0].record


def parse_records(text: str) -> list[Located]:
    """Read a record: a hand, or hands one after the other. Raises NotationError with the line that is wrong."""
    lines = _Lines(text)
    found: list[Located] = []
    head: _Head | None = None
    while lines.word or head is None:
        if head is None or lines.word != "hand":
            head = _parse_head(lines)
        found.append(_parse_hand(lines, head))
    return found


class _Head(Struct, frozen=True):
    game: str
    options: dict[str, Value]
    players: tuple[str, ...]
    lines: dict[str, int]


class _Lines:
    """The lines of a record, empty ones and comments left out, with the first one still to be read."""

    def __init__(self, text: str) -> None:
        whole = text.splitlines()
        numbered = ((at, _without_comment(line)) for at, line in enumerate(whole, start=1))
        self._lines = [(at, *parts) for at, parts in numbered if parts[0]]
        self._next = 0
        self._end = len(whole) + 1

    @property
    def at(self) -> int:
        """The number of the line; one past the last at the end."""
        if self._next < len(self._lines):
            return self._lines[self._next][0]
        return self._end

    @property
    def word(self) -> str:
        """The word it begins with, none at the end."""
        return self.text.partition(" ")[0]

    @property
    def text(self) -> str:
        return self._lines[self._next][1] if self._next < len(self._lines) else ""

    @property
    def comment(self) -> str:
        return self._lines[self._next][2]

    def advance(self) -> None:
        self._next += 1

    def wrong(self, message: str) -> NotationError:
        return NotationError(message, self.at)

    def rest(self, word: str) -> str:
        """What follows `word` on this line, and on to the next. Raises NotationError if another line is here."""
        if self.word != word:
            raise self.wrong(f"`{word} …` is missing" + (f", found {self.text!r}" if self.text else ""))
        rest = self.text[len(word) :].strip()
        self.advance()
        return rest


def _without_comment(line: str) -> tuple[str, str]:
    """A line and its comment: what follows a `#` at its beginning or after a space."""
    found = re.search(r"(?:^|\s)#\s*(.*)$", line)
    return (line[: found.start()].strip(), found[1].strip()) if found else (line.strip(), "")


def _parse_head(lines: _Lines) -> _Head:
    if lines.text != VERSION:
        raise lines.wrong(f"`{VERSION}` is missing")
    lines.advance()
    places = {"game": lines.at}
    game = lines.rest("game")
    options: dict[str, Value] = {}
    at = places["options"] = lines.at
    if lines.word == "options":
        for word in lines.rest("options").split():
            name, equals, value = word.partition("=")
            if not (name and equals and value) or name in options:
                raise NotationError(f"no option: {word!r}", at)
            options[name] = int(value) if COUNT.fullmatch(value) else value
    places["players"] = lines.at
    players = tuple(unescaped(name.strip()) for name in lines.rest("players").split("|"))
    return _Head(game, options, players, places)


def _parse_hand(lines: _Lines, head: _Head) -> Located:
    at = dict(head.lines)
    number, dealer = _matched(r"([1-9][0-9]{0,8}) dealer ([0-9])", *_part(lines, at, "hand"))
    if lines.word in {*NOTES, "void"}:
        record, log_lines = _parse_lost(lines, head, at, int(number), int(dealer))
    else:
        record, log_lines = _parse_played(lines, head, at, int(number), int(dealer))
    if lines.word == "match":
        record = replace(record, match=_winners_and(*_part(lines, at, "match"), len(head.players)))
    return Located(record, at, log_lines)


def _part(lines: _Lines, at: dict[str, int], word: str, name: str = "") -> tuple[str, int]:
    """What follows `word` on this line, and its number, which is noted in `at`."""
    line = at[name or word] = lines.at
    return lines.rest(word), line


def _parse_lost(
    lines: _Lines, head: _Head, at: dict[str, int], number: int, dealer: int
) -> tuple[HandRecord, tuple[int, ...]]:
    log, log_lines = _parse_log(lines, len(head.players))
    for entry, place in zip(log, log_lines, strict=True):
        if entry.text.partition(" ")[0] not in NOTES:
            raise NotationError("nobody knows what was played in a hand that was lost", place)
    void, line = _part(lines, at, "void", "result")
    if void != LOST:
        raise NotationError(f"only `void {LOST}` can stand in place of a deal", line)
    return replace(lost_hand(head.game, head.options, head.players, number, dealer), log=log), log_lines


def _parse_played(
    lines: _Lines, head: _Head, at: dict[str, int], number: int, dealer: int
) -> tuple[HandRecord, tuple[int, ...]]:
    seats = len(head.players)
    commit, _ = _part(lines, at, "commit")
    deal = []
    for seat in range(seats):
        text, line = _part(lines, at, "deal", f"deal {seat}")
        named, _, cards = text.partition(" ")
        if named != str(seat):
            raise NotationError(f"`deal {seat} …` is missing", line)
        deal.append(_cards(cards, line))
    turned = _one_card(*_part(lines, at, "turned")) if lines.word == "turned" else None
    stock = _cards(*_part(lines, at, "stock"))
    log, log_lines = _parse_log(lines, seats)
    winners: tuple[int, ...] = ()
    points: tuple[int, ...] = ()
    void = ""
    if lines.word == "void":
        void = _parse_void(*_part(lines, at, "void", "result"), seats)
    else:
        winners, points = _winners_and(*_part(lines, at, "result"), seats)
    seed, nonces = _matched(r"([0-9a-f]*) +nonces(.*)", *_part(lines, at, "seed"))
    record = HandRecord(
        game=head.game,
        options=head.options,
        players=head.players,
        hand=number,
        dealer=dealer,
        commit=commit,
        deal=tuple(deal),
        turned=turned,
        stock=stock,
        log=log,
        winners=winners,
        points=points,
        seed=seed,
        nonces=tuple("" if nonce == "-" else nonce for nonce in nonces.split()),
        void=void,
    )
    return record, log_lines


def _parse_void(text: str, at: int, seats: int) -> str:
    """`1 left`, `- unfinished`: the seat, if it was one's, and what came of it."""
    seat, _ = _matched(r"(-|[0-9]) (\w+)", text, at)
    if seat != "-" and int(seat) >= seats:
        raise NotationError(f"no such seat: {seat}", at)
    if text == LOST:
        raise NotationError("a hand that was dealt is not lost", at)
    return text


def _parse_log(lines: _Lines, seats: int) -> tuple[tuple[Entry, ...], tuple[int, ...]]:
    log: list[Entry] = []
    places: list[int] = []
    while re.match(r"[0-9]", lines.text) or lines.word in {*NOTES, RESHUFFLE}:
        log.append(_parse_entry(lines, seats))
        places.append(lines.at)
        lines.advance()
    return tuple(log), tuple(places)


def _parse_entry(lines: _Lines, seats: int) -> Entry:
    if lines.word in NOTES:
        words = lines.text.split(maxsplit=NOTES[lines.word])
        if len(words) != NOTES[lines.word] + 1 or not _is_seat(words[1], seats):
            raise lines.wrong(f"not a note as in `bot 1` or `sit 1 NAME`: {lines.text!r}")
        return Entry(None, lines.text, lines.comment)
    if lines.word == RESHUFFLE:
        _cards(lines.text.removeprefix(RESHUFFLE), lines.at)
        return Entry(None, lines.text, lines.comment)
    try:
        seat, text = parse_line(lines.text)
        parse_action(text)
    except NotationError as wrong:
        raise lines.wrong(wrong.message) from None
    if seat >= seats:
        raise lines.wrong(f"no such seat: {seat}")
    return Entry(seat, text, lines.comment)


def _is_seat(word: str, seats: int) -> bool:
    return COUNT.fullmatch(word) is not None and int(word) < seats


def _matched(pattern: str, text: str, at: int) -> tuple[str, str]:
    found = re.fullmatch(pattern, text)
    if not found:
        raise NotationError(f"not understood: {text!r}", at)
    return found[1], found[2]


def _winners_and(text: str, at: int, seats: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """`0,2 +20 -41 +21 0`: the seats that won, and a number for each seat."""
    named, numbers = _matched(r"(-|[0-9](?:,[0-9])*) (.*)", text, at)
    winners = () if named == "-" else tuple(map(int, named.split(",")))
    if len(numbers.split()) != seats or any(seat >= seats for seat in winners):
        raise NotationError(f"not a number for each of {seats} seats: {text!r}", at)
    if not all(re.fullmatch(r"[+-]?[0-9]{1,9}", word) for word in numbers.split()):
        raise NotationError(f"no numbers: {numbers!r}", at)
    return winners, tuple(map(int, numbers.split()))


def _cards(text: str, at: int) -> tuple[Card, ...]:
    try:
        return parse_cards(text)
    except NotationError as wrong:
        raise NotationError(wrong.message, at) from None


def _one_card(text: str, at: int) -> Card:
    try:
        return parse_card(text)
    except NotationError as wrong:
        raise NotationError(wrong.message, at) from None
