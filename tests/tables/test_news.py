"""What the store publishes goes on being heard, however the connection breaks."""

from __future__ import annotations

import asyncio

import pytest
from redis.asyncio.client import PubSub
from structlog.testing import capture_logs

from server.tables.ids import shard_of
from server.tables.redis_link import Link
from server.tables.redis_news import Listener

CHANNEL = "{0}table:0-broken"


async def test_a_transport_that_closes_under_the_library_is_a_broken_connection(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """uvloop tells of that by a RuntimeError. It is an outage, and no fault of ours to be logged as one."""
    connect = PubSub.connect
    told: list[PubSub] = []

    async def fails_once(pubsub: PubSub) -> None:
        if not told:
            told.append(pubsub)
            raise RuntimeError(
                "unable to perform operation on <UnixTransport closed=True>; the handler is closed"
            )
        await connect(pubsub)  # type: ignore[no-untyped-call]

    monkeypatch.setattr(PubSub, "connect", fails_once)
    link, stands = Link(store_url), asyncio.Event()
    listener = Listener(link, lambda channel: shard_of("0-broken"), lambda channel, payload: stands.set())
    with capture_logs() as logs:
        try:
            await listener.subscribe(CHANNEL)
            async with asyncio.timeout(10):
                await stands.wait()
            assert told
            assert listener.hears(CHANNEL)
        finally:
            await listener.close()
            await link.close()
    assert [line["event"] for line in logs if line["log_level"] == "error"] == []
