"""The way to Redis: commands out, answers in. What one server is, and what a cluster is, ends here and in
redis_cluster.py; the store only says which shard it speaks to.

What is asked in one tick of the loop goes out as one pipeline on one connection, and while that is under way what is
asked next gathers: a commit among several costs a quarter of one alone, and no load needs more connections.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Iterable, Sequence
from importlib.resources import files
from typing import Any

from hiredis import pack_command
from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.asyncio.connection import AbstractConnection
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as ConnectionLost
from redis.exceptions import NoScriptError, RedisError
from redis.maint_notifications import MaintNotificationsConfig

CONNECT_SECONDS = 5
"""redis-py's own limit of 5 s for every command is left as it is."""
HEALTH_SECONDS = 15
"""A connection idle for longer is tried before it is used: proxies drop what is silent for a minute."""
SOME_SECONDS = 1.0
"""How long those who ask every shard wait for the last after the first: a master that is away must not stop others."""

BROKEN = (RedisError, OSError, RuntimeError)
"""What a call of redis-py raises when its connection breaks: it lets through what it did not expect, such as uvloop's
RuntimeError of a transport that has just closed."""


class Script:
    """A Lua file of this folder, called by its hash."""

    def __init__(self, name: str) -> None:
        self.text = files("server.tables").joinpath(name).read_text()
        self.sha = hashlib.sha1(self.text.encode()).hexdigest()  # noqa: S324 - what EVALSHA asks for


class Packing(AbstractConnection):
    """Spells out a pipeline in C, as redis-py does wherever it is not asynchronous: in Python that took longer than all
    else that a commit does here before it is sent.
    """

    def pack_commands(self, commands: Iterable[Iterable[Any]]) -> list[bytes]:
        """The bytes of several commands, whose names are single words."""
        return [b"".join(pack_command(tuple(command)) for command in commands)]


def client_of(url: str) -> Redis:
    """A client of one server. A connection that has gone stale is made anew and what was asked is asked again, once;
    beyond that, we try again ourselves.
    """
    redis = Redis.from_url(
        url,
        socket_connect_timeout=CONNECT_SECONDS,
        health_check_interval=HEALTH_SECONDS,
        retry=Retry(NoBackoff(), 1, (ConnectionLost,)),
        # Where these are awaited, redis-py no longer looks for what is left of an answer before it asks the next.
        maint_notifications_config=MaintNotificationsConfig(enabled=False),
    )
    pool = redis.connection_pool
    pool.connection_class = type("Packing", (Packing, pool.connection_class), {})
    return redis


class Call:
    """One command on its way, and the future of its answer."""

    __slots__ = ("answer", "command", "script", "shard", "tries", "until")

    def __init__(self, shard: str, command: tuple[Any, ...], script: Script | None, until: float) -> None:
        self.shard = shard
        self.command = command
        self.script = script
        self.until = until
        self.tries = 0
        self.answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

    def spell_out(self) -> None:
        """This server does not know the script: send its text, by which it learns it."""
        if self.script is not None:
            self.command = ("EVAL", self.script.text, *self.command[2:])


Settle = Callable[[Call, Any], None]
"""Told what came of a call: an answer, or an exception."""


class Server:
    """One Redis: at any time at most one pipeline is under way to it."""

    def __init__(self, redis: Redis, settle: Settle) -> None:
        self.redis = redis
        self._settle = settle
        self._waiting: list[Call] = []
        self._sender: asyncio.Task[None] | None = None

    def put(self, call: Call) -> None:
        """Send a call with the next pipeline."""
        self._waiting.append(call)
        if self._sender is None:
            self._sender = asyncio.get_running_loop().create_task(self._send_all())

    async def ask(self, *command: Any) -> Any:
        """Ask this very server, past the pipeline. Raises RedisError."""
        try:
            return await self.redis.execute_command(*command)  # type: ignore[no-untyped-call]
        except RedisError:
            raise
        except BROKEN as error:
            raise ConnectionLost(repr(error)) from error

    async def _send_all(self) -> None:
        try:
            while self._waiting:
                # Nobody waits any more for what has been cancelled.
                calls = [call for call in self._waiting if not call.answer.done()]
                self._waiting = []
                for call, answer in zip(calls, await self._send(calls), strict=True):
                    self._settle(call, answer)
        finally:
            self._sender = None

    async def _send(self, calls: list[Call]) -> Sequence[Any]:
        pipe = self.redis.pipeline(transaction=False)
        for call in calls:
            pipe.execute_command(*call.command)
        try:
            return await pipe.execute(raise_on_error=False)
        except RedisError as error:
            return [error] * len(calls)
        except BROKEN as error:
            return [ConnectionLost(repr(error))] * len(calls)
        except Exception as error:
            return [error] * len(calls)

    async def close(self) -> None:
        """Close the connections; what was not answered is lost."""
        lost, self._waiting = self._waiting, []
        await self.redis.aclose()
        for call in lost:
            self._settle(call, ConnectionLost("closed"))


class Link:
    """The way to a store that is one server."""

    def __init__(self, url: str) -> None:
        self._server = Server(client_of(url), self._settle)

    def call(self, shard: str, *command: Any) -> asyncio.Future[Any]:
        """Ask something of a shard. The future ends with the answer or raises RedisError."""
        return self._put(Call(shard, command, None, self._deadline()))

    def run(
        self, shard: str, script: Script, keys: Sequence[str], args: Sequence[Any]
    ) -> asyncio.Future[Any]:
        """Run a script on keys of one shard."""
        command = ("EVALSHA", script.sha, len(keys), *keys, *args)
        return self._put(Call(shard, command, script, self._deadline()))

    async def ask(self, *command: Any) -> Any:
        """Ask what any server can tell. Raises RedisError where none answers."""
        return await self.call("", *command)

    def group_of(self, shard: str) -> str:
        """Shards of one group share a subscription."""
        return ""

    def pubsub(self, shard: str) -> PubSub:
        """A new subscription where the channels of a shard are. Raises RedisError while nobody knows where."""
        return self._server.redis.pubsub()

    def moved(self, shard: str) -> None:
        """What was published for a shard comes no longer from where it did."""

    async def close(self) -> None:
        """Close all connections."""
        await self._server.close()

    def _deadline(self) -> float:
        return 0.0

    def _put(self, call: Call) -> asyncio.Future[Any]:
        self._server.put(call)
        return call.answer

    def _settle(self, call: Call, answer: Any) -> None:
        if call.answer.done():
            return
        if isinstance(answer, NoScriptError):
            call.spell_out()
            self._put(call)
        elif isinstance(answer, Exception):
            self._failed(call, answer)
        else:
            call.answer.set_result(answer)

    def _failed(self, call: Call, error: Exception) -> None:
        """redis-py has tried again already where that could help."""
        call.answer.set_exception(error)


async def of_all(calls: Iterable[asyncio.Future[Any]]) -> list[Any]:
    """The answers to all calls, in order; raises the first error once all have ended."""
    answers = await asyncio.gather(*calls, return_exceptions=True)
    for answer in answers:
        if isinstance(answer, BaseException):
            raise answer
    return answers


async def of_some(calls: Iterable[asyncio.Future[Any]], seconds: float = SOME_SECONDS) -> list[Any]:
    """The answers that come, in order, None in the place of those that fail or are much later than the first.

    Raises an error only where none came: shards are asked together, and one that is away is not the end of all.
    """
    calls = list(calls)
    try:
        if calls:
            await asyncio.wait(calls, return_when=asyncio.FIRST_COMPLETED)
            await asyncio.wait(calls, timeout=seconds)
    except asyncio.CancelledError:
        for call in calls:  # nobody waits for them any more
            call.cancel()
        raise
    answers: list[Any] = []
    errors: list[BaseException] = []
    for call in calls:
        if not call.done():
            call.cancel()
            errors.append(ConnectionLost("no answer in time"))
        elif (error := call.exception()) is not None:
            errors.append(error)
        else:
            answers.append(call.result())
            continue
        answers.append(None)
    if errors and len(errors) == len(calls):
        raise errors[0]
    return answers


__all__ = ["BROKEN", "Call", "Link", "RedisError", "Script", "Server", "of_all", "of_some"]
