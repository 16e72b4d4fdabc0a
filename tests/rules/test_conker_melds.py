"""Conker's melds and scores against slow ones, and the tables of the rules counted out."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations
from random import Random

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from server.rules.actions import Discard, Lay
from server.rules.cards import JOKER, is_joker, stands_for
from server.rules.conker import CONKER, ConkerOptions
from server.rules.conker_choices import arranged
from server.rules.conker_finder import melds_in
from server.rules.conker_known import known
from server.rules.conker_melds import added, joining, lying_meld, new_meld, points
from server.rules.conker_openings import openings_in, openings_of
from server.rules.conker_scoring import close, match_winner
from server.rules.held import counted
from server.rules.melds import Cards
from server.rules.refusal import Code, Refused
from tests.rules import conker_oracle as oracle
from tests.rules.conker_subject import PACK, all_options
from tests.rules.play import switches

SOURCE = ConkerOptions()
RANK = [rank + suit for rank in "A9" for suit in "SHDC"]
SUIT = [rank + "S" for rank in "A23JQK"]
rows = st.lists(
    st.sampled_from([*RANK, *SUIT, JOKER, JOKER, "JK=9H", "JK=AS", "JK=QS"]), min_size=3, max_size=5
).map(tuple)
shape_options = st.builds(
    ConkerOptions,
    quatris_alternation=switches,
    max_jokers_per_group=st.sampled_from((1, 2)),
    long_lay=switches,
)
hands = st.lists(
    st.sampled_from([*RANK, *SUIT, "4H", "5H", "6H", "7H", JOKER, JOKER]), min_size=3, max_size=8
).filter(lambda hand: Counter(hand) <= Counter(PACK))


def readings(cards: Cards, options: ConkerOptions) -> list[oracle.Shown]:
    longest = 13 if options.long_lay == "on" else 4
    four = options.quatris_alternation == "on"
    return oracle.readings(cards, four, longest, options.max_jokers_per_group)


@given(rows, shape_options)
@example(("AS", "JK=AH", "AC"), SOURCE)
@example(("JK", "9S", "9H", "9D"), ConkerOptions(quatris_alternation="on"))
def test_a_meld_is_what_it_may_be(cards: Cards, options: ConkerOptions) -> None:
    """Accepted if it can be read as a meld; points are the same however; a Joker is settled if all readings agree."""
    shown = readings(cards, options)
    try:
        kind, settled = new_meld(cards, options)
    except Refused:
        assert not shown, (cards, shown)
        return
    assert shown, cards
    assert {oracle.worth(one) for one in shown} == {points(kind, settled)}
    for at, card in enumerate(settled):
        faces = {oracle.RANKS[one[at][0] - 1] + one[at][1] for one in shown}
        assert stands_for(card) == (faces.pop() if len(faces) == 1 else None), (cards, settled)


@given(hands, shape_options)
def test_every_lay_is_found_and_may_be_laid_so(hand: list[str], options: ConkerOptions) -> None:
    options = msgspec.structs.replace(options, long_lay="off")
    found = list(melds_in(hand, options))
    for meld in found:
        new_meld(meld, options)
    four = options.quatris_alternation == "on"
    assert {tuple(sorted(meld)) for meld in found} == oracle.lays_in(
        hand, four, 4, options.max_jokers_per_group
    )


@given(hands, st.integers(3, 8))
def test_openings_come_to_the_most_there_is(hand: list[str], room: int) -> None:
    lays = {tuple(sorted(meld)): points(*new_meld(meld, SOURCE)) for meld in melds_in(hand, SOURCE)}
    if len(lays) <= 30:
        assert openings_of(tuple(hand), SOURCE).most_of(room) == oracle.most(hand, lays, room)
        most = known(SOURCE).points_at_most(*counted(tuple(hand)))
        assert most >= oracle.most(hand, lays, len(hand))


def openings_of_all(cards: tuple[str, ...], options: ConkerOptions) -> list[Lay]:
    """What gets a locked seat in, found among all its cards, those too that are in no meld."""
    found, needed, room = openings_of(cards, options), options.opening_points, len(cards) - 1
    fullest = found.cheapest(needed, room)
    if fullest is None:
        return []
    lays = [*found.listed(fullest, needed, room, joker=False, most=200)]
    lays += [fullest] if Counter(fullest) not in map(Counter, lays) else []
    return [Lay(tuple(part.cards for part in lay)) for lay in lays]


@given(st.randoms(use_true_random=False), st.integers(10, 20), shape_options)
def test_cards_that_are_in_no_meld_change_no_opening(
    chance: Random, count: int, options: ConkerOptions
) -> None:
    cards = tuple(chance.sample(PACK, count))
    assert list(openings_in(*counted(cards), options)) == openings_of_all(cards, options)


@pytest.mark.parametrize(
    ("own", "options"),
    [
        ("KC KD QC QC QD JK JK", ConkerOptions(opening_points=51, max_jokers_per_group=2)),
        ("3S 3S 4S 4S 5S 5S 6S JK JK", ConkerOptions(opening_points=31, max_jokers_per_group=2)),
    ],
    ids=["two leave as little", "two begin with the same card"],
)
def test_few_melds_are_put_together_as_many_are(own: str, options: ConkerOptions) -> None:
    cards = tuple(own.split())
    assert list(openings_in(*counted(cards), options)) == openings_of_all(cards, options)


@given(hands)
def test_what_is_arranged_may_be_laid_together(hand: list[str]) -> None:
    melds = arranged(tuple(hand), SOURCE)
    for meld in melds:
        new_meld(meld, SOURCE)
    assert not Counter(card for meld in melds for card in meld) - Counter(hand)


@pytest.mark.parametrize(
    ("own", "needed"),
    [
        ("9H TH JH QH KH AH 9S 9C 2D", 41),
        ("KS KH KC KD QS QH QC JS TS 2D", 51),
        ("4S 5S 6S 7S 8S 8H 8C QD KD AD 2C", 41),
    ],
)
def test_a_locked_hand_is_arranged_to_get_in(own: str, needed: int) -> None:
    options = msgspec.convert({"opening_points": needed}, ConkerOptions)
    start, _ = CONKER.deal(options, b"", 3)
    hand = msgspec.structs.replace(start, hands=(tuple(own.split()), *start.hands[1:]), phase="act")
    melds = CONKER.arrange(hand, 0)
    after, _ = CONKER.apply(hand, 0, Lay(melds))
    assert after.opened[0]


RUNS = [
    "AS 2S 3S",
    "JS QS KS",
    "QS KS AS",
    "2S 3S JK=4S",
    "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS",
    "JK=AS 2S 3S",
]
few = st.lists(
    st.sampled_from(["AS", "2S", "3S", "4S", "5S", "TS", "KS", "QS", "9H", JOKER, "JK=AS", "JK=4S"]),
    min_size=1,
    max_size=3,
).map(tuple)


@given(st.sampled_from(RUNS), few, shape_options)
@example(RUNS[4], ("AS",), SOURCE)
@example(RUNS[4], ("JK=AS",), SOURCE)
def test_what_joins_a_run_is_what_may(run: str, cards: Cards, options: ConkerOptions) -> None:
    _, there = lying_meld(tuple(run.split()))
    may = oracle.grown(there, cards, options.max_jokers_per_group)
    try:
        after = added("run", there, cards, None, options)
    except Refused:
        assert not may, (there, cards, may)
    else:
        assert tuple(card[-2:] for card in after) in may
        assert Counter(map(is_joker, after)) == Counter(map(is_joker, [*there, *cards]))


@given(st.sampled_from(RUNS), shape_options)
def test_single_cards_that_join_are_listed(run: str, options: ConkerOptions) -> None:
    kind, there = lying_meld(tuple(run.split()))
    listed = joining(kind, there, options)
    for card in {*PACK}:
        fits = []
        for end in ("low", "high"):
            try:
                fits.append(added(kind, there, (card,), end, options))
            except Refused:
                continue
        assert (card in listed) == bool(fits)
        if card in listed:
            assert len(listed[card]) == len(set(fits))


# ---- the tables of the rules, counted ----------------------------------------------------------------------


def accepted(orders: list[Cards], options: ConkerOptions = SOURCE) -> list[Cards]:
    found, codes = [], set()
    for order in orders:
        try:
            new_meld(order, options)
        except Refused as refused:
            codes.add(refused.code)
        else:
            found.append(order)
    assert codes <= {Code.COLOURS_TOUCH}
    return found


@pytest.mark.parametrize("suits", list(combinations("SHDC", 3)))
def test_two_of_six_orders_of_a_tris(suits: tuple[str, ...]) -> None:
    assert len(accepted(list(permutations("7" + suit for suit in suits)))) == 2


@pytest.mark.parametrize(
    ("naturals", "legal"), [("7S 7H", 4), ("7S 7D", 4), ("7S 7C", 2), ("7H 7D", 2), ("7H 7C", 4)]
)
def test_placements_of_a_joker_in_a_tris(naturals: str, legal: int) -> None:
    """Beside two colours it stands at an end: four of six; with two of a colour in the middle: two of six."""
    orders = list(permutations([*naturals.split(), JOKER]))
    assert len(accepted(orders)) == legal


def test_eight_of_twenty_four_orders_of_a_quatris() -> None:
    options = ConkerOptions(quatris_alternation="on")
    orders = list(permutations(("7S", "7H", "7D", "7C")))
    found = {"".join(card[1] for card in order) for order in accepted(orders, options)}
    assert found == {"SHCD", "SDCH", "HSDC", "HCDS", "DSHC", "DCHS", "CHSD", "CDSH"}
    assert len(accepted(orders)) == 24


@pytest.mark.parametrize("missing", range(4))
def test_eight_of_twenty_four_for_every_trio_with_a_joker(missing: int) -> None:
    cards = ["7S", "7H", "7D", "7C"]
    cards[missing] = JOKER
    orders = list(permutations(cards))
    assert len(accepted(orders, ConkerOptions(quatris_alternation="on"))) == 8
    assert len(accepted(orders)) == 24


# ---- the end of a round ------------------------------------------------------------------------------------


@given(all_options, st.data())
def test_a_round_is_settled_as_counting_by_hand_has_it(options: ConkerOptions, data: st.DataObject) -> None:
    seats = options.players
    some = st.lists(st.sampled_from(PACK), min_size=1, max_size=4).map(tuple)
    closer = data.draw(st.integers(0, seats - 1))
    others = tuple(() if seat == closer else data.draw(some) for seat in range(seats))
    opened = tuple(seat == closer or data.draw(st.booleans()) for seat in range(seats))
    start, _ = CONKER.deal(options, b"", 0)
    hand = msgspec.structs.replace(start, hands=others, opened=opened, turn=closer)
    last = data.draw(st.sampled_from((JOKER, "5H")))
    over, _ = close(hand, last)
    doubled = options.joker_close_double == "on" and last == JOKER
    locked = [not is_in for is_in in opened]
    wanted = oracle.settle(others, locked, closer, options.scoring, options.locked_penalty, doubled)
    assert over.result is not None
    assert list(over.result.points) == wanted
    assert over.result.winners == (closer,)
    again = msgspec.structs.replace(
        hand, hands=(*others[:closer], (last,), *others[closer + 1 :]), phase="act"
    )
    ended, _ = CONKER.apply(again, closer, Discard(last))
    assert ended.result == over.result


@given(
    st.lists(st.integers(0, 900), min_size=2, max_size=6),
    st.integers(0, 25),
    st.integers(0, 20),
    st.sampled_from(("winner_takes", "penalty")),
)
def test_the_match_goes_to_the_one_in_front(totals: list[int], hands: int, limit: int, scoring: str) -> None:
    options = msgspec.convert({"target": 300, "max_hands": limit, "scoring": scoring}, ConkerOptions)
    front = min(totals) if scoring == "penalty" else max(totals)
    due = max(totals) >= 300 or (limit > 0 and hands >= limit)
    expected = totals.index(front) if due and totals.count(front) == 1 else None
    assert match_winner(options, tuple(totals), hands) == expected
