"""Calls to the store that nobody waits for any more, or that meet a connection in its last moment."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from redis.asyncio import Redis
from redis.asyncio.client import Pipeline

from server.tables.redis_link import Link, RedisError, of_some
from tests.masters import Masters


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


async def test_texts_bytes_and_numbers_arrive_as_they_are(store_url: str) -> None:
    link = Link(store_url)
    texts = ["", "two words", "é\r\n$3\r\n🂡", b"\x00\xff\r\n", "x" * 100_000, 17, -3]
    answers = await asyncio.gather(*(link.call("", "ECHO", text) for text in texts))
    assert answers == [text if isinstance(text, bytes) else str(text).encode() for text in texts]
    await link.close()


async def test_what_cannot_be_sent_is_an_error_of_its_own(store_url: str) -> None:
    link = Link(store_url)
    with pytest.raises(TypeError):
        await link.call("", "ECHO", None)
    assert await link.call("", "ECHO", "next") == b"next"
    await link.close()


async def test_a_connection_cut_while_it_was_idle_is_made_anew(masters: Masters) -> None:
    """Over TCP, where proxies cut what is silent and redis-py behaves otherwise than on a socket file."""
    link = Link(f"redis://127.0.0.1:{masters.nodes[0].port}")
    for _ in range(2):
        assert await link.call("", "ECHO", "there") == b"there"
        masters.nodes[0].say("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
        await asyncio.sleep(0.1)
    assert await link.call("", "ECHO", "again") == b"again"
    await link.close()


async def test_what_is_left_of_an_answer_is_not_taken_for_the_next(masters: Masters) -> None:
    link = Link(f"redis://127.0.0.1:{masters.nodes[0].port}")
    assert await link.call("", "ECHO", "first") == b"first"
    redis: Redis = link._server.redis
    connection = await redis.connection_pool.get_connection()  # type: ignore[no-untyped-call]
    await connection.send_command("PING")  # and nobody waits for the answer
    await redis.connection_pool.release(connection)
    await asyncio.sleep(0.1)
    assert await link.call("", "ECHO", "second") == b"second"
    await link.close()
