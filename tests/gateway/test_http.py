"""Doors: sessions, origins, JSON only, names, health."""

from __future__ import annotations

import re

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from server.names import MAX_NAME, clean_name
from server.players import COOKIE
from tests.house import House


def test_a_guest_gets_a_cookie_that_scripts_cannot_read(house: House) -> None:
    answer = httpx.post(f"{house.url}/api/session", json={"name": " Ada  Lovelace "})
    assert answer.json() == {"name": "Ada Lovelace"}
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    again = httpx.post(f"{house.url}/api/session", json={"name": "Ben"}, cookies=answer.cookies)
    assert again.json() == {"name": "Ben"}
    who = httpx.get(f"{house.url}/api/session", cookies=again.cookies)
    assert who.json() == {"name": "Ben"}


@pytest.mark.parametrize(
    ("wanted", "word"),
    [
        ("tr-TR,tr;q=0.9,en;q=0.8", "Misafir"),
        ("id", "Tamu"),
        ("es-MX", "Invitado"),
        ("en-GB,tr;q=0.5", "Guest"),
        ("de", "Guest"),
        (None, "Guest"),
    ],
)
def test_who_has_no_name_is_a_guest_in_their_own_language(
    house: House, wanted: str | None, word: str
) -> None:
    headers = {} if wanted is None else {"accept-language": wanted}
    answer = httpx.post(f"{house.url}/api/session", json={"name": ""}, headers=headers)
    name = answer.json()["name"]
    assert re.fullmatch(rf"{word} [1-9]\d{{3}}", name)
    again = {"cookie": f"{COOKIE}={answer.cookies[COOKIE]}", "accept-language": "xx"}
    assert httpx.post(f"{house.url}/api/session", json={"name": " "}, headers=again).json() == {"name": name}


def test_without_a_session_there_is_nothing(house: House) -> None:
    assert httpx.get(f"{house.url}/api/session").status_code == 401
    assert httpx.get(f"{house.url}/api/history").status_code == 401


def test_a_forged_cookie_is_none(house: House, ada: str) -> None:
    forged = ada[:-3] + ("abc" if ada[-3:] != "abc" else "xyz")
    assert httpx.get(f"{house.url}/api/session", cookies={COOKIE: forged}).status_code == 401


@pytest.mark.parametrize(
    ("headers", "content", "status"),
    [
        ({"origin": "https://evil.example", "content-type": "application/json"}, b'{"name":"x"}', 403),
        ({"origin": "http://[", "content-type": "application/json"}, b'{"name":"x"}', 403),
        ({"content-type": "text/plain"}, b'{"name":"x"}', 415),
        ({"content-type": "application/x-www-form-urlencoded"}, b"name=x", 415),
        ({"content-type": "application/json"}, b"{", 422),
        ({"content-type": "application/json"}, b'{"name":7}', 422),
        ({"content-type": "application/json"}, b'{"name":"x","admin":true}', 422),
        ({"content-type": "application/json"}, b'{"name":"' + b"x" * 5000 + b'"}', 413),
        ({"content-type": "application/json"}, b"\xff\xfe", 422),
    ],
)
def test_writes_are_json_from_our_own_pages(
    house: House, headers: dict[str, str], content: bytes, status: int
) -> None:
    answer = httpx.post(f"{house.url}/api/session", headers=headers, content=content)
    assert answer.status_code == status
    assert "set-cookie" not in answer.headers


async def test_a_socket_from_another_origin_is_refused(house: House, ada: str) -> None:
    headers = {"cookie": f"{COOKIE}={ada}", "origin": "https://evil.example"}
    with pytest.raises(InvalidStatus):
        await connect(house.url.replace("http", "ws") + "/ws", additional_headers=headers)
    own = {"cookie": f"{COOKIE}={ada}", "origin": house.url}
    async with connect(house.url.replace("http", "ws") + "/ws", additional_headers=own):
        pass


async def test_a_socket_without_a_session_is_told_so(house: House) -> None:
    socket = await connect(house.url.replace("http", "ws") + "/ws")
    with pytest.raises(ConnectionClosed) as closed:
        await socket.recv()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4401


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("  Ada\n Lovelace ", "Ada Lovelace"),
        ("\u200bAda\u202e", "Ada"),
        ("Ａｄａ", "Ada"),
        ("\u0301\u0302", None),
        ("a" + "\u0301" * 30, "á" + "\u0301" * 2),
        ("\x00\x07", None),
        ("x" * 99, "x" * MAX_NAME),
        ("İpek", "İpek"),
        ("<b>Ada</b>", "<b>Ada</b>"),
        ("   ", None),
    ],
)
def test_names_are_bounded(given: str, kept: str | None) -> None:
    assert clean_name(given) == kept


def test_health_readiness_and_metrics(house: House) -> None:
    assert httpx.get(f"{house.url}/health").json() == {"status": "ok"}
    assert httpx.get(f"{house.url}/ready").status_code == 204
    assert "upcard_commits" in httpx.get(f"{house.url}/metrics").text


@pytest.mark.parametrize("path", ["/", "/t/0-abcdefghijklm", "/history", "/history/0-abc-1"])
def test_every_page_is_the_client(house: House, path: str) -> None:
    answer = httpx.get(house.url + path)
    assert answer.status_code == 200
    assert "<title>Upcard" in answer.text
