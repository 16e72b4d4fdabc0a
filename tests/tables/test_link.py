"""Calls to the store that nobody waits for any more, or that meet a connection in its last moment."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from redis.asyncio.connection import AbstractConnection
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from server.tables import redis_link
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

    link = Link(store_url)
    await link.ask("PING")
    monkeypatch.setattr(AbstractConnection, "send_packed_command", fail)
    with pytest.raises(RedisError, match=type(error).__name__):
        await link.ask("PING")
    await link.close()


async def test_an_answer_that_is_late_is_nobody_elses(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was asked next is asked on a new connection, so it cannot be given what comes on the old one."""
    link = Link(store_url)
    link._server._connection.retry = Retry(NoBackoff(), 1)
    await link.ask("PING")
    monkeypatch.setattr(redis_link, "ANSWER_SECONDS", 0.05)
    late = link.call("", "BLPOP", "nobody-pushes", 1)
    with pytest.raises(RedisError, match="in time"):
        await late
    assert await link.ask("ECHO", "mine") == b"mine"
    await link.close()


async def test_an_error_of_one_is_not_that_of_those_beside(store_url: str) -> None:
    link = Link(store_url)
    good, bad, also = link.call("", "PING"), link.call("", "HGET", "too", "many", "words"), link.ask("PING")
    with pytest.raises(RedisError, match="arguments"):
        await bad
    assert [await good, await also] == [b"PONG", b"PONG"]
    await link.close()
