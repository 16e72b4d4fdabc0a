"""What is said to Redis, with commit.lua, claim.lua and bury.lua; redis_link.py and its neighbours carry it there.

Keys carry their shard as hash tag and every script touches the keys of one shard only, so that they can be spread.
The hash of a table is the truth, pub/sub a hint.

`{s}table:<id>` hash: rev, record · `{s}due` sorted set of table ids by ms · `{s}leases` sorted set of
`table:connection` by ms · `{s}lobby` hash id -> row · `{s}tables:<game>` sorted set of table ids by the ms when they
expire · `{s}done` hash name -> what the archive gets · `{s}player:<id>` hash table id -> 1, as a hint where a player
holds seats · `{s}handover:<hash>` the player whom a link carries to another device.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import AsyncIterator, Iterable

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from server.clock import StoreClock
from server.protocol import LobbyRow
from server.rules.registry import GAMES
from server.tables import finished, table, timers, views
from server.tables.finished import AnyFinished
from server.tables.forms import TooNew
from server.tables.ids import shard_for, shard_of
from server.tables.keys import EVERY_SHARD, key, shard_of_key, table_channel
from server.tables.news import Phrase
from server.tables.redis_cluster import CLUSTER, ClusterLink
from server.tables.redis_link import Link, RedisError, Script, of_all, of_some
from server.tables.redis_news import Hear, Listener
from server.tables.table import Decision, Table

LIFE_MS = 25 * 3_600_000
"""A table that nothing touches is gone after this: an hour beyond the 24 h after which a paused match is void. It is
given anew once a fiftieth of it, half an hour, is gone (commit.lua)."""
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


_row = msgspec.json.Decoder(LobbyRow)
_json = msgspec.json.Encoder()


class Store:
    """Live tables in Redis or Valkey."""

    def __init__(self, url: str, pace: float = 1.0) -> None:
        self._link = ClusterLink(url) if url.partition("://")[0].endswith(CLUSTER) else Link(url)
        self._commit = Script("commit.lua")
        self._claim = Script("claim.lua")
        self._bury = Script("bury.lua")
        self._release = Script("release.lua")
        self._pace = pace
        self.met_newer = False
        """Whether newer code than this has written to the store."""
        self._listeners: list[Listener] = []
        self.under_way: set[str] = set()
        """Revisions that this worker is committing: news of them may come before the answer."""

    async def close(self) -> None:
        """Close all connections."""
        await self._link.close()

    async def set_clock(self, clock: StoreClock) -> None:
        """Ask the store for the time."""
        asked = time.monotonic()
        clock.set(await self._time(), asked, time.monotonic())

    async def _time(self) -> float:
        """Milliseconds on the store's own clock."""
        seconds, micros = await self._link.ask("TIME")
        return float(seconds * 1000 + micros / 1000)

    # ---- tables

    async def load(self, table_id: str) -> Held | None:
        """Read a table."""
        rev, record = await self._link.call(
            shard_of(table_id), "HMGET", table_channel(table_id), "rev", "record"
        )
        if rev is None or record is None:
            return None
        return Held(rev.decode(), self._read(record))

    def _read(self, record: bytes) -> Table:
        try:
            return table.read(record)
        except TooNew:
            self.met_newer = True
            raise

    async def revisions(self, table_ids: list[str]) -> dict[str, str | None]:
        """The revisions of several tables in one round trip; without those whose shard is away."""
        calls = [self._link.call(shard_of(id_), "HMGET", table_channel(id_), "rev") for id_ in table_ids]
        answers = zip(table_ids, await of_some(calls), strict=True)
        return {id_: None if found[0] is None else found[0].decode() for id_, found in answers if found}

    async def commit(self, before: Held | None, decision: Decision) -> Held | None:
        """Put a decision in the place of `before` (None: create), all or nothing.

        Returns the table as held afterwards (None: it is gone); raises Conflict with what lies there instead.
        """
        new = decision.table
        token = secrets.token_hex(8)
        rev = "" if decision.closed else f"{new.v}-{token}"
        shard = shard_of(new.id)
        due = timers.due_of(new, self._pace)
        # With the commit in its name: who brings away what the store has lost takes nothing along that came after.
        done = [(f"{_done_name(item)}-{token}", finished.encode(item)) for item in decision.finished]
        committed = self._link.run(
            shard,
            self._commit,
            keys=[
                table_channel(new.id),
                key(shard, "due"),
                key(shard, "lobby"),
                key(shard, "done"),
                key(shard, f"tables:{new.game}"),
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
                sum(listener.hears(table_channel(new.id)) for listener in self._listeners),
                *(part for pair in done for part in pair),
            ],
        )
        self.under_way.add(rev)
        try:
            answer = await committed
        finally:
            self.under_way.discard(rev)
        # The client repeats a script whose answer was lost, and then finds its own revision there.
        if answer[0] == 1 or answer[1:2] == [rev.encode()]:
            return None if decision.closed else Held(rev, new)
        raise Conflict(Held(answer[1].decode(), self._read(answer[2])) if len(answer) > 1 else None)

    async def prolong(self, tables: Iterable[Table]) -> None:
        """Give tables their life anew, as a commit does: nothing happens there, but somebody waits."""
        expires = int(await self._time()) + LIFE_MS
        calls = []
        for one in tables:
            shard = shard_of(one.id)
            calls.append(self._link.call(shard, "PEXPIRE", table_channel(one.id), LIFE_MS))
            game = key(shard, f"tables:{one.game}")
            calls.append(self._link.call(shard, "ZADD", game, "XX", expires, one.id))
        await of_some(calls)

    async def count(self) -> dict[str, int]:
        """How many tables there are of each game."""
        now = int(await self._time())  # keys expire by this clock, whatever the house's own says
        keys = [(game, shard) for game in GAMES for shard in EVERY_SHARD]
        calls = [self._link.call(s, "ZCOUNT", key(s, f"tables:{game}"), now, "+inf") for game, s in keys]
        counts: dict[str, int] = dict.fromkeys(GAMES, 0)
        for (game, _), found in zip(keys, await of_some(calls), strict=True):
            counts[game] += found or 0
        return counts

    async def forget_expired(self) -> None:
        """Take the tables out of the count that have expired without being closed."""
        now = int(await self._time())
        await of_some(
            self._link.call(shard, "ZREMRANGEBYSCORE", key(shard, f"tables:{game}"), "-inf", now)
            for shard in EVERY_SHARD
            for game in GAMES
        )

    # ---- what is due

    async def claim_due(self, now: int) -> list[str]:
        """Take due tables of all shards, in one round trip."""
        return await self._claim_all("due", now)

    async def _claim_all(self, name: str, now: int) -> list[str]:
        """Members of a sorted set in all shards; what is taken without an answer is found again when it is due."""
        args = [now, now + CLAIM_MS, CLAIM_MOST]
        calls = (self._link.run(s, self._claim, [key(s, name)], args) for s in EVERY_SHARD)
        return [member.decode() for shard in await of_some(calls) for member in shard or ()]

    async def claim_one(self, table_id: str, now: int) -> bool:
        """Take one table if it is due."""
        shard = shard_of(table_id)
        args = [now, now + CLAIM_MS, 1, table_id]
        return bool(await self._link.run(shard, self._claim, [key(shard, "due")], args))

    async def bury(self, table_id: str) -> None:
        """Take a table that has expired out of what is due and out of the lobby."""
        shard = shard_of(table_id)
        keys = [table_channel(table_id), key(shard, "due"), key(shard, "lobby")]
        await self._link.run(shard, self._bury, keys, [table_id, key(shard, "lobby")])

    # ---- leases of connections

    async def lease(self, pairs: Iterable[tuple[str, str]], until: int) -> None:
        """Say that these (table, connection) live until then."""
        await of_some(
            self._link.call(
                shard_of(table_id), "ZADD", key(shard_of(table_id), "leases"), until, f"{table_id}:{conn}"
            )
            for table_id, conn in pairs
        )

    async def claim_lost_leases(self, now: int) -> list[tuple[str, str]]:
        """Take (table, connection) whose lease has run out. Each is to be released, or else it will be found again."""
        lost = [member.partition(":") for member in await self._claim_all("leases", now)]
        return [(table_id, conn) for table_id, _, conn in lost]

    async def release(self, table_id: str, conn: str, claimed_at: int) -> None:
        """The table knows that a connection was lost. Nothing is done if it has a lease again since it was claimed."""
        shard = shard_of(table_id)
        args = [f"{table_id}:{conn}", claimed_at + CLAIM_MS]
        await self._link.run(shard, self._release, [key(shard, "leases")], args)

    # ---- lobby, players

    async def lobby(self) -> list[LobbyRow]:
        """All public tables."""
        calls = (self._link.call(shard, "HVALS", key(shard, "lobby")) for shard in EVERY_SHARD)
        return [_row.decode(row) for shard in await of_some(calls) for row in shard or ()]

    async def note_seat(self, player: str, table_id: str, seated: bool) -> None:
        """Remember where a player holds a seat; a hint that `tables_of`' reader checks against the table."""
        shard = shard_for(player)
        hints = key(shard, f"player:{player}")
        if seated:
            await of_all(
                (
                    self._link.call(shard, "HSET", hints, table_id, "1"),
                    self._link.call(shard, "EXPIRE", hints, HINT_SECONDS),
                )
            )
        else:
            await self._link.call(shard, "HDEL", hints, table_id)

    async def tables_of(self, player: str) -> list[str]:
        """Where a player may hold a seat."""
        shard = shard_for(player)
        keys = await self._link.call(shard, "HKEYS", key(shard, f"player:{player}"))
        return [key.decode() for key in keys]

    # ---- the way to another device

    async def keep_handover(self, name: str, player: bytes, ms: int) -> None:
        """Keep a player under the hash of a link's token, for so long."""
        shard = shard_for(name)
        await self._link.call(shard, "SET", key(shard, f"handover:{name}"), player, "PX", ms)

    async def take_handover(self, name: str) -> bytes | None:
        """The player that was kept there, for whoever asks first; None for all others, or when it is too late."""
        shard = shard_for(name)
        kept: bytes | None = await self._link.call(shard, "GETDEL", key(shard, f"handover:{name}"))
        return kept

    async def has_handover(self, name: str) -> bool:
        """Whether a player is still kept there."""
        shard = shard_for(name)
        return bool(await self._link.call(shard, "EXISTS", key(shard, f"handover:{name}")))

    # ---- what is said

    async def say(self, table_id: str, seat: int, phrase: int) -> None:
        """Publish a phrase to whoever watches the table."""
        payload = Phrase(seat, phrase).payload()
        await self._link.call(shard_of(table_id), "SPUBLISH", table_channel(table_id), payload)

    # ---- what waits for the archive

    async def done(self, page: int) -> AsyncIterator[tuple[str, str, bytes]]:
        """All that waits for the archive: (shard, name, encoded item), read some `page` at a time.

        What is forgotten on the way costs nothing that comes later. Raises StoreError for shards that are away, after
        all others.
        """
        away: StoreError | None = None
        for shard in EVERY_SHARD:
            cursor = None
            while cursor != 0:
                try:
                    waiting = key(shard, "done")
                    cursor, items = await self._link.call(shard, "HSCAN", waiting, cursor or 0, "COUNT", page)
                except StoreError as error:
                    away = error
                    break
                for name, payload in items.items():
                    yield shard, name.decode(), payload
        if away is not None:
            raise away

    async def waiting(self) -> int:
        """How many items wait for the archive."""
        calls = (self._link.call(shard, "HLEN", key(shard, "done")) for shard in EVERY_SHARD)
        return sum(count or 0 for count in await of_some(calls))

    async def waits(self, table_id: str) -> bool:
        """Whether the archive has not got everything of a table yet."""
        shard = shard_of(table_id)
        names = await self._link.call(shard, "HKEYS", key(shard, "done"))
        return any(name.startswith(f"{table_id}-".encode()) for name in names)

    async def forget_done(self, shard: str, name: str) -> None:
        """The archive has it."""
        await self._link.call(shard, "HDEL", key(shard, "done"), name)

    # ---- news

    def listener(self, hear: Hear) -> Listener:
        """A new subscription, told to `hear`. What this store commits itself is published for others only."""
        listener = Listener(self._link, shard_of_key, hear)
        self._listeners = [*(one for one in self._listeners if not one.closed), listener]
        return listener

    async def ping(self) -> None:
        """Raises StoreError while the store is away."""
        await self._link.ask("PING")


class Conflict(Exception):
    """Another commit came first; `held` is what lies there now."""

    def __init__(self, held: Held | None) -> None:
        super().__init__("conflict")
        self.held = held


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
        case finished.LostHand():
            return f"{item.match}:lost-{item.hand_no}"
        case finished.MatchState():
            return f"{item.match}:state-{item.v}"


__all__ = ["Conflict", "Held", "Listener", "Store", "StoreError"]
