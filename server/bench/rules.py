"""CPU time of the rules: each operation over positions from played hands, and playing hands as such.

Random play is measured beside other people's rummy, where the extra `rivals` is installed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from server.bench import melds, pace
from server.bench.report import Report, Row, machine, spread
from server.bench.rivals import rivals
from server.bots.policy import POLICIES
from server.judging.fuzz import Policy, play_at_random, play_greedily
from server.rules.actions import AnyAction
from server.rules.registry import GAMES, AnyRules

YARDSTICK = "yardstick: encode 2 KB of JSON"
PACE_YARDSTICK = "yardstick: 2 KB of JSON encoded"
STICK = {
    "id": "0-" + 12 * "x",
    "v": 1234,
    "hands": 4 * [13 * ["7H"]],
    "stock": 330 * ["KS"],
    "seats": 4 * [{"name": "Ada"}],
}
"""About what a table comes to."""
REPEATS = 5
"""Each call is timed so many times together, as reading the clock costs as much as the shortest one."""
MOST_POSITIONS = 2000
SECONDS = 0.3
"""A spell of one kind of play; of 16 kinds in 5 rounds that makes half a minute."""
MELD_HANDS, CLIMB_SECONDS = 300, 1.5


class Position(Struct, frozen=True):
    """A hand in which `seat` is about to play `action`."""

    hand: Any
    seat: int
    action: AnyAction


def measure(
    hands: int, seconds: float = SECONDS, meld_hands: int = MELD_HANDS, climb_seconds: float = CLIMB_SECONDS
) -> Report:
    """Measure every game; `seconds` is a spell of random play (pace.py), the last two are for the meld finders."""
    rows = [spread(YARDSTICK, "µs", [cpu(lambda: msgspec.json.encode(STICK)) for _ in range(2000)])]
    for game in GAMES:
        rows += _game(game, hands)
    rows += melds.rows(meld_hands, climb_seconds, YARDSTICK)
    rows += pace.rows(pace.ours(), rivals(), (PACE_YARDSTICK, pace.encoding(STICK)), seconds)
    return Report(f"bench rules: CPU time over {hands} hands a game", machine(), tuple(rows))


def cpu(work: Callable[[], object]) -> float:
    """CPU time of one call in µs."""
    begun = time.thread_time_ns()
    for _ in range(REPEATS):
        work()
    return (time.thread_time_ns() - begun) / 1000 / REPEATS


def _game(game: str, hands: int) -> list[Row]:
    rules = GAMES[game]
    positions = [at for number in range(hands) for at in playout(rules, play_greedily, number)]
    positions = positions[:: max(1, len(positions) // MOST_POSITIONS)]
    deals = [cpu(partial(deal, rules, number)) for number in range(10 * hands)]
    rows = [spread(f"{game}: deal", "µs", deals, YARDSTICK)]
    for name, operation in operations(rules, type(positions[0].hand)).items():
        samples = [cpu(partial(operation, at)) for at in positions]
        rows.append(spread(f"{game}: {name}", "µs", samples, YARDSTICK))
    for name, policy in {"random": play_at_random, **POLICIES.get(game, {})}.items():
        rows += _playouts(f"{game}: playout, {name}", rules, policy, hands)
    return rows


def operations(rules: AnyRules, form: type[Any]) -> dict[str, Callable[[Position], object]]:
    """What a server does with a hand."""
    encoder, decoder = msgspec.json.Encoder(), msgspec.json.Decoder(form)
    return {
        "apply": lambda at: rules.apply(at.hand, at.seat, at.action),
        "legal": lambda at: rules.legal(at.hand, at.seat),
        "menu": lambda at: rules.menu(at.hand, at.seat),
        "view": lambda at: rules.view(at.hand, at.seat),
        "timeout": lambda at: rules.timeout(at.hand, at.seat),
        "to JSON and back": lambda at: decoder.decode(encoder.encode(at.hand)),
    }


def deal(rules: AnyRules, number: int) -> Any:
    """The hand of that number: the same on every machine."""
    return rules.deal(rules.options(), b"bench %d" % number, 0)[0]


def playout(rules: AnyRules, policy: Policy, number: int) -> Iterator[Position]:
    """Play a hand to its end, choosing among the legal actions; yields each position before its move is made."""
    chance = Random(number)  # noqa: S311 - it has to be repeatable
    options, hand = rules.options(), deal(rules, number)
    while deciders := rules.deciders(hand):
        seat = deciders[0]
        action = policy(rules.view(hand, seat), rules.legal(hand, seat), options, chance)
        yield Position(hand, seat, action)
        hand = rules.apply(hand, seat, action)[0]


def _playouts(name: str, rules: AnyRules, policy: Policy, hands: int) -> list[Row]:
    """Time a move from position to position: view, legal, choice and apply."""
    samples = []
    for number in range(hands):
        positions = playout(rules, policy, number)
        next(positions)  # the deal is measured by itself
        begun = time.thread_time_ns()
        for _ in positions:
            ended = time.thread_time_ns()
            samples.append((ended - begun) / 1000)
            begun = ended
    row = spread(f"{name}: a move", "µs", samples, YARDSTICK)
    return [row, Row(f"{name}: moves", "1/s", len(samples), 1e6 / row.mean)]
