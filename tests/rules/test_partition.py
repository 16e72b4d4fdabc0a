"""The partition against trying everything, and its effort on the worst hands."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from server.rules.cards import JOKER, Card, pack, without
from server.rules.game import MeldView
from server.rules.konken import KonkenOptions
from server.rules.konken_scoring import penalty
from server.rules.melds import Cards, Kind, added, joining, melds_in, new_meld
from server.rules.partition import Partition
from server.rules.parts import places_on

COSTS = {card: penalty(KonkenOptions(), (card,), laid=True) for card in pack(1, 1)}
NARROW = [rank + suit for suit in "SH" for rank in "A234567"]
WIDE = [rank + suit for suit in "SHDC" for rank in "9TJQK"]
hands = st.one_of(
    st.lists(st.sampled_from([*NARROW, *NARROW, JOKER]), min_size=1, max_size=7),
    st.lists(st.sampled_from([*WIDE, *WIDE, JOKER]), min_size=1, max_size=7),
).filter(lambda cards: all(cards.count(card) <= 2 for card in cards))
tables = st.lists(
    st.sampled_from(
        ["AS 2S 3S", "3S 4S 5S", "2H 3H 4H", "4S 4H 4D", "TS JS QS", "9H TH JH", "KS KH JK", "QS QH QD"]
    ),
    max_size=2,
    unique=True,
)


@cache
def least_by_trying(cards: tuple[Card, ...], table: tuple[tuple[Kind, Cards], ...]) -> int:
    """The least cost left over, by playing every meld and every addition there is."""
    best = sum(COSTS[card] for card in cards)
    for meld in melds_in(cards):
        best = min(best, least_by_trying(tuple(sorted(without(cards, meld))), table))
    for number, (kind, there) in enumerate(table):
        for card, ends in joining(kind, there).items():
            for end in ends if card in cards else ():
                grown = (kind, added(kind, there, (card,), end))
                after = (*table[:number], grown, *table[number + 1 :])
                best = min(best, least_by_trying(without(cards, (card,)), after))
    return best


@given(hands, tables)
@example(["4S", JOKER], ["AS 2S 3S"])  # the Joker joins behind a card, where there is no other end
def test_nothing_leaves_less(hand: list[Card], laid: list[str]) -> None:
    melds = [new_meld(tuple(meld.split())) for meld in laid]
    places = places_on(MeldView(number, *meld) for number, meld in enumerate(melds, 1))
    partition = Partition(hand, COSTS, places)
    assert partition.least(hand) == least_by_trying(tuple(sorted(hand)), tuple(melds))


@given(hands, tables)
def test_a_plan_plays_every_card_once_and_leaves_what_it_says(hand: list[Card], laid: list[str]) -> None:
    melds = [MeldView(n, *new_meld(tuple(meld.split()))) for n, meld in enumerate(laid, 1)]
    partition = Partition(hand, COSTS, places_on(melds))
    parts, left = partition.plan(hand)
    assert sorted([*left, *(card for part in parts for card in part.cards)]) == sorted(hand)
    assert sum(COSTS[card] for card in left) == partition.least(hand)
    for part in parts:
        if part.meld is None:
            new_meld(part.cards)
        else:
            meld = melds[part.meld - 1]
            melds[part.meld - 1] = MeldView(
                meld.id, meld.kind, added(meld.kind, meld.cards, part.cards, part.end)
            )


@given(hands)
def test_thrift_keeps_only_jokers_that_no_natural_needs(hand: list[Card]) -> None:
    """It never lays a natural less than another would at the same price for a Joker."""
    costs = {**COSTS, JOKER: 0}
    naturals = [card for card in hand if card != JOKER]
    thrifty, other = Partition(hand, costs, thrifty=True), Partition(hand, costs)
    assert thrifty.least(hand) == other.least(hand) <= Partition(naturals, costs).least(naturals)


def test_a_part_of_the_cards_may_be_asked_for() -> None:
    hand = ["4H", "5H", "6H", "7S", "7D"]
    partition = Partition(hand, COSTS)
    assert partition.least(["7S", "7D"]) == COSTS["7S"] + COSTS["7D"]
    assert partition.least(["4H", "5H", "6H", "7S"]) == COSTS["7S"]


# Fourteen cards with four Jokers, of one suit from two packs: every run may have its Jokers anywhere.
WORST = [
    "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JK JK JK JK",
    "2S 3S 4S 5S 7S 8S 9S TS QS KS JK JK JK JK",
    "AS 3S 5S 7S 9S JS KS AS 3S 5S JK JK JK JK",
    "AS AS 2S 2S 5S 5S 7S 7S 8S 9S JK JK JK JK",
    "4S 5S 6S 7S 8S 4S 5S 6S 7S 8S JK JK JK JK",
    "4S 5S 6S 7S 8S 4H 5H 6H 7H 8H JK JK JK JK",
]
MOST_WORK = 20_000
"""States and parts together; a slow machine looks at half a million in a second, and one decision has 150 ms."""


@pytest.mark.parametrize("hand", WORST)
@pytest.mark.parametrize("thrifty", [False, True])
def test_the_worst_hands_stay_small(hand: str, thrifty: bool) -> None:
    cards = hand.split()
    places = list(
        places_on([MeldView(1, "run", ("JS", "QS", "KS")), MeldView(2, "group", ("6S", "6H", "6D"))])
    )
    partition = Partition(cards, COSTS, places, thrifty)
    for card in set(cards):
        partition.least(without(cards, (card,)))
    assert partition.work < MOST_WORK
