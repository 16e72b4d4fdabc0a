"""Limits over real sockets and HTTP: a clear answer, a clear close, and nobody else is touched."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from server.api.gate import READS, WRITES
from server.client import Client, new_session
from server.gateway.limits import KIND, RATES, SOCKETS_PER_PLAYER
from server.players import COOKIE
from server.protocol import Create, Quick
from server.rules.refusal import Code, Refused
from tests.doors.messages import one_of_each
from tests.house import House, running_house

places = itertools.count(10)


def somewhere() -> str:
    """An address of this machine that no other test comes from."""
    return f"127.0.0.{next(places)}"


def guest(house: House, address: str) -> str:
    """A session, asked for from an address."""
    with httpx.Client(transport=httpx.HTTPTransport(local_address=address)) as http:
        cookie: str = http.post(f"{house.url}/api/session", json={"name": "Ada"}).cookies[COOKIE]
    return cookie


@contextlib.asynccontextmanager
async def socket_from(
    house: House, address: str, cookie: str, **headers: str
) -> AsyncIterator[ClientConnection]:
    """A raw socket from an address."""
    more = {name.replace("_", "-"): value for name, value in headers.items()}
    async with connect(
        house.url.replace("http", "ws") + "/ws",
        additional_headers={"cookie": f"{COOKIE}={cookie}", **more},
        local_addr=(address, 0),
        compression=None,
    ) as socket:
        yield socket


async def told(socket: ClientConnection, count: int) -> list[dict[str, Any]]:
    """The next messages."""
    async with asyncio.timeout(10):
        return [msgspec.json.decode(await socket.recv()) for _ in range(count)]


# ---- messages


@pytest.mark.parametrize("tag", sorted(one_of_each()))
async def test_every_message_has_its_limit_on_one_socket(strict_house: House, tag: str) -> None:
    message = one_of_each()[tag]
    limit = RATES[KIND[type(message)]]
    address = somewhere()
    async with socket_from(strict_house, address, guest(strict_house, address)) as socket:
        count = int(limit.burst) + 30
        text = msgspec.json.encode(message).decode()
        for _ in range(count):
            await socket.send(text)
        refused = 0
        # Nothing else tells that all have been answered: the last one is a question that is never refused alike.
        await socket.send('{"t":"nonsense","id":"last"}')
        while True:
            [answer] = await told(socket, 1)
            refused += answer.get("code") == "rate_limited"
            if answer.get("id") == "last":
                break
        assert 0 < refused <= 31


async def test_two_sockets_of_one_address_share_what_it_may(strict_house: House) -> None:
    address = somewhere()
    cookies = [guest(strict_house, address) for _ in range(2)]
    async with (
        socket_from(strict_house, address, cookies[0]) as first,
        socket_from(strict_house, address, cookies[1]) as second,
        socket_from(strict_house, (elsewhere := somewhere()), guest(strict_house, elsewhere)) as third,
    ):
        hello = '{"t":"hello","protocol":1}'
        most = int(RATES["greet"].burst)
        for _ in range(most):
            await first.send(hello)
        assert {answer["t"] for answer in await told(first, most)} == {"welcome"}
        for _ in range(
            most
        ):  # within its own limit, and on a slow machine some of the address' is there again
            await second.send(hello)
        answers = await told(second, most)
        assert {"t": "refused", "id": "", "code": "rate_limited"} in answers
        await third.send(hello)
        assert (await told(third, 1))[0]["t"] == "welcome"


# ---- sockets


async def test_an_address_has_a_most_of_sockets_and_is_told_so(strict_house: House) -> None:
    address = somewhere()
    cookie = guest(strict_house, address)
    async with contextlib.AsyncExitStack() as stack:
        sockets = [
            await stack.enter_async_context(socket_from(strict_house, address, cookie))
            for _ in range(SOCKETS_PER_PLAYER)
        ]
        for socket in sockets:
            await socket.send('{"t":"ping"}')
            assert (await told(socket, 1))[0]["t"] == "pong"
        one_more = await stack.enter_async_context(socket_from(strict_house, address, cookie))
        assert await told(one_more, 1) == [{"t": "bye", "reason": "crowd"}]
        with pytest.raises(ConnectionClosed):
            await one_more.recv()
        assert (one_more.close_code, one_more.close_reason) == (4429, "crowd")
        await sockets[0].close()
        for _ in range(20):  # the server lets the place go a moment after the socket has closed
            if await is_let_in(strict_house, address, cookie):
                return
            await asyncio.sleep(0.2)
    raise AssertionError("the place was not let go")


async def is_let_in(house: House, address: str, cookie: str) -> bool:
    """Whether one more socket gets an answer, and no goodbye."""
    async with socket_from(house, address, cookie) as socket:
        with contextlib.suppress(ConnectionClosed):
            await socket.send('{"t":"ping"}')
        kind: str = (await told(socket, 1))[0]["t"]
    return kind == "pong"


async def test_new_sockets_in_a_row_are_not_even_opened(strict_house: House) -> None:
    address = somewhere()
    cookie = guest(strict_house, address)
    most = int(RATES["connect"].burst)
    statuses = []
    for _ in range(most + 30):
        try:
            async with socket_from(strict_house, address, cookie):
                statuses.append(101)
        except InvalidStatus as refused:
            statuses.append(refused.response.status_code)
    assert set(statuses[:most]) == {101}
    assert 429 in statuses[most:]


async def test_a_full_worker_says_so_and_goes_on(tmp_path: Path) -> None:
    with running_house(tmp_path, UPCARD_MAX_SOCKETS="2") as house:
        cookie = new_session(house.url, "Ada")
        async with Client(house.url, cookie) as one, Client(house.url, cookie):
            async with socket_from(house, "127.0.0.1", cookie) as third:
                assert await told(third, 1) == [{"t": "bye", "reason": "full"}]
                with pytest.raises(ConnectionClosed):
                    await third.recv()
                assert third.close_code == 1013
            await one.create()
            async with httpx.AsyncClient() as http:
                assert (await http.get(f"{house.url}/ready")).status_code == 204, "HTTP has room of its own"


# ---- who is who behind a proxy


async def test_only_a_trusted_proxy_may_say_where_somebody_comes_from(strict_house: House) -> None:
    cookie = guest(strict_house, somewhere())
    async with contextlib.AsyncExitStack() as stack:
        for n in range(SOCKETS_PER_PLAYER + 3):
            told_by_proxy = socket_from(strict_house, "127.0.0.2", cookie, x_forwarded_for=f"198.51.100.{n}")
            socket = await stack.enter_async_context(told_by_proxy)
            await socket.send('{"t":"ping"}')
            assert (await told(socket, 1))[0]["t"] == "pong"
        impostor = somewhere()
        for n in range(SOCKETS_PER_PLAYER):
            claim = socket_from(strict_house, impostor, cookie, x_forwarded_for=f"198.51.100.{n}")
            await stack.enter_async_context(claim)
        last = socket_from(strict_house, impostor, cookie, x_forwarded_for="198.51.100.99")
        socket = await stack.enter_async_context(last)
        assert await told(socket, 1) == [{"t": "bye", "reason": "crowd"}]


# ---- HTTP


def test_new_guests_and_questions_of_one_address_have_a_most(strict_house: House) -> None:
    here, there = somewhere(), somewhere()
    with httpx.Client(transport=httpx.HTTPTransport(local_address=here)) as http:
        answers = [http.post(f"{strict_house.url}/api/session", json={"name": "x"}) for _ in range(12)]
        statuses = [answer.status_code for answer in answers]
        assert statuses.count(200) in {WRITES.burst, WRITES.burst + 1}
        assert set(statuses[-2:]) == {429}
        assert answers[-1].json() == {"code": "rate_limited"}
        assert int(answers[-1].headers["retry-after"]) > 0
        statuses = [
            http.get(f"{strict_house.url}/api/history").status_code for _ in range(int(READS.burst) + 30)
        ]
        assert statuses.count(200) >= READS.burst
        assert statuses[-1] == 429
        assert http.get(strict_house.url).status_code == 200, "pages are no questions"
    guest(strict_house, there)


def test_a_shared_hand_is_asked_for_as_often_as_anything_that_is_read(strict_house: House) -> None:
    with httpx.Client(transport=httpx.HTTPTransport(local_address=somewhere())) as http:
        replay = f"{strict_house.url}/api/replay"
        statuses = [
            http.post(replay, json={"token": f"guess-{n}"}).status_code for n in range(int(READS.burst) + 30)
        ]
        assert statuses.count(404) >= READS.burst > WRITES.burst
        assert statuses[-1] == 429
        assert http.post(f"{strict_house.url}/api/session", json={"name": "x"}).status_code == 200


def test_links_of_other_devices_are_not_to_be_guessed(strict_house: House) -> None:
    with httpx.Client(transport=httpx.HTTPTransport(local_address=somewhere())) as http:
        take = f"{strict_house.url}/api/handover/take"
        answers = [http.post(take, json={"token": f"guess-{n}"}) for n in range(12)]
    statuses = [answer.status_code for answer in answers]
    assert statuses.count(404) in {WRITES.burst, WRITES.burst + 1}
    assert set(statuses[-2:]) == {429}
    assert answers[-1].json() == {"code": "rate_limited"}


# ---- tables


async def test_a_full_house_opens_no_more_tables_and_those_there_go_on(tmp_path: Path) -> None:
    with running_house(tmp_path, workers=2, UPCARD_MAX_TABLES="3") as house:
        cookies = [new_session(house.url, name) for name in ("Ada", "Ben")]
        async with Client(house.url, cookies[0]) as ada, Client(house.url, cookies[1]) as ben:
            await ada.command(Create("c1", "konken", {}, True))
            await ada.command(Create("c2", "conker"))
            quick = await ada.command(Quick("q1", "konken"))
            for command in (Create("c3", "konken"), Quick("q2", "conquian")):
                with pytest.raises(Refused) as refused:
                    await ben.command(command)
                assert refused.value.code == Code.HOUSE_FULL
            assert (await ada.command(Create("c2", "conker"))).table, "a re-send has its table already"
            await ben.send_text('{"t":"lobby","on":true}')
            joined = await ben.command(Quick("q3", "konken"))
            assert joined.table == quick.table
            await ada.watch(quick.table)
            for seat in (2, 3):
                await ada.add_bot(quick.table, seat)
