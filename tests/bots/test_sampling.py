"""Choosing by trying: when another action is taken, when the first one stays, and when it ends."""

from __future__ import annotations

from random import Random

from server.bots.sampling import FEWEST, ROUND, clearly_best, never


class Game:
    """Actions of which each is so much better than the first, under luck that all share and luck of their own."""

    def __init__(self, *better_by: float, own_luck: float = 0.1, seed: int = 1) -> None:
        self.better_by = (0.0, *better_by)
        self.own_luck = own_luck
        self.chance = Random(seed)
        self.asked: list[list[int]] = []

    def __call__(self, numbers: list[int]) -> list[float]:
        self.asked.append(numbers)
        shared = self.chance.gauss(0, 100)
        return [shared + self.better_by[number] + self.chance.gauss(0, self.own_luck) for number in numbers]


def test_takes_what_is_clearly_better_whatever_luck_all_share() -> None:
    assert clearly_best(3, Game(-0.5, 0.5), 64, never) == 2


def test_takes_the_best_of_those_that_are_better() -> None:
    assert clearly_best(4, Game(0.5, 1.5, 1.0), 64, never) == 2


def test_luck_alone_seldom_changes_a_choice() -> None:
    luck = (Game(-0.01, -0.01, own_luck=1.0, seed=seed) for seed in range(60))
    changed = sum(clearly_best(3, game, 64, never) != 0 for game in luck)
    assert 0 < changed < 15


def test_a_small_gain_is_taken_more_often_than_not() -> None:
    """What is better by two standard errors: more could not be hoped for with the worlds that there is time for."""
    gains = (Game(0.5, own_luck=1.4, seed=seed) for seed in range(60))
    assert sum(clearly_best(2, game, 64, never) == 1 for game in gains) > 40


def test_what_is_hopeless_is_not_tried_on() -> None:
    game = Game(-5.0, 0.05)
    clearly_best(3, game, 64, never)
    assert game.asked[0] == [0, 1, 2]
    assert game.asked[FEWEST] == [0, 2]


def test_ends_early_where_nothing_is_left_to_try() -> None:
    game = Game(-5.0, -5.0)
    assert clearly_best(3, game, 640, never) == 0
    assert len(game.asked) == FEWEST


def test_ends_when_it_is_late_with_what_it_has() -> None:
    game = Game(0.5)
    assert clearly_best(2, game, 640, lambda: len(game.asked) >= 4 * ROUND) == 1
    assert len(game.asked) == 4 * ROUND


def test_too_few_worlds_change_nothing() -> None:
    game = Game(5.0)
    assert clearly_best(2, game, 640, lambda: True) == 0
    assert len(game.asked) == ROUND
    assert clearly_best(2, Game(5.0), FEWEST - 1, never) == 0


def test_what_has_been_equal_so_far_is_tried_on() -> None:
    """It may be that only one world in thirty tells the two apart."""
    tried: list[int] = []

    def values(numbers: list[int]) -> list[float]:
        tried.append(len(numbers))
        return [0.5] + [1.0 if len(tried) % 30 == 0 else 0.5 for _ in numbers[1:]]

    assert clearly_best(2, values, 90, never) == 1
    assert tried == [2] * 90


def test_equal_actions_leave_the_first() -> None:
    assert clearly_best(3, Game(0.0, 0.0, own_luck=0.0), 64, never) == 0


def test_takes_what_is_better_by_the_same_in_every_world() -> None:
    """Where the first loses and another wins, however the cards lie, nothing is left to chance."""
    assert clearly_best(3, Game(-0.5, 0.5, own_luck=0.0), 64, never) == 2
    assert clearly_best(2, lambda numbers: [float(number) for number in numbers], 64, never) == 1
