"""Migrations: up, down, several at once, and never behind the models."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, inspect, make_url, text

from server.archive import session
from server.archive.matches import save
from server.archive.models import Base
from server.archive.session import create_engine, create_session_factory, migrating, run_migration
from server.config import ConfigError
from tests.archive.finished import a_hand

TABLES = {"alembic_version", "hands", "match_seats", "matches", "players"}


def differences(connection: Connection) -> list[object]:
    context = MigrationContext.configure(
        connection, opts={"compare_type": True, "compare_server_default": True}
    )
    return list(compare_metadata(context, Base.metadata))


async def tables(url: str) -> set[str]:
    async with migrating(url) as connection:
        return set(await connection.run_sync(lambda sync: inspect(sync).get_table_names()))


async def test_migrations_lead_to_the_models(empty_url: str) -> None:
    await run_migration(empty_url, "head")
    async with migrating(empty_url) as connection:
        assert await connection.run_sync(differences) == []
    assert await tables(empty_url) == TABLES


async def test_down_and_up_again(archive_url: str) -> None:
    await run_migration(archive_url, "base")
    assert await tables(archive_url) == {"alembic_version"}
    await run_migration(archive_url, "head")
    assert await tables(archive_url) == TABLES


async def test_a_migrated_archive_stays_as_it_is(archive_url: str) -> None:
    engine = create_engine(archive_url)
    await save(create_session_factory(engine), a_hand())
    await asyncio.to_thread(session.migrate, archive_url)
    assert not await save(create_session_factory(engine), a_hand())
    await engine.dispose()


async def test_several_processes_at_once(empty_url: str) -> None:
    program = f"from server.archive.session import migrate; migrate({empty_url!r})"
    processes = [subprocess.Popen([sys.executable, "-c", program]) for _ in range(4)]
    assert await asyncio.gather(*(asyncio.to_thread(process.wait, 60) for process in processes)) == [0] * 4
    assert await tables(empty_url) == TABLES


async def test_a_failed_migration_leaves_nothing(empty_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail_at_the_end(connection: Connection, revision: str) -> None:
        run_alembic(connection, revision)
        raise RuntimeError("a bad revision")

    run_alembic = session.run_alembic
    monkeypatch.setattr(session, "run_alembic", fail_at_the_end)
    with pytest.raises(RuntimeError, match="a bad revision"):
        await run_migration(empty_url, "head")
    assert await tables(empty_url) == set()


async def test_sqlite_is_tamed(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path / 'archive.db'}")
    async with engine.connect() as connection:
        pragmas = {
            name: await connection.scalar(text(f"PRAGMA {name}"))
            for name in ("journal_mode", "synchronous", "busy_timeout", "foreign_keys")
        }
    await engine.dispose()
    assert pragmas == {"journal_mode": "wal", "synchronous": 1, "busy_timeout": 5000, "foreign_keys": 1}


@pytest.mark.parametrize(
    ("given", "used"),
    [
        ("postgres://u:p%40ss@db/upcard", "postgresql+asyncpg://u:p%40ss@db/upcard"),
        ("postgresql://db/upcard?sslmode=require", "postgresql+asyncpg://db/upcard?ssl=require"),
        ("postgresql+asyncpg://db/upcard", "postgresql+asyncpg://db/upcard"),
        ("sqlite:////var/lib/upcard.db", "sqlite+aiosqlite:////var/lib/upcard.db"),
        ("sqlite+aiosqlite:///data/upcard.db", "sqlite+aiosqlite:///data/upcard.db"),
    ],
)
def test_addresses_name_the_driver(given: str, used: str) -> None:
    assert session.address(given) == make_url(used)


def test_other_databases_are_refused() -> None:
    with pytest.raises(ConfigError):
        session.address("mysql://db/upcard")


@pytest.mark.parametrize("place", ["server/migrations", "migrations"])
def test_migrations_are_found(place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a wheel they are inside the package, in a checkout beside it."""
    (tmp_path / place).mkdir(parents=True)
    (tmp_path / place / "env.py").touch()
    monkeypatch.setattr(session, "__file__", str(tmp_path / "server/archive/session.py"))
    assert session.migrations_folder() == tmp_path / place
