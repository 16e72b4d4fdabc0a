"""The parts of one worker on a real store, under a clock that the test moves."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable

from redis.asyncio import Redis

from server.clock import FakeClock
from server.protocol import Create, LobbyRows
from server.rules.actions import AnyAction
from server.rules.refusal import Code
from server.rules.registry import rules_of
from server.tables import commands
from server.tables.hub import Hub
from server.tables.opening import open_table
from server.tables.service import Service
from server.tables.store import Store
from server.tables.table import Event, Table
from server.tables.ticker import Ticker
from tests.tables.scene import SECRET


class Onlooker:
    """A socket that only counts."""

    def __init__(self, player: str) -> None:
        self.player = player
        self.conn = f"{player}-socket"
        self.ended: list[str] = []
        self.shown: list[Table] = []
        self.synced: list[bool] = []
        self.told: list[LobbyRows] = []

    def show(self, table: Table, events: tuple[Event, ...], sync: bool) -> None:
        self.shown.append(table)
        self.synced.append(sync)

    def gone(self, table_id: str, code: Code) -> None:
        self.ended.append(table_id)

    def said(self, table_id: str, seat: int, phrase: int) -> None: ...

    def lobby(self, rows: LobbyRows) -> None:
        self.told.append(rows)


class Shop:
    """The parts of one worker on a real store, with a clock that the test moves."""

    def __init__(self, url: str) -> None:
        self.clock = FakeClock()
        self.store = Store(url)
        self.redis: Redis = Redis.from_url(url)
        self.service = Service(self.store, self.clock)
        self.hub = Hub(self.store, self.service, self.clock, 15)
        self.ticker = Ticker(self.store, self.service, self.clock)  # type: ignore[arg-type]
        self.hub.on_change = self.ticker.follow
        self.hub.on_idle = self.ticker.forget
        self.ids = itertools.count()
        self.sockets = {name: Onlooker(name) for name in ("ada", "ben")}
        self.id = ""

    async def close(self) -> None:
        """Close all connections."""
        await self.store.close()
        await self.redis.aclose()

    async def open(self, private: bool = False, **options: int | str) -> None:
        """Ada opens a table."""
        create = Create(f"create-{next(self.ids)}", "konken", options, private)
        table = open_table(create, "ada", "Ada", SECRET, self.service.moment())
        self.id = table.id
        await self.service.create(table)

    async def come(self, player: str) -> None:
        """Watch the table, so be connected if seated."""
        await self.hub.watch(self.sockets[player], self.id, None)

    async def go(self, player: str) -> None:
        """The socket closes."""
        for table_id in self.hub.watched_by(self.sockets[player]):
            await self.hub.unwatch(self.sockets[player], table_id)

    async def do(self, kind: Callable[..., commands.Command], player: str, *more: object) -> Table:
        """A person's command."""
        return await self.service.execute(self.id, kind(f"c{next(self.ids)}", player, *more))

    async def deal(self, **options: int | str) -> None:
        """Ada and Ben with two bots, the first hand dealt."""
        await self.open(False, **options)
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
