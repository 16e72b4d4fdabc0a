"""Calls to the store that nobody waits for any more, or that meet a connection in its last moment."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from redis.asyncio.client import Pipeline

from server.tables.redis_link import Link, RedisError, of_some


async def test_who_no_longer_waits_takes_the_calls_along() -> None:
    """Else the failure of each would be logged, out of the blue, as one that nobody ever looked at."""
    calls: list[asyncio.Future[Any]] = [asyncio.get_running_loop().create_future() for _ in range(3)]
    waiter = asyncio.create_task(of_some(calls))
    await asyncio.sleep(0)
    waiter.cancel()
    await asyncio.wait([waiter])
    assert all(call.cancelled() for call in calls)


@pytest.mark.parametrize("error", [RuntimeError("the handler is closed"), BrokenPipeError(32, "Broken pipe")])
async def test_a_transport_that_closes_under_a_call_is_a_store_away(
    error: Exception, store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """uvloop has words of its own for it, and no loop of a worker may end of them."""

    async def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(Pipeline, "execute", fail)
    link = Link(store_url)
    with pytest.raises(RedisError, match=type(error).__name__):
        await link.ask("PING")
    await link.close()
