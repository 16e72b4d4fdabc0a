"""How much one socket may ask for."""

from __future__ import annotations

import time
from collections.abc import Callable

COMMANDS_PER_SECOND = 30.0
COMMANDS_BURST = 300.0
"""A client that comes back re-sends what was not answered; a person's clicks never come near."""
CHECKS_PER_SECOND = 10.0
CHECKS_BURST = 20.0
PHRASES_PER_SECOND = 0.5
PHRASES_BURST = 4.0
"""Phrases are a nod across the table, not a conversation."""
NAMES_PER_SECOND = 0.5
NAMES_BURST = 4.0
"""A new name is a commit at every table of the player."""
FLOOD = 400
"""Refused for the rate that many times more often than heard: not a client of ours."""
MOST_TABLES = 12
"""Seats that one player may hold at once."""


class Bucket:
    """A token bucket."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._left = burst
        self._at = clock()

    def take(self) -> bool:
        """Use one token; False if there is none."""
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
