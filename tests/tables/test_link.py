"""Calls to the store that nobody waits for any more."""

from __future__ import annotations

import asyncio
from typing import Any

from server.tables.redis_link import of_some


async def test_who_no_longer_waits_takes_the_calls_along() -> None:
    """Else the failure of each would be logged, out of the blue, as one that nobody ever looked at."""
    calls: list[asyncio.Future[Any]] = [asyncio.get_running_loop().create_future() for _ in range(3)]
    waiter = asyncio.create_task(of_some(calls))
    await asyncio.sleep(0)
    waiter.cancel()
    await asyncio.wait([waiter])
    assert all(call.cancelled() for call in calls)
