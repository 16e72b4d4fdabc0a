"""How well the bot plays: against others over mirrored deals, so that neither side has the better cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from statistics import mean, stdev
from typing import Any

import pytest

from server.bots.policy import POLICIES
from server.judging.fuzz import play_at_random, play_greedily
from server.rules.actions import AnyAction, Discard, Draw, Pass, Waive
from server.rules.registry import rules_of

Policy = Callable[[Any, Sequence[AnyAction], Any, Random], AnyAction]

DEALS = 30
"""Two hands each, the same in every run. The error of the mean is three points at most."""


def draw_and_throw(view: Any, legal: Sequence[AnyAction], options: Any, chance: Random) -> AnyAction:
    """A player that throws whatever it draws, and never lays."""
    return next(a for a in legal if isinstance(a, Draw) or (isinstance(a, Discard) and a.card == view.drawn))


def pass_and_throw(view: Any, legal: Sequence[AnyAction], options: Any, chance: Random) -> AnyAction:
    """A player of Conquian that melds only what it has to."""
    return next((a for a in legal if isinstance(a, Pass | Waive)), legal[0])


def points(game: str, deal: int, seats: Sequence[Policy]) -> tuple[int, ...]:
    """The points of one hand with these players."""
    rules, chance = rules_of(game), Random(deal)
    options = rules.options()
    hand, _ = rules.deal(options, f"match-up {deal}".encode(), deal % rules.seats(options))
    while hand.result is None:
        view, legal = rules.view(hand, hand.turn), rules.legal(hand, hand.turn)
        hand, _ = rules.apply(hand, hand.turn, seats[hand.turn](view, legal, options, chance))
    return tuple(hand.result.points)


def advantages(game: str, one: Policy, other: Policy) -> list[float]:
    """For each deal what a seat of `one` wins a hand more than a table's average: two seats of either, then the same
    cards with seats changed.
    """
    found = []
    for deal in range(DEALS):
        first = points(game, deal, (one, other, one, other))
        second = points(game, deal, (other, one, other, one))
        won = sum(first[0::2]) + sum(second[1::2])
        found.append((won - (sum(first) + sum(second)) / 2) / len(first))
    return found


@pytest.mark.parametrize(
    ("game", "other", "margin"),
    [
        ("konken", draw_and_throw, 60),
        ("konken", play_at_random, 20),
        ("konken", play_greedily, 3),
        ("conker", draw_and_throw, 40),
        ("conker", play_at_random, 20),
        ("conker", play_greedily, 3),
        ("conquian", pass_and_throw, 0.2),
        ("conquian", play_at_random, 0.3),
        ("conquian", play_greedily, 0.1),
    ],
)
def test_the_regular_bot_is_the_better_player(game: str, other: Policy, margin: float) -> None:
    """In points a hand and seat. The greedy one lays all it can as well, but does not look ahead."""
    won = advantages(game, POLICIES[game]["regular"], other)
    print(f"{mean(won):+.1f} points a hand, standard error {stdev(won) / len(won) ** 0.5:.1f}")
    assert mean(won) > margin
