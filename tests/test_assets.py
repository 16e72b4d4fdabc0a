"""The client's files over HTTP: packed as the browser takes them, and the same file whichever way."""

from __future__ import annotations

import gzip
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from server.api.assets import Assets

SCRIPT = b"export const words = ['meld', 'meld', 'meld'];\n" * 100


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    """A folder with a script that was packed in two ways, and one that was not."""
    (tmp_path / "app-1a.js").write_bytes(SCRIPT)
    (tmp_path / "app-1a.js.gz").write_bytes(gzip.compress(SCRIPT))
    (tmp_path / "app-1a.js.br").write_bytes(b"as brotli packs it")
    (tmp_path / "small.js").write_bytes(b"1;")
    app = FastAPI()
    app.mount("/assets", Assets(directory=tmp_path))
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://upcard.test") as client:
        yield client


@pytest.mark.parametrize(
    ("accepts", "coding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("gzip, deflate", "gzip"),
        ("br;q=0, gzip;q=0.5", "gzip"),
        ("identity", None),
        ("", None),
    ],
)
async def test_the_smallest_that_a_browser_takes(
    client: httpx.AsyncClient, accepts: str, coding: str | None
) -> None:
    async with client.stream("GET", "/assets/app-1a.js", headers={"accept-encoding": accepts}) as response:
        raw = b"".join([part async for part in response.aiter_raw()])
    assert response.headers.get("content-encoding") == coding
    assert response.headers["content-type"].startswith("text/javascript")
    assert response.headers["vary"] == "accept-encoding"
    assert "immutable" in response.headers["cache-control"]
    expected = {"br": b"as brotli packs it", "gzip": gzip.compress(SCRIPT), None: SCRIPT}[coding]
    assert len(raw) == len(expected) == int(response.headers["content-length"])
    assert (gzip.decompress(raw) if coding == "gzip" else raw) == (SCRIPT if coding == "gzip" else expected)


async def test_what_was_not_packed_comes_as_it_is(client: httpx.AsyncClient) -> None:
    response = await client.get("/assets/small.js", headers={"accept-encoding": "br"})
    assert (response.content, response.headers.get("content-encoding")) == (b"1;", None)


async def test_what_is_missing_is_not_remembered(client: httpx.AsyncClient) -> None:
    response = await client.get("/assets/app-2b.js", headers={"accept-encoding": "br"})
    assert response.status_code == 404
    assert "immutable" not in response.headers.get("cache-control", "")


async def test_a_file_that_the_browser_has_is_not_sent_again(client: httpx.AsyncClient) -> None:
    tag = (await client.get("/assets/app-1a.js", headers={"accept-encoding": "identity"})).headers["etag"]
    again = await client.get("/assets/app-1a.js", headers={"accept-encoding": "br", "if-none-match": tag})
    assert again.status_code == 304
