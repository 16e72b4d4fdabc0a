"""Who watches which table on this worker: news in, frames out.

The hub keeps a copy of every watched table, fed by this worker's own commits and by pub/sub for those of others.
Pub/sub is a hint: after a new subscription, and at every renewal of the leases, revisions are compared with the
store's, and what differs is read again.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

import structlog

from server import telemetry
from server.clock import Clock
from server.rules.refusal import Code, Refused
from server.tables.forms import TooNew
from server.tables.keys import lobby_channels, table_channel
from server.tables.leases import Leases
from server.tables.lobby import Follower, Lobby
from server.tables.news import News, Phrase, Unread, read_news, rev_of
from server.tables.service import Service
from server.tables.store import Held, Listener, Store, StoreError
from server.tables.table import Event, Table

log = structlog.get_logger(__name__)

LOBBY_BEATS = 6
"""The lobby is reconciled at every sixth renewal of the leases, so every 30 s (table-life: Store)."""
LIFE_BEATS = 360
"""And what is watched is given its life anew every half hour, though nothing may happen there: somebody waits."""
SUBSCRIBE_SECONDS = 5.0
"""How long a watch waits for its subscription to stand."""
AGAIN_SECONDS = 0.5
"""Pause before what was missed is read again while the store is away."""


class Watcher(Follower, Protocol):
    """A socket, as the hub sees it."""

    player: str
    conn: str

    def show(self, table: Table, events: tuple[Event, ...], sync: bool) -> None:
        """A table has a new version."""
        ...

    def gone(self, table_id: str, code: Code) -> None:
        """A table is gone, or not for this watcher."""
        ...

    def said(self, table_id: str, seat: int, phrase: int) -> None:
        """Somebody says a phrase."""
        ...


class Watch:
    """One watched table: the copy, and who sees it."""

    def __init__(self) -> None:
        self.held: Held | None = None
        self.watchers: set[Watcher] = set()
        self.asked = False
        self.subscribed = asyncio.Event()


class Hub:
    """The watched tables of this worker, and its lobby."""

    def __init__(self, store: Store, service: Service, clock: Clock, lease_seconds: float) -> None:
        self._store = store
        self._service = service
        self.leases = Leases(store, service, clock, lease_seconds)
        self._watches: dict[str, Watch] = {}
        self.lobby = Lobby(store)
        self._listener: Listener | None = None
        self._missed = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self.on_change: Callable[[Table], None] = lambda table: None
        self.on_idle: Callable[[str], None] = lambda table_id: None
        service.deliver = self._deliver
        service.cached = self.held
        service.on_doubt = self._missed.set

    def held(self, table_id: str) -> Held | None:
        """This worker's copy of a watched table."""
        watch = self._watches.get(table_id)
        return None if watch is None else watch.held

    def sizes(self) -> dict[str, int]:
        """How much this hub keeps in memory, by name."""
        watchers = sum(len(watch.watchers) for watch in self._watches.values())
        return {
            "watches": len(self._watches),
            "watchers": watchers,
            **self.lobby.sizes(),
            "hub_tasks": len(self._tasks),
        }

    # ---- watching

    async def watch(
        self, watcher: Watcher, table_id: str, token: str | None, seen: int | None = None
    ) -> None:
        """Begin to watch: the whole table is shown, and a seated player counts as connected.

        Whoever has `seen` a later version than this worker has, maybe from another one, makes it look again. Raises
        Refused: no such table, or a private one without seat and token.
        """
        try:
            _admit(await self._service.read(table_id), watcher, token)
            watch = self._watches.setdefault(table_id, Watch())
            watch.watchers.add(watcher)
            await self._subscribed(table_id, watch)
            if watch.held is None:
                fresh = await self._service.find(table_id)
                watch.held = watch.held or fresh  # news may have come first
            if watch.held is None:
                raise Refused(Code.NO_SUCH_TABLE)
            if seen is not None and watch.held.table.v < seen:
                await self._look_again([table_id])
            if watch.held.table.seat_of(watcher.player) is not None and self._is_watching(watcher, table_id):
                await self._attach_or_look_on(watcher, table_id)
            if not self._is_watching(watcher, table_id):
                return  # the end was read, and has been told
            _admit(watch.held.table, watcher, token)  # seat and token may have changed meanwhile
        except BaseException:
            await self.unwatch(watcher, table_id)
            raise
        watcher.show(watch.held.table, (), seen is not None and watch.held.table.v < seen)
        self.on_change(watch.held.table)

    def _is_watching(self, watcher: Watcher, table_id: str) -> bool:
        watch = self._watches.get(table_id)
        return watch is not None and watcher in watch.watchers

    async def _subscribed(self, table_id: str, watch: Watch) -> None:
        """Wait until news of a table come in. Should that take too long, comparing revisions makes up for it."""
        if self._listener is None or watch.subscribed.is_set():
            return
        if not watch.asked:
            watch.asked = True
            await self._listener.subscribe(table_channel(table_id))
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(SUBSCRIBE_SECONDS):
                await watch.subscribed.wait()

    async def unwatch(self, watcher: Watcher, table_id: str) -> None:
        """Stop watching; the seat of that player loses this connection."""
        watch = self._watches.get(table_id)
        if watch is None or watcher not in watch.watchers:
            return
        watch.watchers.discard(watcher)
        seated = watch.held is None or watch.held.table.seat_of(watcher.player) is not None
        if not watch.watchers:
            del self._watches[table_id]
            self.on_idle(table_id)
            await self._unsubscribe(table_id)
        if seated:
            await self.leases.detach(table_id, watcher.conn)

    async def _attach_or_look_on(self, watcher: Watcher, table_id: str) -> None:
        try:
            await self.leases.attach(watcher.player, watcher.conn, table_id)
        except Refused as refused:
            if refused.code is not Code.NOT_SEATED:
                raise
            # The seat was given up, and the news of that are still under way.
            await self._look_again([table_id])

    def watched_by(self, watcher: Watcher) -> list[str]:
        """The tables that a socket watches."""
        return [table_id for table_id, watch in self._watches.items() if watcher in watch.watchers]

    def drop(self, watcher: Watcher) -> None:
        """No more for a socket, and its seats are not told: this worker goes down, or their leases run out."""
        self.lobby.unfollow(watcher)
        for table_id in self.watched_by(watcher):
            watch = self._watches[table_id]
            watch.watchers.discard(watcher)
            if not watch.watchers:
                self._end(table_id, watch)

    async def say(self, table_id: str, seat: int, phrase: int) -> None:
        """Have a phrase said at a table, on every worker."""
        await self._store.say(table_id, seat, phrase)

    # ---- news

    def _deliver(
        self, table_id: str, held: Held | None, events: tuple[Event, ...], sync: bool = False
    ) -> None:
        watch = self._watches.get(table_id)
        if watch is None:
            return
        if held is None:
            self._end(table_id, watch)
            return
        if watch.held is not None and not sync and held.table.v <= watch.held.table.v:
            return
        before, watch.held = watch.held, held
        self.on_change(held.table)
        if before is not None and before.table.token != held.table.token:
            self._put_out(table_id, watch, held.table)
        for watcher in list(watch.watchers):
            watcher.show(held.table, events, sync)
            seat = held.table.seat_of(watcher.player)
            if seat is not None and watcher.conn not in held.table.seats[seat].conns:
                self._spawn(self._attach_again(watcher, table_id))

    def _put_out(self, table_id: str, watch: Watch, table: Table) -> None:
        """Somebody was sent away from a private table: its old token opens it to nobody any more."""
        for watcher in [one for one in watch.watchers if table.seat_of(one.player) is None]:
            watch.watchers.discard(watcher)
            watcher.gone(table_id, _closed_by(table, watcher))
        if not watch.watchers:
            self._end(table_id, watch)

    async def _attach_again(self, watcher: Watcher, table_id: str) -> None:
        # Sat down from another tab, or the lease ran out while this worker was frozen.
        if self._is_watching(watcher, table_id):
            with contextlib.suppress(Refused):
                await self.leases.attach(watcher.player, watcher.conn, table_id)

    def _end(self, table_id: str, watch: Watch) -> None:
        del self._watches[table_id]
        self.on_idle(table_id)
        self._spawn(self._unsubscribe(table_id))
        for watcher in watch.watchers:
            watcher.gone(table_id, Code.NO_SUCH_TABLE)

    async def _unsubscribe(self, table_id: str) -> None:
        # Somebody may have begun to watch again meanwhile.
        if self._listener is not None and table_id not in self._watches:
            await self._listener.unsubscribe(table_channel(table_id))

    def _spawn(self, work: Coroutine[Any, Any, object]) -> None:
        task = asyncio.ensure_future(self._guarded(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _guarded(self, work: Coroutine[Any, Any, object]) -> None:
        try:
            await work
        except StoreError as error:
            telemetry.store_outage.began(error)
        except TooNew:
            return  # the store has noticed, and says so (Store.met_newer)
        except Exception:
            log.exception("hub fault")

    # ---- loops

    async def run(self) -> None:
        """Listen for news until cancelled; whenever some may have been missed, compare with the store."""
        listener = self._listener = self._store.listener(self._hear)
        try:
            await listener.subscribe(*lobby_channels(), *map(table_channel, self._watches))
            while True:
                await self._missed.wait()
                self._missed.clear()
                try:
                    await self.lobby.read()
                    await self.reconcile()
                except StoreError as error:
                    telemetry.store_outage.began(error)
                    self._missed.set()
                    await asyncio.sleep(AGAIN_SECONDS)
        finally:
            self._listener = None
            await listener.close()

    def _hear(self, channel: str, payload: bytes | None) -> None:
        kind = channel.partition("}")[2]
        table_id = kind.removeprefix("table:")
        if payload is None:
            self._stands(kind, self._watches.get(table_id))
        elif kind == "lobby":
            self.lobby.change(payload)
        elif not self._is_own(table_id, payload):
            self._hear_table(table_id, read_news(payload))

    def _stands(self, kind: str, watch: Watch | None) -> None:
        """A subscription stands; a table's that stood before had been lost, and the lobby is read in any case."""
        if kind == "lobby" or (watch is not None and watch.subscribed.is_set()):
            self._missed.set()
        elif watch is not None:
            watch.subscribed.set()

    def _is_own(self, table_id: str, payload: bytes) -> bool:
        """Whether these are the news of a commit that this worker has delivered already, or will in a moment."""
        rev = rev_of(payload)
        held = self.held(table_id)
        return rev in self._store.under_way or (held is not None and held.rev == rev)

    def _hear_table(self, table_id: str, news: News | Phrase | Unread | None) -> None:
        match news:
            case None:
                self._deliver(table_id, None, ())
            case Unread():
                self._spawn(self._look_again([table_id]))
            case Phrase():
                watch = self._watches.get(table_id)
                for watcher in watch.watchers if watch is not None else ():
                    watcher.said(table_id, news.seat, news.phrase)
            case News():
                self._deliver(table_id, Held(news.rev, news.table), news.events)

    async def keep_leases(self) -> None:
        """Renew the leases of this worker's connections, and compare with the store, until cancelled."""
        for count in itertools.count(1):
            await asyncio.sleep(self.leases.beat)
            try:
                await self.beat(count)
            except StoreError as error:
                telemetry.store_outage.began(error)

    async def beat(self, count: int) -> None:
        """Do once what is done with the `count`-th renewal. Raises StoreError."""
        watched = [(watch.held.table, watch) for watch in self._watches.values() if watch.held is not None]
        pairs = [
            (table.id, watcher.conn)
            for table, watch in watched
            for watcher in watch.watchers
            if table.seat_of(watcher.player) is not None
        ]
        if pairs:
            await self.leases.renew(pairs)
        if count % LIFE_BEATS == 0:
            await self._store.prolong([table for table, _ in watched])
        await self.reconcile()
        if count % LOBBY_BEATS == 0:
            await self.lobby.read()

    async def reconcile(self) -> None:
        """Read again every watched table whose revision is not ours."""
        await self._look_again(list(self._watches))

    async def _look_again(self, table_ids: list[str]) -> None:
        for table_id, rev in (await self._store.revisions(table_ids)).items():
            try:
                await self._reconcile_one(table_id, rev)
            except (Refused, TooNew) as error:
                log.warning("cannot reconcile", table=table_id, error=repr(error))

    async def _reconcile_one(self, table_id: str, rev: str | None) -> None:
        watch = self._watches.get(table_id)
        if watch is None or watch.held is None or watch.held.rev == rev:
            return
        held = watch.held
        fresh = await self._service.find(table_id)
        if fresh is None:
            self._deliver(table_id, None, ())
        elif fresh.table.v > held.table.v:
            self._deliver(table_id, fresh, ())
        elif fresh.rev == rev != held.rev and watch.held is held:
            # A lower version, or another one of the same number, and no news while it was read: the store has lost
            # its last second.
            self._deliver(table_id, fresh, (), sync=True)


def _admit(table: Table, watcher: Watcher, token: str | None) -> None:
    """A private table is shown to its seats and to whoever has its token. Raises Refused(PRIVATE or BARRED)."""
    if table.private and table.seat_of(watcher.player) is None and token != table.token:
        raise Refused(_closed_by(table, watcher))


def _closed_by(table: Table, watcher: Watcher) -> Code:
    """Why a private table does not open: whoever once had a seat may know that the way back is barred."""
    return Code.BARRED if watcher.player in table.barred else Code.PRIVATE
