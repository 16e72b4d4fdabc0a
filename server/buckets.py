"""Token buckets: how much may be asked for at once, and how much in the long run."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import NamedTuple

MOST_KEYS = 20_000
"""Buckets kept at once, about 4 MB. Beyond it the one unused for longest is forgotten: a crowd of addresses that large
is no longer held off by counting each of them."""


class Rate(NamedTuple):
    """So many in a second in the long run, and so many at once."""

    per_second: float
    burst: float

    def times(self, factor: float) -> Rate:
        """The same for a group."""
        return Rate(self.per_second * factor, self.burst * factor)


class Bucket:
    """A token bucket: full at first."""

    def __init__(self, rate: Rate, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._left = rate.burst
        self._at = clock()

    def take(self, count: float = 1) -> bool:
        """Use tokens; False if there are not so many."""
        now = self._clock()
        self._left = min(self._rate.burst, self._left + (now - self._at) * self._rate.per_second)
        self._at = now
        if self._left < count:
            return False
        self._left -= count
        return True


class Buckets:
    """A bucket for each of many keys. One that is full again is as good as none, and is forgotten."""

    def __init__(
        self, rate: Rate, most: int = MOST_KEYS, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate = rate
        self._most = most
        self._clock = clock
        self._full_after = rate.burst / rate.per_second
        self._used: OrderedDict[Hashable, tuple[Bucket, float]] = OrderedDict()

    def take(self, key: Hashable) -> bool:
        """Use a token of a key's bucket; False if there is none."""
        self.forget_full()
        bucket, _ = self._used.pop(key, (None, 0))
        if bucket is None:
            bucket = Bucket(self._rate, self._clock)
            if len(self._used) >= self._most:
                self._used.popitem(last=False)
        self._used[key] = (bucket, self._clock())  # behind all others: the order is that of their last use
        return bucket.take()

    def forget_full(self) -> None:
        """Forget the buckets that nobody has used for as long as an empty one takes to fill."""
        now = self._clock()
        while self._used:
            key, (_, used) = next(iter(self._used.items()))
            if now - used < self._full_after:
                return
            del self._used[key]

    def __len__(self) -> int:
        """How many are kept."""
        return len(self._used)
