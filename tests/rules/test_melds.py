"""Melds against a validator that tries everything, and the hands that others got wrong."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from server.rules.cards import JOKER, RANKS, SUITS, is_joker, stands_for
from server.rules.konken_jokers import _smallest_pair
from server.rules.konken_lay import openings_of
from server.rules.melds import Cards, Kind, added, joining, melds_in, new_meld, points, swapped, takers
from server.rules.refusal import Code, Refused
from tests.rules import oracle

faces = st.builds(str.__add__, st.sampled_from("A23456QK"), st.sampled_from("SH"))
near = st.one_of(faces, st.just(JOKER))
lists = st.lists(near, min_size=1, max_size=6).filter(lambda cards: cards.count(JOKER) <= 2)
hands = st.lists(near, max_size=9).filter(lambda cards: cards.count(JOKER) <= 2)


def judged(cards: Cards) -> Code | None:
    try:
        new_meld(cards)
    except Refused as refused:
        return refused.code
    return None


@given(lists)
def test_a_meld_is_what_trying_everything_finds(cards: list[str]) -> None:
    assert (judged(tuple(cards)) is None) == oracle.is_meld(cards)


@given(lists, st.randoms(use_true_random=False))
def test_order_never_matters_for_whether_it_is_one(cards: list[str], chance: object) -> None:
    code = judged(tuple(cards))
    assert judged(tuple(sorted(cards))) == code
    assert judged(tuple(reversed(cards))) == code


@given(lists)
def test_roles_make_the_meld_that_was_laid(cards: list[str]) -> None:
    if judged(tuple(cards)) is not None:
        return
    kind, settled = new_meld(tuple(cards))
    assert Counter(JOKER if is_joker(card) else card for card in settled) == Counter(cards)
    assert oracle.is_meld(settled)
    assert new_meld(settled) == (kind, settled)
    if kind == "run":
        assert all(stands_for(card) for card in settled)
    else:
        # An open Joker of a group is one that could still be two suits.
        assert settled.count(JOKER) == 0 or len(settled) == 3 or settled.count(JOKER) == 2


@given(hands)
def test_every_meld_of_a_hand_is_found_and_no_other(hand: list[str]) -> None:
    found = list(melds_in(hand))
    as_laid = [tuple(sorted(meld)) if new_meld(meld)[0] == "group" else meld for meld in found]
    assert len(set(as_laid)) == len(found)
    assert set(as_laid) == oracle.melds_in(hand)


@given(hands)
def test_the_smallest_use_of_a_joker(hand: list[str]) -> None:
    sizes = [len(meld) - 1 for meld in oracle.melds_in([*hand, JOKER]) if JOKER in meld]
    assert _smallest_pair(tuple(hand)) == min(sizes, default=None)


@given(
    st.lists(near, max_size=8).filter(lambda cards: cards.count(JOKER) <= 1),
    st.sampled_from((12, 20, 33, 40)),
)
@example(["JK", "AS", "AS", "2S", "2S"], 12)  # the same meld twice
def test_the_smallest_opening_with_a_joker(hand: list[str], needed: int) -> None:
    cards = [*hand, JOKER]
    melds = [(meld, points(new_meld(meld)[1])) for meld in oracle.melds_in(cards)]
    if len(melds) > 40:
        return
    openings = openings_of(tuple(cards))
    fewest = openings.fewest(needed)
    assert fewest == oracle.fewest_with_joker(melds, cards, needed)
    found = list(openings.reaching(needed, len(cards), joker=True))
    assert min((sum(len(part.cards) for part in lay) for lay in found), default=None) == fewest
    for lay in found:
        laid = [card for part in lay for card in part.cards]
        assert not Counter(laid) - Counter(cards)
        assert JOKER in laid
        assert sum(points(new_meld(part.cards)[1]) for part in lay) >= needed


@given(lists, near)
def test_joining_lists_what_may_be_added(cards: list[str], card: str) -> None:
    if judged(tuple(cards)) is not None:
        return
    kind, meld = new_meld(tuple(cards))
    ends = joining(kind, meld).get(card, ())
    assert bool(ends) == accepts(kind, meld, card)
    for end in ends:
        bigger = added(kind, meld, (card,), end)
        assert oracle.is_meld(bigger)
        assert len(bigger) == len(meld) + 1
    if not ends and kind == "run":
        assert not oracle.is_meld([*meld, card])


def accepts(kind: Kind, meld: Cards, card: str) -> bool:
    try:
        added(kind, meld, (card,))
    except Refused:
        return False
    return True


@given(lists)
def test_takers_lists_what_may_take_a_jokers_place(cards: list[str]) -> None:
    if judged(tuple(cards)) is not None:
        return
    kind, meld = new_meld(tuple(cards))
    able = set()
    for face in [rank + suit for rank in RANKS for suit in SUITS]:
        if face not in takers(kind, meld):
            with pytest.raises(Refused, match=Code.NOT_REPRESENTED):
                swapped(kind, meld, face)
            continue
        able.add(face)
        after = swapped(kind, meld, face)
        assert oracle.is_meld(after)
        assert sum(map(is_joker, after)) == sum(map(is_joker, meld)) - 1
    assert able == set(takers(kind, meld))


@pytest.mark.parametrize(
    ("cards", "worth"),
    [
        ("AS 2S 3S", 6),
        ("AS AH AD", 3),
        ("KS KH JK", 30),
        ("QH KH JK", 30),
        ("JK 2S 3S", 6),
        ("2S JK 3S", 9),
        ("JK JK 3S 4S", 10),
        ("7S 7H 7D JK", 28),
        ("9S TS JS QS", 39),
    ],
)
def test_points(cards: str, worth: int) -> None:
    assert points(new_meld(tuple(cards.split()))[1]) == worth


def test_a_set_and_a_run_that_overlap_are_both_found() -> None:
    """Queens and Kings, or the run of hearts: a finder that takes the first it sees misses one."""
    found = {
        frozenset(meld) for meld in melds_in(["6H", "QH", "QC", "5H", "KD", "KH", "7H", "KC", "4H", "QD"])
    }
    expected = ("QH QC QD", "KD KH KC", "4H 5H 6H 7H", "4H 5H 6H", "5H 6H 7H")
    assert found == {frozenset(meld.split()) for meld in expected}


def test_an_ace_never_joins_kings() -> None:
    assert not list(melds_in(["KS", "KH", "AD", "QS", "AS", "2S"]))


def test_four_jokers_and_a_long_suit_are_quickly_listed() -> None:
    hand = ["AS", "2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S", "TS", *[JOKER] * 4]
    melds = list(melds_in(hand))
    assert len(melds) == len(set(melds)) > 1000
    assert openings_of(tuple(hand[4:])).fewest(51) is not None
