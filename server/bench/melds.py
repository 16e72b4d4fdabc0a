"""CPU time of the meld finders: the melds of a hand, what may lie on a table, and the worst that a search finds.

Every call begins with nothing worked out about its hand, as on a server; what the finders keep between hands is kept.
The worst are found by climbing: change a card, and keep the change if the call takes longer.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from random import Random
from typing import TypeVar

import msgspec
from msgspec import Struct

from server.bench.report import Row, spread
from server.rules import conker_choices, conker_melds, conker_openings, konken_lay, melds
from server.rules.cards import JOKER, RANKS, SUITS, Card, Placed, face, pack
from server.rules.conker import CONKER, ConkerHand, ConkerOptions
from server.rules.conquian import CONQUIAN, ConquianHand, ConquianOptions
from server.rules.conquian_covers import BIT, all_melds, can_lie, cards_of, set_of
from server.rules.conquian_covers import PACK as CONQUIAN_PACK
from server.rules.conquian_hand import Centre
from server.rules.game import MeldView
from server.rules.konken import KONKEN, KonkenHand, KonkenOptions
from server.rules.partition import Partition
from server.rules.registry import AnyRules

T = TypeVar("T")
Question = Callable[[tuple[Card, ...]], object]

HAND = 14
"""Cards that a hand has at most: thirteen or fourteen dealt, and the one just drawn."""
JOKERS = 4
FULL_PACK = pack(2, JOKERS)
CONKER_HEAVY = ConkerOptions(opening_points=51, long_lay="on", max_jokers_per_group=2)
KONKEN_HEAVY = KonkenOptions(jokers=4, hand_size=13, opening_points=51)
STARTS = 8
"""A climb begins at the worst of so many."""
PATIENCE = 150
"""Changes in vain after which a climb begins anew."""
TABLE = range(5)
"""Melds on the table of a position to climb from."""


def rows(hands: int = 300, seconds: float = 1.5, yardstick: str | None = None) -> list[Row]:
    """All figures: over so many hands each, with climbs that take so many seconds each."""
    found = []
    for name, question in QUESTIONS.items():
        for jokers in range(JOKERS + 1):
            samples = [ms(partial(question, cards)) for cards in dealt(hands, jokers)]
            found.append(spread(f"{name}, {jokers} Jokers", "ms", samples, yardstick))
        found.append(_worst(name, question, _any_hand, _other_hand, seconds, yardstick))
    found += _conquian(hands, seconds, yardstick)
    for name, worst in LEGAL.items():
        found.append(_worst(f"{name}: legal", worst.ask, worst.begin, worst.vary, seconds, yardstick))
    return found


def ms(work: Callable[[], object]) -> float:
    """CPU time of one call, in ms."""
    begun = time.thread_time_ns()
    work()
    return (time.thread_time_ns() - begun) / 1e6


# ---- climbing ----------------------------------------------------------------------------------------------


def _worst(
    name: str,
    ask: Callable[[T], object],
    begin: Callable[[Random], T],
    vary: Callable[[T, Random], T],
    seconds: float,
    yardstick: str | None,
) -> Row:
    count, worst = climb(ask, begin, vary, seconds)
    return Row(f"{name}, worst found", "ms", count, worst, yardstick=yardstick)


def climb(
    ask: Callable[[T], object],
    begin: Callable[[Random], T],
    vary: Callable[[T, Random], T],
    seconds: float,
) -> tuple[int, float]:
    """How many things were tried within so many seconds, and the longest that a call took, in ms."""
    chance = Random(1)  # noqa: S311 - it has to be repeatable
    end = time.monotonic() + seconds
    count, worst = 0, 0.0
    while not count or time.monotonic() < end:
        at = max((begin(chance) for _ in range(STARTS)), key=lambda thing: ms(partial(ask, thing)))
        peak, idle = _steady(ask, at), 0
        count += STARTS
        while idle < PATIENCE and time.monotonic() < end:
            changed = vary(at, chance)
            count, idle = count + 1, idle + 1
            if ms(partial(ask, changed)) > peak and (longer := _steady(ask, changed)) > peak:
                at, peak, idle = changed, longer, 0
        worst = max(worst, peak)
    return count, worst


def _steady(ask: Callable[[T], object], thing: T) -> float:
    """The shortest of a few calls: what the machine did besides is no merit of the thing."""
    return min(ms(partial(ask, thing)) for _ in range(3))


# ---- hands of Konken and Conker ----------------------------------------------------------------------------


def _least_of_konken(cards: tuple[Card, ...]) -> object:
    return Partition(cards, konken_lay.COSTS, thrifty=True, spent=1).plan(cards)


def _most_of_konken(cards: tuple[Card, ...]) -> int:
    konken_lay.openings_of.cache_clear()
    return konken_lay.openings_of(cards).most_of(HAND - 2)


QUESTIONS: dict[str, Question] = {
    "konken: best melds of 14": _least_of_konken,
    "konken: best opening of 14": _most_of_konken,
    "conker: best melds of 14": lambda cards: conker_choices.arranged(cards, ConkerOptions()),
    "conker: best opening of 14": lambda cards: _most_of_conker(cards, ConkerOptions()),
    "conker, 2 Jokers a meld, long lays: best melds of 14": lambda cards: conker_choices.arranged(
        cards, CONKER_HEAVY
    ),
    "conker, 2 Jokers a meld, long lays: best opening of 14": lambda cards: _most_of_conker(
        cards, CONKER_HEAVY
    ),
}


def _most_of_conker(cards: tuple[Card, ...], options: ConkerOptions) -> int:
    return conker_openings.openings_of(cards, options).most_of(HAND - 1)


def dealt(hands: int, jokers: int) -> Iterator[tuple[Card, ...]]:
    """So many hands with just so many Jokers: the same ones everywhere."""
    chance = Random(jokers)  # noqa: S311 - it has to be repeatable
    naturals = pack(2, 0)
    for _ in range(hands):
        yield (*chance.sample(naturals, HAND - jokers), *(JOKER,) * jokers)


def _any_hand(chance: Random) -> tuple[Card, ...]:
    """Cards of one or two suits and Jokers: these have most melds."""
    suits = chance.sample(SUITS, chance.choice((1, 2, 2, 4)))
    naturals = [card for card in pack(2, 0) if card[1] in suits]
    jokers = chance.choice((2, 3, 4, 4))
    return (*chance.sample(naturals, HAND - jokers), *(JOKER,) * jokers)


def _other_hand(cards: tuple[Card, ...], chance: Random) -> tuple[Card, ...]:
    """The same with a card or two exchanged."""
    kept = chance.sample(cards, len(cards) - chance.choice((1, 1, 2)))
    return (*kept, *chance.sample(_rest(kept), len(cards) - len(kept)))


def _rest(cards: Sequence[Card]) -> list[Card]:
    """What of the whole pack is not among some cards."""
    return list((Counter(FULL_PACK) - Counter(cards)).elements())


# ---- Conquian ----------------------------------------------------------------------------------------------


def _conquian(hands: int, seconds: float, yardstick: str | None) -> list[Row]:
    """The check whether cards can lie as melds: of tables of nine to eleven cards, half of them a card wrong."""
    chance = Random(1)  # noqa: S311 - it has to be repeatable
    tables = [_any_table(chance) for _ in range(10 * hands)]
    samples = [1000 * ms(partial(_lies, table)) for table in tables]
    count, worst = climb(_lies, _any_table, _other_table, seconds)
    return [
        spread("conquian: can cards lie", "µs", samples, yardstick),
        Row("conquian: can cards lie, worst found", "µs", count, 1000 * worst, yardstick=yardstick),
    ]


def _lies(table: int) -> bool:
    can_lie.cache_clear()
    return can_lie(table)


def _any_table(chance: Random) -> int:
    """Melds of nine to eleven cards, in half of the cases with a card too many or too few."""
    table = 0
    while table.bit_count() < CONQUIAN_GOAL - 2:
        table = 0
        for meld in chance.sample(all_melds(8), 12):
            if not meld & table and (meld | table).bit_count() <= CONQUIAN_GOAL:
                table |= meld
    return table ^ BIT[chance.choice(CONQUIAN_PACK)] if chance.random() < 0.5 else table


def _other_table(table: int, chance: Random) -> int:
    """The same with one card for another."""
    inside, outside = cards_of(table), [card for card in CONQUIAN_PACK if not BIT[card] & table]
    return table ^ BIT[chance.choice(inside)] ^ BIT[chance.choice(outside)]


CONQUIAN_GOAL = ConquianOptions().goal


# ---- positions: what is legal ------------------------------------------------------------------------------


class Position(Struct, frozen=True):
    """A seat's cards and the melds on the table."""

    own: tuple[Card, ...]
    table: tuple[tuple[Placed, ...], ...] = ()


class Worst(Struct, frozen=True):
    """Where the longest list of legal actions is looked for."""

    ask: Callable[[Position], object]
    begin: Callable[[Random], Position]
    vary: Callable[[Position, Random], Position]


def _any_position(chance: Random) -> Position:
    own = _any_hand(chance)
    table: tuple[tuple[Placed, ...], ...] = ()
    for _ in range(chance.choice(TABLE)):
        table = (*table, *_new_meld(own, table, chance))
    return Position(own, table)


def _other_position(at: Position, chance: Random) -> Position:
    """Other cards in hand, or another meld on the table."""
    if chance.random() < 0.6:
        own = _other_hand(at.own, chance)
        return Position(own, at.table) if _is_there((*own, *_cards_on(at.table))) else at
    kept = tuple(meld for meld in at.table if chance.random() < 0.7)
    more = _new_meld(at.own, kept, chance) if len(kept) < TABLE[-1] else ()
    return Position(at.own, (*kept, *more))


def _new_meld(
    own: tuple[Card, ...], table: tuple[tuple[Placed, ...], ...], chance: Random
) -> tuple[tuple[Placed, ...], ...]:
    """One more meld, often with a Joker, if the pack has its cards."""
    suit, rank = chance.choice(SUITS), chance.choice(RANKS)
    if chance.random() < 0.3:
        shown = [rank + suit for suit in chance.sample(SUITS, 3)]
    else:
        low, length = chance.randrange(9), chance.choice((3, 3, 4, 5))
        shown = [rank + suit for rank in RANKS[low : low + length]]
    if chance.random() < 0.5:
        at = chance.randrange(len(shown))
        shown[at] = f"JK={shown[at]}"
    there = _is_there((*own, *_cards_on(table), *map(face, shown)))
    return (tuple(shown),) if there else ()


def _cards_on(table: tuple[tuple[Placed, ...], ...]) -> list[Card]:
    return [face(card) for meld in table for card in meld]


def _is_there(cards: Sequence[Card]) -> bool:
    """Whether the pack has these cards."""
    return Counter(cards) <= Counter(FULL_PACK)


def _legal_of_konken(options: KonkenOptions, opened: bool) -> Callable[[Position], object]:
    start, _ = KONKEN.deal(options, b"bench", options.players - 1)

    def ask(at: Position) -> object:
        hand: KonkenHand = msgspec.structs.replace(
            start,
            phase="act",
            hands=(at.own, *start.hands[1:]),
            table=tuple(MeldView(n, *melds.new_meld(meld)) for n, meld in enumerate(at.table, 1)),
            opened=(opened, *start.opened[1:]),
            laid=(opened, *start.laid[1:]),
        )
        konken_lay.openings_of.cache_clear()
        return _legal(KONKEN, hand)

    return ask


def _legal_of_conker(options: ConkerOptions, opened: bool) -> Callable[[Position], object]:
    start, _ = CONKER.deal(options, b"bench", options.players - 1)

    def ask(at: Position) -> object:
        table = [MeldView(n, *conker_melds.lying_meld(meld)) for n, meld in enumerate(at.table, 1)]
        hand: ConkerHand = msgspec.structs.replace(
            start,
            phase="act",
            hands=(at.own, *start.hands[1:]),
            table=tuple(table),
            melds=len(table),
            opened=(opened, *start.opened[1:]),
        )
        return _legal(CONKER, hand)

    return ask


def _legal(rules: AnyRules, hand: object) -> object:
    return rules.legal(hand, 0)


CONQUIAN_START: ConquianHand = CONQUIAN.deal(ConquianOptions(), b"bench", 1)[0]


def _legal_of_conquian(at: Position) -> object:
    hand = msgspec.structs.replace(
        CONQUIAN_START,
        phase="own",
        turn=0,
        hands=(at.own[1:], CONQUIAN_START.hands[1]),
        melds=(at.table, ()),
        centre=Centre(at.own[0], 0, "turned"),
    )
    return _legal(CONQUIAN, hand)


def _any_conquian(chance: Random) -> Position:
    """A table of up to two melds; the first of one's own cards lies in the centre. All come to one more than dealt."""
    table: tuple[tuple[Card, ...], ...] = ()
    for meld in chance.sample(all_melds(5), chance.choice((0, 0, 1, 2))):
        if not meld & set_of(card for there in table for card in there):
            table = (*table, cards_of(meld))
    free = [card for card in CONQUIAN_PACK if all(card not in meld for meld in table)]
    return Position(tuple(chance.sample(free, CONQUIAN_GOAL - sum(map(len, table)))), table)


def _other_conquian(at: Position, chance: Random) -> Position:
    kept = chance.sample(at.own, max(0, len(at.own) - chance.choice((1, 1, 2))))
    there = {*kept, *(card for meld in at.table for card in meld)}
    free = [card for card in CONQUIAN_PACK if card not in there]
    return Position((*kept, *chance.sample(free, len(at.own) - len(kept))), at.table)


LEGAL = {
    "konken, opening 51, 4 Jokers": Worst(
        _legal_of_konken(KONKEN_HEAVY, opened=False), _any_position, _other_position
    ),
    "konken, opened, 4 Jokers": Worst(
        _legal_of_konken(KONKEN_HEAVY, opened=True), _any_position, _other_position
    ),
    "conker, opening 51, 2 Jokers a meld, long lays": Worst(
        _legal_of_conker(CONKER_HEAVY, opened=False), _any_position, _other_position
    ),
    "conker, in, 2 Jokers a meld, long lays": Worst(
        _legal_of_conker(CONKER_HEAVY, opened=True), _any_position, _other_position
    ),
    "conquian": Worst(_legal_of_conquian, _any_conquian, _other_conquian),
}
