"""Going down in order: first "not ready", so that a proxy sends nobody here any more; then a word to every socket;
then the server's own way out, which closes them."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from types import FrameType

from server.readiness import Readiness

SIGNALS = (signal.SIGINT, signal.SIGTERM)
WORD_SECONDS = 0.1
"""For the goodbyes to go out before the sockets are closed."""


class Leaving:
    """Stands between a signal and the server's handler of it. A second signal is not made to wait."""

    def __init__(self, readiness: Readiness, drain_seconds: float, farewell: Callable[[], None]) -> None:
        self._readiness = readiness
        self._drain = drain_seconds
        self._farewell = farewell
        self._loop = asyncio.get_running_loop()
        self._handlers: dict[int, Callable[[int, FrameType | None], object]] = {}

    def stand_between(self) -> None:
        """Take the place of the handlers that the server has set up; does nothing where it has none."""
        for signum in SIGNALS:
            handler = signal.getsignal(signum)
            if callable(handler):
                self._handlers[signum] = handler
                signal.signal(signum, self._begin)

    def _begin(self, signum: int, frame: FrameType | None) -> None:
        if self._readiness.leaving:
            self._handlers[signum](signum, frame)
            return
        self._readiness.leaving = True
        self._loop.call_soon_threadsafe(self._loop.call_later, self._drain, self._say_goodbye, signum)

    def _say_goodbye(self, signum: int) -> None:
        self._farewell()
        self._loop.call_later(WORD_SECONDS, self._handlers[signum], signum, None)
