"""Replay records: the same deal, every action legal, the same result, and a seed that proves the deal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from server.rules.actions import Draw
from server.rules.events import AnyEvent, Reshuffled
from server.rules.game import Layout
from server.rules.notation import NotationError, parse_action, parse_cards
from server.rules.proof import check_cards, layout_of, options_of, proven
from server.rules.record_reader import Located
from server.rules.records import LOST, RESHUFFLE, Entry, HandRecord
from server.rules.refusal import Refused
from server.rules.registry import GAMES, AnyRules
from server.rules.result import Result

MOST_DRAWN = 64
"""No stake grows beyond so many drawn hands (Conquian's carry_cap), so no more of them can tell results apart."""


class Move(Struct, frozen=True):
    """One entry of a log, replayed: its line in the file, what happened, and the hand afterwards."""

    entry: Entry
    line: int
    events: tuple[AnyEvent, ...]
    hand: Any


class Replayed(Struct, frozen=True):
    """What came of replaying a hand: the moves as far as they are right, and the problem that ended them, if any.

    `begun` is the hand before the first move, None for one that was lost or whose deal is wrong. `totals` are the
    match's after this hand, None where the hands before it are not known.
    """

    hand: Located
    begun: Any = None
    moves: tuple[Move, ...] = ()
    result: Result | None = None
    totals: tuple[int, ...] | None = None
    problem: NotationError | None = None

    @property
    def end(self) -> Any:
        """The hand after the last move."""
        return self.moves[-1].hand if self.moves else self.begun


def replay_match(hands: Sequence[Located], verify: bool = True) -> list[Any]:
    """Replay hands one after the other; where the first is hand 1, the match totals have to come out, too.

    Gives the hands at their end, None for one that was lost. Raises NotationError with the line that is wrong.
    """
    ends = []
    for found in retrace_match(hands, verify):
        if found.problem is not None:
            raise found.problem
        ends.append(found.end)
    return ends


def replay(hand: Located, verify: bool = True, drawn: int | None = None) -> Any:
    """Replay one hand and give it at its end, None for one that was lost; see `retrace`.

    Raises NotationError with the line that is wrong.
    """
    found = retrace(hand, verify, drawn)
    if found.problem is not None:
        raise found.problem
    return found.end


# ---- a match -----------------------------------------------------------------------------------------------


def retrace_match(hands: Sequence[Located], verify: bool = True) -> Iterator[Replayed]:
    """Replay hands one after the other, each with the match's totals; the first with a problem is the last."""
    sheet = _Sheet(0) if hands and hands[0].record.hand == 1 else None
    before: Located | None = None
    for hand in hands:
        found = retrace(hand, verify, sheet.drawn if sheet else None)
        try:
            if found.problem is None:
                _check_order(hand, before, sheet)
                if sheet is not None:
                    found = replace(found, totals=sheet.enter(found))
        except NotationError as wrong:
            found = replace(found, problem=wrong)
        yield found
        if found.problem is not None:
            return
        before = hand


def _check_order(hand: Located, before: Located | None, sheet: _Sheet | None) -> None:
    """No hand comes twice, and none after the match has ended."""
    if before is None:
        return
    if hand.record.hand <= before.record.hand:
        raise NotationError(f"hand {before.record.hand} came before", hand.lines["hand"])
    if before.record.match is not None or (sheet is not None and sheet.champion is not None):
        raise NotationError("the match was over before this hand", hand.lines["hand"])


class _Sheet:
    """The score of a match so far.

    Points add up to the totals of the match line; a newcomer begins at 0, and so does a seat that was left. In games
    where leaving costs points it ends the match, also between two hands, and nobody takes the seat.
    """

    def __init__(self, drawn: int) -> None:
        self.drawn = drawn
        self.totals: tuple[int, ...] = ()
        self.winners: list[tuple[int, ...]] = []
        self.champion: tuple[int, ...] | None = None

    def enter(self, found: Replayed) -> tuple[int, ...]:
        """The totals after one more hand. Raises NotationError if the match line says otherwise."""
        record = found.hand.record
        self.totals = self.totals or (0,) * len(record.players)
        for seat in _noted("sit", record):
            self._empty(seat)
        if not record.void:
            self._count(found)
        self.drawn = _drawn_after(record, self.drawn)
        for seat in _noted("left", record):
            self._leave(found, seat)
        if record.match is not None:
            self._check(found.hand)
        return self.totals

    def _count(self, found: Replayed) -> None:
        self.totals = _sum(self.totals, found.hand.record.points)
        if found.result is None or found.result.ending == "void":
            return
        self.winners.append(found.result.winners)
        rules = GAMES[found.hand.record.game]
        options = options_of(rules, found.hand)
        champion = rules.match_winner(options, self.totals, tuple(self.winners))
        self.champion = None if champion is None else (champion,)

    def _leave(self, found: Replayed, seat: int) -> None:
        """What leaving costs is in the hand's result already, if it interrupted the hand."""
        rules = GAMES[found.hand.record.game]
        cost = rules.leave(options_of(rules, found.hand), None, seat, self.drawn)
        if cost is None:
            self._empty(seat)
            return
        interrupted = found.end is not None and found.end.result is None
        self.totals = self.totals if interrupted else _sum(self.totals, cost.points)
        self.champion = cost.winners

    def _empty(self, seat: int) -> None:
        """A seat begins at nothing, and has won nothing of what was won in it before."""
        self.totals = tuple(0 if index == seat else total for index, total in enumerate(self.totals))
        self.winners = [tuple(other for other in won if other != seat) for won in self.winners]

    def _check(self, hand: Located) -> None:
        """A match that the points do not decide was claimed or broken off, and anybody may have won it."""
        winners, totals = hand.record.match or ((), ())
        if totals != self.totals:
            raise NotationError(f"the totals are {_numbers(self.totals)}", hand.lines["match"])
        if self.champion is not None and winners != self.champion:
            raise NotationError(f"the match is won by {_numbers(self.champion)}", hand.lines["match"])


def _sum(totals: Iterable[int], points: Iterable[int]) -> tuple[int, ...]:
    return tuple(total + more for total, more in zip(totals, points, strict=True))


def _numbers(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers)) or "-"


def _noted(what: str, record: HandRecord) -> list[int]:
    """The seats of which the log notes `what`."""
    notes = (entry.text.split() for entry in record.log if entry.seat is None)
    return [int(words[1]) for words in notes if words[0] == what]


def _drawn_after(record: HandRecord, drawn: int) -> int:
    """Drawn hands in a row after this one, with `drawn` before it. A void hand does not count."""
    if record.void:
        return drawn
    return 0 if record.winners else drawn + 1


# ---- a hand ------------------------------------------------------------------------------------------------


def retrace(hand: Located, verify: bool = True, drawn: int | None = None) -> Replayed:
    """Replay one hand as far as it is right; `verify` also checks that the seed gives this deal.

    `drawn` is how many drawn hands in a row came before it, None if that is not known: a hand by itself does not tell,
    and is right if its result goes with any number that is possible. A hand that was lost has nothing to replay or to
    prove.
    """
    record = hand.record
    try:
        rules, options, layout = _dealt(hand, verify)
    except NotationError as wrong:
        return Replayed(hand, problem=wrong)
    if layout is None:
        notes = zip(record.log, hand.log_lines, strict=True)
        return Replayed(hand, moves=tuple(Move(entry, line, (), None) for entry, line in notes))
    found = _played(rules, options, layout, hand, drawn or 0)
    if drawn is None and not record.void and found.problem is None:
        others = range(1, min(record.hand, MOST_DRAWN))
        while not _pays_as_written(found.result, record) and others:
            found = _played(rules, options, layout, hand, others[0])
            others = others[1:]
    problem = found.problem or _fault_of_result(found.result, hand)
    return replace(found, problem=problem)


def _dealt(hand: Located, verify: bool) -> tuple[AnyRules, Any, Layout | None]:
    """The rules, the options, and how the cards lay; None for a hand that was lost."""
    rules = GAMES.get(hand.record.game)
    if rules is None:
        raise NotationError(f"unknown game: {hand.record.game!r}", hand.lines["game"])
    options = options_of(rules, hand)
    if hand.record.void == LOST:
        return rules, options, None
    check_cards(rules, options, hand)
    return rules, options, proven(rules, options, hand) if verify else layout_of(hand.record)


def _pays_as_written(result: Result | None, record: HandRecord) -> bool:
    """Whether no other stake would make it the result that is written."""
    return result is None or result.winners != record.winners or result.points == record.points


def _played(rules: AnyRules, options: Any, layout: Layout, hand: Located, drawn: int) -> Replayed:
    """The moves, and the result they come to with so many drawn hands before them."""
    begun = rules.begin(options, layout, hand.record.dealer, drawn)
    found = Replayed(hand, begun)
    moves: list[Move] = []
    try:
        for move in _moves(rules, begun, hand):
            moves.append(move)  # noqa: PERF402 - those before a wrong one are kept
    except NotationError as wrong:
        return replace(found, moves=tuple(moves), problem=wrong)
    found = replace(found, moves=tuple(moves))
    return replace(found, result=_result(rules, options, found.end, hand, drawn))


def _result(rules: AnyRules, options: Any, end: Any, hand: Located, drawn: int) -> Result | None:
    """The result of the play; or of somebody's leaving, in games that say what it costs."""
    left = _noted("left", hand.record)
    if rules.result(end) is not None or not left:
        return rules.result(end)
    return rules.leave(options, end, left[-1], drawn)


def _moves(rules: AnyRules, state: Any, hand: Located) -> Iterator[Move]:
    """Play the log. A new stock is the one that is written, which has to be the seed's where that is known."""
    renewed, left = False, False
    for entry, line in zip(hand.record.log, hand.log_lines, strict=True):
        events: tuple[AnyEvent, ...] = ()
        if entry.seat is not None:
            if left:
                raise NotationError("the hand goes on after somebody left", line)
            state, events = _act(rules, state, entry.seat, entry.text, renewed, line)
        renewed = entry.text.startswith(RESHUFFLE)
        left = left or (entry.seat is None and entry.text.startswith("left "))
        if renewed:
            try:
                state = rules.restock(state, parse_cards(entry.text.removeprefix(RESHUFFLE)))
            except ValueError as wrong:
                raise NotationError(str(wrong), line) from None
        yield Move(entry, line, events, state)
    if renewed:
        raise NotationError("nobody draws from the new stock", hand.log_lines[-1])


def _act(
    rules: AnyRules, state: Any, seat: int, text: str, renewed: bool, line: int
) -> tuple[Any, tuple[AnyEvent, ...]]:
    action = parse_action(text)
    if renewed and not isinstance(action, Draw):
        raise NotationError("nobody draws from the new stock", line)
    try:
        after, events = rules.apply(state, seat, action)
    except Refused as refused:
        raise NotationError(f"`{seat}: {text}` is refused: {refused.code}", line) from None
    if any(isinstance(event, Reshuffled) for event in events):
        raise NotationError(f"`{RESHUFFLE} …` is missing", line)
    return after, events


def _fault_of_result(result: Result | None, hand: Located) -> NotationError | None:
    """What is wrong with the result that is written, if anything is."""
    record, line = hand.record, hand.lines["result"]
    if record.void:
        return _fault_of_void(result, hand)
    if result is None:
        return NotationError("the hand has not come to its end", line)
    if (result.winners, result.points) != (record.winners, record.points):
        points = " ".join(f"{number:+d}" for number in result.points)
        winners = ",".join(map(str, result.winners)) or "-"
        return NotationError(f"the result is {winners} {points}", line)
    return None


def _fault_of_void(result: Result | None, hand: Located) -> NotationError | None:
    """A hand that something else made void is not over, and the log notes what befell the seat that is named."""
    line = hand.lines["result"]
    if result is not None and result.ending != "void":
        return NotationError("the hand came to its end and is not void", line)
    seat, what = hand.record.void.split()
    if seat != "-" and int(seat) not in _noted(what, hand.record):
        return NotationError(f"the log does not say `{what} {seat}`", line)
    return None
