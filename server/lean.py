"""What asyncio has for those who wait, without the room it keeps ready for more of them: an empty deque is 760 bytes,
and every socket had five.
"""

from __future__ import annotations

import asyncio
from typing import Generic, TypeVar

T = TypeVar("T")


class Event:
    """An asyncio.Event, as far as a socket needs one."""

    __slots__ = ("_is_set", "_waiters")

    def __init__(self) -> None:
        self._is_set = False
        self._waiters: list[asyncio.Future[None]] = []

    def set(self) -> None:
        """Let all go on that wait, and whoever comes."""
        self._is_set = True
        waiters, self._waiters = self._waiters, []
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)

    def clear(self) -> None:
        """Have whoever comes wait."""
        self._is_set = False

    async def wait(self) -> None:
        """Wait until it is set, at once if it is."""
        if not self._is_set:
            waiter = asyncio.get_running_loop().create_future()
            self._waiters.append(waiter)
            await waiter


class Queue(Generic[T]):
    """An asyncio.Queue without end, for one who takes."""

    __slots__ = ("_items", "_waiter")

    def __init__(self) -> None:
        self._items: list[T] = []
        self._waiter: asyncio.Future[None] | None = None

    def empty(self) -> bool:
        """Whether there is nothing to take."""
        return not self._items

    def put_nowait(self, item: T) -> None:
        """Add something at the end."""
        self._items.append(item)
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def get(self) -> T:
        """Take what came first, or wait for it."""
        while not self._items:
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        return self._items.pop(0)
