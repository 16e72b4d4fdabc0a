"""What uvicorn's protocols leave open: a bound on the size and the time of every request, on connections of one
address, and on what one socket may send.

uvicorn times only the pause between two requests, and keeps a head of any length in memory. In front of a proxy
that has such limits these never bite; without one they are all there is.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
from collections import Counter
from http import HTTPStatus
from typing import Any, ClassVar

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request
from websockets.protocol import State

from server import telemetry
from server.buckets import Bucket, Rate
from server.doors import household

REQUEST_BYTES = 16 * 1024
"""A whole request: address, headers, body. A browser's are below 2 KiB, and the largest body is a name."""
REQUEST_SECONDS = 10.0
"""For a request to arrive, from the first byte or the opening of the connection."""
ANSWER_SECONDS = 60.0
"""For a client to take what waits for it, 64 KiB at the most: less than a modem's pace is no reader."""
REQUESTS_PER_PLAYER = 16
"""Connections of one address to a worker that are not (yet) sockets, for each player it may stand for
(Settings.players_per_address); a browser opens six."""
LINE_BYTES = Rate(64 * 1024, 1024 * 1024)
"""What a socket may send, pings and all: its messages within their rate come to half of that."""
FRAGMENTS = 256
"""Frames of one message. Empty ones cost the sender next to nothing, and are kept until the message is whole."""
SEND_SECONDS = 20.0
"""For a socket to take what waits for it, 64 KiB at the most: whoever does not is gone, or hostile."""
LINE = "upcard.line"
"""Extension of a socket's scope: the Line itself, for an app that writes without waiting where it can."""
NO_TEXT = 1007
TOO_MUCH = 1008
HEAD_TOO_LARGE = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE


log = logging.getLogger(__name__)
log.setLevel(
    logging.ERROR
)  # uvicorn warns of every request that is none, as often as anybody likes to send one


class DoorwayConfig(uvicorn.Config):
    """uvicorn's settings, and how many players an address may stand for."""

    players_per_address: float = 1


class Doorway(HttpToolsProtocol):
    """HTTP with an end to everything."""

    config: DoorwayConfig
    _open: ClassVar[Counter[str]] = Counter()  # by address, of this worker
    _address: str | None = None  # None: a proxy of ours, which stands for many
    _limit: asyncio.TimerHandle | None = None
    _reading: asyncio.TimerHandle | None = None
    _received = 0
    _in_body = False

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.logger = log

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection; beyond its address' share it is closed without a word."""
        super().connection_made(transport)
        host = self.client[0] if self.client else ""
        if not _trusted(host, self.config.forwarded_allow_ips):
            self._address = household(host)
            self._open[self._address] += 1
            if self._open[self._address] > REQUESTS_PER_PLAYER * self.config.players_per_address:
                telemetry.TURNED_AWAY.labels("crowd").inc()
                transport.abort()
                return
        self._limit = self.loop.call_later(REQUEST_SECONDS, self._refuse, HTTPStatus.REQUEST_TIMEOUT)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._let_go()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take more of a request, as long as it is small and quick enough."""
        if self.transport.is_closing():
            return
        self._received += len(data)
        if self._received > REQUEST_BYTES:
            self._refuse(HEAD_TOO_LARGE if not self._in_body else HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
            return
        if self._limit is None:
            self._limit = self.loop.call_later(REQUEST_SECONDS, self._refuse, HTTPStatus.REQUEST_TIMEOUT)
        super().data_received(data)

    def on_headers_complete(self) -> None:
        """The head is there."""
        self._in_body = True
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """The request is there; the next one has its own bounds."""
        self._received, self._in_body = 0, False
        self._stop_limit()
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """From here on it is a socket, and counted as one (server/gateway/endpoint.py)."""
        self._let_go()
        super().handle_websocket_upgrade()

    def pause_writing(self) -> None:
        """The client does not read; it has ANSWER_SECONDS to go on."""
        super().pause_writing()
        self._reading = self.loop.call_later(ANSWER_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """It goes on."""
        self._stop_reading()
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        """This is no request."""
        telemetry.TURNED_AWAY.labels("malformed").inc()
        super().send_400_response(msg)

    def _refuse(self, status: HTTPStatus) -> None:
        """Answer in the place of the application, unless it has begun to, and close."""
        telemetry.TURNED_AWAY.labels("slow" if status == HTTPStatus.REQUEST_TIMEOUT else "size").inc()
        self._limit = None
        if self.cycle is None or self.cycle.response_complete:
            head = [(b"content-length", b"0"), (b"connection", b"close"), *self.server_state.default_headers]
            lines = [b"HTTP/1.1 %d %s" % (status, status.phrase.encode())]
            lines += [name + b": " + value for name, value in head]
            self.transport.write(b"\r\n".join(lines) + b"\r\n\r\n")
        self.transport.close()

    def _let_go(self) -> None:
        self._stop_limit()
        self._stop_reading()
        if self._address is not None:
            self._open[self._address] -= 1
            if not self._open[self._address]:
                del self._open[self._address]
            self._address = None

    def _stop_limit(self) -> None:
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None

    def _stop_reading(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None


class Line(WebSocketsSansIOProtocol):
    """A socket that cannot be flooded below the messages, where nobody counts them."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self._bytes = Bucket(LINE_BYTES)
        self._deaf: asyncio.TimerHandle | None = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody is waited for any more."""
        self._stop_waiting()
        super().connection_lost(exc)

    def handle_connect(self, event: Request) -> None:
        """A client asks to open it: the app is told of a way to write without waiting."""
        super().handle_connect(event)
        if not self.close_sent:
            self.scope["extensions"][LINE] = self  # type: ignore[assignment]

    @property
    def free(self) -> bool:
        """Whether a text would be taken now: it is open, and nothing waits."""
        return self.writable.is_set() and self.conn.state is State.OPEN and not self.transport.is_closing()

    def write(self, text: str) -> None:
        """Send a text at once, if it is free."""
        self.conn.send_text(text.encode())
        self.transport.write(b"".join(self.conn.data_to_send()))

    def start_keepalive(self) -> None:
        """The handshake is over: what was said in it is not kept for as long as the socket lives."""
        super().start_keepalive()
        self.request.headers.clear()
        self.response.headers.clear()

    def data_received(self, data: bytes) -> None:
        """Take more, within LINE_BYTES: pings are answered whether or not the answers are read."""
        if self.handshake_complete and not self._bytes.take(len(data)):
            self._give_up(TOO_MUCH, "flood")
            return
        super().data_received(data)

    def pause_writing(self) -> None:
        """The client does not read; it has SEND_SECONDS to go on."""
        super().pause_writing()
        self._deaf = self.loop.call_later(SEND_SECONDS, self._hang_up)

    def resume_writing(self) -> None:
        """It goes on."""
        self._stop_waiting()
        super().resume_writing()

    def _stop_waiting(self) -> None:
        if self._deaf is not None:
            self._deaf.cancel()
            self._deaf = None

    def keepalive_timeout(self) -> None:
        """Nobody answers."""
        super().keepalive_timeout()
        self._end()

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        """The app is done with it, and no longer counts it."""
        super().on_task_complete(task)
        self._end()

    def _end(self) -> None:
        """Nothing follows: what waits has SEND_SECONDS to be taken, however little it is."""
        if not self.disconnected:
            self.transport.set_write_buffer_limits(high=0)

    def _hang_up(self) -> None:
        # Not closed: that would wait for ever for all to be taken first.
        telemetry.TURNED_AWAY.labels("deaf").inc()
        self.transport.abort()

    def handle_cont(self, event: Frame) -> None:
        """Another piece of a message."""
        if len(self.frames) >= FRAGMENTS:
            self._give_up(TOO_MUCH, "fragments")
            return
        super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        """Hand on a message, if it is what it says it is; uvicorn would tell the log of every one that is not."""
        if self.curr_msg_data_type == "text":
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self.frames = []
                self._give_up(NO_TEXT, "not UTF-8")
                return
        super().send_receive_event_to_app()

    def _give_up(self, code: int, reason: str) -> None:
        if self.close_sent or self.transport.is_closing():
            return
        telemetry.TURNED_AWAY.labels("flood" if code == TOO_MUCH else "malformed").inc()
        self.conn.fail(code, reason)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.transport.close()
        self._end()


def _trusted(host: str, proxies: list[str] | str) -> bool:
    """Whether a connection comes from a configured proxy: an address, or a network."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    named = [proxies] if isinstance(proxies, str) else proxies
    return any(address in ipaddress.ip_network(name) for name in named)
