"""Cards of two packs and Jokers as numbers, for what is asked of Konken and Conker all the time.

Cards are sets of bits, sixteen a suit, so that a run does not go on in the next suit. In a playout two cards of a face
are a bit in `once` and one in `twice`; Jokers are counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from server.rules.actions import Add, AnyAction, Discard, Draw, Swap, Take
from server.rules.cards import JOKER, RANKS, SUITS, Card

WIDTH = 16
"""Bits a suit. Thirteen are used, and one more where the Ace stands above the King, too."""
ROW = (1 << WIDTH) - 1
"""The cards of the first suit: a set's lowest bits."""
ROWS = tuple(ROW << WIDTH * row for row in range(len(SUITS)))
BIT: dict[Card, int] = {
    rank + suit: 1 << WIDTH * row + place
    for row, suit in enumerate(SUITS)
    for place, rank in enumerate(RANKS)
}
JOKER_BIT = 1 << WIDTH * len(SUITS)
BITS: dict[Card, int] = BIT | {JOKER: JOKER_BIT}
FACES: dict[int, Card] = {bit: card for card, bit in BITS.items()}
ACES = sum(BIT["A" + suit] for suit in SUITS)
OF_RANK: dict[int, int] = {
    1 << place: sum(BIT[rank + suit] for suit in SUITS) for place, rank in enumerate(RANKS)
}
"""For a card of the first suit all of its rank."""

KEPT = 1 << 16
"""Entries of a table of what is worked out once: a hand's cards of one suit are one of 8192, and melds on tables some
thousands.
"""
KEPT_TABLES = 1 << 10
"""The same of whole hands and tables, which are asked about several times while they last."""

DRAW, TAKE = Draw(), Take()
DISCARD: dict[Card, Discard] = {card: Discard(card) for card in BITS}
DISCARDS: dict[int, AnyAction] = {BITS[card]: discard for card, discard in DISCARD.items()}


class Spot(NamedTuple):
    """What a meld on the table has room for: the faces that may join, each way to, and who may take a Joker's place."""

    joins: int
    adds: tuple[tuple[int, Add], ...]
    takers: int


class Spots(NamedTuple):
    """What the melds on a table have room for: all faces of them together, and each by itself."""

    joins: int
    takers: int
    each: tuple[Spot, ...]


def together(spots: Iterable[Spot]) -> Spots:
    """Several melds' room as a table's."""
    joins, takers, each = 0, 0, tuple(spots)
    for spot in each:
        joins |= spot.joins
        takers |= spot.takers
    return Spots(joins, takers, each)


def adds_by_card(spots: Spots, own: int, pending: int | None = None) -> dict[Card, list[Add]]:
    """The ways in which each face of a hand may join the melds on the table, but for the one numbered `pending`."""
    found: dict[Card, list[Add]] = {}
    for joins, adds, _ in spots.each:
        if joins & own:
            for face, add in adds:
                if face & own and add.meld != pending:
                    found.setdefault(add.cards[0], []).append(add)
    return found


def meld_numbers(ways: Mapping[Card, Iterable[Add | Swap]]) -> dict[Card, tuple[int, ...]]:
    """The melds that each card may go to."""
    return {card: tuple(dict.fromkeys(way.meld for way in ways[card])) for card in ways}


@lru_cache(KEPT_TABLES)
def faces_in(cards: tuple[Card, ...]) -> int:
    """The faces of a hand, JOKER_BIT among them."""
    faces = 0
    for card in cards:
        faces |= BITS[card]
    return faces


def counted(cards: tuple[Card, ...]) -> tuple[int, int, int]:
    """The naturals of a hand, those that are there twice, and how many Jokers there are."""
    once, twice, jokers = 0, 0, 0
    for card in cards:
        if card == JOKER:
            jokers += 1
        else:
            bit = BIT[card]
            twice |= once & bit
            once |= bit
    return once, twice, jokers


def singles(cards: int) -> list[int]:
    """The single cards of a set."""
    found = []
    while cards:
        card = cards & -cards
        found.append(card)
        cards ^= card
    return found


def discards(cards: int) -> list[AnyAction]:
    """To throw any face of a set."""
    found: list[AnyAction] = []
    for row in ROWS:
        found += _discards_in(cards & row)
    return [*found, DISCARDS[JOKER_BIT]] if cards & JOKER_BIT else found


@lru_cache(KEPT)
def _discards_in(suit: int) -> tuple[AnyAction, ...]:
    """The same of one suit: most of a hand's cards are what they were."""
    return tuple([DISCARDS[card] for card in singles(suit)])


def faces_of(cards: int) -> list[Card]:
    """The faces of a set."""
    return [FACES[card] for card in singles(cards)]


def meldable(cards: int, jokers: int, ace_high: bool) -> list[int]:
    """The cards of a set of naturals by suit and by rank, where there may be a meld among them with so many Jokers."""
    one, two, three, four = cards & ROW, cards >> 16 & ROW, cards >> 32 & ROW, cards >> 48
    if jokers:
        ranks = (one | two) & (three | four) | one & two | three & four
    else:
        ranks = one & two & (three | four) | three & four & (one | two)
    found = []
    while ranks:
        rank = ranks & -ranks
        found.append(cards & OF_RANK[rank])
        ranks ^= rank
    high = cards | (cards & ACES) << len(RANKS) if ace_high else cards
    if jokers or high & high >> 1 & high >> 2:
        found += [suit for row in ROWS if (suit := cards & row) & suit - 1]
    return found


def lying(cards: int, ace_high: bool) -> int:
    """The naturals of a set that are in some meld without a Joker."""
    one, two, three, four = cards & ROW, cards >> 16 & ROW, cards >> 32 & ROW, cards >> 48
    ranks = one & two & (three | four) | three & four & (one | two)
    found = cards & (ranks | ranks << 16 | ranks << 32 | ranks << 48)
    row = cards | (cards & ACES) << len(RANKS) if ace_high else cards
    if low := row & row >> 1 & row >> 2:
        runs = low | low << 1 | low << 2
        found |= cards & (runs | runs >> len(RANKS) & ACES)
    return found


class Held:
    """The hands of all seats."""

    __slots__ = ("jokers", "once", "twice")

    def __init__(self, hands: tuple[tuple[Card, ...], ...]) -> None:
        self.once, self.twice = [0] * len(hands), [0] * len(hands)
        self.jokers = [0] * len(hands)
        for seat, cards in enumerate(hands):
            for card in cards:
                self.give(seat, card)

    def copy(self) -> Held:
        """The same hands, to change by themselves."""
        twin = Held.__new__(Held)
        twin.once, twin.twice, twin.jokers = self.once[:], self.twice[:], self.jokers[:]
        return twin

    def give(self, seat: int, card: Card) -> None:
        """A card comes to a hand."""
        bit = BITS[card]
        if bit == JOKER_BIT:
            self.jokers[seat] += 1
        elif self.once[seat] & bit:
            self.twice[seat] |= bit
        else:
            self.once[seat] |= bit

    def lose(self, seat: int, card: Card) -> None:
        """A card leaves a hand."""
        bit = BITS[card]
        if bit == JOKER_BIT:
            self.jokers[seat] -= 1
        elif self.twice[seat] & bit:
            self.twice[seat] ^= bit
        else:
            self.once[seat] ^= bit

    def faces(self, seat: int) -> int:
        """The faces of a hand, JOKER_BIT among them."""
        return self.once[seat] | JOKER_BIT if self.jokers[seat] else self.once[seat]

    def copies(self, seat: int, card: Card) -> int:
        """How many of a face there are in a hand."""
        bit = BITS[card]
        if bit == JOKER_BIT:
            return self.jokers[seat]
        return bool(self.once[seat] & bit) + bool(self.twice[seat] & bit)

    def count(self, seat: int) -> int:
        """The cards of a hand."""
        return self.once[seat].bit_count() + self.twice[seat].bit_count() + self.jokers[seat]

    def cards(self) -> tuple[tuple[Card, ...], ...]:
        """The hands as the judge has them, in an order of no meaning."""
        both = zip(self.once, self.twice, self.jokers, strict=True)
        return tuple((*faces_of(once), *faces_of(twice), *(JOKER,) * jokers) for once, twice, jokers in both)
