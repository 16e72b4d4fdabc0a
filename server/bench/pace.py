"""How many moves a second: random legal play of our games, and of others' beside it, in turns and so in one weather.

Times are CPU time of this thread. Rates are given twice: of whole hands, and once they are dealt, since for some the
deal is as dear as the play, and a search does not deal.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import count, product
from random import Random
from statistics import median
from typing import Any, NamedTuple, TypeVar

import msgspec

from server.bench.report import Row
from server.rules.playout import PLAYOUTS, playout_of
from server.rules.registry import GAMES, AnyRules

T = TypeVar("T")


class Played(NamedTuple):
    """What was played: so many moves, and the seconds that dealing and playing took."""

    moves: int
    dealing: float
    playing: float

    def and_then(self, more: Played) -> Played:
        """Both together."""
        return Played(self.moves + more.moves, self.dealing + more.dealing, self.playing + more.playing)

    def rate(self, dealt: bool) -> float:
        """Moves a second; of whole hands, or once they are dealt."""
        return self.moves / (self.playing + (0 if dealt else self.dealing))


Play = Callable[[int], Played]
"""Plays the hand of a number."""

ROUNDS = 5
WAYS = ("random play", "apply alone", "playout without a judge")
SCOPES = {"": False, ", once dealt": True}


def timed(deal: Callable[[], T], play: Callable[[T], int]) -> Played:
    """Time a deal, and what plays on from there and says how many moves it made."""
    begun = time.thread_time_ns()
    hand = deal()
    dealt = time.thread_time_ns()
    made = play(hand)
    return Played(made, (dealt - begun) / 1e9, (time.thread_time_ns() - dealt) / 1e9)


# ---- our games ---------------------------------------------------------------------------------------------


def ours() -> dict[str, Play]:
    """Every game, played in every way that it can be."""
    plays: dict[str, Play] = {}
    for game, rules in GAMES.items():
        plays |= {f"{game}: random play": judged(rules), f"{game}: apply alone": applied(rules)}
        if game in PLAYOUTS:
            plays[f"{game}: playout without a judge"] = played_out(rules)
    return plays


def dealt(rules: AnyRules, number: int) -> Any:
    """The hand of a number, with the game's own options."""
    return rules.deal(rules.options(), b"pace %d" % number, 0)[0]


def judged(rules: AnyRules) -> Play:
    """Any of the legal actions, each as likely; judged, and its events told."""

    def play(number: int) -> Played:
        chance = Random(number)  # noqa: S311 - it has to be repeatable

        def on(hand: Any) -> int:
            moves = 0
            while deciders := rules.deciders(hand):
                seat = deciders[0]
                hand = rules.apply(hand, seat, chance.choice(rules.legal(hand, seat)))[0]
                moves += 1
            return moves

        return timed(partial(dealt, rules, number), on)

    return play


def applied(rules: AnyRules) -> Play:
    """The same, but only judging is timed: the actions are known."""

    def play(number: int) -> Played:
        chance, hand, steps = Random(number), dealt(rules, number), []  # noqa: S311
        while deciders := rules.deciders(hand):
            action = chance.choice(rules.legal(hand, deciders[0]))
            steps.append((hand, deciders[0], action))
            hand = rules.apply(hand, deciders[0], action)[0]

        def judge(_: Any) -> int:
            for before, seat, action in steps:
                rules.apply(before, seat, action)
            return len(steps)

        return timed(partial(dealt, rules, number), judge)

    return play


def played_out(rules: AnyRules) -> Play:
    """As a search does it: from a hand on, without a judge."""

    def play(number: int) -> Played:
        chance = Random(number)  # noqa: S311

        def on(hand: Any) -> int:
            moves, playout = 0, playout_of(hand)
            while not playout.over:
                playout.play(chance.choice(playout.actions()))
                moves += 1
            return moves

        return timed(partial(dealt, rules, number), on)

    return play


# ---- measuring ---------------------------------------------------------------------------------------------


def encoding(value: object) -> Play:
    """A yardstick: a hundred times a value as JSON."""

    def encode(_: object) -> int:
        for _ in range(100):
            msgspec.json.encode(value)
        return 100

    return lambda _: timed(lambda: None, encode)


def rows(
    own: Mapping[str, Play], rivals: Mapping[str, Play], stick: tuple[str, Play], seconds: float
) -> list[Row]:
    """Medians of ROUNDS rounds in which all have their turn of so many seconds, always with other hands, after one more
    that does not count.

    Beside each of our own how many times a rival's it is, as the median of the rounds' ratios.
    """
    plays = dict([stick]) | dict(rivals) | dict(own)
    numbers = count()
    played: dict[str, list[Played]] = {name: [] for name in plays}
    for _ in range(1 + ROUNDS):
        for name, play in plays.items():
            played[name].append(spell(play, numbers, seconds))
    for rounds in played.values():
        del rounds[0]  # a warm-up: what is worked out once and kept is there on a server, too
    found = [_row(stick[0], "1/s", played[stick[0]], dealt=True)]
    for scope, dealt in SCOPES.items():
        found += [
            _row(name + scope, "moves/s", played[name], dealt, yardstick=stick[0]) for name in (*rivals, *own)
        ]
    for scope, dealt in SCOPES.items():
        for name, rival in product(own, rivals):
            both = zip(played[name], played[rival], strict=True)
            ratio = median(mine.rate(dealt) / theirs.rate(dealt) for mine, theirs in both)
            found.append(Row(f"{name} ÷ {rival}{scope}", "times", ROUNDS, ratio))
    return found


def _row(name: str, unit: str, rounds: list[Played], dealt: bool, yardstick: str | None = None) -> Row:
    moves = sum(played.moves for played in rounds)
    return Row(name, unit, moves, median(played.rate(dealt) for played in rounds), yardstick=yardstick)


def spell(play: Play, numbers: Iterator[int], seconds: float) -> Played:
    """Play hand after hand until so many seconds are over; at least one."""
    played = play(next(numbers))
    while played.dealing + played.playing < seconds:
        played = played.and_then(play(next(numbers)))
    return played
