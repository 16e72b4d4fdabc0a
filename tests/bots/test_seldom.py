"""Bots in positions that hands seldom come to: what they choose is legal, soon there, and blind to what is hidden.

With UPCARD_FULL=1 ten thousand choices are asked for and timed, and two thousand positions a game compared.
"""

from __future__ import annotations

import math
import os
from collections import Counter
from itertools import islice
from random import Random
from statistics import quantiles

import pytest
from msgspec.structs import replace

from server.bench.bots import answers
from server.bench.questions import COPIES, FORCED, JOKER_WAITS, STOCK_OUT, Question, common, seldom
from server.bots.conquian_columns import columns_of
from server.bots.policy import POLICIES, choose, searches
from server.bots.sampling import FEWEST, Budget
from server.rules.registry import GAMES, rules_of
from tests.rules.subjects import SUBJECTS

FULL = os.environ.get("UPCARD_FULL") == "1"
LEVELS = [(game, level) for game, levels in POLICIES.items() for level in levels]
CHOICES = math.ceil(10_000 / len(LEVELS)) if FULL else 40
POSITIONS = 2000 if FULL else 30
FEW = Budget(worlds=FEWEST)
LONGEST_MS, GREEDY_MS = 400, 5

JOKERS = {f"{jokers} Jokers" for jokers in range(5)}
KINDS = {
    "konken": {*JOKERS, COPIES, STOCK_OUT, JOKER_WAITS},
    "conker": {*JOKERS, COPIES, STOCK_OUT},
    "conquian": {STOCK_OUT, FORCED},
}


@pytest.mark.parametrize("game", GAMES)
def test_the_seldom_is_there(game: str) -> None:
    found = Counter(kind for question in islice(seldom(game), 600) for kind in question.kinds)
    assert all(found[kind] >= 5 for kind in KINDS[game]), found


@pytest.mark.parametrize(("game", "level"), LEVELS)
def test_choices_are_legal_and_soon_there(game: str, level: str) -> None:
    for goal in (9, 10, 11):
        columns_of(goal)  # once in a process, and no choice's own time
    found = answers(game, level, islice(seldom(game, seed=7), CHOICES), None if FULL else FEW)
    assert len(found.times) == CHOICES
    assert found.illegal == 0
    if FULL:  # otherwise nothing is said about a machine that may be busy
        assert max(found.times) < LONGEST_MS
        if not searches(game, level):
            assert quantiles(found.times, n=100)[98] < GREEDY_MS


@pytest.mark.parametrize(("game", "level"), LEVELS)
def test_what_is_hidden_changes_no_choice(game: str, level: str) -> None:
    """Half of the positions are the house's own, the other half seldom ones; all with what the seat has seen."""
    chance = Random(7)
    questions = [*islice(common(game, POSITIONS), POSITIONS // 2), *islice(seldom(game), POSITIONS // 2)]
    assert len(questions) == POSITIONS // 2 * 2
    changed = 0
    for question in questions:
        other = SUBJECTS[game].with_other_hidden_cards(question.hand, question.seat, chance)
        changed += other != question.hand
        asked_there = replace(question, hand=other, legal=rules_of(game).legal(other, question.seat))
        assert list(asked_there.legal) == list(question.legal)
        assert chosen(asked_there, level) == chosen(question, level)
    assert changed > 0.9 * len(questions)


def chosen(question: Question, level: str) -> object:
    """What a level chooses, with the same dice each time."""
    hand = question.hand
    game = str(hand.__struct_config__.tag)
    return choose(
        game, question.view, question.legal, hand.options, Random(3), question.seen, level, budget=FEW
    )
