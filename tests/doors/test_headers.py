"""Every answer carries the headers that browsers are protected by, whoever makes it."""

from __future__ import annotations

import re

import httpx
import pytest
from fastapi.routing import iter_route_contexts
from starlette.routing import Mount
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from server.app import create_app
from server.config import Settings
from server.doors import HEADERS, household
from server.players import COOKIE
from tests.doors.porch import exchange
from tests.house import House

SOMETHING = {"match": "0-abcdefghijklm-1-1", "game": "konken", "table": "0-abcdefghijklm", "hand": "1"}


def every_route() -> list[tuple[str, str]]:
    """Method and path of every route of the application, with something in the place of its parameters."""
    app = create_app(Settings(redis_url="", database_url="", secret=b"s" * 32))
    found = []
    for route in iter_route_contexts(app.routes):
        path = re.sub(r"\{(\w+)\}", lambda name: SOMETHING[name[1]], str(route.path))
        found += [(method, path) for method in sorted(route.methods or ())]
        if isinstance(route.original_route, Mount):
            found += [("GET", f"{path}/icon.svg"), ("GET", f"{path}/missing.js")]
    assert {"/api/session", "/", "/assets/icon.svg"} <= {path for _, path in found}
    return found


def assert_guarded(headers: httpx.Headers) -> None:
    """All headers are there, once."""
    for name, value in HEADERS:
        assert headers.get_list(name) == [value], name


@pytest.mark.parametrize(("method", "path"), every_route(), ids=lambda part: part.strip("/") or "page")
def test_every_route_with_and_without_a_session(house: House, ada: str, method: str, path: str) -> None:
    for cookies in ({}, {COOKIE: ada}):
        answer = httpx.request(method, house.url + path, cookies=cookies)
        assert answer.status_code < 500
        assert_guarded(answer.headers)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nowhere", 404),
        ("GET", "/api/nowhere", 404),
        ("DELETE", "/api/session", 405),
        ("GET", "/ws", 404),
        ("GET", "/assets/../../etc/passwd", 404),
        ("GET", "/?" + "x" * 2000, 414),
        ("PUT", "/api/history", 405),
    ],
)
def test_every_error(house: House, method: str, path: str, status: int) -> None:
    answer = httpx.request(method, house.url + path)
    assert answer.status_code == status
    assert_guarded(answer.headers)


@pytest.mark.parametrize("request_", [b"NONSENSE\r\n\r\n", b"GET / HTTP/1.1\r\nx: " + b"y" * 20_000])
async def test_what_is_no_request_and_reaches_no_route(house: House, request_: bytes) -> None:
    head = (await exchange(house.port, request_)).partition(b"\r\n\r\n")[0].decode().split("\r\n")
    assert head[0].split()[1] in {"400", "431"}
    assert_guarded(httpx.Headers([(line.partition(": ")[0], line.partition(": ")[2]) for line in head[1:]]))


async def test_the_answer_to_a_handshake(house: House, ada: str) -> None:
    address = house.url.replace("http", "ws") + "/ws"
    async with connect(address, additional_headers={"cookie": f"{COOKIE}={ada}"}) as socket:
        assert socket.response is not None
        assert_guarded(httpx.Headers(list(socket.response.headers.raw_items())))
    with pytest.raises(InvalidStatus) as refused:
        await connect(address, origin="https://evil.example")  # type: ignore[arg-type]
    assert refused.value.response.status_code == 403
    assert_guarded(httpx.Headers(list(refused.value.response.headers.raw_items())))


def test_no_answer_of_the_api_is_kept_by_a_cache(house: House, ada: str) -> None:
    for path in ("/api/session", "/api/history", "/api/history/none", "/api/history/none/record"):
        for cookies in ({}, {COOKIE: ada}):
            answer = httpx.get(house.url + path, cookies=cookies)
            assert answer.headers["cache-control"] == "private, no-store", path


def test_a_missing_asset_is_not_remembered_for_ever(house: House) -> None:
    assert "immutable" in httpx.get(f"{house.url}/assets/icon.svg").headers["cache-control"]
    assert "cache-control" not in httpx.get(f"{house.url}/assets/index-00000000.js").headers


# ---- behind a proxy


def ask(house: House, source: str, **headers: str) -> httpx.Response:
    """Become a guest from a local address."""
    with httpx.Client(transport=httpx.HTTPTransport(local_address=source)) as http:
        return http.post(
            f"{house.url}/api/session",
            json={"name": "Ada"},
            headers={name.replace("_", "-"): value for name, value in headers.items()},
        )


def test_a_cookie_is_for_https_where_the_page_came_by_it(strict_house: House) -> None:
    https = {"x_forwarded_proto": "https", "x_forwarded_for": "203.0.113.9"}
    by_proxy = ask(strict_house, "127.0.0.2", **https)
    assert "; secure" in by_proxy.headers["set-cookie"].lower()
    by_nobody = ask(strict_house, "127.0.0.3", **https)
    assert "; secure" not in by_nobody.headers["set-cookie"].lower(), "anybody could say so"
    for answer in (by_proxy, by_nobody):
        flags = answer.headers["set-cookie"].lower()
        assert "; httponly" in flags
        assert "; samesite=lax" in flags


@pytest.mark.parametrize(
    ("host", "one"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("testclient", "testclient"),
        ("x" * 500, "x" * 64),
    ],
)
def test_an_address_counts_as_its_household(host: str, one: str) -> None:
    assert household(host) == one
