"""What the finders say of a hand is what trying every set of its cards says: what it costs at least, the most that
an opening comes to, and every lay that reaches a minimum.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from random import Random

import msgspec
import pytest

from server.rules.cards import JOKER, RANKS, Card
from server.rules.conker import ConkerOptions
from server.rules.conker_choices import arranged
from server.rules.conker_melds import new_meld as conker_meld
from server.rules.conker_melds import points as conker_points
from server.rules.conker_openings import openings_of as conker_openings
from server.rules.conker_scoring import COSTS as CONKER_COSTS
from server.rules.konken import KONKEN, KonkenOptions
from server.rules.konken_lay import COSTS as KONKEN_COSTS
from server.rules.konken_lay import openings_of as konken_openings
from server.rules.melds import Cards, new_meld, points
from server.rules.openings import Openings
from server.rules.partition import Partition
from server.rules.parts import Part
from tests.rules import lays_oracle as oracle

HEAVY = ConkerOptions(max_jokers_per_group=2, long_lay="on")
SOURCE = ConkerOptions()
HANDS = {False: 200, True: 7_000}
"""Hands a quick and a full run try of each of three games: more than twenty thousand in the full one take minutes."""


class Game:
    """How one game asks its finders, and what judges a meld."""

    def __init__(
        self,
        costs: dict[Card, int],
        openings: Callable[[tuple[Card, ...]], Openings],
        best: Callable[[tuple[Card, ...]], Sequence[Cards]],
        value: Callable[[Cards], int],
        judge: oracle.Judge,
    ) -> None:
        self.costs, self.openings, self.best, self.value, self.judge = costs, openings, best, value, judge


def best_of_konken(cards: tuple[Card, ...]) -> Sequence[Cards]:
    parts, left = Partition(cards, KONKEN_COSTS, thrifty=True, spent=1).plan(cards)
    assert sorted([*left, *(card for part in parts for card in part.cards)]) == sorted(cards)
    return [part.cards for part in parts]


def conker(options: ConkerOptions) -> Game:
    return Game(
        CONKER_COSTS,
        lambda cards: conker_openings(cards, options),
        lambda cards: arranged(cards, options),
        lambda meld: conker_points(*conker_meld(meld, options)),
        oracle.conker_meld(options.max_jokers_per_group, 13 if options.long_lay == "on" else 4),
    )


GAMES = {
    "konken": Game(
        KONKEN_COSTS,
        konken_openings,
        best_of_konken,
        lambda meld: points(new_meld(meld)[1]),
        oracle.konken_meld,
    ),
    "conker": conker(SOURCE),
    "conker, two Jokers and long lays": conker(HEAVY),
}


def some_hand(chance: Random) -> tuple[Card, ...]:
    """Up to twelve cards of two packs, often of few suits or ranks, with up to four Jokers."""
    suits = chance.sample("SHDC", chance.randint(1, 4))
    low = chance.randrange(9)
    ranks = chance.choice((RANKS, RANKS[low : low + 5], "QKA23"))
    naturals = [rank + suit for rank in ranks for suit in suits] * 2
    jokers = chance.randint(0, 4)
    count = min(chance.randint(2, 12 - jokers), len(naturals))
    cards = [*chance.sample(naturals, count), *[JOKER] * jokers]
    chance.shuffle(cards)
    return tuple(cards)


@pytest.mark.parametrize("name", GAMES)
def test_every_answer_is_what_trying_everything_finds(name: str, full: bool) -> None:
    game = GAMES[name]
    chance = Random(name)
    for _ in range(HANDS[full]):
        hand = some_hand(chance)
        laid = oracle.laid_whole(hand, oracle.melds_in(hand, game.judge))
        needed, room = chance.choice((12, 31, 40, 41, 51)), len(hand) - chance.randrange(3)
        compare(game, hand, laid, needed, room, joker=JOKER in hand and chance.random() < 0.3)


def compare(
    game: Game, hand: tuple[Card, ...], laid: dict[int, int], needed: int, room: int, joker: bool
) -> None:
    cost = {cards: cost_without(game, hand, cards) for cards in laid}
    best = game.best(hand)
    assert all(map(game.value, best)), hand
    assert left_over(game, hand, flat(best)) == min(cost.values()), hand

    openings = game.openings(hand)
    small = {cards: worth for cards, worth in laid.items() if cards.bit_count() <= room}
    assert openings.most_of(room) == max(small.values()), (hand, room)
    with_joker = {cards: worth for cards, worth in laid.items() if JOKER in oracle.cards_of(hand, cards)}
    sizes = [cards.bit_count() for cards, worth in with_joker.items() if worth >= needed]
    assert openings.fewest(needed) == min(sizes, default=None), (hand, needed)

    pool = {cards: worth for cards, worth in small.items() if not joker or cards in with_joker}
    enough = {oracle.cards_of(hand, cards) for cards, worth in pool.items() if worth >= needed}
    lays = list(openings.reaching(needed, room, joker))
    check_lays(game, lays, needed, joker)
    found = {tuple(sorted(flat(part.cards for part in lay))) for lay in lays}
    assert smallest(enough) <= found <= enough, (hand, needed, room)

    cheapest = openings.cheapest(needed, room, joker)
    assert (cheapest is None) == (not enough), (hand, needed, room)
    if cheapest is not None:
        cards = flat(part.cards for part in cheapest)
        assert tuple(sorted(cards)) in enough, (hand, needed, room)
        least = min(cost[cards] for cards, worth in pool.items() if worth >= needed)
        assert left_over(game, hand, cards) == least, (hand, needed, room)


def check_lays(game: Game, lays: Sequence[tuple[Part, ...]], needed: int, joker: bool) -> None:
    """Each may be laid and comes to what it says, each is there once, and none has a meld to spare."""
    assert len({tuple(sorted(part.cards for part in lay)) for lay in lays}) == len(lays)
    for lay in lays:
        for spare in range(-1, len(lay)):
            kept = [part.cards for at, part in enumerate(lay) if at != spare]
            enough = sum(map(game.value, kept)) >= needed and (not joker or JOKER in flat(kept))
            assert enough == (spare < 0), (lay, needed)


def smallest(sets: set[tuple[Card, ...]]) -> set[tuple[Card, ...]]:
    """Those that hold none of the others."""
    by_size = sorted(sets, key=len)
    found: list[tuple[Card, ...]] = []
    for cards in by_size:
        if not any(Counter(less) <= Counter(cards) for less in found):
            found.append(cards)
    return set(found)


def cost_without(game: Game, hand: tuple[Card, ...], laid: int) -> int:
    return left_over(game, hand, oracle.cards_of(hand, laid))


def left_over(game: Game, hand: tuple[Card, ...], laid: Iterable[Card]) -> int:
    """What cards cost that stay, and a point for each Joker laid."""
    gone = Counter(laid)
    return sum(game.costs[card] for card in (Counter(hand) - gone).elements()) + gone[JOKER]


def flat(melds: Iterable[Cards]) -> list[Card]:
    return [card for meld in melds for card in meld]


def test_a_joker_that_no_natural_needs_is_kept() -> None:
    """Not put into a run in the place of a card that is cheaper in hand than a Joker."""
    start, _ = KONKEN.deal(KonkenOptions(), b"", 3)
    own = ("2S", "3S", "4S", JOKER, "9H")
    hand = msgspec.structs.replace(start, hands=(own, *start.hands[1:]))
    assert KONKEN.arrange(hand, 0) == (("2S", "3S", "4S"),)
