"""Other people's rummy, to be measured beside ours in one run: OpenSpiel's and RLCard's gin rummy, driven from Python.

They come with the extra `rivals`; without it a bench does without them.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from random import Random
from typing import Any

from server.bench.pace import Play, Played, timed


def rivals() -> dict[str, Play]:
    """Those that are installed, by a name that says which version."""
    makers: dict[tuple[str, str, str], Callable[[], Play]] = {
        ("OpenSpiel", "open_spiel", "pyspiel"): open_spiel,
        ("RLCard", "rlcard", "rlcard"): rlcard,
    }
    return {
        f"{name} {version(package)}, gin rummy": maker()
        for (name, package, module), maker in makers.items()
        if find_spec(module) is not None and _is_installed(package)
    }


def _is_installed(package: str) -> bool:
    with contextlib.suppress(PackageNotFoundError):
        return bool(version(package))
    return False


def open_spiel() -> Play:
    """OpenSpiel: a state that is asked for its legal actions; what chance gives, who drives it draws."""
    import pyspiel

    game = pyspiel.load_game("gin_rummy")

    def play(number: int) -> Played:
        chance = Random(number)  # noqa: S311 - it has to be repeatable

        def draw(state: Any) -> Any:
            while state.is_chance_node():
                state.apply_action(chance.choice(state.chance_outcomes())[0])
            return state

        def on(state: Any) -> int:
            moves = 0
            while not state.is_terminal():
                state.apply_action(chance.choice(state.legal_actions()))
                draw(state)
                moves += 1
            return moves

        return timed(lambda: draw(game.new_initial_state()), on)

    return play


def rlcard() -> Play:
    """RLCard: an environment that gives a player's state, its legal actions in it."""
    with open(os.devnull, "w") as quiet, contextlib.redirect_stdout(quiet):  # it tells what it misses
        from rlcard import make
    table = make("gin-rummy", {"seed": 1})

    def play(number: int) -> Played:
        chance = Random(number)  # noqa: S311

        def on(dealt: Any) -> int:
            moves, (state, _) = 0, dealt
            while not table.is_over():
                state, _ = table.step(chance.choice(list(state["legal_actions"])))
                moves += 1
            return moves

        return timed(table.reset, on)

    return play
