"""Milliseconds on the store's time line, so that nobody compares the wall clocks of two machines."""

from __future__ import annotations

import math
import time
from typing import Protocol

DRIFT = 0.0005
"""How fast two good clocks may part: the most by which a system's clock is slewed."""


class Clock(Protocol):
    """What tells the time."""

    def now(self) -> int:
        """Milliseconds on the store's clock."""
        ...

    def seconds(self, ms: float) -> float:
        """How long that many of its milliseconds last, in real seconds."""
        ...


class StoreClock:
    """This process' monotonic clock, set by what the store last said.

    `rate` is how many seconds of the house pass in a real one: every period at the tables, and whatever waits for one,
    shrinks alike.
    """

    def __init__(self, rate: float = 1.0) -> None:
        self._rate = rate
        self._offset = time.time() * 1000 - time.monotonic() * 1000
        self._doubt = math.inf
        self._answered = 0.0

    def now(self) -> int:
        """Milliseconds on the store's clock, as well as it is known."""
        return int((time.monotonic() * 1000 + self._offset) * self._rate)

    def seconds(self, ms: float) -> float:
        """How long that many of its milliseconds last, in real seconds."""
        return ms / 1000 / self._rate

    def set(self, store_ms: float, asked: float, answered: float) -> None:
        """The store said `store_ms` to a question put at `asked` and answered at `answered` (monotonic seconds).

        Nobody knows when in between it looked at its clock, so an answer that took long is believed only if nothing
        better is known: a worker that was busy, or stopped, would tell another time than the others.
        """
        doubt = (answered - asked) / 2 * 1000
        if doubt <= self.doubt(answered):
            self._offset = store_ms - (asked + answered) / 2 * 1000
            self._doubt, self._answered = doubt, answered

    def doubt(self, at: float) -> float:
        """By how many real milliseconds this clock may be wrong at a monotonic moment, in seconds."""
        return self._doubt + (at - self._answered) * 1000 * DRIFT


class FakeClock:
    """A clock that tests move."""

    def __init__(self, start: int = 1_000_000) -> None:
        self.ms = start

    def now(self) -> int:
        """The moment the test has set."""
        return self.ms

    def seconds(self, ms: float) -> float:
        """As on a wall."""
        return ms / 1000

    def advance(self, seconds: float) -> int:
        """Let time pass; returns the new moment."""
        self.ms += int(seconds * 1000)
        return self.ms
