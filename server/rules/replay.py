"""Replay records: the same deal, every action legal, the same result, and a seed that proves the deal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from server.rules.cards import Card
from server.rules.game import Draw, Layout, Reshuffled, Result
from server.rules.notation import NotationError, parse_action, parse_cards
from server.rules.records import LOST, RESHUFFLE, HandRecord, Located
from server.rules.refusal import Refused
from server.rules.registry import GAMES, AnyRules
from server.rules.shuffle import commitment, entropy

MOST_DRAWN = 64
"""No stake grows beyond so many drawn hands (Conquian's carry_cap), so no more of them can tell results apart."""
HOUSE_OPTIONS = {"turn_seconds", "grace_seconds", "absent", "meld_help", "bots"}
"""Options of the table rather than of the game; a record may name them, and they change no move."""


def replay_match(hands: Sequence[Located], verify: bool = True) -> list[Any]:
    """Replay hands one after the other; where the first is hand 1, the match totals have to come out, too.

    Gives the hands at their end, None for one that was lost. Raises NotationError with the line that is wrong.
    """
    if not hands or hands[0].record.hand != 1:
        return [replay(hand, verify) for hand in hands]
    ends, drawn = [], 0
    for hand in hands:
        ends.append(replay(hand, verify, drawn))
        drawn = _drawn_after(hand.record, drawn)
    _check_totals(hands, ends)
    return ends


def _drawn_after(record: HandRecord, drawn: int) -> int:
    """Drawn hands in a row after this one, with `drawn` before it. A void hand does not count."""
    if record.void:
        return drawn
    return 0 if record.winners else drawn + 1


def replay(hand: Located, verify: bool = True, drawn: int | None = None) -> Any:
    """Replay one hand and give it at its end; `verify` also checks that the seed gives this deal.

    `drawn` is how many drawn hands in a row came before it, None if that is not known: a hand by itself does not tell,
    and is right if its result goes with any number that is possible. A hand that was lost has nothing to replay or to
    prove, and gives None. Raises NotationError with the line that is wrong.
    """
    record = hand.record
    rules = GAMES.get(record.game)
    if rules is None:
        raise NotationError(f"unknown game: {record.game!r}", hand.lines["game"])
    options = _options(rules, hand)
    if record.void == LOST:
        return None
    _check_cards(rules, options, hand)
    layout = _proven(rules, options, hand) if verify else _layout(record)
    played = _played(rules, options, layout, hand, drawn or 0)
    if drawn is None and not record.void:
        others = range(1, min(record.hand, MOST_DRAWN))
        while not _pays_as_written(played[1], record) and others:
            played = _played(rules, options, layout, hand, others[0])
            others = others[1:]
    end, result = played
    _check_result(result, hand)
    return end


def _pays_as_written(result: Result | None, record: HandRecord) -> bool:
    """Whether no other stake would make it the result that is written."""
    return result is None or result.winners != record.winners or result.points == record.points


def _played(
    rules: AnyRules, options: Any, layout: Layout, hand: Located, drawn: int
) -> tuple[Any, Result | None]:
    """The hand at its end, and its result with so many drawn hands before it."""
    end = _play(rules, rules.begin(options, layout, hand.record.dealer, drawn), hand)
    return end, _result(rules, options, end, hand, drawn)


def _result(rules: AnyRules, options: Any, end: Any, hand: Located, drawn: int) -> Result | None:
    """The result of the play; or of somebody's leaving, in games that say what it costs."""
    left = _noted("left", hand.record)
    if rules.result(end) is not None or not left:
        return rules.result(end)
    return rules.leave(options, end, left[-1], drawn)


def _play(rules: AnyRules, state: Any, hand: Located) -> Any:
    """Play the log. A new stock is the one that is written, which has to be the seed's where that is known."""
    renewed = False
    for entry, line in zip(hand.record.log, hand.log_lines, strict=True):
        if entry.seat is not None:
            state = _act(rules, state, entry.seat, entry.text, renewed, line)
        renewed = entry.text.startswith(RESHUFFLE)
        if renewed:
            try:
                state = rules.restock(state, parse_cards(entry.text.removeprefix(RESHUFFLE)))
            except ValueError as wrong:
                raise NotationError(str(wrong), line) from None
    if renewed:
        raise NotationError("nobody draws from the new stock", hand.log_lines[-1])
    return state


def _act(rules: AnyRules, state: Any, seat: int, text: str, renewed: bool, line: int) -> Any:
    action = parse_action(text)
    if renewed and not isinstance(action, Draw):
        raise NotationError("nobody draws from the new stock", line)
    try:
        after, events = rules.apply(state, seat, action)
    except Refused as refused:
        raise NotationError(f"`{seat}: {text}` is refused: {refused.code}", line) from None
    if any(isinstance(event, Reshuffled) for event in events):
        raise NotationError(f"`{RESHUFFLE} …` is missing", line)
    return after


def _options(rules: AnyRules, hand: Located) -> Any:
    line = hand.lines["options"]
    said = {name: value for name, value in hand.record.options.items() if name not in HOUSE_OPTIONS}
    try:
        options = msgspec.convert(said, rules.options)
        rules.check_options(options)
    except (msgspec.ValidationError, Refused) as wrong:
        raise NotationError(f"bad option: {wrong}", line) from None
    if rules.seats(options) != len(hand.record.players):
        raise NotationError(f"not {rules.seats(options)} players", hand.lines["players"])
    if hand.record.dealer >= rules.seats(options):
        raise NotationError("no such dealer", hand.lines["hand"])
    return options


def _layout(record: HandRecord) -> Layout:
    return Layout(record.deal, record.turned, record.stock)


def _parts(layout: Layout) -> list[tuple[str, tuple[Card, ...]]]:
    """The cards of a deal by the lines they are written in."""
    deal = [(f"deal {seat}", cards) for seat, cards in enumerate(layout.hands)]
    turned = [] if layout.upcard is None else [("turned", (layout.upcard,))]
    return [*deal, *turned, ("stock", layout.stock)]


def _check_cards(rules: AnyRules, options: Any, hand: Located) -> None:
    """Every card of the pack is there as often as it should be, and lies as a deal of these options would have it."""
    model = rules.layout(options, b"", hand.record.dealer)
    left = Counter(card for _, cards in _parts(model) for card in cards)
    for (name, cards), (_, expected) in zip(_parts(_layout(hand.record)), _parts(model), strict=True):
        if name not in hand.lines:
            raise NotationError(f"`{name} …` is missing", hand.lines["stock"])
        if len(cards) != len(expected):
            raise NotationError(f"{len(cards)} cards, not {len(expected)}", hand.lines[name])
        left.subtract(cards)
        if wrong := [card for card in cards if left[card] < 0]:
            raise NotationError(f"the pack does not hold {wrong[0]} so often", hand.lines[name])


def _proven(rules: AnyRules, options: Any, hand: Located) -> Layout:
    """The layout that the seed gives, which is the one that is written."""
    record = hand.record
    seed = bytes.fromhex(record.seed) if len(record.seed) % 2 == 0 else b""
    if commitment(seed) != record.commit:
        raise NotationError("the seed is not the one that was committed to", hand.lines["seed"])
    if len(record.nonces) != len(record.players):
        raise NotationError("not a nonce for each player", hand.lines["seed"])
    proven = rules.layout(options, entropy(seed, record.nonces), record.dealer)
    for (name, cards), (_, expected) in zip(_parts(_layout(record)), _parts(proven), strict=True):
        if cards != expected:
            raise NotationError("the seed does not give this deal", hand.lines[name])
    return proven


def _check_result(result: Result | None, hand: Located) -> None:
    record, line = hand.record, hand.lines["result"]
    if record.void:
        if result is not None and result.ending != "void":
            raise NotationError("the hand came to its end and is not void", line)
        return
    if result is None:
        raise NotationError("the hand has not come to its end", line)
    if (result.winners, result.points) != (record.winners, record.points):
        raise NotationError(f"the result is {result.winners} with {result.points}", line)


def _check_totals(hands: Iterable[Located], ends: Iterable[Any]) -> None:
    """Points add up to the totals of the match line; a newcomer begins at 0, and so does a seat that was left.

    In games where leaving costs points it ends the match, also between two hands, and nobody takes the seat.
    """
    totals: list[int] = []
    drawn = 0
    for hand, end in zip(hands, ends, strict=True):
        record = hand.record
        totals = totals or [0] * len(record.players)
        for seat in _noted("sit", record):
            totals[seat] = 0
        if not record.void:
            totals = [total + more for total, more in zip(totals, record.points, strict=True)]
        drawn = _drawn_after(record, drawn)
        for seat in _noted("left", record):
            interrupted = end is not None and end.result is None
            totals = _left(hand, seat, totals, drawn, interrupted)
        if record.match is not None and record.match[1] != tuple(totals):
            raise NotationError(f"the totals are {totals}", hand.lines["match"])


def _left(hand: Located, seat: int, totals: list[int], drawn: int, interrupted: bool) -> list[int]:
    """The totals once a seat was left; what that costs is in the hand's result already, if it interrupted the hand."""
    rules = GAMES[hand.record.game]
    cost = rules.leave(_options(rules, hand), None, seat, drawn)
    if cost is None:
        return [0 if index == seat else total for index, total in enumerate(totals)]
    if interrupted:
        return totals
    return [total + more for total, more in zip(totals, cost.points, strict=True)]


def _noted(what: str, record: HandRecord) -> list[int]:
    """The seats of which the log notes `what`."""
    notes = (entry.text.split() for entry in record.log if entry.seat is None)
    return [int(words[1]) for words in notes if words[0] == what]
