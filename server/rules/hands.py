"""Hands by seat, and cards that leave them: what the games do alike (common.md, invariant 1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TypeVar

from server.rules.cards import Card, Placed, face, without
from server.rules.refusal import Code, Refused

T = TypeVar("T")


def replaced(values: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    """A tuple by seat with one seat's value changed."""
    return (*values[:seat], value, *values[seat + 1 :])


def leaving(held: tuple[Card, ...], cards: Iterable[Placed]) -> tuple[Card, ...]:
    """What stays of the cards held once `cards` are played; NOT_IN_HAND if they are not there so often."""
    faces = [face(card) for card in cards]
    try:
        return without(held, faces)
    except ValueError:
        short = Counter(faces) - Counter(held)
        raise Refused(Code.NOT_IN_HAND, card=next(iter(short))) from None


def throwing(own: tuple[Card, ...], card: Card, taken: Card | None) -> tuple[Card, ...]:
    """A hand without a card that is thrown; of two equal ones the one just taken stays."""
    at = own.index(card) if card == taken else len(own) - 1 - own[::-1].index(card)
    return own[:at] + own[at + 1 :]


def kept_back(own: tuple[Card, ...], taken: Card | None) -> Card | None:
    """The card just taken, which may not go straight back unless it is the only one or another like it is in hand."""
    return taken if taken is not None and own.count(taken) == 1 < len(own) else None
