"""Whatever is sent, nobody but the sender notices: no fault, no neighbour closed, no table changed.

The fixed corpus and thirty examples in CI; `./dev test --full` goes on for a thousand of each.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from redis import Redis
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from server.client import Client, new_session
from server.launcher import MAX_MESSAGE
from server.players import COOKIE
from server.tables.keys import table_channel
from tests.doors.messages import one_of_each
from tests.gateway.players import two_and_two
from tests.house import House, running_house

CORPUS = Path(__file__).parent / "corpus.txt"
OWN_FAULT = {1002, 1003, 1007, 1008, 1009, 4426}
"""Close codes of a socket that has itself to blame."""
PAUSE = 0.1
"""In seconds: three messages that a socket may send (server/gateway/limits.py). Who goes on and on is closed."""
GOODBYE = 0.2
"""In seconds: after half a frame the server takes a goodbye for the other half, and does not answer it."""
FRESH = 40
"""Messages of one socket, then there is a new one: within all limits, which are tried elsewhere."""

Payload = str | bytes


class Town:
    """A house with a table that stands still, a neighbour who watches it, and whoever throws things at the door."""

    def __init__(self, house: House, store: Redis, table: str, cookie: str) -> None:
        self.house = house
        self.table = table
        self._store = store
        self._attacker = new_session(house.url, "Mallory")
        self._neighbour = self._open(cookie)
        self._socket: ClientConnection | None = None
        self._sent = 0
        self._logged = len(house.log)
        self._before = self._record()

    def throw(self, payloads: list[Payload]) -> None:
        """Send messages, text or raw bytes of a text frame, and see that nobody else is touched."""
        for payload in payloads:
            if self._socket is None or self._sent >= FRESH:
                self._renew()
            assert self._socket is not None
            self._sent += 1
            with contextlib.suppress(ConnectionClosed):
                self._socket.send(payload, text=True)
            self._hear(payload)
        self._neighbour.send('{"t":"ping"}')
        # Asked so often, the neighbour itself may be beyond its rate: that is an answer too, and it has to wait.
        heard = ""
        while heard not in {"pong", "refused"}:
            heard = json.loads(self._neighbour.recv(timeout=10))["t"]
        if heard == "refused":
            time.sleep(PAUSE)
        assert self._record() == self._before, payloads
        logged = self.house.log[self._logged :]
        assert not logged, f"{payloads}: {logged}"

    def throw_bytes(self, pieces: list[bytes]) -> None:
        """Send bytes on a line of their own that has just become a socket."""
        with self._open(self._attacker) as socket, contextlib.suppress(OSError):
            for piece in pieces:
                socket.socket.sendall(piece)
        self.throw([])

    def close(self) -> None:
        """Leave."""
        self._neighbour.close()
        if self._socket is not None:
            self._socket.close()

    def _hear(self, payload: Payload) -> None:
        """The server goes on listening, or closes this socket for its own fault."""
        assert self._socket is not None
        try:
            self._socket.send('{"t":"ping"}')
            while json.loads(self._socket.recv(timeout=10))["t"] != "pong":
                pass
        except ConnectionClosed:
            assert self._socket.close_code in OWN_FAULT, payload
            self._socket = None

    def _renew(self) -> None:
        if self._socket is not None:
            self._socket.close()
        self._socket, self._sent = self._open(self._attacker), 0

    def _open(self, cookie: str) -> ClientConnection:
        address = self.house.url.replace("http", "ws") + "/ws"
        return connect(
            address,
            additional_headers={"cookie": f"{COOKIE}={cookie}"},
            compression=None,
            close_timeout=GOODBYE,
            legacy=True,
        )

    def _record(self) -> Any:
        return self._store.hgetall(table_channel(self.table))


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory, store_url: str) -> Iterator[Town]:
    """Ada's turn, and no clock."""
    store = Redis.from_url(store_url)
    store.flushall()
    given = {
        "UPCARD_REDIS_URL": store_url,
        "UPCARD_SECRET": "for tests only, and long enough to be one",
        "UPCARD_PING_TIMEOUT": "60",  # whoever makes up the next message may be busy with it for a while
    }
    with running_house(tmp_path_factory.mktemp("town"), 1, **given) as house:
        cookies = [new_session(house.url, name) for name in ("Ada", "Ben")]

        async def table_that_waits() -> str:
            async with Client(house.url, cookies[0]) as ada, Client(house.url, cookies[1]) as ben:
                return await two_and_two(ada, ben)

        table = asyncio.run(table_that_waits())  # and both are away: it is paused
        channel = table_channel(table)
        paused = b'"paused_at":'
        while paused not in (store.hget(channel, "record") or b""):
            pass
        town = Town(house, store, table, cookies[1])
        try:
            yield town
        finally:
            town.close()
    store.close()


# ---- what is thrown

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(min_value=-(2**70), max_value=2**70),
    st.floats(),
    st.text(max_size=50),
    st.sampled_from(["konken", "0-abcdefghijklm", "AS", "JK", "JK=QS", "draw", "claim", "\n", "\x00"]),
)
json_values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=12), inner, max_size=5),
    max_leaves=12,
)
nests = st.builds(
    lambda opening, depth, closed: opening * depth + ("]" * depth if closed and opening == "[" else ""),
    st.sampled_from(["[", '{"a":', '[{"a":', '{"t":"play","action":']),
    st.integers(1, 3000),
    st.booleans(),
).filter(lambda text: len(text) <= MAX_MESSAGE)
numbers = st.sampled_from(
    ["1e400", "-1e400", "NaN", "Infinity", "1" * 5000, "0.1e-999", "-0", "01", "1_0", "0x1"]
)
escapes = st.sampled_from(
    ["\\ud800", "\\udc00\\ud800", "\\u0000", "\\uffff", "\\ud83d\\ude00", "\\x41", "\\", "\t"]
)


@st.composite
def spoiled(draw: st.DrawFn, table: str) -> str:
    """A message of the protocol with something wrong: a value, a field, or its text."""
    message = msgspec.to_builtins(draw(st.sampled_from(sorted(one_of_each(table=table).items())))[1])
    for _ in range(draw(st.integers(1, 3))):
        names = sorted(message)
        match draw(st.sampled_from(["value", "drop", "more", "swap"])):
            case "value" if names:
                message[draw(st.sampled_from(names))] = draw(json_values)
            case "drop" if names:
                del message[draw(st.sampled_from(names))]
            case "more":
                message[draw(st.text(max_size=12))] = draw(json_values)
            case _:
                message["t"] = draw(st.sampled_from(sorted(one_of_each())))
    text = json.dumps(message, ensure_ascii=draw(st.booleans()))
    if draw(st.booleans()):
        at = draw(st.integers(0, len(text)))
        text = (
            text[:at] + draw(numbers | escapes | st.text(max_size=3)) + text[at + draw(st.integers(0, 3)) :]
        )
    return text


def sendable(text: str) -> Payload:
    """Text as it is, or as the bytes that it would be if it could."""
    return text.encode("utf-8", "surrogatepass")[:MAX_MESSAGE]


PAYLOADS = st.one_of(
    st.binary(max_size=200),
    st.text(st.characters(), max_size=200).map(sendable),
    json_values.map(lambda value: sendable(json.dumps(value))),
    nests,
    st.deferred(lambda: spoiled("0-abcdefghijklm").map(sendable)),
)

FRAMES = st.one_of(
    st.binary(max_size=300),
    st.builds(
        lambda first, second, rest: bytes([first, second]) + rest,
        st.integers(0, 255),
        st.sampled_from([0, 1, 0x7E, 0x7F, 0x80, 0x81, 0xFD, 0xFE, 0xFF]),
        st.binary(max_size=40),
    ),
)
"""What follows a handshake, below the messages: any opcode, reserved bits, lengths that lie, no mask."""

LOOSE = settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


def test_the_corpus_is_answered_and_changes_nothing(town: Town) -> None:
    for line in CORPUS.read_text().splitlines():
        if line.startswith("#"):
            continue
        if line.startswith("hex:"):
            town.throw([bytes.fromhex(line.removeprefix("hex:"))])
        else:
            town.throw([line.replace("TABLE", town.table)])


@LOOSE
@given(st.lists(PAYLOADS, min_size=1, max_size=5))
def test_anything_at_all(town: Town, payloads: list[Payload]) -> None:
    town.throw(payloads)


@LOOSE
@given(st.data())
def test_messages_for_a_real_table_that_are_not_quite_right(town: Town, data: st.DataObject) -> None:
    town.throw([sendable(text) for text in data.draw(st.lists(spoiled(town.table), min_size=1, max_size=5))])


@LOOSE
@given(st.lists(FRAMES, min_size=1, max_size=8))
def test_frames_that_are_none(town: Town, pieces: list[bytes]) -> None:
    town.throw_bytes(pieces)
