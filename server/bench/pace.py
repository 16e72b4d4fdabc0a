"""How many moves a second: random legal play of our games, and of others' beside it, in turns and so in one weather.

A hand is timed from the deal to its end, the dealing left out, in CPU time of this thread.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from itertools import count
from random import Random
from statistics import median

import msgspec

from server.bench.report import Row
from server.rules.playout import PLAYOUTS, playout_of
from server.rules.registry import GAMES, AnyRules

Play = Callable[[int], tuple[int, float]]
"""Plays the hand of a number, and says how many moves it took and how many seconds."""

ROUNDS = 5
WAYS = ("random play", "apply alone", "playout without a judge")
UNIT = "moves/s"


def timed(moves: Iterator[object]) -> tuple[int, float]:
    """Count and time what an iterator does."""
    begun = time.thread_time_ns()
    made = sum(1 for _ in moves)
    return made, (time.thread_time_ns() - begun) / 1e9


# ---- our games ---------------------------------------------------------------------------------------------


def ours() -> dict[str, Play]:
    """Every game, played in every way that it can be."""
    plays: dict[str, Play] = {}
    for game, rules in GAMES.items():
        plays |= {f"{game}: random play": judged(rules), f"{game}: apply alone": applied(rules)}
        if game in PLAYOUTS:
            plays[f"{game}: playout without a judge"] = played_out(rules)
    return plays


def dealt(rules: AnyRules, number: int) -> tuple[object, Random]:
    """The hand of a number, the game's own options, and chance for its moves."""
    return rules.deal(rules.options(), b"pace %d" % number, 0)[0], Random(number)  # noqa: S311


def judged(rules: AnyRules) -> Play:
    """Any of the legal actions, each as likely; judged, and its events told."""

    def play(number: int) -> tuple[int, float]:
        hand, chance = dealt(rules, number)

        def moves() -> Iterator[None]:
            after = hand
            while deciders := rules.deciders(after):
                seat = deciders[0]
                after = rules.apply(after, seat, chance.choice(rules.legal(after, seat)))[0]
                yield

        return timed(moves())

    return play


def applied(rules: AnyRules) -> Play:
    """The same hands, but only judging is timed: the actions are known."""

    def play(number: int) -> tuple[int, float]:
        hand, chance = dealt(rules, number)
        steps = []
        while deciders := rules.deciders(hand):
            action = chance.choice(rules.legal(hand, deciders[0]))
            steps.append((hand, deciders[0], action))
            hand = rules.apply(hand, deciders[0], action)[0]
        return timed(rules.apply(*step) for step in steps)

    return play


def played_out(rules: AnyRules) -> Play:
    """As a search does it: from a hand on, without a judge."""

    def play(number: int) -> tuple[int, float]:
        hand, chance = dealt(rules, number)

        def moves() -> Iterator[None]:
            playout = playout_of(hand)
            while not playout.over:
                playout.play(chance.choice(playout.actions()))
                yield

        return timed(moves())

    return play


# ---- measuring ---------------------------------------------------------------------------------------------


def encoding(value: object) -> Play:
    """A yardstick: so many times as a hand has moves, a value as JSON."""

    def play(number: int) -> tuple[int, float]:
        return timed(msgspec.json.encode(value) for _ in range(100))

    return play


def rows(
    own: Mapping[str, Play], rivals: Mapping[str, Play], stick: tuple[str, Play], seconds: float
) -> list[Row]:
    """Medians of ROUNDS rounds in which all have their turn of so many seconds, always with other hands.

    Beside each of our own how many times a rival's it is, as the median of the rounds' ratios.
    """
    plays = dict([stick]) | dict(rivals) | dict(own)
    numbers, moves = count(), dict.fromkeys(plays, 0)
    rates: dict[str, list[float]] = {name: [] for name in plays}
    for _ in range(ROUNDS):
        for name, play in plays.items():
            made, took = spell(play, numbers, seconds)
            moves[name] += made
            rates[name].append(made / took)
    found = [
        Row(name, UNIT, moves[name], median(rates[name]), yardstick=stick[0]) for name in (*rivals, *own)
    ]
    for name in own:
        for rival in rivals:
            ratios = [mine / theirs for mine, theirs in zip(rates[name], rates[rival], strict=True)]
            found.append(Row(f"{name} ÷ {rival}", "times", ROUNDS, median(ratios)))
    return [Row(stick[0], "1/s", moves[stick[0]], median(rates[stick[0]])), *found]


def spell(play: Play, numbers: Iterator[int], seconds: float) -> tuple[int, float]:
    """Play hand after hand until so many seconds are over; at least one. How many moves, and how long they took."""
    moves, took = play(next(numbers))
    while took < seconds:
        more, longer = play(next(numbers))
        moves, took = moves + more, took + longer
    return moves, took
