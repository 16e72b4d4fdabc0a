"""One socket's conversation: messages in, answers and frames out. Without the socket itself, so it is easily tested."""

from __future__ import annotations

import secrets

import msgspec
import structlog

from server import telemetry
from server.gateway.context import Context
from server.gateway.limits import (
    CHECKS_BURST,
    CHECKS_PER_SECOND,
    COMMANDS_BURST,
    COMMANDS_PER_SECOND,
    FLOOD,
    MOST_TABLES,
    NAMES_BURST,
    NAMES_PER_SECOND,
    PHRASES_BURST,
    PHRASES_PER_SECOND,
    Bucket,
)
from server.gateway.outbox import Outbox
from server.names import clean_name
from server.protocol import (
    PROTOCOL,
    Ack,
    AddBot,
    AnyClientMessage,
    Arrange,
    Arranged,
    Bye,
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
    LobbyRow,
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
from server.rules.refusal import Code, Refused
from server.tables import commands
from server.tables.checking import arrange, check
from server.tables.opening import open_table
from server.tables.quick import play_now
from server.tables.store import StoreError
from server.tables.table import Event, Table, TooNew

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


class Connection:
    """What one socket of a player may do; a Watcher of the hub."""

    def __init__(self, context: Context, player: str, name: str) -> None:
        self.player = player
        self.name = name
        self.conn = secrets.token_hex(6)
        self.outbox = Outbox(player, context.clock)
        self._context = context
        self._tokens: dict[str, str | None] = {}
        self._commands = Bucket(COMMANDS_PER_SECOND, COMMANDS_BURST)
        self._checks = Bucket(CHECKS_PER_SECOND, CHECKS_BURST)
        self._phrases = Bucket(PHRASES_PER_SECOND, PHRASES_BURST)
        self._names = Bucket(NAMES_PER_SECOND, NAMES_BURST)
        self._too_many = 0

    # ---- Watcher

    def show(self, table: Table, events: tuple[Event, ...], sync: bool) -> None:
        """A table has a new version."""
        self.outbox.show(table, events, sync)

    def gone(self, table_id: str, code: Code) -> None:
        """A table is gone, or not for this player."""
        self.outbox.forget(table_id)
        self._tokens.pop(table_id, None)
        self.outbox.put(Gone(table_id, code))

    def said(self, table_id: str, seat: int, phrase: int) -> None:
        """Somebody says a phrase."""
        self.outbox.put(Said(table_id, seat, phrase))

    def lobby(self, rows: list[LobbyRow], gone: list[str], full: bool) -> None:
        """The lobby has changed."""
        self.outbox.put(LobbyRows(tuple(rows), tuple(gone), full))

    # ---- messages

    async def receive(self, text: str) -> None:
        """Handle one message. Raises Flood or Reload when the socket has to be closed."""
        try:
            message = decode(text)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            if self._limit(command_id := _id_of(text)):
                self._refuse(command_id, Refused(Code.MALFORMED))
            return
        if not self._limit(getattr(message, "id", "")):
            return
        try:
            await self._handle(message)
        except Refused as refused:
            self._refuse(getattr(message, "id", ""), refused)
        except StoreError as error:
            log.warning("store away", error=repr(error))
            self._refuse(getattr(message, "id", ""), Refused(Code.UNAVAILABLE))
        except TooNew:
            # A newer server has written this table: the client will find one behind the proxy.
            self._refuse(getattr(message, "id", ""), Refused(Code.UNAVAILABLE))
        except (Flood, Reload):
            raise
        except Exception:
            log.exception("fault", player=self.player, table=getattr(message, "table", None))
            self._refuse(getattr(message, "id", ""), Refused(Code.UNAVAILABLE))

    def _limit(self, command_id: str) -> bool:
        if self._commands.take():
            self._too_many = max(0, self._too_many - 1)
            return True
        self._too_many += 1
        if self._too_many > FLOOD:
            raise Flood
        self._refuse(command_id, Refused(Code.RATE_LIMITED))
        return False

    def _refuse(self, command_id: str, refused: Refused) -> None:
        telemetry.REFUSALS.labels(refused.code.value).inc()
        self.outbox.put(Refusal(command_id, refused.code, refused.detail))

    async def _handle(self, message: AnyClientMessage) -> None:
        match message:
            case Hello():
                await self._hello(message)
            case Lobby():
                await self._lobby(message)
            case Watch():
                await self._watch(message)
            case Unwatch():
                self._tokens.pop(message.table, None)
                self.outbox.forget(message.table)
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
                        await self._context.hub.lease(self, message.table)
                table = await self._context.service.execute(message.table, self._translate(message))
                self.outbox.put(Ack(message.id, table.id, table.v))

    async def _hello(self, message: Hello) -> None:
        if not PROTOCOL - 1 <= message.protocol <= PROTOCOL:
            self.outbox.put(Bye("reload"))
            raise Reload
        lost = await self._context.lost_tables(self.player)
        own = await self._context.hub.own_tables(self.player, lost)
        now = self._context.clock.now()
        self.outbox.put(Welcome(self.name, self._context.build, now, tuple(own)))

    async def _lobby(self, message: Lobby) -> None:
        if message.on:
            own = await self._context.hub.own_tables(self.player)
            self.outbox.put(LobbyRows((), own=tuple(own)))
            await self._context.hub.follow(self)
        else:
            self._context.hub.unfollow(self)

    async def _watch(self, message: Watch) -> None:
        self._tokens[message.table] = message.token
        self.outbox.expect(message.table, message.seen)
        try:
            await self._context.hub.watch(self, message.table, message.token)
        except Refused as refused:
            if refused.code is Code.UNAVAILABLE:
                self._tokens.pop(message.table, None)
                raise  # not gone: the client asks again
            self.gone(message.table, refused.code)
        except BaseException:
            self._tokens.pop(message.table, None)
            raise

    async def _check(self, message: Check) -> None:
        if not self._checks.take():
            raise Refused(Code.RATE_LIMITED)
        table = await self._context.service.read(message.table)
        try:
            points = check(table, self.player, message.decision, message.action)
        except Refused as refused:
            self.outbox.put(Checked(message.id, code=refused.code, detail=refused.detail))
        else:
            self.outbox.put(Checked(message.id, points))

    async def _check_room(self, table_id: str | None = None) -> None:
        """Nobody plays at more tables than a person could; whoever holds them all would crowd out the others."""
        held = await self._context.hub.seats_of(self.player)
        if len(held) >= MOST_TABLES and table_id not in held:
            raise Refused(Code.RATE_LIMITED)

    async def _create(self, message: Create) -> None:
        context = self._context
        await self._check_room()
        table = open_table(message, self.player, self.name, context.secret, context.service.moment())
        await context.service.create(table)
        self.outbox.put(Ack(message.id, table.id, table.v))

    async def _quick(self, message: Quick) -> None:
        context = self._context
        await self._check_room()
        table = await play_now(context.hub, context.service, message, self.player, self.name, context.secret)
        self.outbox.put(Ack(message.id, table.id, table.v))

    async def _arrange(self, message: Arrange) -> None:
        if not self._checks.take():
            raise Refused(Code.RATE_LIMITED)
        melds = arrange(await self._context.service.read(message.table), self.player)
        self.outbox.put(Arranged(message.id, melds))

    async def _say(self, message: Say) -> None:
        if not self._phrases.take():
            raise Refused(Code.RATE_LIMITED)
        seat = (await self._context.service.read(message.table)).seat_of(self.player)
        if seat is None:
            raise Refused(Code.NOT_SEATED)
        await self._context.hub.say(message.table, seat, message.phrase)
        self.outbox.put(Ack(message.id, message.table))

    async def _rename(self, message: Rename) -> None:
        name = clean_name(message.name)
        if name is None:
            raise Refused(Code.MALFORMED)
        if not self._names.take():
            raise Refused(Code.RATE_LIMITED)
        self.name = name
        for table in await self._context.hub.tables_of(self.player):
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
        self._context.hub.unfollow(self)
        for table_id in self._context.hub.watched_by(self):
            try:
                await self._context.hub.unwatch(self, table_id)
            except StoreError as error:
                log.warning("store away, the lease will run out", table=table_id, error=repr(error))


def _id_of(text: str) -> str:
    # Even an unreadable command deserves its answer, if its id can be read.
    try:
        return _id.decode(text).id[:40]
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return ""
