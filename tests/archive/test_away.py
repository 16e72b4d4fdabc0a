"""A database that cannot be reached is one error, leaves nothing half done, and forgiven when it is back."""

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import aiosqlite
import pytest
from sqlalchemy import make_url, text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from server.archive import session
from server.archive.history import history
from server.archive.matches import save
from server.archive.models import HandRow
from server.archive.session import Away, create_engine, create_session_factory, reading, writing
from server.bodies import History
from tests.archive.finished import a_hand

UNREACHABLE = [
    "sqlite:////no/such/folder/archive.db",
    "postgresql://nobody@127.0.0.1:1/archive",  # nothing listens on port 1
    "postgresql://nobody@/archive?host=/no/such/folder",
    "postgresql://nobody@host.invalid/archive",
]

END_SESSIONS = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'away'"


@pytest.mark.parametrize("url", UNREACHABLE)
async def test_nobody_there(url: str) -> None:
    engine = create_engine(url)
    factory = create_session_factory(engine)
    with pytest.raises(Away):
        await save(factory, a_hand())
    with pytest.raises(Away):
        async with reading(factory) as reader:
            await history(reader, "north")
    await engine.dispose()
    for thread in threading.enumerate():
        if "_connection_worker_thread" in thread.name:  # aiosqlite's, of the failed connections
            await asyncio.to_thread(thread.join, 10)  # it still reports to this loop


async def test_a_busy_sqlite_is_away(
    migrated_sqlite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "BUSY_MS", 50)
    path = tmp_path / "archive.db"
    path.write_bytes(migrated_sqlite.read_bytes())
    engine = create_engine(f"sqlite:///{path}")
    factory = create_session_factory(engine)
    async with aiosqlite.connect(path, isolation_level=None) as other:
        await other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Away):
            await save(factory, a_hand())
        async with reading(factory) as reader:  # readers never wait for a writer
            assert await history(reader, "north") == History(())
    assert await save(factory, a_hand())
    await engine.dispose()


async def test_who_waits_for_a_busy_sqlite_and_is_cancelled_twice_leaves_nothing_behind(
    migrated_sqlite: Path, tmp_path: Path
) -> None:
    """As the loops of a worker are that goes down (server/app.py), which waits for all that they have begun."""
    path = tmp_path / "archive.db"
    path.write_bytes(migrated_sqlite.read_bytes())
    engine = create_engine(f"sqlite:///{path}")
    before = asyncio.all_tasks()
    async with aiosqlite.connect(path, isolation_level=None) as other:
        await other.execute("BEGIN IMMEDIATE")
        saving = asyncio.create_task(save(create_session_factory(engine), a_hand()))
        await asyncio.wait([saving], timeout=0.2)
        while not saving.done():
            saving.cancel()
            await asyncio.wait([saving], timeout=0.1)
        left = asyncio.all_tasks() - before
        assert left, "its connection is still being closed"
    await engine.dispose()
    _, stuck = await asyncio.wait(left, timeout=10)
    for task in stuck:
        task.cancel()
    assert not stuck


@pytest.mark.postgres
class TestPostgres:
    """With the tests' own server: sessions ended, connections refused, and back again."""

    @pytest.fixture
    async def admin(self, postgres_url: str) -> AsyncIterator[Callable[[str], Awaitable[Any]]]:
        engine = create_async_engine(postgres_url, isolation_level="AUTOCOMMIT")

        async def execute(statement: str) -> None:
            async with engine.connect() as connection:
                await connection.execute(text(statement))

        yield execute
        await engine.dispose()

    @pytest.fixture
    async def archive_url(self, postgres_url: str, migrated_postgres: str, admin: Any) -> str:
        await admin(f"CREATE DATABASE away TEMPLATE {migrated_postgres}")
        return make_url(postgres_url).set(database="away").render_as_string(hide_password=False)

    @pytest.fixture
    async def engine(self, archive_url: str, admin: Any) -> AsyncIterator[AsyncEngine]:
        engine = create_engine(archive_url)
        yield engine
        await engine.dispose()
        await admin("DROP DATABASE away WITH (FORCE)")

    async def test_away_and_back(self, engine: AsyncEngine, admin: Any) -> None:
        factory = create_session_factory(engine)
        assert await save(factory, a_hand(1))
        await admin("ALTER DATABASE away ALLOW_CONNECTIONS false")
        await admin(END_SESSIONS)
        with pytest.raises(Away):
            await save(factory, a_hand(2))
        await admin("ALTER DATABASE away ALLOW_CONNECTIONS true")
        assert await save(factory, a_hand(2))
        assert not await save(factory, a_hand(1))

    async def test_no_such_database_yet(self, postgres_url: str) -> None:
        engine = create_engine(postgres_url.replace("/postgres?", "/not_yet?"))
        with pytest.raises(Away):
            await save(create_session_factory(engine), a_hand())
        await engine.dispose()

    async def test_a_restart_goes_unnoticed(self, engine: AsyncEngine, admin: Any) -> None:
        factory = create_session_factory(engine)
        assert await save(factory, a_hand(1))
        await admin(END_SESSIONS)
        assert await save(factory, a_hand(2))

    async def test_gone_in_the_middle(self, engine: AsyncEngine, admin: Any) -> None:
        factory = create_session_factory(engine)

        async def write() -> None:
            async with writing(factory) as writer:
                await writer.execute(text("INSERT INTO players VALUES ('north', 'North', 1)"))
                await admin(END_SESSIONS)
                await writer.execute(text("INSERT INTO players VALUES ('south', 'South', 1)"))

        with pytest.raises(Away):
            await write()
        async with reading(factory) as reader:
            assert await reader.scalar(text("SELECT count(*) FROM players")) == 0

    async def test_gone_before_the_commit(self, engine: AsyncEngine, admin: Any) -> None:
        """Nobody knows then whether it was kept; saving again settles it."""
        factory = create_session_factory(engine)

        async def write() -> None:
            async with writing(factory) as writer:
                await writer.execute(text("INSERT INTO players VALUES ('north', 'North', 1)"))
                await admin(END_SESSIONS)

        with pytest.raises(Away):
            await write()
        assert await save(factory, a_hand())


async def test_a_fault_of_ours_is_not_away(archive_url: str) -> None:
    engine = create_engine(archive_url)
    with pytest.raises(IntegrityError):
        async with writing(create_session_factory(engine)) as writer:
            writer.add(
                HandRow(
                    match="none",
                    hand_no=1,
                    ended=1,
                    ending="out",
                    result={},
                    record="",
                    commitment="",
                    seed="",
                    nonces=[],
                )
            )
    await engine.dispose()
