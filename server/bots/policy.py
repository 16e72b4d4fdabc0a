"""What a bot is, and the bots of the house by game and level."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, Protocol

from server.bots.conker_expert import conker_expert
from server.bots.conker_regular import conker_regular
from server.bots.conquian_expert import conquian_expert
from server.bots.conquian_regular import conquian_regular
from server.bots.konken_expert import konken_expert
from server.bots.konken_regular import konken_regular
from server.bots.novice import Novice
from server.bots.sampling import FOREVER, Budget
from server.rules.actions import AnyAction
from server.rules.events import AnyEvent
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


class Searcher(Policy, Protocol):
    """A policy that thinks for as long as it is given, and has a choice at any time."""

    def __call__(
        self,
        view: Any,
        legal: Sequence[AnyAction],
        options: Any,
        chance: random.Random,
        seen: Sequence[AnyEvent] = (),
        budget: Budget = FOREVER,
    ) -> AnyAction:
        """Choose from `legal` within a budget; what the regular would choose with this memory, if there is no time."""
        ...


LEVEL = "regular"
"""The level that plays where nobody asks for another."""

SEARCHERS: dict[str, Searcher] = {"conquian": conquian_expert}
"""The experts that search, by game. Those of the other games answer as fast as anybody."""
EXPERTS: dict[str, Policy] = {"konken": konken_expert, "conker": conker_expert, **SEARCHERS}
REGULARS: dict[str, Policy] = {
    "konken": konken_regular,
    "conker": conker_regular,
    "conquian": conquian_regular,
}
POLICIES: dict[str, dict[str, Policy]] = {
    game: {"novice": Novice(game, regular), "regular": regular, "expert": EXPERTS[game]}
    for game, regular in REGULARS.items()
}
"""By game and level, from the weakest up."""


def searches(game: str, level: str) -> bool:
    """Whether the bot of a game and level thinks for as long as it is given."""
    return level == "expert" and game in SEARCHERS


def choose(
    game: str,
    view: AnyView,
    legal: Sequence[AnyAction],
    options: AnyOptions,
    chance: random.Random,
    seen: Sequence[AnyEvent] = (),
    level: str = LEVEL,
    budget: Budget = FOREVER,
) -> AnyAction:
    """What the house's bot of a level plays in a seat with this view and these legal actions.

    Only one that searches looks at the budget. Raises KeyError for a game or level that is none.
    """
    if searches(game, level):
        return SEARCHERS[game](view, legal, options, chance, seen, budget)
    return POLICIES[game][level](view, legal, options, chance, seen)
