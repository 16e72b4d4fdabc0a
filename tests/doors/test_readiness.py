"""A worker says when it should be sent nobody: before its sockets are closed, and while it could not serve them."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import httpx
import pytest
from msgspec.structs import replace
from redis import Redis
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine
from websockets.asyncio.client import connect

from server.archive.session import address, create_engine, create_session_factory, knows_schema, migrate
from server.client import Client, new_session
from server.embedded import running_store
from server.players import COOKIE
from server.protocol import Bye
from server.tables.forms import SCHEMA
from server.tables.keys import table_channel
from server.tables.table import read, write
from tests.gateway.players import two_and_two
from tests.house import House, running_house

SECRET = "for tests only, and long enough to be one"


async def answer(house: House, path: str = "/ready") -> tuple[int, str]:
    """Status and text of a page of the operators."""
    async with httpx.AsyncClient() as http:
        found = await http.get(house.url + path)
    return found.status_code, found.text


async def until(house: House, wanted: tuple[int, str], seconds: float = 15) -> None:
    """Wait until `/ready` answers so."""
    async with asyncio.timeout(seconds):
        while await answer(house) != wanted:  # noqa: ASYNC110 - the server is another process
            await asyncio.sleep(0.05)


async def test_a_store_that_is_away_makes_a_worker_unready_and_leaves_it_alive(tmp_path: Path) -> None:
    with running_store(tmp_path / "store") as url:
        given = {"UPCARD_REDIS_URL": url, "UPCARD_SECRET": SECRET}
        house = House(tmp_path / "house", 1, **given)
        house.start()
        try:
            assert await answer(house) == (204, "")
            Redis.from_url(url).shutdown(nosave=True)
            assert await answer(house) == (503, "store away")
            for path in ("/live", "/health"):
                assert await answer(house, path) == (200, '{"status":"ok"}')
        finally:
            house.stop()


@pytest.mark.parametrize("workers", [1, 2])
async def test_a_worker_that_goes_down_is_unready_before_its_sockets_are_closed(
    tmp_path: Path, workers: int
) -> None:
    with running_house(tmp_path, workers=workers, UPCARD_DRAIN_SECONDS="1.5") as house:
        cookies = [new_session(house.url, name) for name in ("Ada", "Ben")]
        async with Client(house.url, cookies[0], keep_log=True) as ada, Client(house.url, cookies[1]) as ben:
            table = await two_and_two(ada, ben)
            os.kill(house.pid, signal.SIGTERM)
            await until(house, (503, "leaving"))
            assert ada._socket is not None
            assert ada._socket.close_code is None, "its sockets are still served"
            await ada.watch(table)
            headers = {"cookie": f"{COOKIE}={cookies[0]}"}
            async with connect(
                house.url.replace("http", "ws") + "/ws", additional_headers=headers
            ) as newcomer:
                assert await newcomer.recv() == '{"t":"bye","reason":"restart"}'
                await newcomer.wait_closed()
                assert newcomer.close_code == 1012
            async with asyncio.timeout(10):
                await ada._socket.wait_closed()
            assert ada._socket.close_code == 1012
            assert ada.log is not None
            assert ada.log[-1] == Bye("restart")


async def test_a_second_signal_is_not_made_to_wait(tmp_path: Path) -> None:
    with running_house(tmp_path, UPCARD_DRAIN_SECONDS="60") as house:
        os.kill(house.pid, signal.SIGTERM)
        await until(house, (503, "leaving"))
        await asyncio.to_thread(house.stop)  # fails if that takes more than 20 s


async def test_a_newer_database_makes_a_worker_unready(tmp_path: Path) -> None:
    with running_house(tmp_path) as house:
        assert await answer(house) == (204, "")
        engine = create_async_engine(f"sqlite+aiosqlite:///{house.folder / 'data' / 'upcard.db'}")
        async with engine.begin() as connection:
            await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
        await engine.dispose()
        await until(house, (503, "outdated"))


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
async def test_a_revision_that_is_not_known_is_noticed(
    tmp_path: Path, kind: str, request: pytest.FixtureRequest
) -> None:
    url = f"sqlite:///{tmp_path / 'a.db'}" if kind == "sqlite" else request.getfixturevalue("postgres_url")
    await asyncio.to_thread(migrate, url)
    engine = create_engine(str(address(url)) if kind == "sqlite" else url)
    sessions = create_session_factory(engine)
    try:
        assert await knows_schema(sessions)
        async with engine.begin() as connection:
            await connection.execute(text("UPDATE alembic_version SET version_num = version_num || '-newer'"))
        assert not await knows_schema(sessions)
        async with engine.begin() as connection:
            await connection.execute(
                text("UPDATE alembic_version SET version_num = substr(version_num, 1, 4)")
            )
    finally:
        await engine.dispose()


async def test_a_table_that_newer_code_has_written_sends_its_people_elsewhere(tmp_path: Path) -> None:
    with running_store(tmp_path / "store") as url:
        given = {"UPCARD_REDIS_URL": url, "UPCARD_SECRET": SECRET}
        house = House(tmp_path / "house", 1, **given)
        house.start()
        try:
            async with Client(house.url, new_session(house.url, "Ada"), keep_log=True) as ada:
                table = await ada.create({"turn_seconds": 60})
                await ada.unwatch(table)
                store = Redis.from_url(url)
                record = read(store.hget(table_channel(table), "record"))  # type: ignore[arg-type]
                newer = write(replace(record, schema=SCHEMA + 1))
                store.hset(table_channel(table), mapping={"rev": "99-newer", "record": newer})
                await ada.send_text(f'{{"t":"watch","table":"{table}"}}')
                assert ada._socket is not None
                async with asyncio.timeout(10):
                    await ada._socket.wait_closed()
                assert ada._socket.close_code == 1012
                assert ada.log is not None
                assert ada.log[-1] == Bye("restart")
            await until(house, (503, "outdated"))
            assert "Traceback" not in house.log
        finally:
            house.stop()
