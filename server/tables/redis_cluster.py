"""The way to a Redis Cluster: every shard is one slot, and the slots lie on several masters.

A slot may move while it is used. Our scripts need all keys of a table on one node, so whoever meets a slot on its way
(ASK, TRYAGAIN) waits until it has arrived, rather than follow it half; MOVED tells where it is. A master that is away
stops its own shards and no others, where the cluster has `cluster-require-full-coverage no`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from redis.asyncio.client import PubSub
from redis.crc import key_slot
from redis.exceptions import (
    AskError,
    ClusterDownError,
    MovedError,
    RedisError,
    TryAgainError,
)
from redis.exceptions import ConnectionError as ConnectionLost
from redis.exceptions import TimeoutError as TimedOut

from server.tables.redis_link import Call, Link, Server, client_of
from server.telemetry import Outage

CLUSTER = "+cluster"
"""What the scheme of an address ends with: `redis+cluster://` or `rediss+cluster://`."""
PATIENCE_SECONDS = 5.0
"""How long a call waits for a slot to arrive or a master to come back: half of what a client waits for its answer."""
PAUSE_SECONDS = 0.02
"""Between two tries of one call; moving the keys of a slot takes some tens of milliseconds."""
MAP_SECONDS = 1.0
"""A node that does not say by then where the slots are is passed over."""
LOST = (ConnectionLost, TimedOut, ClusterDownError, OSError)
"""After these the map may be old: a replica may have taken over."""


class ClusterLink(Link):
    """The way to a store that is a cluster."""

    def __init__(self, url: str) -> None:
        scheme, _, rest = url.partition("://")
        user, at, places = urlsplit(f"//{rest}").netloc.rpartition("@")
        self._scheme = f"{scheme.removesuffix(CLUSTER)}://{user}{at}"
        self._options = f"?{query}" if (query := urlsplit(f"//{rest}").query) else ""
        self._known = [place if ":" in place else f"{place}:6379" for place in places.split(",")]
        self._servers: dict[str, Server] = {}
        self._slots: list[tuple[int, int, str]] = []
        self._owners: dict[str, Server] = {}
        self._learning: asyncio.Task[None] | None = None
        self._outage = Outage("map of the cluster")

    async def ask(self, *command: Any) -> Any:
        """Ask what any master can tell: the first that answers, and all workers begin with the same one."""
        error: Exception = ClusterDownError("no master is known")
        if not self._slots:
            await self._learn()
        for place in dict.fromkeys(place for _, _, place in self._slots):
            try:
                async with asyncio.timeout(MAP_SECONDS):
                    return await self._server_at(place).ask(*command)
            except (*LOST, TimeoutError) as lost:
                error = lost if isinstance(lost, RedisError) else ConnectionLost(repr(lost))
        self._begin_to_learn()
        raise error

    def group_of(self, shard: str) -> str:
        """Shards of one group share a subscription: here every shard has its own, as every slot moves alone."""
        return shard

    def pubsub(self, shard: str) -> PubSub:
        """A new subscription where the channels of a shard are. Raises RedisError while nobody knows where."""
        return self._owner(shard).redis.pubsub()

    async def close(self) -> None:
        """Close all connections."""
        if self._learning is not None:
            self._learning.cancel()
        for server in self._servers.values():
            await server.close()

    # ---- one call

    def _deadline(self) -> float:
        return asyncio.get_running_loop().time() + PATIENCE_SECONDS

    def _put(self, call: Call) -> asyncio.Future[Any]:
        if not call.answer.done():
            try:
                self._owner(call.shard).put(call)
            except ClusterDownError as error:
                self._failed(call, error)
        return call.answer

    def _failed(self, call: Call, error: Exception) -> None:
        loop = asyncio.get_running_loop()
        if not isinstance(error, (AskError, TryAgainError, *LOST)) or loop.time() > call.until:
            call.answer.set_exception(error)
            return
        call.tries += 1
        if isinstance(error, MovedError) and error.host:
            self._owners[call.shard] = self._server_at(place_of((error.host, error.port)))
        elif isinstance(error, (MovedError, *LOST)):
            self._begin_to_learn()
        # Two nodes may send us to each other for a moment, so only the first step is taken at once.
        at_once = isinstance(error, MovedError) and call.tries == 1
        loop.call_later(0 if at_once else PAUSE_SECONDS, self._put, call)

    # ---- the map

    def moved(self, shard: str) -> None:
        """A shard is not where it was."""
        self._owners.pop(shard, None)
        self._slots = []
        self._begin_to_learn()

    def _owner(self, shard: str) -> Server:
        server = self._owners.get(shard)
        if server is None:
            slot = key_slot(f"{{{shard}}}".encode())
            place = next((place for first, last, place in self._slots if first <= slot <= last), None)
            if place is None:
                self._begin_to_learn()
                raise ClusterDownError(f"nobody is known to have slot {slot}")
            server = self._owners[shard] = self._server_at(place)
        return server

    def _server_at(self, place: str) -> Server:
        server = self._servers.get(place)
        if server is None:
            redis = client_of(f"{self._scheme}{place}{self._options}")
            server = self._servers[place] = Server(redis, self._settle)
        return server

    def _begin_to_learn(self) -> None:
        if self._learning is None or self._learning.done():
            self._learning = asyncio.get_running_loop().create_task(self._learn())

    async def _learn(self) -> None:
        """Ask the nodes one after the other where the slots are, until one tells."""
        for place in list(self._known):
            try:
                async with asyncio.timeout(MAP_SECONDS):
                    slots = await self._server_at(place).ask("CLUSTER SLOTS")
            except (RedisError, OSError, TimeoutError) as error:
                self._outage.began(error)
                self._known.sort(key=place.__eq__)  # the others first, next time
                continue
            here = place.rpartition(":")[0]
            self._slots = [(first, last, place_of(node, here)) for first, last, node, *_ in slots]
            if self._slots:
                self._outage.ended()
                self._owners.clear()
                nodes = (place_of(node, here) for _, _, *all_of_slot in slots for node in all_of_slot)
                self._known = list(dict.fromkeys((*self._known, *nodes)))
                return


def place_of(node: Sequence[Any], here: str = "") -> str:
    """A node's address as part of a URL; one that does not know its own host is where it was asked."""
    host, port = node[:2]
    name = (host.decode() if isinstance(host, bytes) else host) or here
    return f"[{name}]:{port}" if ":" in name and not name.startswith("[") else f"{name}:{port}"
