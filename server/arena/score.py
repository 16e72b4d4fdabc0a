"""What a run of mirrored deals says: scores with intervals, and how long players thought.

Hands of one deal depend on each other, so a deal is one observation: its mean over all its hands. The interval is
the mean's normal one, 1.96 standard errors either way, which needs some thirty deals to mean anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log10
from statistics import fmean, quantiles, stdev

from msgspec import Struct

from server.arena.play import Played

WIDTH = 1.96
"""Standard errors to each side of a mean that hold the truth in 95 of 100 runs."""

LEAST = 0.001
"""A share that stands for none: no run is long enough to tell less."""


class Interval(Struct, frozen=True):
    """A mean over deals, and the ends of its 95 % interval."""

    mean: float
    low: float
    high: float


class Times(Struct, frozen=True):
    """How long choices took, in ms; those without a choice are left out."""

    count: int
    mean: float
    p50: float
    p99: float
    longest: float


class Line(Struct, frozen=True):
    """One player's figures, a hand and seat.

    `score` is its share of the hands in per cent, a drawn one shared by all; `ratio` the same in times of what is its
    par, an equal share. `outs` is how often it went out, in times of the average seat; `points` are as the game
    counts them, and low ones negative where low wins. `elo` is how far it is above the average of all others.
    """

    player: str
    score: Interval
    ratio: Interval
    outs: Interval
    points: Interval
    elo: Interval
    times: Times


class Standing(Struct, frozen=True):
    """What a run came to: how it was played, and a line for each player."""

    command: str
    game: str
    seats: int
    deals: int
    hands: int
    seconds: float
    stopped: bool
    lines: tuple[Line, ...]

    def __str__(self) -> str:
        head = f"{self.command}\n{self.deals} deals, {self.hands} hands, {self.seconds:.0f} s" + (
            ", stopped at the width asked for" if self.stopped else ""
        )
        widths = {"player": -28, "score %": 20, "x par": 22, "outs x par": 22, "points a hand": 24}
        widths |= {"Elo above": 20, "ms p50/p99/max": 22}
        rows = [
            "".join(name.rjust(width) if width > 0 else name.ljust(-width) for name, width in widths.items())
        ]
        for line in self.lines:
            times = f"{line.times.p50:.1f}/{line.times.p99:.1f}/{line.times.longest:.0f}"
            rows.append(
                f"{line.player:<28}{_text(line.score, 1):>20}{_text(line.ratio, 2):>22}"
                f"{_text(line.outs, 2):>22}{_text(line.points, 2):>24}"
                f"{_text(line.elo, 0):>20}{times:>22}"
            )
        return "\n".join([head, *rows])


def _text(interval: Interval, digits: int) -> str:
    return f"{interval.mean:.{digits}f} [{interval.low:.{digits}f}, {interval.high:.{digits}f}]"


def interval(values: Sequence[float]) -> Interval:
    """The mean of one value a deal, with its interval; without a width where there is one deal only."""
    mean = fmean(values)
    error = WIDTH * stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0
    return Interval(mean, mean - error, mean + error)


def line_of(name: str, player: int, deals: Sequence[Sequence[Played]]) -> Line:
    """A player's figures over deals, each with all its hands."""
    seats = len(deals[0][0].sitting)
    shares = [_mean(player, hands, [one.shares for one in hands]) for hands in deals]
    points = [_mean(player, hands, [one.points for one in hands]) for hands in deals]
    won = [[tuple(share * one.out for share in one.shares) for one in hands] for hands in deals]
    outs = [_mean(player, hands, values) for hands, values in zip(deals, won, strict=True)]
    of_all = fmean(sum(value) / seats for values in won for value in values) or 1.0
    times = [ms for hands in deals for one in hands for seat in _seats(player, one) for ms in one.times[seat]]
    share, taken = interval(shares), fmean(len(_seats(player, one)) for one in deals[0])
    return Line(
        player=name,
        score=interval([100 * share for share in shares]),
        elo=Interval(*(elo(one, taken, seats) for one in (share.mean, share.low, share.high))),
        ratio=interval([seats * share for share in shares]),
        outs=interval([out / of_all for out in outs]),
        points=interval(points),
        times=_times(times),
    )


def elo(share: float, taken: float, seats: int) -> float:
    """How far a player is above the others on the chess players' scale, 400 points being ten times the wins.

    Each of its `taken` seats gets `share` of the hands, the other seats what is left: so it stands to them as these
    stand to each other. Shares are kept from nothing and all, where there would be no end; alone it is level.
    """
    if taken == seats:
        return 0.0
    own = min(max(share, LEAST), 1 / taken - LEAST)
    other = (1 - taken * own) / (seats - taken)
    return 400 * log10(own / other)


def _seats(player: int, one: Played) -> list[int]:
    return [seat for seat, sits in enumerate(one.sitting) if sits == player]


def _mean(player: int, hands: Sequence[Played], values: Sequence[Sequence[float]]) -> float:
    """The mean of a player's seats in all hands of a deal."""
    return fmean(
        value[seat] for one, value in zip(hands, values, strict=True) for seat in _seats(player, one)
    )


def _times(times: Sequence[float]) -> Times:
    if not times:
        return Times(0, 0.0, 0.0, 0.0, 0.0)
    cuts = quantiles(times, n=100, method="inclusive") if len(times) > 1 else [times[0]] * 99
    return Times(len(times), fmean(times), cuts[49], cuts[98], max(times))
