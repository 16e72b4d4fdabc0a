"""Other people's rummy, to be measured beside ours in one run: OpenSpiel's and RLCard's gin rummy, driven from Python.

They come with the extra `rivals`; without it a bench does without them.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from random import Random

from server.bench.pace import Play, timed


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
    """OpenSpiel: a state that is asked for its legal actions; what the stock gives is drawn by who drives it."""
    import pyspiel

    game = pyspiel.load_game("gin_rummy")

    def play(number: int) -> tuple[int, float]:
        chance, state = Random(number), game.new_initial_state()  # noqa: S311 - it has to be repeatable

        def draw() -> None:
            while state.is_chance_node():
                state.apply_action(chance.choice(state.chance_outcomes())[0])

        def moves() -> Iterator[None]:
            while not state.is_terminal():
                state.apply_action(chance.choice(state.legal_actions()))
                draw()
                yield

        draw()
        return timed(moves())

    return play


def rlcard() -> Play:
    """RLCard: an environment that gives a player's state, its legal actions in it."""
    with open(os.devnull, "w") as quiet, contextlib.redirect_stdout(quiet):
        from rlcard import make

    def play(number: int) -> tuple[int, float]:
        chance, table = Random(number), make("gin-rummy", {"seed": number})  # noqa: S311
        state, _ = table.reset()

        def moves() -> Iterator[None]:
            seen = state
            while not table.is_over():
                seen, _ = table.step(chance.choice(list(seen["legal_actions"])))
                yield

        return timed(moves())

    return play
