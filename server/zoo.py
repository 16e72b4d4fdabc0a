"""The games as PettingZoo environments, for learning agents: `pip install "upcard[zoo]"`, then `env("konken")`.

One episode is one hand. An agent observes what its seat sees and nothing else. Its actions are numbers: `k` is the
k-th of its legal actions in the order of their notation, words and throws before lays; the mask says how many there
are, and `infos[agent]["actions"]` what each of them is. Rewards come when the hand ends: a seat's points, less what
the others have on the average, so that they sum to zero in every game.
"""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from server.rules.actions import AnyAction, Discard
from server.rules.cards import JOKER, Card, face, pack
from server.rules.notation import action_text
from server.rules.registry import GAMES

ACTIONS = 256
"""The most actions that can be told apart: twice as many as were ever met in hands played at random. What a hand has
more of is lays, and they are left out from the end.
"""
FACES: tuple[Card, ...] = (*dict.fromkeys(pack(1, 0)), JOKER)
PLACE = {card: place for place, card in enumerate(FACES)}
PHASES = ("draw", "act", "exchange", "own", "offered", "window", "forced", "discard", "over")
MOST_SEATS = 6
MOST = 108
"""No number in an observation is larger: the cards of two packs with their Jokers."""
ROWS = 3 + MOST_SEATS
"""Own hand, the card in the middle, cards out of play, and melds: by seat in Conquian, else all in the first row."""
SIZE = ROWS * len(FACES) + 2 * MOST_SEATS + 2 + len(PHASES)

Numbers = NDArray[np.int8]
Observation = dict[str, Numbers]


def env(game: str, **options: int | str) -> OrderEnforcingWrapper[str, Observation, int | None]:
    """A game by its name, with options as the tables have them. Raises KeyError, or TypeError for an option."""
    return OrderEnforcingWrapper(Zoo(game, None, **options))


class Zoo(AECEnv[str, Observation, "int | None"]):
    """One game's hands, one agent a seat: `seat_0`, `seat_1` and so on."""

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "name": "upcard_v1", "is_parallelizable": False}  # noqa: RUF012

    def __init__(self, game: str, render_mode: str | None = None, **options: int | str) -> None:
        super().__init__()
        self.rules = GAMES[game]
        self.options = self.rules.options(**options)
        self.rules.check_options(self.options)
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(self.rules.seats(self.options))]
        self.agents: list[str] = []
        self._observes: Space[Any] = Dict(
            {
                "observation": Box(0, MOST, (SIZE,), np.int8),
                "action_mask": Box(0, 1, (ACTIONS,), np.int8),
            }
        )
        self._acts = {agent: Discrete(ACTIONS) for agent in self.possible_agents}
        self._chance = Random()  # noqa: S311 - deals for training
        self.hand: Any = None

    def observation_space(self, agent: str) -> Space[Any]:
        """A vector and the mask of actions."""
        return self._observes

    def action_space(self, agent: str) -> Space[Any]:
        """Numbers of actions."""
        return self._acts[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a hand; the same seed deals the same hands from here on."""
        if seed is not None:
            self._chance = Random(seed)  # noqa: S311
        dealer = self._chance.randrange(len(self.possible_agents))
        self.hand, _ = self.rules.deal(self.options, self._chance.randbytes(96), dealer)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._ask()

    def step(self, action: int | None) -> None:
        """Play the agent's action. Raises IndexError for one that the mask does not allow."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise IndexError("an agent that is asked has to act")
        seat = self.possible_agents.index(agent)
        self._cumulative_rewards[agent] = 0.0
        self.hand, _ = self.rules.apply(self.hand, seat, self.legal(seat)[int(action)])
        result = self.rules.result(self.hand)
        if result is not None:
            sign = -1 if self.rules.low_wins(self.options) else 1
            mean = sum(result.points) / len(result.points)
            self.rewards = {
                one: sign * (points - mean) for one, points in zip(self.agents, result.points, strict=True)
            }
            self.terminations = dict.fromkeys(self.agents, True)
        self._ask()
        self._accumulate_rewards()

    def _ask(self) -> None:
        asked = self.rules.deciders(self.hand)
        self.agent_selection = self.possible_agents[asked[0]] if asked else self.agents[0]
        self.infos = {
            agent: {"actions": [action_text(action) for action in self.legal(seat)]}
            for seat, agent in enumerate(self.possible_agents)
        }

    def legal(self, seat: int) -> list[AnyAction]:
        """A seat's actions as they are numbered; none for a seat that is not asked first."""
        if seat not in self.rules.deciders(self.hand)[:1]:
            return []

        def order(action: AnyAction) -> tuple[bool, str]:
            text = action_text(action)
            return " " in text and not isinstance(action, Discard), text

        return sorted(self.rules.legal(self.hand, seat), key=order)[:ACTIONS]

    def observe(self, agent: str) -> Observation:
        """What a seat sees, as numbers."""
        seat = self.possible_agents.index(agent)
        mask = np.zeros(ACTIONS, np.int8)
        mask[: len(self.legal(seat))] = 1
        return {"observation": _numbers(self.rules.view(self.hand, seat), seat), "action_mask": mask}

    def render(self) -> str:
        """Whose turn it is and what that seat may do."""
        return f"{self.agent_selection}: {', '.join(self.infos[self.agent_selection]['actions'])}"

    def close(self) -> None:
        """Nothing is held."""


def _numbers(view: Any, seat: int) -> Numbers:
    """A seat's view as a vector: itself first in what is told by seat."""
    rows = np.zeros((ROWS, len(FACES)), np.int8)
    for card in view.hand or ():
        rows[0, PLACE[card]] += 1
    centre = getattr(view, "centre", None)
    middle = centre.card if centre is not None else getattr(view, "discard", None)
    if middle is not None:
        rows[1, PLACE[middle]] = 1
    gone: tuple[Card, ...] = getattr(view, "dead_cards", ()) or getattr(view, "burned", ())
    for card in gone:
        rows[2, PLACE[card]] += 1
    count = len(view.counts)
    turned = [(seat + step) % count for step in range(count)]
    by_seat = hasattr(view, "fits")
    tables = [view.table[one] for one in turned] if by_seat else [[meld.cards for meld in view.table]]
    for row, melds in enumerate(tables, start=3):
        for meld in melds:
            for card in meld:
                rows[row, PLACE[face(card)]] += 1
    opened = getattr(view, "opened", (False,) * count)
    rest = np.zeros(2 * MOST_SEATS + 2 + len(PHASES), np.int8)
    rest[:count] = [view.counts[one] for one in turned]
    rest[MOST_SEATS : MOST_SEATS + count] = [opened[one] for one in turned]
    rest[2 * MOST_SEATS] = view.stock
    rest[2 * MOST_SEATS + 1] = turned.index(view.turn)
    rest[2 * MOST_SEATS + 2 + PHASES.index(view.phase)] = 1
    return np.concatenate([rows.reshape(-1), rest])
