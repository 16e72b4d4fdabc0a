"""The only file (with commit.lua and claim.lua) that speaks to Redis.

Keys carry their shard as hash tag and every script touches the keys of one shard only, so that they can be spread.
The hash of a table is the truth, pub/sub a hint.

`{s}table:<id>` hash: rev, record · `{s}due` sorted set of table ids by ms · `{s}leases` sorted set of
`table:connection` by ms · `{s}lobby` hash id -> row · `{s}tables:<game>` sorted set of table ids by the ms when they
expire · `{s}done` hash name -> what the archive gets · `{s}player:<id>` hash table id -> 1, as a hint where a player
holds seats.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import AsyncIterator, Iterable
from importlib.resources import files
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.exceptions import RedisError

from server.clock import StoreClock
from server.protocol import LobbyRow
from server.rules.registry import GAMES
from server.tables import finished, table, timers, views
from server.tables.finished import AnyFinished
from server.tables.ids import SHARDS, shard_for, shard_of
from server.tables.table import Decision, Event, Table

LIFE_MS = 25 * 3_600_000
"""A table that nothing touches is gone after this: an hour beyond the 24 h after which a paused match is void."""
CLAIM_MS = 2_000
"""How long a claim puts a table off: longer than a decision takes, short enough if the claimer dies."""
CLAIM_MOST = 64
"""Tables claimed of one shard at once; the rest is taken in the next round."""
HINT_SECONDS = 25 * 3600

StoreError = RedisError
"""What is raised while the store is away."""


class Held(Struct, frozen=True):
    """A table as it lies in the store, with its revision: version and 64 random bits.

    After a restart that lost the last second two lineages may both have a version 43; a bare number would let
    one silently overwrite the other.
    """

    rev: str
    table: Table


class News(Struct, frozen=True):
    """What a commit publishes."""

    rev: str
    events: tuple[Event, ...]
    table: Table


class Phrase(Struct, frozen=True):
    """Somebody at the table says something; published, and never stored."""

    seat: int
    phrase: int


_phrase = msgspec.json.Decoder(Phrase)
_news = msgspec.json.Decoder(News)
_row = msgspec.json.Decoder(LobbyRow)
_json = msgspec.json.Encoder()


def table_channel(table_id: str) -> str:
    """Where a table's news are published."""
    return f"{{{shard_of(table_id)}}}table:{table_id}"


def lobby_channels() -> list[str]:
    """Where changes of the lobby are published."""
    return [f"{{{shard:x}}}lobby" for shard in range(SHARDS)]


class Store:
    """Live tables in Redis or Valkey."""

    def __init__(self, url: str, pace: float = 1.0) -> None:
        # redis-py's own limit of 5 s holds for every command, and not for the wait for news.
        self._redis: Redis = Redis.from_url(url, socket_connect_timeout=5, health_check_interval=15)
        self._commit = self._redis.register_script(files("server.tables").joinpath("commit.lua").read_text())
        self._claim = self._redis.register_script(files("server.tables").joinpath("claim.lua").read_text())
        self._bury = self._redis.register_script(files("server.tables").joinpath("bury.lua").read_text())
        self._pace = pace
        self.met_newer = False
        """Whether newer code than this has written to the store."""

    async def close(self) -> None:
        """Close all connections."""
        await self._redis.aclose()

    async def set_clock(self, clock: StoreClock) -> None:
        """Ask the store for the time."""
        asked = time.monotonic()
        seconds, micros = await self._redis.time()
        clock.set(seconds * 1000 + micros / 1000, asked, time.monotonic())

    # ---- tables

    async def load(self, table_id: str) -> Held | None:
        """Read a table."""
        rev, record = await _sure(self._redis.hmget(table_channel(table_id), ["rev", "record"]))
        if rev is None or record is None:
            return None
        return Held(rev.decode(), self._read(record))

    def _read(self, record: bytes) -> Table:
        try:
            return table.read(record)
        except table.TooNew:
            self.met_newer = True
            raise

    async def revisions(self, table_ids: list[str]) -> list[str | None]:
        """The revisions of several tables in one round trip."""
        pipe = self._redis.pipeline(transaction=False)
        for table_id in table_ids:
            pipe.hget(table_channel(table_id), "rev")
        return [None if rev is None else rev.decode() for rev in await pipe.execute()]

    async def commit(self, before: Held | None, decision: Decision) -> Held | None:
        """Put a decision in the place of `before` (None: create), all or nothing.

        Returns the table as held afterwards (None: it is gone); raises Conflict with what lies there instead.
        """
        new = decision.table
        rev = "" if decision.closed else f"{new.v}-{secrets.token_hex(8)}"
        shard = f"{{{shard_of(new.id)}}}"
        due = timers.due_of(new, self._pace)
        done = [(_done_name(item), finished.encode(item)) for item in decision.finished]
        answer = await self._commit(
            keys=[
                table_channel(new.id),
                f"{shard}due",
                f"{shard}lobby",
                f"{shard}done",
                f"{shard}tables:{new.game}",
            ],
            args=[
                "" if before is None else before.rev,
                rev,
                "" if decision.closed else table.write(new),
                LIFE_MS,
                new.id,
                "" if due is None else due,
                _lobby_change(None if before is None else before.table, new),
                _json.encode(decision.events),
                table_channel(new.id),
                f"{shard}lobby",
                *(part for pair in done for part in pair),
            ],
        )
        # The client repeats a script whose answer was lost, and then finds its own revision there.
        if answer[0] == 1 or answer[1:2] == [rev.encode()]:
            return None if decision.closed else Held(rev, new)
        raise Conflict(Held(answer[1].decode(), self._read(answer[2])) if len(answer) > 1 else None)

    async def count(self, now: int) -> dict[str, int]:
        """How many tables there are of each game."""
        pipe = self._redis.pipeline(transaction=False)
        keys = [(game, f"{{{shard:x}}}tables:{game}") for game in GAMES for shard in range(SHARDS)]
        for _, key in keys:
            pipe.zcount(key, now, "+inf")
        counts: dict[str, int] = dict.fromkeys(GAMES, 0)
        for (game, _), found in zip(keys, await pipe.execute(), strict=True):
            counts[game] += found
        return counts

    async def forget_expired(self, now: int) -> None:
        """Take the tables out of the count that have expired without being closed."""
        pipe = self._redis.pipeline(transaction=False)
        for shard in range(SHARDS):
            for game in GAMES:
                pipe.zremrangebyscore(f"{{{shard:x}}}tables:{game}", "-inf", now)
        await pipe.execute()

    # ---- what is due

    async def claim_due(self, now: int) -> list[str]:
        """Take due tables of all shards, in one round trip."""
        pipe = self._redis.pipeline(transaction=False)
        for shard in range(SHARDS):
            await self._claim(keys=[f"{{{shard:x}}}due"], args=[now, now + CLAIM_MS, CLAIM_MOST], client=pipe)
        return [table_id.decode() for shard in await pipe.execute() for table_id in shard]

    async def claim_one(self, table_id: str, now: int) -> bool:
        """Take one table if it is due."""
        key = f"{{{shard_of(table_id)}}}due"
        return bool(await self._claim(keys=[key], args=[now, now + CLAIM_MS, 1, table_id]))

    async def bury(self, table_id: str) -> None:
        """Take a table that has expired out of what is due and out of the lobby."""
        shard = f"{{{shard_of(table_id)}}}"
        keys = [table_channel(table_id), f"{shard}due", f"{shard}lobby"]
        await self._bury(keys=keys, args=[table_id, f"{shard}lobby"])

    # ---- leases of connections

    async def lease(self, pairs: Iterable[tuple[str, str]], until: int) -> None:
        """Say that these (table, connection) live until then."""
        pipe = self._redis.pipeline(transaction=False)
        for table_id, conn in pairs:
            pipe.zadd(f"{{{shard_of(table_id)}}}leases", {f"{table_id}:{conn}": until})
        await pipe.execute()

    async def release(self, table_id: str, conn: str) -> None:
        """A connection is gone from a table, and the table knows."""
        await _sure(self._redis.zrem(f"{{{shard_of(table_id)}}}leases", f"{table_id}:{conn}"))

    async def claim_lost_leases(self, now: int) -> list[tuple[str, str]]:
        """Take (table, connection) whose lease has run out."""
        pipe = self._redis.pipeline(transaction=False)
        for shard in range(SHARDS):
            await self._claim(
                keys=[f"{{{shard:x}}}leases"], args=[now, now + CLAIM_MS, CLAIM_MOST], client=pipe
            )
        lost = [member.decode().partition(":") for shard in await pipe.execute() for member in shard]
        return [(table_id, conn) for table_id, _, conn in lost]

    # ---- lobby, players

    async def lobby(self) -> list[LobbyRow]:
        """All public tables."""
        pipe = self._redis.pipeline(transaction=False)
        for channel in lobby_channels():
            pipe.hvals(channel)
        return [_row.decode(row) for shard in await pipe.execute() for row in shard]

    async def note_seat(self, player: str, table_id: str, seated: bool) -> None:
        """Remember where a player holds a seat; a hint that `tables_of`' reader checks against the table."""
        key = f"{{{shard_for(player)}}}player:{player}"
        if seated:
            pipe = self._redis.pipeline(transaction=False)
            pipe.hset(key, table_id, "1")
            pipe.expire(key, HINT_SECONDS)
            await pipe.execute()
        else:
            await _sure(self._redis.hdel(key, table_id))

    async def tables_of(self, player: str) -> list[str]:
        """Where a player may hold a seat."""
        keys = await _sure(self._redis.hkeys(f"{{{shard_for(player)}}}player:{player}"))
        return [key.decode() for key in keys]

    async def say(self, table_id: str, seat: int, phrase: int) -> None:
        """Publish a phrase to whoever watches the table."""
        await self._redis.publish(table_channel(table_id), b"!" + _json.encode(Phrase(seat, phrase)))

    # ---- what waits for the archive

    async def done(self, most: int) -> AsyncIterator[tuple[str, str, bytes]]:
        """What waits for the archive: (shard, name, encoded item), up to `most` of each shard."""
        for shard in range(SHARDS):
            _, items = await _sure(self._redis.hscan(f"{{{shard:x}}}done", count=most))
            for name, payload in items.items():
                yield f"{shard:x}", name.decode(), payload

    async def waiting(self) -> int:
        """How many items wait for the archive."""
        pipe = self._redis.pipeline(transaction=False)
        for shard in range(SHARDS):
            pipe.hlen(f"{{{shard:x}}}done")
        return sum(await pipe.execute())

    async def waits(self, table_id: str) -> bool:
        """Whether the archive has not got everything of a table yet."""
        names = await _sure(self._redis.hkeys(f"{{{shard_of(table_id)}}}done"))
        return any(name.startswith(f"{table_id}-".encode()) for name in names)

    async def forget_done(self, shard: str, name: str) -> None:
        """The archive has it."""
        await _sure(self._redis.hdel(f"{{{shard}}}done", name))

    # ---- news

    def listener(self) -> Listener:
        """A new subscription, for one reader."""
        return Listener(self._redis.pubsub())

    async def ping(self) -> None:
        """Raises StoreError while the store is away."""
        await _sure(self._redis.ping())


class Conflict(Exception):
    """Another commit came first; `held` is what lies there now."""

    def __init__(self, held: Held | None) -> None:
        super().__init__("conflict")
        self.held = held


class Listener:
    """Pub/sub as the hub needs it: channels that come and go, and messages as (channel, payload)."""

    def __init__(self, pubsub: PubSub) -> None:
        self._pubsub = pubsub

    async def subscribe(self, *channels: str) -> None:
        """Ask for channels; confirmed by a message with payload None."""
        await self._pubsub.subscribe(*channels)

    async def unsubscribe(self, *channels: str) -> None:
        """No more of these channels."""
        await self._pubsub.unsubscribe(*channels)

    async def messages(self) -> AsyncIterator[tuple[str, bytes | None]]:
        """What comes in: (channel, None) when a subscription stands, (channel, payload) for a message."""
        async for message in self._pubsub.listen():
            if message["type"] == "subscribe":
                yield message["channel"].decode(), None
            elif message["type"] == "message":
                yield message["channel"].decode(), message["data"]

    async def close(self) -> None:
        """Give the connection back."""
        await self._pubsub.aclose()  # type: ignore[no-untyped-call]


def read_news(payload: bytes) -> News | Phrase | None:
    """A table's news; None: the table is gone."""
    if payload[:1] == b"!":
        return _phrase.decode(payload[1:])
    return _news.decode(payload) if payload else None


def read_lobby(payload: bytes) -> LobbyRow | str:
    """A change of the lobby: a row, or the id of a table that is no longer there."""
    return payload[1:].decode() if payload[:1] == b"-" else _row.decode(payload[1:])


def _lobby_change(before: Table | None, after: Table) -> bytes:
    row = views.lobby_row(after)
    if row is None:
        return b""
    old = None if before is None else views.lobby_row(before)
    # A move changes nothing that the lobby shows; its followers are not told of it.
    return b"=" if old is not None and replace(old, v=row.v) == row else _json.encode(row)


def _done_name(item: AnyFinished) -> str:
    match item:
        case finished.FinishedHand():
            return f"{item.match}:{item.hand_no}"
        case finished.FinishedMatch():
            return f"{item.match}:end"
        case finished.MatchState():
            return f"{item.match}:state-{item.v}"


async def _sure(answer: Any) -> Any:
    # redis-py's signatures cover the blocking client too; ours is the asynchronous one.
    return await answer


__all__ = ["Conflict", "Held", "Listener", "News", "Phrase", "Store", "StoreError"]
