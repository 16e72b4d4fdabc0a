"""Requests and sockets that are too large, too slow or too many are ended early, and cost no memory."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import replace

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from server import doorway, telemetry
from server.api.gate import MAX_BODY, MAX_URL
from server.client import Client
from server.launcher import MAX_MESSAGE
from tests.doors.porch import POURED, SETTINGS, exchange, porch
from tests.house import House

POST = b"POST /api/session HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"


def status_of(answer: bytes) -> int:
    """The status of the only, or last, answer on a connection; 0 for none."""
    found = answer.rpartition(b"HTTP/1.1 ")[2].split(b" ", 1)[0]
    return int(found) if found else 0


# ---- size


async def test_a_head_of_any_length_is_cut_off_early() -> None:
    async with porch() as port:
        endless = exchange(port, b"GET / HTTP/1.1\r\nx: ", *[b"y" * 1000] * 200)
        assert status_of(await endless) == 431
        many = exchange(port, b"GET / HTTP/1.1\r\n", *[b"x-%d: y\r\n" % n for n in range(5000)])
        assert status_of(await many) == 431


async def test_an_endless_body_is_cut_off_early_however_it_is_declared() -> None:
    async with porch() as port:
        for head in (b"content-length: 1000000000\r\n\r\n", b"transfer-encoding: chunked\r\n\r\n"):
            chunk = b"3e8\r\n" + b"x" * 1000 + b"\r\n" if b"chunked" in head else b"x" * 1000
            assert status_of(await exchange(port, POST + head, *[chunk] * 200)) == 413


async def test_trailers_and_requests_in_a_row_have_no_end_of_their_own() -> None:
    async with porch() as port:
        body = POST + b"transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n"
        assert status_of(await exchange(port, body, *[b"x: y\r\n"] * 20_000)) in {0, 413}
        flood = b"GET /api/session HTTP/1.1\r\nhost: x\r\n\r\n" * 2000
        assert status_of(await exchange(port, flood)) == 431


async def test_addresses_and_declared_lengths_are_judged_before_anything_is_read() -> None:
    async with porch() as port:
        url = f"http://127.0.0.1:{port}/api/session"
        async with httpx.AsyncClient() as http:
            assert (await http.get(url + "?" + "x" * MAX_URL)).status_code == 414
            assert (await http.get(url + "?" + "x" * (MAX_URL - 100))).status_code == 401
        asked = POST + b"expect: 100-continue\r\ncontent-length: %d\r\n\r\n" % (MAX_BODY + 1)
        answer = await exchange(port, asked)
        assert b"100 Continue" not in answer
        assert status_of(answer) == 413


# ---- time


async def test_who_is_slow_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doorway, "REQUEST_SECONDS", 0.3)
    async with porch() as port:
        silent = exchange(port)
        head = exchange(port, b"G", b"E", pause=0.2)
        body = exchange(port, POST + b"content-length: 20\r\n\r\n", *[b"{"] * 6, pause=0.1)
        later = exchange(port, b"GET /api/session HTTP/1.1\r\nhost: x\r\n\r\n", b"G", b"E", b"T", pause=0.2)
        answers = await asyncio.gather(silent, head, body, later)
        assert [status_of(answer) for answer in answers[:2]] == [408, 408]
        # A body that does not come: closed, or refused if the application had not begun to wait for it.
        assert status_of(answers[2]) in {0, 408}
        assert answers[3].count(b"HTTP/1.1 ") == 2
        assert status_of(answers[3]) == 408


async def test_a_quick_request_is_not_ended_by_the_clock_of_a_slow_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(doorway, "REQUEST_SECONDS", 0.3)
    async with porch() as port, httpx.AsyncClient() as http:
        for _ in range(5):
            answer = await http.get(f"http://127.0.0.1:{port}/api/session")
            assert answer.status_code == 401
            await asyncio.sleep(0.1)
        async with connect(f"ws://127.0.0.1:{port}/ws") as socket:
            await asyncio.sleep(0.5)
            await (await socket.ping())


async def test_connections_of_one_address_have_a_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doorway, "REQUESTS_PER_PLAYER", 2.5)
    monkeypatch.setattr(doorway, "REQUEST_SECONDS", 0.5)
    async with porch(replace(SETTINGS, players_per_address=2)) as port:
        answers = await asyncio.gather(*(exchange(port) for _ in range(8)))
        assert sorted(map(status_of, answers)) == [0] * 3 + [408] * 5
        assert not doorway.Doorway._open, "all are forgotten"
        other = asyncio.gather(*(exchange(port) for _ in range(5)))
        assert set(map(status_of, await other)) == {408}


# ---- sockets


async def closed(socket: ClientConnection) -> int | None:
    """The code that a socket is closed with."""
    async with asyncio.timeout(10):
        await socket.wait_closed()
    return socket.close_code


async def test_a_message_that_is_too_long_closes_its_socket_alone(house: House, ada: str, ben: str) -> None:
    async with Client(house.url, ada) as client, Client(house.url, ben) as other:
        assert client._socket is not None
        with contextlib.suppress(ConnectionClosed):
            await client.send_text("x" * (MAX_MESSAGE + 1))
        assert await closed(client._socket) == 1009
        await other.create()


async def test_a_message_in_pieces_is_as_long_as_they_are_together() -> None:
    async with porch() as port, connect(f"ws://127.0.0.1:{port}/ws") as socket:
        socket.protocol.send_text(b"x" * 1000, fin=False)
        for _ in range(MAX_MESSAGE // 1000):
            socket.protocol.send_continuation(b"x" * 1000, fin=False)
        # At once: what came after the end would have the reason lost.
        for data in socket.protocol.data_to_send():
            socket.transport.write(data)
        assert await closed(socket) == 1009


async def test_empty_pieces_without_end_are_no_message() -> None:
    async with porch() as port, connect(f"ws://127.0.0.1:{port}/ws") as socket:
        socket.protocol.send_text(b"", fin=False)
        for _ in range(doorway.FRAGMENTS + 10):
            socket.protocol.send_continuation(b"", fin=False)
        for data in socket.protocol.data_to_send():
            socket.transport.write(data)
        assert await closed(socket) == 1008
        assert socket.close_reason == "fragments"


async def test_pings_without_end_close_a_socket() -> None:
    async with porch() as port, connect(f"ws://127.0.0.1:{port}/ws") as socket:
        frame = socket.protocol  # pings by hand: the client's own would wait for their answers
        for _ in range(int(doorway.LINE_BYTES.burst / 100)):
            frame.send_ping(b"x" * 125)
        for data in frame.data_to_send():
            socket.transport.write(data)
        assert await closed(socket) == 1008
        assert socket.close_reason == "flood"


@pytest.fixture
def lost(monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """Set once a socket has ended; who takes nothing has little time in these tests."""
    monkeypatch.setattr(doorway, "SEND_SECONDS", 0.3)
    lose, lost = doorway.Line.connection_lost, asyncio.Event()

    def losing(line: doorway.Line, exc: Exception | None) -> None:
        lose(line, exc)
        lost.set()

    monkeypatch.setattr(doorway.Line, "connection_lost", losing)
    return lost


async def test_who_takes_nothing_is_cut_off_and_who_reads_is_not(lost: asyncio.Event) -> None:
    turned = telemetry.TURNED_AWAY.labels("deaf")._value
    before = turned.get()
    async with porch() as port:
        async with connect(f"ws://127.0.0.1:{port}/pour", max_size=None) as deaf:
            deaf.transport.pause_reading()
            await asyncio.wait_for(lost.wait(), 10)
            assert turned.get() == before + 1
            deaf.transport.abort()
        async with connect(f"ws://127.0.0.1:{port}/pour", max_size=None) as reader:
            assert [len(text) async for text in reader] == [2**20] * POURED
    assert turned.get() == before + 1


@pytest.mark.parametrize("how", ["closed", "flooded", "mute"])
async def test_who_does_not_take_the_last_words_is_cut_off_too(lost: asyncio.Event, how: str) -> None:
    async with porch() as port:
        _, writer = await asyncio.open_connection("127.0.0.1", port, limit=1)  # reads no further
        writer.write(
            f"GET /end/{how} HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\nconnection: upgrade\r\n"
            "sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
        )
        try:
            await asyncio.wait_for(lost.wait(), 5)
        finally:
            writer.transport.abort()


async def test_a_line_is_free_until_something_waits() -> None:
    async with porch() as port, connect(f"ws://127.0.0.1:{port}/write", max_size=None) as socket:
        *pieces, last = [text async for text in socket]
    assert 0 < len(pieces) < POURED
    assert int(last) == len(pieces)
