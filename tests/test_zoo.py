"""The PettingZoo environments: that they are such, and tell an agent what its seat sees and no more."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="an extra")

from pettingzoo.test import api_test, seed_test

from server.rules.registry import GAMES
from server.zoo import ACTIONS, MOST, Zoo, env
from tests.rules.subjects import SUBJECTS

every_game = pytest.mark.parametrize("game", GAMES)


@every_game
@pytest.mark.filterwarnings("ignore")
def test_passes_pettingzoos_own_test(game: str) -> None:
    api_test(env(game), num_cycles=300)


@every_game
@pytest.mark.filterwarnings("ignore")
def test_the_same_seed_deals_the_same_hands(game: str) -> None:
    seed_test(lambda: env(game), num_cycles=100)


def played(zoo: Zoo, seed: int) -> list[Any]:
    """A hand at random; the hands of cards before each step."""
    chance, hands = Random(seed), []
    zoo.reset(seed)
    while not all(zoo.terminations.values()):
        hands.append(zoo.hand)
        mask = zoo.observe(zoo.agent_selection)["action_mask"]
        zoo.step(chance.choice(np.flatnonzero(mask).tolist()))
    return hands


@every_game
@pytest.mark.parametrize("seed", range(3))
def test_rewards_are_the_points_and_sum_to_zero(game: str, seed: int) -> None:
    zoo = Zoo(game)
    played(zoo, seed)
    points = zoo.hand.result.points
    assert sum(zoo.rewards.values()) == pytest.approx(0)
    best = max(zoo.rewards, key=lambda agent: zoo.rewards[agent])
    assert points[zoo.possible_agents.index(best)] == max(points)


@every_game
def test_hidden_cards_change_no_observation(game: str) -> None:
    zoo = Zoo(game)
    chance = Random(5)
    subject = SUBJECTS[game]
    for hand in played(zoo, 1):
        (seat, *_) = zoo.rules.deciders(hand)
        agent = zoo.possible_agents[seat]
        zoo.hand = hand
        seen = zoo.observe(agent)
        zoo.hand = subject.with_other_hidden_cards(hand, seat, chance)
        again = zoo.observe(agent)
        assert np.array_equal(seen["observation"], again["observation"])
        assert np.array_equal(seen["action_mask"], again["action_mask"])


@every_game
def test_every_legal_action_has_a_number(game: str) -> None:
    zoo = Zoo(game)
    for hand in played(zoo, 2):
        zoo.hand = hand
        (seat, *_) = zoo.rules.deciders(hand)
        legal = zoo.rules.legal(hand, seat)
        assert len(legal) < ACTIONS
        assert sorted(map(str, zoo.legal(seat))) == sorted(map(str, legal))
        assert zoo.observe(zoo.possible_agents[seat])["observation"].max() <= MOST


def test_options_are_the_tables() -> None:
    assert len(Zoo("conker", players=6).possible_agents) == 6
    with pytest.raises(TypeError):
        Zoo("konken", jam=3)
    with pytest.raises(KeyError):
        Zoo("whist")
