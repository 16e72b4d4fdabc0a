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

HOUSE_OPTIONS = {"turn_seconds", "grace_seconds", "absent", "meld_help", "bots"}
"""Options of the table rather than of the game; a record may name them, and they change no move."""


def replay_match(hands: Sequence[Located], verify: bool = True) -> list[Any]:
    """Replay hands one after the other; where the first is hand 1, the match totals have to come out, too.

    Gives the hands at their end, None for one that was lost. Raises NotationError with the line that is wrong.
    """
    ends = [replay(hand, verify) for hand in hands]
    if hands and hands[0].record.hand == 1:
        _check_totals(hands, ends)
    return ends


def replay(hand: Located, verify: bool = True) -> Any:
    """Replay one hand and give it at its end; `verify` also checks that the seed gives this deal.

    A hand that was lost has nothing to replay or to prove, and gives None.
    Raises NotationError with the line that is wrong.
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
    end = _play(rules, rules.begin(options, layout, record.dealer), hand)
    _check_result(rules.result(end), hand)
    return end


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
    """Points add up to the totals of the match line; a newcomer begins at 0, and so does a seat that was left."""
    totals: list[int] = []
    for hand, end in zip(hands, ends, strict=True):
        record = hand.record
        result = None if end is None else end.result
        totals = totals or [0] * len(record.players)
        for seat in _noted("sit", record):
            totals[seat] = 0
        if result is not None:
            totals = [total + more for total, more in zip(totals, result.points, strict=True)]
        for seat in _noted("left", record):
            totals[seat] = 0
        if record.match is not None and record.match[1] != tuple(totals):
            raise NotationError(f"the totals are {totals}", hand.lines["match"])


def _noted(what: str, record: HandRecord) -> list[int]:
    """The seats of which the log notes `what`."""
    notes = (entry.text.split() for entry in record.log if entry.seat is None)
    return [int(words[1]) for words in notes if words[0] == what]
