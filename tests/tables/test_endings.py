"""A table left in each way its life can end leaves no key, no timer and no task behind."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from server.clock import FakeClock
from server.protocol import Create, LobbyRow
from server.rules.game import AnyAction
from server.rules.refusal import Code
from server.rules.registry import rules_of
from server.tables import commands
from server.tables.hub import Hub
from server.tables.opening import open_table
from server.tables.service import Service
from server.tables.store import Store
from server.tables.table import Event, Table
from server.tables.ticker import Ticker
from server.tables.timers import EMPTY_MS, PAUSED_MS
from tests.tables.scene import SECRET

HOUR = 3_600


class Onlooker:
    """A socket that only counts."""

    def __init__(self, player: str) -> None:
        self.player = player
        self.conn = f"{player}-socket"
        self.ended: list[str] = []

    def show(self, table: Table, events: tuple[Event, ...], sync: bool) -> None: ...

    def gone(self, table_id: str, code: Code) -> None:
        self.ended.append(table_id)

    def said(self, table_id: str, seat: int, phrase: int) -> None: ...

    def lobby(self, rows: list[LobbyRow], gone: list[str], full: bool) -> None: ...


class Shop:
    """The parts of one worker on a real store, with a clock that the test moves."""

    def __init__(self, url: str) -> None:
        self.clock = FakeClock()
        self.store = Store(url)
        self.service = Service(self.store, self.clock)
        self.hub = Hub(self.store, self.service, self.clock, 15)
        self.ticker = Ticker(self.store, self.service, self.clock)  # type: ignore[arg-type]
        self.hub.on_change = lambda table: self.ticker.follow(table, self.hub.held(table.id) is not None)
        self.hub.on_idle = self.ticker.forget
        self.ids = itertools.count()
        self.sockets = {name: Onlooker(name) for name in ("ada", "ben")}
        self.id = ""

    async def open(self, **options: int | str) -> None:
        """Ada opens a table."""
        create = Create(f"create-{next(self.ids)}", "konken", options)
        table = open_table(create, "ada", "Ada", SECRET, self.service.moment())
        self.id = table.id
        await self.service.create(table)

    async def come(self, player: str) -> None:
        """Watch the table, so be connected if seated."""
        await self.hub.watch(self.sockets[player], self.id, None)

    async def go(self, player: str) -> None:
        """The socket closes."""
        for table_id in self.hub.forget(self.sockets[player]):
            await self.hub.unwatch(self.sockets[player], table_id)

    async def do(self, kind: Callable[..., commands.Command], player: str, *more: object) -> Table:
        """A person's command."""
        return await self.service.execute(self.id, kind(f"c{next(self.ids)}", player, *more))

    async def deal(self, **options: int | str) -> None:
        """Ada and Ben with two bots, the first hand dealt."""
        await self.open(**options)
        await self.come("ada")
        await self.come("ben")
        await self.do(commands.Sit, "ben", "Ben", "ben-socket", None, None)
        for seat in (2, 3):
            await self.do(commands.AddBot, "ada", seat, "regular")
        for player in ("ada", "ben"):
            await self.do(commands.Ready, player, True, "")

    async def play_out(self) -> None:
        """Harmless moves to the end of the hand."""
        while (table := await self.service.read(self.id)).phase == "playing":
            seat = next(i for i, seat in enumerate(table.seats) if seat.asked is not None)
            action: AnyAction = rules_of(table.game).timeout(table.hand, seat)
            there = table.seats[seat]
            if there.player is None:
                await self.service.execute(self.id, commands.BotPlay(seat, there.decision, action))
            else:
                await self.do(commands.Play, there.player, there.decision, action)

    async def wait(self, seconds: float) -> None:
        """Time passes, and a sweep finds what is due."""
        self.clock.advance(seconds)
        await self.ticker._sweep()
        while self.ticker._tasks or self.hub._tasks:
            await asyncio.gather(*self.ticker._tasks, *self.hub._tasks)


@pytest.fixture
async def shop(store_url: str) -> AsyncIterator[Shop]:
    shop = Shop(store_url)
    await shop.store._redis.flushall()
    yield shop
    await shop.store.close()


async def never_joined(shop: Shop) -> None:
    await shop.open()
    await shop.wait(EMPTY_MS / 1000)


async def stood_up(shop: Shop) -> None:
    await shop.open()
    await shop.come("ada")
    await shop.do(commands.Stand, "ada")
    await shop.go("ada")
    await shop.wait(EMPTY_MS / 1000)


async def all_dropped_before_the_match(shop: Shop) -> None:
    await shop.open()
    await shop.come("ada")
    await shop.go("ada")
    await shop.wait(EMPTY_MS / 1000)


async def match_over(shop: Shop) -> None:
    await shop.deal(max_hands=1, tie="turn_order")
    for _ in range(4):
        await shop.play_out()
        if (await shop.service.read(shop.id)).phase == "over":
            break
        for player in ("ada", "ben"):
            await shop.do(commands.Ready, player, True, "")
    await shop.wait(600)


async def claimed(shop: Shop) -> None:
    await shop.deal(turn_seconds=60)
    await shop.go("ben")
    await shop.wait(30)
    await shop.do(commands.Claim, "ada", 1, "claim")
    assert (await shop.service.read(shop.id)).phase == "over"
    await shop.wait(600)


async def paused_for_a_day(shop: Shop) -> None:
    await shop.deal()
    await shop.go("ada")
    await shop.go("ben")
    await shop.wait(PAUSED_MS / 1000)


async def everybody_left(shop: Shop) -> None:
    await shop.deal()
    for player in ("ada", "ben"):
        await shop.do(commands.Leave, player)


async def everybody_left_between_hands(shop: Shop) -> None:
    await shop.deal()
    await shop.play_out()
    for player in ("ada", "ben"):
        await shop.do(commands.Leave, player)


@pytest.mark.parametrize(
    "ending",
    [
        never_joined,
        stood_up,
        all_dropped_before_the_match,
        match_over,
        claimed,
        paused_for_a_day,
        everybody_left,
        everybody_left_between_hands,
    ],
    ids=lambda ending: ending.__name__,
)
async def test_nothing_is_left_behind(shop: Shop, ending: Callable[[Shop], Awaitable[None]]) -> None:
    await ending(shop)
    await shop.wait(16)  # leases of sockets that watched to the end run out
    async for shard, name, _ in shop.store.done(100):
        await shop.store.forget_done(shard, name)  # the archiver's part
    assert await shop.store._redis.keys() == []
    assert shop.hub._watches == {}
    assert shop.ticker._timers == {}
    assert shop.ticker._tasks == shop.hub._tasks == set()
    assert shop.service._locks == {}
