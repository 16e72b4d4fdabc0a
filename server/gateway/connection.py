"""One socket's conversation: messages in, answers and frames out. Without the socket itself, so it is easily tested."""

from __future__ import annotations

import contextlib
import secrets

import msgspec
import structlog

from server import telemetry
from server.gateway.context import Context
from server.gateway.limits import MOST_TABLES, MOST_WATCHED, Allowance
from server.gateway.outbox import Outbox
from server.names import clean_name
from server.protocol import (
    PROTOCOL,
    Ack,
    AddBot,
    AnyClientMessage,
    Arrange,
    Arranged,
    Check,
    Checked,
    Claim,
    Create,
    DropBot,
    Gone,
    Hello,
    Kick,
    Leave,
    Lobby,
    LobbyRows,
    Ping,
    Play,
    Pong,
    Quick,
    Ready,
    Refusal,
    Rename,
    Said,
    Say,
    Sit,
    Stand,
    Unwatch,
    Watch,
    Welcome,
    decode,
)
from server.rules.refusal import Code, Detail, Refused
from server.tables import commands
from server.tables.checking import arrange, check
from server.tables.forms import TooNew
from server.tables.ids import new_table_id
from server.tables.opening import open_table
from server.tables.quick import play_now
from server.tables.store import StoreError
from server.tables.table import Event, Table

log = structlog.get_logger(__name__)

Command = Sit | Stand | Leave | Kick | Ready | AddBot | DropBot | Play | Claim
"""Commands to one table."""


class _Id(msgspec.Struct):
    id: str = ""


_id = msgspec.json.Decoder(_Id)


class Flood(Exception):
    """The socket asks for more than anybody's client would."""


class Reload(Exception):
    """The client is too old to be understood."""


class Outdated(Exception):
    """This server is: a newer one has written the table. The proxy knows where that one is."""


class Connection:
    """What one socket of a player may do; a Watcher of the hub."""

    def __init__(self, context: Context, player: str, name: str, address: str) -> None:
        self.player = player
        self.name = name
        self.conn = secrets.token_hex(6)
        self.outbox = Outbox(player, context.clock, context.commons)
        self._context = context
        self._tokens: dict[str, str | None] = {}
        self._allowance = Allowance(context.doorkeeper, address)

    # ---- Watcher

    def show(self, table: Table, events: tuple[Event, ...], sync: bool) -> None:
        """A table has a new version."""
        self.outbox.show(table, events, sync)

    def gone(self, table_id: str, code: Code) -> None:
        """A table is gone, or not for this player."""
        self._forget(table_id)
        self.outbox.put(Gone(table_id, code))

    def said(self, table_id: str, seat: int, phrase: int) -> None:
        """Somebody says a phrase."""
        self.outbox.put(Said(table_id, seat, phrase))

    def lobby(self, rows: LobbyRows) -> None:
        """The lobby has changed."""
        self.outbox.put(rows)

    # ---- messages

    async def receive(self, text: str) -> None:
        """Handle one message. Raises Flood, Reload or Outdated when the socket has to be closed."""
        telemetry.MESSAGES.inc()
        try:
            message = decode(text)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            self._refuse(_id_of(text), Code.MALFORMED if self._allowed() else Code.RATE_LIMITED)
            return
        command_id = getattr(message, "id", "")
        if not (self._allowed() and self._allowance.of(message)):
            self._refuse(command_id, Code.RATE_LIMITED)
            return
        heard = {"message": type(message).__name__, "table": getattr(message, "table", None)}
        log.debug("heard", **heard, id=command_id)
        try:
            await self._handle(message)
        except Refused as refused:
            log.debug("refused", **heard, id=command_id, code=refused.code)
            self._refuse(command_id, refused.code, refused.detail)
        except StoreError as error:
            telemetry.store_outage.began(error)
            self._refuse(command_id, Code.UNAVAILABLE)
        except TooNew:
            raise Outdated from None
        except Reload:
            raise
        except Exception:
            log.exception("fault", **heard)
            self._refuse(command_id, Code.UNAVAILABLE)

    def _allowed(self) -> bool:
        """Whether one more message may come. Raises Flood."""
        if self._allowance.message():
            return True
        if self._allowance.flooding:
            raise Flood
        return False

    def _refuse(self, command_id: str, code: Code, detail: Detail | None = None) -> None:
        telemetry.REFUSALS.labels(code.value).inc()
        self.outbox.put(Refusal(command_id, code, detail or {}))

    async def _handle(self, message: AnyClientMessage) -> None:
        match message:
            case Hello():
                await self._hello(message)
            case Lobby():
                await self._lobby(message)
            case Watch():
                await self._watch(message)
            case Unwatch():
                self._forget(message.table)
                await self._context.hub.unwatch(self, message.table)
            case Check():
                await self._check(message)
            case Ping():
                self.outbox.put(Pong(self._context.clock.now()))
            case Create():
                await self._create(message)
            case Quick():
                await self._quick(message)
            case Arrange():
                await self._arrange(message)
            case Say():
                await self._say(message)
            case Rename():
                await self._rename(message)
            case _:
                if isinstance(message, Sit):
                    await self._check_room(message.table)
                    if message.table in self._tokens:
                        await self._context.hub.leases.lease(self.conn, message.table)
                table = await self._context.service.execute(message.table, self._translate(message))
                self.outbox.put(Ack(message.id, table.id, table.v))

    async def _hello(self, message: Hello) -> None:
        if not PROTOCOL - 1 <= message.protocol <= PROTOCOL:
            raise Reload
        self.outbox.whole = message.protocol < PROTOCOL
        lost = await self._context.lost_tables(self.player)
        own = await self._context.whereabouts.own_tables(self.player, lost)
        now = self._context.clock.now()
        self.outbox.put(Welcome(self.name, self._context.build, now, tuple(own), self._context.gathered))

    async def _lobby(self, message: Lobby) -> None:
        if message.on:
            own = await self._context.whereabouts.own_tables(self.player)
            self.outbox.put(LobbyRows((), own=tuple(own)))
            await self._context.hub.lobby.follow(self)
        else:
            self._context.hub.lobby.unfollow(self)

    async def _watch(self, message: Watch) -> None:
        if len(self._tokens) >= MOST_WATCHED and message.table not in self._tokens:
            raise Refused(Code.TOO_MANY_TABLES, most=MOST_WATCHED)
        self._tokens[message.table] = message.token
        self.outbox.expect(message.table, message.seen)
        try:
            await self._context.hub.watch(self, message.table, message.token, message.seen)
        except BaseException as error:
            self._forget(message.table)
            if not isinstance(error, Refused) or error.code is Code.UNAVAILABLE:
                raise  # it may be there all the same: the client asks again
            self.outbox.put(Gone(message.table, error.code))

    def _forget(self, table_id: str) -> None:
        self.outbox.forget(table_id)
        self._tokens.pop(table_id, None)

    async def _check(self, message: Check) -> None:
        table = await self._context.service.read(message.table)
        try:
            points = check(table, self.player, message.decision, message.action)
        except Refused as refused:
            self.outbox.put(Checked(message.id, code=refused.code, detail=refused.detail))
        else:
            self.outbox.put(Checked(message.id, points))

    async def _check_room(self, table_id: str) -> None:
        """Nobody plays at more tables than a person could; whoever holds them all would crowd out the others."""
        if not await self._context.whereabouts.has_room(self.player, MOST_TABLES, table_id):
            raise Refused(Code.TOO_MANY_TABLES, most=MOST_TABLES)

    async def _create(self, message: Create) -> None:
        context = self._context
        table = open_table(message, self.player, self.name, context.secret, context.service.moment())
        await self._check_room(table.id)  # a re-send has its table already
        await context.service.create(table)
        self.outbox.put(Ack(message.id, table.id, table.v))

    async def _quick(self, message: Quick) -> None:
        context = self._context
        await self._check_room(new_table_id(context.secret, self.player, message.id))
        table = await play_now(
            context.hub.lobby,
            context.whereabouts,
            context.service,
            message,
            self.player,
            self.name,
            context.secret,
        )
        self.outbox.put(Ack(message.id, table.id, table.v))

    async def _arrange(self, message: Arrange) -> None:
        melds = arrange(await self._context.service.read(message.table), self.player)
        self.outbox.put(Arranged(message.id, melds))

    async def _say(self, message: Say) -> None:
        seat = (await self._context.service.read(message.table)).seat_of(self.player)
        if seat is None:
            raise Refused(Code.NOT_SEATED)
        await self._context.hub.say(message.table, seat, message.phrase)
        self.outbox.put(Ack(message.id, message.table))

    async def _rename(self, message: Rename) -> None:
        name = clean_name(message.name)
        if name is None:
            raise Refused(Code.MALFORMED)
        self.name = name
        for table in await self._context.whereabouts.tables_of(self.player):
            # One that has ended meanwhile must not keep it from the others.
            with contextlib.suppress(Refused):
                await self._context.service.execute(table.id, commands.Rename(message.id, self.player, name))
        self.outbox.put(Ack(message.id))

    def _translate(self, message: Command) -> commands.Command:
        player = self.player
        match message:
            case Sit():
                watched = message.table in self._tokens
                conn = self.conn if watched else None
                token = self._tokens.get(message.table)
                return commands.Sit(message.id, player, self.name, conn, message.seat, token)
            case Stand():
                return commands.Stand(message.id, player)
            case Leave():
                return commands.Leave(message.id, player)
            case Kick():
                return commands.Kick(message.id, player, message.seat)
            case Ready():
                return commands.Ready(message.id, player, message.on, message.nonce)
            case AddBot():
                return commands.AddBot(message.id, player, message.seat, message.level)
            case DropBot():
                return commands.DropBot(message.id, player, message.seat)
            case Play():
                return commands.Play(message.id, player, message.decision, message.action)
            case Claim():
                return commands.Claim(message.id, player, message.seat, message.choice)

    def drop(self) -> None:
        """The socket ends with its worker: nobody is told, and leases cover the time until its player is back."""
        self._context.hub.drop(self)

    async def close(self) -> None:
        """The socket is gone: every seat it watched loses this connection."""
        self._context.hub.lobby.unfollow(self)
        try:
            for table_id in self._context.hub.watched_by(self):
                try:
                    await self._context.hub.unwatch(self, table_id)
                except StoreError as error:
                    telemetry.store_outage.began(error)  # the lease will run out
                except TooNew:
                    continue  # newer code has that table, and finds the lost lease
        finally:
            self._context.hub.drop(self)


def _id_of(text: str) -> str:
    # Even an unreadable command deserves its answer, if its id can be read.
    try:
        return _id.decode(text).id[:40]
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return ""
