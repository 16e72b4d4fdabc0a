"""Players by their names: the house's levels, the fuzzers' policies, and with settings what a name stands for."""

from __future__ import annotations

from functools import partial

from server.arena.play import Player, Scene
from server.bots.policy import POLICIES, Policy
from server.judging.fuzz import POLICIES as FUZZERS
from server.judging.fuzz import Policy as Fuzzer
from server.rules.actions import AnyAction


def player_of(game: str, name: str) -> Player:
    """A player by its name. Raises ValueError for one that is none."""
    levels = POLICIES[game]
    if name in levels:
        return partial(_honest, levels[name])
    if name in FUZZERS:
        return partial(_fuzzing, FUZZERS[name])
    raise ValueError(f"no player {name!r}: one of {', '.join([*levels, *FUZZERS])}")


def _honest(policy: Policy, scene: Scene) -> AnyAction:
    view = scene.rules.view(scene.hand, scene.seat)
    return policy(view, scene.legal, scene.hand.options, scene.chance, scene.seen)


def _fuzzing(policy: Fuzzer, scene: Scene) -> AnyAction:
    view = scene.rules.view(scene.hand, scene.seat)
    return policy(view, scene.legal, scene.hand.options, scene.chance)
