"""One deal played out by given players, and the same deal from every seat."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from time import perf_counter
from typing import Any

from msgspec import Struct

from server.rules.actions import AnyAction
from server.rules.events import AnyEvent, redact
from server.rules.registry import AnyRules, rules_of


class Scene(Struct, frozen=True):
    """All there is to know when a seat is asked. An honest player looks at its view only; a cheat at the hand."""

    rules: AnyRules
    hand: Any
    seat: int
    legal: Sequence[AnyAction]
    seen: Sequence[AnyEvent]
    chance: Random


Player = Callable[[Scene], AnyAction]


class Played(Struct, frozen=True):
    """How one hand went: by seat who sat there, its share of the win, its points, and what each choice took in ms.

    A hand without winner is shared by all. `out` says that it was won by going out.
    """

    sitting: tuple[int, ...]
    shares: tuple[float, ...]
    points: tuple[float, ...]
    out: bool
    times: tuple[tuple[float, ...], ...]


def play_deal(
    game: str, options: Any, players: Sequence[Player], sitting: Sequence[int], name: str, dealer: int
) -> Played:
    """Play one hand; `sitting` gives for each seat the number of its player, `name` is where chance comes from.

    Every seat has dice of its own, so that what one player throws changes nothing for another.
    """
    rules = rules_of(game)
    seats = range(len(sitting))
    dice = [Random(f"{name}/{seat}") for seat in seats]  # noqa: S311 - repeatable, not secret
    hand, events = rules.deal(options, name.encode(), dealer)
    seen: list[list[AnyEvent]] = [[redact(event, seat) for event in events] for seat in seats]
    times: list[list[float]] = [[] for _ in seats]
    while asked := rules.deciders(hand):
        seat = asked[0]
        scene = Scene(rules, hand, seat, rules.legal(hand, seat), tuple(seen[seat]), dice[seat])
        begun = perf_counter()
        action = players[sitting[seat]](scene)
        if len(scene.legal) > 1:
            times[seat].append((perf_counter() - begun) * 1000)
        hand, events = rules.apply(hand, seat, action)
        for other in seats:
            seen[other] += [redact(event, other) for event in events]
    result = rules.result(hand)
    if result is None:
        raise RuntimeError(f"deal {name} has no decider and no result")
    winners = result.winners or tuple(seats)
    low = -1 if rules.low_wins(options) else 1
    return Played(
        sitting=tuple(sitting),
        shares=tuple((seat in winners) / len(winners) for seat in seats),
        points=tuple(float(low * points) for points in result.points),
        out=result.ending == "out",
        times=tuple(map(tuple, times)),
    )


def seatings(players: int, seats: int) -> list[tuple[int, ...]]:
    """How players take turns in the seats: listed again until all seats are filled, then one seat on, and so on.

    Every player sits in every seat as often. Raises ValueError for more players than seats.
    """
    if players > seats:
        raise ValueError(f"{players} players and {seats} seats")
    row = [seat % players for seat in range(seats)]
    turned = [tuple(row[(seat - by) % seats] for seat in range(seats)) for by in range(seats)]
    return list(dict.fromkeys(turned))
