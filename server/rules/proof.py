"""The deal of a record: options that go together, no card too many or too few, and a seed that gives this deal."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec

from server.rules.cards import Card
from server.rules.game import Layout
from server.rules.notation import NotationError
from server.rules.record_reader import Located
from server.rules.records import HandRecord
from server.rules.refusal import Refused
from server.rules.registry import AnyRules
from server.rules.shuffle import commitment, entropy

HOUSE_OPTIONS = {"turn_seconds", "grace_seconds", "absent", "meld_help", "bots"}
"""Options of the table rather than of the game; a record may name them, and they change no move."""


def options_of(rules: AnyRules, hand: Located) -> Any:
    """The options a record was played with. Raises NotationError where they, the players or the dealer do not fit."""
    line = hand.lines["options"]
    said = {name: value for name, value in hand.record.options.items() if name not in HOUSE_OPTIONS}
    try:
        options = msgspec.convert(said, rules.options)
        rules.check_options(options)
    except msgspec.ValidationError as wrong:
        raise NotationError(f"bad option: {wrong}", line) from None
    except Refused as refused:
        raise NotationError(
            f"bad option: {refused.detail['option']} does not go with the rest", line
        ) from None
    if rules.seats(options) != len(hand.record.players):
        raise NotationError(f"not {rules.seats(options)} players", hand.lines["players"])
    if hand.record.dealer >= rules.seats(options):
        raise NotationError("no such dealer", hand.lines["hand"])
    return options


def layout_of(record: HandRecord) -> Layout:
    """The deal as it is written, taken at its word."""
    return Layout(record.deal, record.turned, record.stock)


def _parts(layout: Layout) -> list[tuple[str, tuple[Card, ...]]]:
    """The cards of a deal by the lines they are written in."""
    deal = [(f"deal {seat}", cards) for seat, cards in enumerate(layout.hands)]
    turned = [] if layout.upcard is None else [("turned", (layout.upcard,))]
    return [*deal, *turned, ("stock", layout.stock)]


def check_cards(rules: AnyRules, options: Any, hand: Located) -> None:
    """Every card of the pack is there as often as it should be, and lies as a deal of these options would have it."""
    model = rules.layout(options, b"", hand.record.dealer)
    left = Counter(card for _, cards in _parts(model) for card in cards)
    written = dict(_parts(layout_of(hand.record)))
    for name, expected in _parts(model):
        if name not in written:
            raise NotationError(f"`{name} …` is missing", hand.lines["stock"])
        cards = written.pop(name)
        if len(cards) != len(expected):
            raise NotationError(f"{len(cards)} cards, not {len(expected)}", hand.lines[name])
        left.subtract(cards)
        if wrong := [card for card in cards if left[card] < 0]:
            raise NotationError(f"the pack does not hold {wrong[0]} so often", hand.lines[name])
    if written:  # the seats are as many as the players, so that it can be the upcard only
        raise NotationError("this game turns no card up", hand.lines["turned"])


def proven(rules: AnyRules, options: Any, hand: Located) -> Layout:
    """The layout that the seed gives, which is the one that is written."""
    record = hand.record
    seed = bytes.fromhex(record.seed) if len(record.seed) % 2 == 0 else b""
    if commitment(seed) != record.commit:
        raise NotationError("the seed is not the one that was committed to", hand.lines["seed"])
    if len(record.nonces) != len(record.players):
        raise NotationError("not a nonce for each player", hand.lines["seed"])
    given = rules.layout(options, entropy(seed, record.nonces), record.dealer)
    for (name, cards), (_, expected) in zip(_parts(layout_of(record)), _parts(given), strict=True):
        if cards != expected:
            raise NotationError("the seed does not give this deal", hand.lines[name])
    return given
