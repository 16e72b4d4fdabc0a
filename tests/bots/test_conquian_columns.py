"""The tables that win: that they are all, and that what is counted of them side by side is so one by one."""

from __future__ import annotations

from random import Random

import pytest

from server.bots.conquian_columns import ONE_IN, SMALL_MELDS, UNIT, WHOLE, bits, columns_of, winning_tables
from server.rules.conquian_covers import can_lie, cards_of, set_of
from tests.rules.conquian_oracle import divisible


@pytest.mark.parametrize("goal", [9, 10, 11])
def test_winning_tables_are_all_that_can_lie(goal: int) -> None:
    tables = winning_tables(goal)
    assert len(tables) == len(set(tables)) > 30_000
    chance = Random(goal)
    for table in chance.sample(tables, 300):
        assert table.bit_count() == goal
        assert can_lie(table)
        card = chance.choice(list(bits(table)))
        other = table ^ card ^ chance.choice([one for one in bits((1 << 40) - 1) if not one & table])
        assert (other in tables) == can_lie(other)


def test_a_winning_table_is_one_by_trying_everything() -> None:
    for table in Random(1).sample(winning_tables(11), 30):
        assert divisible(frozenset(cards_of(table)))


def worth_one_by_one(goal: int, table: int, hand: int, live: int) -> int:
    """The worth of a table and a hand, each winning table looked at by itself."""
    own, total = table | hand, 0
    for one in winning_tables(goal):
        coming = one & ~own
        if one & table != table or coming & ~live or coming.bit_count() > 5:
            continue
        waits = any(
            (meld & ~own).bit_count() == 1 and meld & one == meld and meld & ~own & live
            for meld in SMALL_MELDS
        )
        if coming.bit_count() <= 1 or waits:
            total += UNIT // ONE_IN ** coming.bit_count()
    return total


@pytest.mark.parametrize("goal", [9, 10, 11])
@pytest.mark.parametrize("seed", range(6))
def test_what_is_counted_side_by_side_is_so_one_by_one(goal: int, seed: int) -> None:
    chance = Random(seed)
    meld = chance.choice(SMALL_MELDS) if seed % 2 else 0
    others = [card for card in bits(WHOLE) if not card & meld]
    chance.shuffle(others)
    size = goal - meld.bit_count()
    hand, dead = sum(others[:size]), sum(others[size : size + 6])
    live = WHOLE & ~(meld | hand | dead)
    throws = sum(others[:3])
    found = columns_of(goal).worths(meld, hand, live, throws)
    assert found[0] == worth_one_by_one(goal, meld, hand, live) > 0
    assert set(found) == {0, *bits(throws)}
    for card in bits(throws):
        assert found[card] == worth_one_by_one(goal, meld, hand & ~card, live)


def test_two_cards_of_a_meld_cannot_both_be_waited_for() -> None:
    """With two Kings the third may come and then the fourth; with one neither can be melded when it comes."""
    run = set_of(["AS", "2S", "3S", "4S", "5S", "6S", "7S"])
    both = set_of(["KH", "KD"])
    whole = run | set_of(["KS", "KC"]) | both
    assert whole in winning_tables(11)
    assert columns_of(11).worths(run, set_of(["KS", "KC"]), both, 0)[0] == UNIT // ONE_IN**2
    assert columns_of(11).worths(run, set_of(["KS", "JH"]), both | set_of(["KC"]), 0)[0] == 0


@pytest.mark.parametrize("seed", range(6))
def test_the_narrowed_are_those_that_would_be_found_one_by_one(seed: int) -> None:
    chance = Random(seed)
    meld = chance.choice(SMALL_MELDS) if seed % 2 else 0
    others = [card for card in bits(WHOLE) if not card & meld]
    chance.shuffle(others)
    closed, own, without = sum(others[:3]), meld | sum(others[3:12]), sum(others[12:20])
    kept = [one for one in winning_tables(11) if one & meld == meld and not one & closed]
    near = [one for one in kept if (one & own).bit_count() >= 6]
    able = [one for one in kept if (one & without).bit_count() <= 1]
    assert list(columns_of(11).narrowed(meld, closed).tables) == kept
    assert list(columns_of(11).narrowed(meld, closed, own, 6).tables) == near
    assert list(columns_of(11).narrowed(meld, closed, without=without).tables) == able
    assert 0 < len(near) < len(kept)
    assert 0 < len(able) < len(kept)
