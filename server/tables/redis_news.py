"""What the store publishes, heard: sharded channels, which one server knows as well as a cluster does.

A reader for each group of shards (all of one server; each of a cluster's, whose slots move alone) sets its subscription
up again whenever it is lost, and says so: what was published meanwhile is lost, as pub/sub is only a hint.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

import structlog
from redis.asyncio.client import PubSub
from redis.exceptions import RedisError

from server.tables.redis_link import BROKEN, Link
from server.telemetry import Outage

log = structlog.get_logger(__name__)

AGAIN_SECONDS = 0.1
"""Pause before a subscription is set up again: a slot has arrived by then, a store that restarts is not pestered."""

Hear = Callable[[str, bytes | None], None]
"""Told (channel, None) whenever a subscription stands, and (channel, payload) for a message."""


class Listener:
    """The channels of one worker, which come and go."""

    def __init__(self, link: Link, shard_of_channel: Callable[[str], str], hear: Hear) -> None:
        self._link = link
        self._shard_of = shard_of_channel
        self._hear = hear
        self._readers: dict[str, _Reader] = {}
        self.closed = False

    async def subscribe(self, *channels: str) -> None:
        """Ask for channels; each is confirmed when it stands, now or as soon as the store is back."""
        for group, some in self._grouped(channels).items():
            reader = self._readers.get(group)
            if reader is None:
                reader = self._readers[group] = _Reader(self._link, self._shard_of(some[0]), self._hear)
            await reader.subscribe(some)

    async def unsubscribe(self, *channels: str) -> None:
        """No more of these channels."""
        for group, some in self._grouped(channels).items():
            if group in self._readers:
                await self._readers[group].unsubscribe(some)

    def hears(self, channel: str) -> bool:
        """Whether the subscription to a channel stands, as far as is known."""
        reader = self._readers.get(self._link.group_of(self._shard_of(channel)))
        return reader is not None and channel in reader.standing

    async def close(self) -> None:
        """Hear nothing more."""
        self.closed = True
        readers, self._readers = self._readers, {}
        for reader in readers.values():
            await reader.close()

    def _grouped(self, channels: tuple[str, ...]) -> dict[str, list[str]]:
        groups: dict[str, list[str]] = {}
        for channel in channels:
            groups.setdefault(self._link.group_of(self._shard_of(channel)), []).append(channel)
        return groups


class _Reader:
    """One subscription and the task that reads it."""

    def __init__(self, link: Link, shard: str, hear: Hear) -> None:
        self._link = link
        self._shard = shard
        self._hear = hear
        self.standing: set[str] = set()
        self._channels: set[str] = set()
        self._leaving: set[str] = set()
        self._pubsub: PubSub | None = None
        self._closed = False
        self._wanted = asyncio.Event()
        self._outage = Outage(f"news of shard {shard}")
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def subscribe(self, channels: list[str]) -> None:
        self._channels.update(channels)
        self._wanted.set()
        if self._pubsub is not None:
            with contextlib.suppress(*BROKEN):  # the reader notices too, and asks for all of them anew
                await self._pubsub.ssubscribe(*channels)

    async def unsubscribe(self, channels: list[str]) -> None:
        self._channels.difference_update(channels)
        self.standing.difference_update(channels)
        self._leaving.update(channels)
        if self._pubsub is not None:
            with contextlib.suppress(*BROKEN):
                await self._pubsub.sunsubscribe(*channels)

    async def close(self) -> None:
        self._closed = True
        self._task.cancel()
        await asyncio.wait([self._task])

    async def _run(self) -> None:
        while not self._closed:  # a cancellation may be swallowed by the library (server/app.py)
            self._wanted.clear()
            if not self._channels:
                await self._wanted.wait()
            try:
                await self._read()
            except BROKEN as error:
                self._outage.began(error)
            except Exception:
                log.exception("subscription fault", shard=self._shard)
            await asyncio.sleep(AGAIN_SECONDS)

    async def _read(self) -> None:
        """Subscribe and read, until the subscription is lost or nothing is wanted any more."""
        pubsub = self._link.pubsub(self._shard)
        self._leaving.clear()
        try:
            await pubsub.connect()  # type: ignore[no-untyped-call]
            self._pubsub = pubsub  # from here on, `subscribe` asks for what comes new
            await pubsub.ssubscribe(*self._channels)
            async for message in pubsub.listen():
                channel = message["channel"].decode()
                if message["type"] == "smessage":
                    self._tell(channel, message["data"])
                elif message["type"] == "ssubscribe":
                    self._outage.ended()
                    self.standing.add(channel)
                    self._tell(channel, None)
                elif message["type"] == "sunsubscribe" and channel not in self._leaving:
                    self._link.moved(self._shard)  # not our wish: the slot has gone to another node
                    return
                else:
                    self._leaving.discard(channel)
        except RedisError:
            self._link.moved(self._shard)
            raise
        finally:
            self._pubsub = None
            self.standing.clear()
            await pubsub.aclose()  # type: ignore[no-untyped-call]

    def _tell(self, channel: str, payload: bytes | None) -> None:
        try:
            self._hear(channel, payload)
        except Exception:  # one message that cannot be read, of newer code say, is not the end of all
            log.exception("news not read", channel=channel)
