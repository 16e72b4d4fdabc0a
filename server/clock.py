"""Milliseconds on the store's time line, so that nobody compares the wall clocks of two machines."""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """What tells the time."""

    def now(self) -> int:
        """Milliseconds on the store's clock."""
        ...


class StoreClock:
    """This process' monotonic clock, set by what the store last said."""

    def __init__(self) -> None:
        self._offset = time.time() * 1000 - time.monotonic() * 1000

    def now(self) -> int:
        """Milliseconds on the store's clock, as well as it is known."""
        return int(time.monotonic() * 1000 + self._offset)

    def set(self, store_ms: float, asked: float, answered: float) -> None:
        """The store said `store_ms` to a question put at `asked` and answered at `answered` (monotonic seconds)."""
        self._offset = store_ms - (asked + answered) / 2 * 1000


class FakeClock:
    """A clock that tests move."""

    def __init__(self, start: int = 1_000_000) -> None:
        self.ms = start

    def now(self) -> int:
        """The moment the test has set."""
        return self.ms

    def advance(self, seconds: float) -> int:
        """Let time pass; returns the new moment."""
        self.ms += int(seconds * 1000)
        return self.ms
