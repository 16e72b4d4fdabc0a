"""Exact covers and melds of Conquian against trying everything."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.rules.actions import Meld
from server.rules.conquian import CONQUIAN, ConquianHand, ConquianOptions
from server.rules.conquian_covers import (
    BIT,
    PACK,
    all_melds,
    can_lie,
    cards_of,
    divisions,
    first_division,
    neat_division,
    set_of,
    usable,
    written,
)
from server.rules.conquian_meld import fits, shaped
from server.rules.refusal import Code, Refused
from tests.rules import conquian_oracle as oracle
from tests.rules.conquian_subject import CONQUIAN_SUBJECT, all_options
from tests.rules.play import refusal, seeds, steps

GOAL = 11

hands = st.lists(st.sampled_from(PACK), min_size=0, max_size=GOAL, unique=True)
some_melds = st.lists(st.sampled_from(all_melds(8)), max_size=3)


@st.composite
def near_tables(draw: st.DrawFn) -> list[str]:
    """Cards that can often be laid: disjoint melds, and now and then a card more or less."""
    cards: set[str] = set()
    for meld in draw(some_melds):
        if not cards & set(cards_of(meld)):
            cards |= set(cards_of(meld))
    cards ^= set(draw(st.lists(st.sampled_from(PACK), max_size=2)))
    return sorted(cards)[:GOAL]


@given(hands | near_tables())
def test_cards_can_lie_where_trying_every_meld_says_so(cards: list[str]) -> None:
    assert can_lie(set_of(cards)) == oracle.divisible(frozenset(cards))


@given(near_tables(), st.sampled_from((6, 7, 8, 10)))
def test_no_limit_on_runs_matters_for_whether_cards_can_lie(cards: list[str], longest: int) -> None:
    assert can_lie(set_of(cards)) == oracle.divisible(frozenset(cards), longest)


def test_every_table_of_eleven_cards_or_fewer(full: bool) -> None:
    """All unions of disjoint melds are just the sets that can lie; a quick run tries a tenth of the rest."""
    melds = all_melds(8)
    valid = {0, *melds}
    for one, other in combinations(melds, 2):
        if not one & other and (one | other).bit_count() <= GOAL:
            valid.add(one | other)
    for table in tuple(valid):
        if table.bit_count() <= GOAL - 3:
            valid.update(
                table | meld for meld in melds if not table & meld and (table | meld).bit_count() <= GOAL
            )
    assert len(valid) == 130_358  # as counted in another way
    assert all(map(can_lie, valid))
    chance = Random(1)
    near = sorted(valid) if full else chance.sample(sorted(valid), len(valid) // 10)
    for table in near:
        other = table ^ BIT[chance.choice(PACK)]
        if other.bit_count() <= GOAL:
            assert can_lie(other) == (other in valid)


@given(near_tables(), st.sampled_from((6, 7, 8, 10)))
def test_divisions_are_all_there_are_each_once(cards: list[str], longest: int) -> None:
    found = [
        frozenset(frozenset(cards_of(meld)) for meld in way) for way in divisions(set_of(cards), longest)
    ]
    assert len(set(found)) == len(found)
    assert set(found) == set(all_ways(frozenset(cards), longest))
    texts = [written(way) for way in divisions(set_of(cards), longest)]
    assert first_division(set_of(cards), longest) == min(texts, default=None)
    fewest = map(" ".join, neat_division(set_of(cards), longest))
    count = min((text.count(" / ") for text in texts), default=0)
    assert " / ".join(fewest) == min((text for text in texts if text.count(" / ") == count), default="")


def all_ways(cards: frozenset[str], longest: int) -> list[frozenset[frozenset[str]]]:
    if not cards:
        return [frozenset()]
    first = min(cards)
    return [
        way | {meld}
        for meld in oracle.all_melds(longest)
        if first in meld and meld <= cards
        for way in all_ways(cards - meld, longest)
    ]


@given(near_tables(), hands, st.sampled_from(PACK))
def test_every_useful_part_of_a_hand_is_found(table: list[str], hand: list[str], centre: str) -> None:
    table = table[:6] if oracle.divisible(frozenset(table[:6])) else []
    hand = [card for card in hand if card not in table and card != centre][:7]
    must = frozenset(table) | {centre}
    expected = {set_of(part) for part in oracle.parts_of(hand) if oracle.divisible(must | set(part))}
    assert usable(set_of(must), set_of(hand)) == expected


def test_melds_are_those_of_the_page() -> None:
    for longest in (6, 7, 8, 10):
        ours = {frozenset(cards_of(meld)) for meld in all_melds(longest)}
        assert ours == set(oracle.all_melds(longest))
        assert len(ours) == len(all_melds(longest))


@given(st.lists(st.sampled_from(PACK), min_size=1, max_size=10, unique=True), st.sampled_from((6, 7, 8, 10)))
def test_a_shape_is_a_meld_or_has_its_reason(cards: list[str], longest: int) -> None:
    judge_shape(cards, longest)


@given(
    st.sampled_from("SHDC"), st.sets(st.sampled_from(oracle.RANKS), min_size=1), st.sampled_from((6, 7, 8))
)
def test_a_shape_of_one_suit(suit: str, ranks: set[str], longest: int) -> None:
    judge_shape([rank + suit for rank in sorted(ranks)], longest)


def judge_shape(cards: list[str], longest: int) -> None:
    if (code := reason(cards, longest)) is not None:
        with pytest.raises(Refused, match=f"^{code}$"):
            shaped(tuple(cards), longest)
        return
    laid = shaped(tuple(cards), longest)
    assert oracle.is_meld(cards, longest)
    assert set(laid) == set(cards)
    if len({card[0] for card in cards}) > 1:
        assert list(laid) == sorted(cards, key=lambda card: oracle.RANKS.index(card[0]))


def reason(cards: list[str], longest: int) -> Code | None:
    """Why cards, each once, are no meld, from the page."""
    if len(cards) < 3:
        return Code.MELD_SIZE
    if oracle.is_meld(cards, longest):
        return None
    if len({card[1] for card in cards}) > 1:
        return Code.NOT_A_MELD
    if len(cards) > longest:
        return Code.RUN_TOO_LONG
    places = {oracle.RANKS.index(card[0]) for card in cards}
    circles = ({(start + step) % 10 for step in range(len(cards))} for start in range(10))
    return Code.ACE_LOW_ONLY if any(places == circle for circle in circles) else Code.RUN_GAP


# ---- what may be melded, in play ---------------------------------------------------------------------------


@given(all_options, seeds)
def test_any_table_is_accepted_or_refused_as_the_page_says(options: ConquianOptions, seed: int) -> None:
    chance = Random(seed)
    for step in steps(options, seed):
        hand, seat = step.before, step.seat
        if hand.phase not in ("own", "offered", "forced"):
            continue
        for _ in range(4):
            action = CONQUIAN_SUBJECT.any_action(hand, seat, chance)
            if isinstance(action, Meld):
                assert refusal(hand, seat, action) == meld_reason(hand, seat, action)


def meld_reason(hand: ConquianHand, seat: int, action: Meld) -> Code | None:
    """Why a table may not be laid so: the first reason in the order of the page."""
    named = [card for meld in action.melds for card in meld]
    own, table = hand.hands[seat], [c for meld in hand.melds[seat] for c in meld]
    opposite = [c for meld in hand.melds[1 - seat] for c in meld]
    assert hand.centre is not None
    centre = hand.centre.card
    if any(card in opposite for card in named):
        return Code.NOT_YOUR_MELD
    if any(card not in [*own, *table, centre] for card in named):
        return Code.NOT_IN_HAND
    if len(set(named)) < len(named):
        return Code.CARD_TWICE
    longest = hand.options.longest_run
    reasons = [code for meld in action.melds if (code := reason(list(meld), longest))]
    if reasons or not action.melds:
        return reasons[0] if reasons else Code.MELD_SIZE
    if not set(table) <= set(named):
        return Code.MELD_CARD_MISSING
    return None if centre in named else Code.CENTRE_NOT_USED


@given(all_options, seeds)
def test_every_part_of_a_hand_that_can_go_down_is_listed(options: ConquianOptions, seed: int) -> None:
    for step in steps(options, seed):
        hand, seat = step.before, step.seat
        if hand.phase not in ("own", "offered", "forced") or len(hand.own) > 6:
            continue
        must = {hand.centre.card} | {card for meld in hand.melds[seat] for card in meld}
        expected = {
            frozenset(p) for p in oracle.parts_of(hand.own) if oracle.divisible(frozenset(must | set(p)))
        }
        melds = [action for action in step.legal if isinstance(action, Meld)]
        listed = [frozenset(card for meld in melds.melds for card in meld) - must for melds in melds]
        assert len(set(listed)) == len(listed)
        assert set(listed) == expected
        best = CONQUIAN.arrange(hand, seat)
        assert sum(map(len, best)) == max((len(must | part) for part in expected), default=0)
        if best:
            assert refusal(hand, seat, Meld(best)) is None


@given(all_options, seeds)
def test_a_view_says_what_fits_a_table_alone(options: ConquianOptions, seed: int) -> None:
    for step in steps(options, seed):
        hand = step.after
        view = CONQUIAN.view(hand, 0)
        for seat in (0, 1):
            expected = hand.centre is not None and oracle.fits(hand.melds[seat], hand.centre.card)
            assert view.fits[seat] == expected
        for card in hand.hands[0]:
            assert fits(hand, card, 1) == oracle.fits(hand.melds[1], card)


@pytest.mark.parametrize(
    ("table", "card", "expected"),
    [
        ("AC 2C 3C 4C 5C 6C 7C JC", "QC", True),
        ("AC 2C 3C 4C 5C 6C 7C JC", "KC", False),
        ("AH 2H 3H 4H 5H 6H 7H JH QH KH", "7S", False),
        ("6C 6H 6S 6D 3D 4D 5D", "7D", True),
        ("6D 7D JD", "5D", True),
        ("JS JH JD QS QH QD KS KH KD", "7S", True),
        ("JS JH JD JC QS QH QD KS KH KD", "7S", False),
        ("", "7S", False),
    ],
)
def test_fits(table: str, card: str, expected: bool) -> None:
    assert can_lie(set_of(table.split()) | set_of([card])) == expected
