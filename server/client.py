"""A typed client of the socket protocol: for tests, benches, and bots that live outside."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import secrets
import urllib.request
from collections.abc import Callable
from types import TracebackType
from typing import TypeVar

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from server.brief import Reader
from server.players import COOKIE
from server.protocol import (
    PROTOCOL,
    Ack,
    AddBot,
    AnyClientMessage,
    AnyServerMessage,
    Arrange,
    Arranged,
    Check,
    Checked,
    Claim,
    Create,
    DropBot,
    Frame,
    Gone,
    Hello,
    Kick,
    Leave,
    Play,
    Quick,
    Ready,
    Refusal,
    Rename,
    Say,
    Sit,
    Stand,
    Unwatch,
    Watch,
    Welcome,
)
from server.rules.actions import AnyAction
from server.rules.cards import Placed
from server.rules.refusal import Code, Refused
from server.rules.registry import GameName

ANSWER_SECONDS = 10.0
"""A server that has not answered by then has not heard."""
AGAIN_SECONDS = 0.2
"""Told that it asks too much at once, a client lets that long pass before it asks the same again."""

_encoder = msgspec.json.Encoder()
Command = Create | Quick | Sit | Stand | Leave | Kick | Ready | AddBot | DropBot | Play | Claim | Say | Rename
AnswerT = TypeVar("AnswerT", Ack, Checked, Arranged)


def new_session(base_url: str, name: str, cookie: str | None = None) -> str:
    """Become a guest, or with a cookie take another name; returns the session cookie's value. Blocks."""
    request = urllib.request.Request(  # noqa: S310 - the address is the caller's own
        f"{base_url}/api/session",
        json.dumps({"name": name}).encode(),
        {"content-type": "application/json"} | ({"cookie": f"{COOKIE}={cookie}"} if cookie else {}),
        method="POST",
    )
    with urllib.request.urlopen(request, timeout=ANSWER_SECONDS) as response:  # noqa: S310
        value: str = response.headers["set-cookie"].partition("=")[2].partition(";")[0]
    return value


class Client:
    """One socket of one player.

    `frames` has the newest frame of each watched table; `log` every message received, in order and frames made whole,
    if asked for, `raw` their texts. Use as `async with Client(base_url, cookie) as client`.
    """

    def __init__(self, base_url: str, cookie: str, *, keep_log: bool = False) -> None:
        self.cookie = cookie
        self.welcome: Welcome | None = None
        self.frames: dict[str, Frame] = {}
        self.gone: dict[str, Code] = {}
        self.log: list[AnyServerMessage] | None = [] if keep_log else None
        self.raw: list[str] | None = [] if keep_log else None
        self._url = base_url.replace("http", "ws", 1) + "/ws"
        self._ids = (f"{secrets.token_hex(3)}-{n}" for n in itertools.count())
        self._answers: dict[str, list[asyncio.Future[AnyServerMessage]]] = {}
        self._news = asyncio.Condition()
        self._socket: ClientConnection | None = None
        self._reader: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Client:
        self._socket = await connect(
            self._url, additional_headers={"cookie": f"{COOKIE}={self.cookie}"}, compression=None
        )
        self._reader = asyncio.create_task(self._read(self._socket))
        await self.send(Hello(PROTOCOL))
        await self.until(lambda client: client.welcome is not None)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the socket."""
        if self._socket is not None:
            await self._socket.close()
        if self._reader is not None:
            await asyncio.gather(self._reader, return_exceptions=True)

    def new_id(self) -> str:
        """A fresh command id."""
        return next(self._ids)

    async def send(self, message: AnyClientMessage) -> None:
        """Send one message."""
        await self.send_text(_encoder.encode(message).decode())

    async def send_text(self, text: str) -> None:
        """Send text as it is."""
        if self._socket is None:
            raise ConnectionError("not connected")
        await self._socket.send(text)

    def expect(self, command_id: str) -> asyncio.Future[AnyServerMessage]:
        """The next answer to a command id that has no answer yet."""
        future: asyncio.Future[AnyServerMessage] = asyncio.get_running_loop().create_future()
        self._answers.setdefault(command_id, []).append(future)
        return future

    async def command(self, message: Command) -> Ack:
        """Send a command once, and wait until it is done. Raises Refused."""
        return await self._ask(message, Ack)

    async def check(self, table: str, action: AnyAction) -> Checked:
        """What playing an action would come to. Raises Refused."""
        return await self._patiently(
            Check(self.new_id(), table, self.frames[table].decision, action), Checked
        )

    async def arrange(self, table: str) -> tuple[tuple[Placed, ...], ...]:
        """The best melds of one's own hand. Raises Refused."""
        return (await self._patiently(Arrange(self.new_id(), table), Arranged)).melds

    async def _patiently(self, message: Play | Check | Arrange, kind: type[AnswerT]) -> AnswerT:
        """Ask, more slowly where that was too fast: how fast a table plays is not in the hands of one player."""
        loop = asyncio.get_running_loop()
        latest = loop.time() + ANSWER_SECONDS
        while True:
            try:
                return await self._ask(message, kind)
            except Refused as refused:
                if refused.code is not Code.RATE_LIMITED or loop.time() > latest:
                    raise
            await asyncio.sleep(AGAIN_SECONDS)

    async def _ask(self, message: Command | Check | Arrange, kind: type[AnswerT]) -> AnswerT:
        answer = self.expect(message.id)
        await self.send(message)
        async with asyncio.timeout(ANSWER_SECONDS):
            told = await answer
        if isinstance(told, Refusal):
            raise Refused(told.code, **told.detail)
        if not isinstance(told, kind):
            raise TypeError(f"{told} is no answer to {message}")
        return told

    # ---- what players do

    async def create(
        self, options: dict[str, int | str] | None = None, private: bool = False, game: GameName = "konken"
    ) -> str:
        """Open a table, sit down and watch it; returns its id."""
        answer = await self.command(Create(self.new_id(), game, options or {}, private))
        await self.watch(answer.table)
        return answer.table

    async def watch(self, table: str, token: str | None = None, seen: int | None = None) -> Frame:
        """Watch a table; returns the first frame, with what was missed since version `seen`. Raises Refused."""
        self.frames.pop(table, None)
        self.gone.pop(table, None)
        await self.send(Watch(table, seen, token))
        await self.until(lambda client: table in client.frames or table in client.gone)
        if table in self.gone:
            raise Refused(self.gone[table])
        return self.frames[table]

    async def unwatch(self, table: str) -> None:
        """No more frames of a table."""
        await self.send(Unwatch(table))
        self.frames.pop(table, None)

    async def sit(self, table: str, seat: int | None = None) -> None:
        """Take a seat."""
        await self.command(Sit(self.new_id(), table, seat))

    async def add_bot(self, table: str, seat: int) -> None:
        """Seat a bot."""
        await self.command(AddBot(self.new_id(), table, seat))

    async def ready(self, table: str, nonce: str = "") -> None:
        """Ready for the next hand."""
        await self.command(Ready(self.new_id(), table, True, nonce or secrets.token_hex(16)))

    async def play(self, table: str, action: AnyAction) -> None:
        """Answer the newest question. Raises Refused."""
        await self._patiently(Play(self.new_id(), table, self.frames[table].decision, action), Ack)

    async def until(self, holds: Callable[[Client], bool], seconds: float = ANSWER_SECONDS) -> None:
        """Wait until something holds of what has been received."""
        async with asyncio.timeout(seconds), self._news:
            await self._news.wait_for(lambda: holds(self))

    async def frame(
        self, table: str, holds: Callable[[Frame], bool], seconds: float = ANSWER_SECONDS
    ) -> Frame:
        """Wait for a frame of which something holds."""
        await self.until(lambda client: table in client.frames and holds(client.frames[table]), seconds)
        return self.frames[table]

    # ---- what comes in

    async def _read(self, socket: ClientConnection) -> None:
        reader = Reader()
        with contextlib.suppress(ConnectionClosed):
            async for text in socket:
                message = reader.read(text)
                if self.log is not None and self.raw is not None:
                    self.log.append(message)
                    self.raw.append(str(text))
                async with self._news:
                    self._take(message)
                    self._news.notify_all()

    def _take(self, message: AnyServerMessage) -> None:
        match message:
            case Welcome():
                self.welcome = message
            case Frame():
                self.frames[message.table] = message
            case Gone():
                self.gone[message.table] = message.code
            case Ack() | Refusal() | Checked() | Arranged():
                waiting = self._answers.get(message.id)
                if waiting:
                    future = waiting.pop(0)
                    if not future.done():
                        future.set_result(message)
            case _:
                pass
