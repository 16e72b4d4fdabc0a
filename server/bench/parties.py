"""Players for a bench: sockets that read no more of a frame than a scripted move needs, so that four thousand of them
fit into one process beside the server they try."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec
from msgspec import Struct
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from server.brief import Reader
from server.players import COOKIE, Player, new_player_id, sign
from server.protocol import PROTOCOL, AddBot, AnyClientMessage, Create, Hello, Play, Ready, Sit, Watch
from server.rules.actions import AnyAction, Discard, Draw, Take
from server.rules.refusal import Code
from server.rules.registry import GameName

SEATS = 4
OPTIONS: dict[str, int | str] = {"players": SEATS, "turn_seconds": 0, "target": 1000}
"""Without a clock, which only private tables may have: at a thousand tables most wait longer than a minute."""
ANSWER_SECONDS = 30.0
"""A server that has not answered by then has broken down under the load."""
LEAST_PAUSE = 1 / 20
"""Between two moves of one socket: a socket may send thirty messages a second (server/gateway/limits.py)."""

_encode = msgspec.json.Encoder().encode


class _Seat(Struct):
    asked: bool


class _View(Struct):
    phase: str
    seats: list[_Seat]


class _Legal(Struct):
    verbs: dict[str, object]
    discard: list[str]


class _About(Struct):
    token: str | None


class Glimpse(Struct):
    """What a move needs of a message: of a frame, an `ack` or a `refused`."""

    t: str
    id: str = ""
    table: str = ""
    code: str = ""
    v: int | None = None
    view: _View | None = None
    legal: _Legal | None = None
    decision: int = 0
    about: _About | None = None


class Late(Exception):
    """The table has gone on without this."""


def playing(frame: Glimpse | None) -> bool:
    """Whether a frame shows a hand in play."""
    return frame is not None and frame.view is not None and frame.view.phase == "playing"


class Person:
    """One socket, of a player of its own, at one table at the most."""

    def __init__(self, socket: ClientConnection, cookie: str) -> None:
        self._socket = socket
        self.cookie = cookie
        self._ids = (f"c{number}" for number in itertools.count())
        self._answers: dict[str, asyncio.Future[Glimpse]] = {}
        self._moved = asyncio.Event()
        self.frame: Glimpse | None = None
        self.arrived = 0.0
        """When the newest frame came, by time.perf_counter()."""
        self.token: str | None = None
        """What lets others in, told to who has a seat."""
        self.received = 0
        """Bytes of all texts so far."""

    @property
    def view(self) -> _View:
        """What the newest frame shows."""
        if self.frame is None or self.frame.view is None:
            raise RuntimeError("no frame has come")
        return self.frame.view

    async def read(self) -> None:
        """Take what comes in until the socket is closed."""
        reader = Reader(Glimpse)
        with contextlib.suppress(ConnectionClosed):
            while True:
                text = await self._socket.recv(decode=False)
                self.received += len(text)
                message = reader.read(text)
                if message.t == "frame":
                    if message.about is not None:
                        self.token = message.about.token
                    self.frame, self.arrived = message, time.perf_counter()
                    self._moved.set()
                elif message.id in self._answers:
                    self._answers.pop(message.id).set_result(message)

    async def send(self, message: AnyClientMessage) -> None:
        """Send what has no answer."""
        await self._socket.send(_encode(message), text=True)

    def new_id(self) -> str:
        """The id of the next command."""
        return next(self._ids)

    async def command(self, message: Create | Sit | AddBot | Ready | Play) -> Glimpse:
        """Send a command and wait for its `ack`. Raises RuntimeError if it is refused, Late if it is out of season."""
        answer = self._answers[message.id] = asyncio.get_running_loop().create_future()
        await self.send(message)
        async with asyncio.timeout(ANSWER_SECONDS):
            told: Glimpse = await answer
        if told.code == Code.WRONG_PHASE:
            raise Late
        if told.t != "ack":
            raise RuntimeError(f"{type(message).__name__} was refused: {told.code}")
        return told

    async def until(self, holds: Callable[[Glimpse], bool]) -> float:
        """Wait until something holds of the newest frame; returns when that came."""
        async with asyncio.timeout(ANSWER_SECONDS):
            while self.frame is None or not holds(self.frame):
                self._moved.clear()
                await self._moved.wait()
        return self.arrived

    async def reach(self, v: int) -> float:
        """Wait for the frame of a version, or of a later one; returns when the newest came."""
        return await self.until(lambda frame: (frame.v or 0) >= v)


async def arrive(stack: contextlib.AsyncExitStack, url: str, secret: bytes) -> Person:
    """A guest opens a socket and is welcome."""
    cookie = sign(Player(new_player_id(), "Guest"), secret)
    socket = await stack.enter_async_context(
        connect(
            url.replace("http", "ws", 1) + "/ws",
            additional_headers={"cookie": f"{COOKIE}={cookie}"},
            compression=None,
            ping_interval=None,  # the server's are enough
        )
    )
    person = Person(socket, cookie)
    await person.send(Hello(PROTOCOL))
    await socket.recv()
    reader = asyncio.create_task(person.read())
    stack.callback(reader.cancel)
    return person


class Move(NamedTuple):
    """One move, in µs from when it was due: until the `ack`, the mover's new frame, and that of all four."""

    answer: float
    own_frame: float
    all_frames: float


class Party:
    """Four people at one table, the first in seat 0 and so on."""

    def __init__(self, table: str, people: Sequence[Person]) -> None:
        self.table = table
        self.people = people

    @property
    def received(self) -> int:
        """Bytes that all four have received so far."""
        return sum(person.received for person in self.people)

    async def play(self, count: int, rate: float | None = None, start: float = 0) -> list[Move]:
        """Make so many moves, `rate` a second, the first after `start` seconds; None: each as soon as it may be.

        At a given rate what waits counts from when it was due, or a slow server would be asked less and look quick.
        """
        moves = []
        due = time.perf_counter() + start
        for _ in range(count):
            person = await self._asked()
            await asyncio.sleep(due - time.perf_counter())
            moves.append(await self._move(person, due))
            due = due + 1 / rate if rate else time.perf_counter() + LEAST_PAUSE / SEATS
        return moves

    async def deal(self) -> None:
        """All get ready; where the house has not waited for them (it gives twenty seconds), they are late."""
        for person in self.people:
            with contextlib.suppress(Late):
                await person.command(Ready(person.new_id(), self.table, True, "5eed"))
        for person in self.people:
            await person.until(playing)

    async def _asked(self) -> Person:
        """Who is to move; between hands all get ready first."""
        if not all(playing(person.frame) for person in self.people):
            await self.deal()
        view = self.people[0].view
        return self.people[next(seat for seat, there in enumerate(view.seats) if there.asked)]

    async def _move(self, mover: Person, due: float) -> Move:
        frame = mover.frame
        if frame is None:
            raise RuntimeError("no frame has come")
        ack = await mover.command(Play(mover.new_id(), self.table, frame.decision, plain_move(frame)))
        answered = time.perf_counter()
        own = await mover.reach(ack.v or 0)
        last = max([await person.reach(ack.v or 0) for person in self.people])
        return Move((answered - due) * 1e6, (own - due) * 1e6, (last - due) * 1e6)


async def seated(
    stack: contextlib.AsyncExitStack,
    url: str,
    secret: bytes,
    game: GameName = "konken",
    options: dict[str, int | str] = OPTIONS,
) -> Party:
    """Four people at a new table, all ready, the first hand dealt."""
    people = [await arrive(stack, url, secret) for _ in range(SEATS)]
    table = (await people[0].command(Create(people[0].new_id(), game, options, True))).table
    for person in people:
        await person.send(Watch(table, None, people[0].token))
        await person.reach(1)
    for seat, person in enumerate(people[1:], 1):
        await person.command(Sit(person.new_id(), table, seat))
    party = Party(table, people)
    await party.deal()
    return party


def plain_move(frame: Glimpse) -> AnyAction:
    """Draw, or take where the stock is out; then throw the last card that may be thrown."""
    if frame.legal is None:
        raise ValueError("this seat is not asked")
    if frame.legal.discard:
        return Discard(frame.legal.discard[-1])
    return Draw() if frame.legal.verbs["draw"] is None else Take()
