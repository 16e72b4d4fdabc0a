"""Scripted people on real sockets: each keeps a journal, never gives up, and re-sends what was not answered.

A person has one or more tabs; a tab has one socket at a time, through the person's road. What a tab does is what the
web client does (web/src/net/link.ts), in the house's hurried time.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import random
from collections.abc import Callable

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from server.brief import Reader
from server.players import COOKIE, Player, sign
from server.protocol import (
    PROTOCOL,
    Ack,
    AddBot,
    AnyClientMessage,
    AnyServerMessage,
    Arrange,
    Arranged,
    Claim,
    Create,
    Frame,
    Gone,
    Hello,
    Leave,
    Ping,
    Play,
    Ready,
    Refusal,
    Sit,
    Watch,
    Welcome,
)
from server.rules.actions import AnyAction, Discard, Draw, Exchange, Force, Lay, Meld, Pass, Take, Waive
from server.rules.cards import Placed
from server.rules.refusal import Code
from tests.cluster.history import Answered, History, Seen, Sent, SentAway
from tests.cluster.houses import SECRET
from tests.cluster.road import Road

Order = Create | Sit | Ready | AddBot | Claim | Leave | Play
Melds = tuple[tuple[Placed, ...], ...]

PING_SECONDS = 0.4
"""How long a silent line is believed in, and then how long a ping may take: the client's four seconds, hurried."""
CONNECT_SECONDS = 2.0
GREET_SECONDS = 1.0
"""Whoever is not greeted by then, as the store was away, comes again."""
AGAIN_SECONDS = 0.1
"""After `unavailable` or `rate_limited` a command is sent again, with the same id."""
LOOK_SECONDS = 0.2
"""A tab that hears nothing looks at its tables all the same."""
SOON = {Code.UNAVAILABLE, Code.RATE_LIMITED}
numbers = itertools.count(1)

_encoder = msgspec.json.Encoder()


class Person:
    """Who plays: an id of its own, a road to the workers, tabs, and orders that await their answers.

    `leaving` are tables to be left in mid-match, `hosting` those where this person sees to empty seats. `pace` is the
    least and the most seconds that an answer takes, `patience` how long a silent line is believed in; `bold` ones try
    what may be refused. `only` is the worker that the next connections go to, where it is not to be any.
    """

    def __init__(self, name: str, ports: list[int], history: History, chance: random.Random) -> None:
        self.id = f"{name.lower()}-{chance.randbytes(4).hex()}"
        self.name = name
        self.road = Road(ports)
        self.tabs: list[Tab] = []
        self.tables: list[str] = []
        self.leaving: set[str] = set()
        self.hosting: set[str] = set()
        self.pace = (0.002, 0.03)
        self.patience = PING_SECONDS
        self.bold = True
        self.only: int | None = None
        self.chance = chance
        self.history = history
        self.cookie = sign(Player(self.id, name), SECRET.encode())
        self.workers = len(ports)
        self.on_move: Callable[[int], None] = lambda worker: None
        self._orders = itertools.count(1)

    def new_id(self) -> str:
        """A command id that this person has not used."""
        return f"c{next(self._orders)}"

    async def open_tab(self) -> Tab:
        """One more tab, or the first; wait until it is greeted."""
        tab = Tab(self)
        self.tabs.append(tab)
        tab.start()
        await tab.greeted.wait()
        return tab

    async def close_tab(self, tab: Tab) -> None:
        """Close it; its orders die with it."""
        self.tabs.remove(tab)
        await tab.stop()

    async def go(self) -> None:
        """Close every tab."""
        for tab in list(self.tabs):
            await self.close_tab(tab)

    async def order(self, message: Order) -> Ack | Refusal:
        """Give an order in the first tab; returns its last word."""
        return await self.tabs[0].order(message)


class Tab:
    """One open page."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.number = next(numbers)
        self.frames: dict[str, Frame] = {}
        self.gone: set[str] = set()
        self.greeted = asyncio.Event()
        self.socket: ClientConnection | None = None
        self.worker = 0
        self.longest_gap = 0.0
        self._socket_no = 0
        self._unanswered: dict[str, tuple[Order, asyncio.Future[Ack | Refusal]]] = {}
        self._asked: dict[str, asyncio.Future[Melds]] = {}
        self._changed = asyncio.Event()
        self._heard = 0.0
        self._done: set[tuple[str, int]] = set()
        self._asked_for: dict[str, float] = {}
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Connect for ever, and play."""
        self._tasks = [asyncio.create_task(self._stay_connected()), asyncio.create_task(self._play())]

    @property
    def broken(self) -> str:
        """What ended a loop that should have gone on for ever: a fault of ours, or a frame that no client knows."""
        ended = (task for task in self._tasks[:2] if task.done() and not task.cancelled())
        return "; ".join(repr(task.exception()) for task in ended)

    async def stop(self) -> None:
        """Close the page."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for _, future in self._unanswered.values():
            future.cancel()
        self.greeted.set()  # whoever waits for this page to open need not any more

    async def watch(self, table: str) -> None:
        """Look at a table, on this socket and all later ones."""
        if self.socket is not None:
            with contextlib.suppress(OSError, WebSocketException):
                await self._look_at(self.socket, table)

    async def _look_at(self, socket: ClientConnection, table: str) -> None:
        frame = self.frames.get(table)
        self._asked_for[table] = asyncio.get_running_loop().time()
        await self._say(socket, Watch(table, None if frame is None else frame.v))

    def switch(self) -> None:
        """Another network: the old socket is left as it is, and a new one opened."""
        self.person.road.silence()
        self.socket = None
        self._tasks[0].cancel()
        self._tasks[0] = asyncio.create_task(self._stay_connected())

    # ---- the line

    async def _stay_connected(self) -> None:
        person = self.person
        lost = asyncio.get_running_loop().time()
        while True:
            any_worker = person.chance.randrange(person.workers)
            self.worker = person.road.worker = any_worker if person.only is None else person.only
            with contextlib.suppress(OSError, TimeoutError, WebSocketException):
                await self._talk(lost)
            if self.greeted.is_set():
                self.greeted.clear()
                lost = asyncio.get_running_loop().time()
            await asyncio.sleep(person.chance.uniform(0.005, 0.06))

    async def _talk(self, lost: float) -> None:
        url = f"ws://127.0.0.1:{self.person.road.port}/ws"
        cookie = {"cookie": f"{COOKIE}={self.person.cookie}"}
        socket = await connect(
            url,
            additional_headers=cookie,
            compression=None,
            ping_interval=None,
            open_timeout=CONNECT_SECONDS,
            close_timeout=0.1,
            proxy=None,
        )
        self._socket_no = next(numbers)
        reader = Reader()
        try:
            await self._say(socket, Hello(PROTOCOL))
            pinged, limit = False, asyncio.get_running_loop().time() + GREET_SECONDS
            while True:
                try:
                    async with asyncio.timeout(self.person.patience):
                        text = await socket.recv()
                except TimeoutError:
                    late = self.socket is not socket and asyncio.get_running_loop().time() > limit
                    if pinged or late:
                        return
                    pinged = True
                    await self._say(socket, Ping())
                    continue
                pinged = False
                message = reader.read(text)
                if isinstance(message, Welcome):
                    await self._welcomed(socket, lost)
                self._take(message)
        finally:
            if self.socket is socket:
                self.socket = None
            socket.transport.abort()

    async def _welcomed(self, socket: ClientConnection, lost: float) -> None:
        self.socket = socket
        for table in self.person.tables:
            await self._look_at(socket, table)
        for message, _ in list(self._unanswered.values()):
            await self._send(message)
        self.longest_gap = max(self.longest_gap, asyncio.get_running_loop().time() - lost)
        self.greeted.set()

    async def _say(self, socket: ClientConnection, message: AnyClientMessage) -> None:
        await socket.send(_encoder.encode(message).decode())

    async def _send(self, order: Order) -> None:
        """Send an order if there is a line; if not, or if it breaks, the next one will have it."""
        socket = self.socket
        if socket is None:
            return
        action = order.action if isinstance(order, Play) else None
        verb = order.__struct_config__.tag
        table = getattr(order, "table", "")
        self.person.history.sent.append(Sent(self.person.id, order.id, table, str(verb), action))
        with contextlib.suppress(OSError, WebSocketException):
            await self._say(socket, order)
        if action is not None:
            self.person.on_move(self.worker)

    def _take(self, message: AnyServerMessage) -> None:
        person = self.person
        match message:
            case Frame():
                person.history.seen.append(Seen(person.id, self.number, self._socket_no, message))
                self.frames[message.table] = message
                self.gone.discard(message.table)
                self._changed.set()
            case Gone():
                since = self._asked_for.get(message.table, 0.0)
                person.history.sent_away.append(SentAway(person.id, message.table, since))
                self.gone.add(message.table)
                self.frames.pop(message.table, None)
            case Ack() | Refusal():
                self._answered(message)
            case Arranged():
                if (asked := self._asked.pop(message.id, None)) is not None and not asked.done():
                    asked.set_result(message.melds)
            case _:
                pass

    def _answered(self, answer: Ack | Refusal) -> None:
        if not answer.id:  # a watch, which nobody could serve just now
            self._keep(asyncio.ensure_future(self._watch_again()))
        if (asked := self._asked.pop(answer.id, None)) is not None:
            asked.cancel()
        if answer.id not in self._unanswered:
            return
        self.person.history.answered.append(Answered(self.person.id, answer.id, answer))
        if isinstance(answer, Refusal) and answer.code in SOON:
            asyncio.get_running_loop().call_later(AGAIN_SECONDS, self._again, answer.id)
            return
        _, future = self._unanswered.pop(answer.id)
        if not future.done():
            future.set_result(answer)
        self._changed.set()

    async def _watch_again(self) -> None:
        await asyncio.sleep(AGAIN_SECONDS)
        for table in self.person.tables:
            await self.watch(table)

    def _again(self, command: str) -> None:
        if command in self._unanswered and not self._tasks[0].done():
            task = asyncio.ensure_future(self._send(self._unanswered[command][0]))
            self._keep(task)

    def _keep(self, task: asyncio.Task[None]) -> None:
        self._tasks.append(task)
        task.add_done_callback(lambda done: self._tasks.remove(done) if done in self._tasks else None)

    async def order(self, message: Order) -> Ack | Refusal:
        """Give an order, on however many sockets it takes; returns its last word."""
        future: asyncio.Future[Ack | Refusal] = asyncio.get_running_loop().create_future()
        self._unanswered[message.id] = (message, future)
        await self._send(message)
        return await future

    # ---- the game

    async def _play(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_SECONDS):
                    await self._changed.wait()
            self._changed.clear()
            for table in list(self.person.tables):
                frame = self.frames.get(table)
                if frame is not None and frame.you is not None and not self._waits_for(table):
                    await self._act(table, frame, frame.you)

    def _waits_for(self, table: str) -> bool:
        return any(getattr(order, "table", "") == table for order, _ in self._unanswered.values())

    async def _act(self, table: str, frame: Frame, you: int) -> None:
        person, view = self.person, frame.view
        if table in person.leaving and view.phase == "playing":
            person.leaving.discard(table)
            self._give(Leave(person.new_id(), table))
        elif view.phase == "playing" and view.seats[you].asked and not view.seats[you].stand_in:
            await self._answer(table, frame)
        elif view.absences and self._once(table, frame.v):
            self._vote(table, frame, you)
        elif view.phase in ("open", "between"):
            empty = [i for i, seat in enumerate(view.seats) if seat.kind == "empty"]
            # Before the match only where the store has lost who sat there.
            alone = view.phase == "between" or table in person.hosting
            if empty and alone and self._once(table, frame.v):
                self._give(AddBot(person.new_id(), table, empty[0]))
            elif not empty and not view.seats[you].ready and self._once(table, frame.v):
                self._get_ready(table)

    def _get_ready(self, table: str) -> None:
        person = self.person
        if person.chance.random() < 0.9:  # the others are ready by themselves after a while
            self._give(Ready(person.new_id(), table, True, person.chance.randbytes(4).hex()))

    def _once(self, table: str, v: int) -> bool:
        """Whether this version has not been reacted to."""
        fresh = (table, v) not in self._done
        self._done.add((table, v))
        return fresh

    def _vote(self, table: str, frame: Frame, you: int) -> None:
        for absence in frame.view.absences:
            if absence.seat != you and you not in absence.votes:
                choice = self.person.chance.choice(absence.choices)
                self._give(Claim(self.person.new_id(), table, absence.seat, choice))
                return

    def _give(self, message: Order) -> None:
        self._keep(asyncio.ensure_future(self._ordered(message)))

    async def _ordered(self, message: Order) -> None:
        await self.order(message)

    async def _answer(self, table: str, frame: Frame) -> None:
        await asyncio.sleep(self.person.chance.uniform(*self.person.pace))
        if self.frames.get(table) is not frame or self.socket is None:
            return
        action = await self._choose(table, frame)
        if self.frames.get(table) is frame:
            self._give(Play(self.person.new_id(), table, frame.decision, action))

    async def _choose(self, table: str, frame: Frame) -> AnyAction:
        """Some answer to the question; now and then one that is refused."""
        person, hand, legal = self.person, frame.view.hand, frame.legal
        chance = person.chance
        assert hand is not None
        assert legal is not None
        own = hand.hand or ()

        def may(verb: str) -> bool:
            return verb in legal.verbs and legal.verbs[verb] is None

        tried = (table, -frame.v) in self._done
        self._done.add((table, -frame.v))
        if may("exchange"):
            return Exchange(chance.choice(own))
        wants = may("meld") and (not may("pass") or (not tried and chance.random() < 0.6))
        if wants and (melds := await self._arrange(table)):
            return Meld(melds)
        if may("force") and chance.random() < 0.5:
            return Force()
        if may("pass"):
            return Pass()
        if may("waive"):
            return Waive()
        if may("take") and person.bold and chance.random() < 0.2:
            return Take()
        if may("draw"):
            return Draw()
        if (
            may("lay")
            and person.bold
            and not tried
            and chance.random() < 0.3
            and (melds := await self._arrange(table))
        ):
            return Lay(melds)
        cards = legal.discard or own
        return Discard(chance.choice(cards)) if cards else Pass()

    async def _arrange(self, table: str) -> Melds:
        """The best melds, where the line holds long enough to ask."""
        if self.socket is None:
            return ()
        question = Arrange(self.person.new_id(), table)
        asked: asyncio.Future[Melds] = asyncio.get_running_loop().create_future()
        self._asked[question.id] = asked
        try:
            async with asyncio.timeout(PING_SECONDS):
                await self._say(self.socket, question)
                return await asked
        except (TimeoutError, OSError, WebSocketException, asyncio.CancelledError):
            if (task := asyncio.current_task()) is not None and task.cancelling():
                raise
            return ()
