"""Cards: faces, ranks, suits and packs.

A card is its face in the notation: rank then suit (`AS`, `TD`, `7H`), a Joker is `JK`. The copies of two
packs play alike, so a card has no identity beyond its face and a hand is a multiset of faces (common.md,
invariant 1).
"""

from collections.abc import Iterable
from typing import Annotated, Literal

from msgspec import Meta

RANKS = "A23456789TJQK"
SUITS = "SHDC"
JOKER = "JK"
NATURALS = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""All 52, each there once: whoever deals hands out these, and makes no texts of its own."""

Suit = Literal["S", "H", "D", "C"]
Card = Annotated[str, Meta(pattern="^(?:[A2-9TJQK][SHDC]|JK)$(?!\n)")]
"""A face: `7H`, or `JK`."""
KnownCard = str
"""A face where nothing is left to check: in a hand in play, which only our own store gives back. To look at each of a
hundred cards with every reading took three times as long as all the rest of a table.
"""
Placed = Annotated[str, Meta(pattern="^(?:[A2-9TJQK][SHDC]|JK(?:=[A2-9TJQK][SHDC])?)$(?!\n)")]
"""A card in a meld: a face, or a Joker with the card it stands for: `JK=QS`."""


def is_joker(card: Placed) -> bool:
    """Whether a card, in hand or placed, is a Joker."""
    return card.startswith(JOKER)


def face(card: Placed) -> Card:
    """The card as it lies in a hand: a placed Joker without its role."""
    return card[:2]


def stands_for(card: Placed) -> Card | None:
    """The natural card a placed card counts as; None for a Joker that is not settled."""
    if not is_joker(card):
        return card
    return card[3:] or None


def pack(packs: int, jokers: int) -> tuple[Card, ...]:
    """`packs` full packs of 52 and `jokers` Jokers in all, in a fixed order."""
    return NATURALS * packs + (JOKER,) * jokers


def without(cards: Iterable[Card], gone: Iterable[Card]) -> tuple[Card, ...]:
    """`cards` less one copy (the newest, so the rightmost) of each of `gone`; order kept.

    Raises ValueError if a card is not there often enough.
    """
    newest_first = list(cards)[::-1]
    for card in gone:
        newest_first.remove(card)
    return tuple(newest_first[::-1])
