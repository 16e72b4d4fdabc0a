"""Deals by the hundred over the cores of a machine, in order, until there are enough.

Where to stop is looked at after every BATCH deals in their order, by the width of the interval and never by who is
ahead: so stopping favours nobody, and neither the number of processes nor their speed changes a figure.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import islice
from time import perf_counter
from typing import Any

from msgspec import Struct

from server.arena.play import Played, play_deal, seatings
from server.arena.players import player_of
from server.arena.score import Line, Standing, line_of
from server.rules.registry import rules_of

BATCH = 20
"""Deals between two looks at the interval, and the fewest before the first."""
AHEAD = 4
"""Deals that wait for each process: enough that none is idle."""


class Plan(Struct, frozen=True):
    """A run: who plays which game with which options, from which seed, and how long.

    `width` stops it once the first player's score is known to so many per cent either way; 0: after `deals`.
    """

    game: str
    options: Any
    players: tuple[str, ...]
    deals: int
    seed: str
    width: float = 0.0
    processes: int = 1
    command: str = ""


def run(plan: Plan) -> Standing:
    """Play a plan. Raises ValueError for a player that is none, or too many of them."""
    for name in plan.players:
        player_of(plan.game, name)
    seats = rules_of(plan.game).seats(plan.options)
    seatings(len(plan.players), seats)
    begun = perf_counter()
    deals: list[list[Played]] = []
    stopped = False
    for hands in _deals(plan):
        deals.append(hands)
        if plan.width and len(deals) % BATCH == 0 and _width(deals) <= plan.width:
            stopped = True
            break
    names = list(dict.fromkeys(plan.players))
    lines: tuple[Line, ...] = tuple(line_of(name, index, deals) for index, name in enumerate(names))
    return Standing(
        plan.command,
        plan.game,
        seats,
        len(deals),
        sum(map(len, deals)),
        perf_counter() - begun,
        stopped,
        lines,
    )


def _width(deals: Sequence[Sequence[Played]]) -> float:
    score = line_of("", 0, deals).score
    return score.high - score.mean


def _deals(plan: Plan) -> Iterator[list[Played]]:
    if plan.processes == 1:
        yield from map(partial(mirrored, plan), range(plan.deals))
        return
    # Spawned, so that no process inherits another's caches and times are those of a fresh one.
    with ProcessPoolExecutor(plan.processes, multiprocessing.get_context("spawn")) as pool:
        numbers = iter(range(plan.deals))
        waiting = [pool.submit(mirrored, plan, number) for number in islice(numbers, AHEAD * plan.processes)]
        try:
            while waiting:
                yield waiting.pop(0).result()
                waiting += [pool.submit(mirrored, plan, number) for number in islice(numbers, 1)]
        finally:
            for late in waiting:
                late.cancel()


def mirrored(plan: Plan, number: int) -> list[Played]:
    """One deal from every seat: the same cards, the same dealer, the players a seat further each time."""
    names = list(dict.fromkeys(plan.players))
    players = [player_of(plan.game, name) for name in names]
    seats = rules_of(plan.game).seats(plan.options)
    turns = dict.fromkeys(
        tuple(names.index(plan.players[at]) for at in sitting)
        for sitting in seatings(len(plan.players), seats)
    )
    return [
        play_deal(plan.game, plan.options, players, sitting, f"{plan.seed}/{number}", number % seats)
        for sitting in turns
    ]
