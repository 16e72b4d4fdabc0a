"""What a bot is, and the bots of the house by game and level."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, Protocol

from server.bots.conker_regular import conker_regular
from server.bots.conquian_regular import conquian_regular
from server.bots.konken_regular import konken_regular
from server.bots.novice import Novice
from server.rules.game import AnyAction, AnyEvent
from server.rules.registry import AnyOptions, AnyView


class Policy(Protocol):
    """A way to play one game: a view and the legal actions of a seat in, one of these actions out.

    `seen` is what its seat has seen happen in this hand, oldest first and redacted for it; empty where nobody has
    kept it. Nothing else reaches a bot, so it cannot know what a player in its seat could not know. The same
    arguments, with `chance` seeded alike, give the same choice.
    """

    def __call__(
        self,
        view: Any,
        legal: Sequence[AnyAction],
        options: Any,
        chance: random.Random,
        seen: Sequence[AnyEvent] = (),
    ) -> AnyAction:
        """Choose from `legal`, which has at least one action."""
        ...


LEVEL = "regular"
"""The level that plays where nobody asks for another."""

POLICIES: dict[str, dict[str, Policy]] = {
    "konken": {"novice": Novice("konken", konken_regular), "regular": konken_regular},
    "conker": {"novice": Novice("conker", conker_regular), "regular": conker_regular},
    "conquian": {"novice": Novice("conquian", conquian_regular), "regular": conquian_regular},
}


def policy_of(game: str, level: str = LEVEL) -> Policy:
    """The bot of a game and level; raises KeyError for a name that is none."""
    return POLICIES[game][level]


def choose(
    game: str,
    view: AnyView,
    legal: Sequence[AnyAction],
    options: AnyOptions,
    chance: random.Random,
    seen: Sequence[AnyEvent] = (),
    level: str = LEVEL,
) -> AnyAction:
    """What the house's bot of a level plays in a seat with this view and these legal actions."""
    return policy_of(game, level)(view, legal, options, chance, seen)
