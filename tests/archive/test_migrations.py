"""Migrations: up, down, several at once, and never behind the models."""

import asyncio
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, make_url, text
from sqlalchemy.ext.asyncio import AsyncConnection

from server.archive import session
from server.archive.matches import save
from server.archive.models import Base, MatchRow
from server.archive.recovery import lost_table
from server.archive.session import create_engine, create_session_factory, migrating, reading, run_migration
from server.config import ConfigError
from server.rules.result import Result
from server.tables.finished import FinishedSeat
from tests.archive.finished import a_hand, a_state

TABLES = {"alembic_version", "departures", "hands", "match_seats", "matches", "players"}


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


OLD_RESULT = msgspec.json.encode(Result("out", (0,), (7, -7), (0, 7), ((), ("7H",)))).decode()
OLD_ROWS = (
    "INSERT INTO players VALUES ('north', 'hand 1 dealer 3', 5)",
    "INSERT INTO matches VALUES ('m-1', 'konken', '{}', false, 10, NULL, NULL, '[]', '[7, -7]', 1)",
    "INSERT INTO matches VALUES ('m-2', 'konken', '{}', true, 50, 60, 'void', '[]', '[0, 0]', NULL)",
    "INSERT INTO matches VALUES ('m-3', 'konken', '{}', true, 70, NULL, NULL, '[]', '[0, 0]', NULL)",
    "INSERT INTO match_seats VALUES ('m-1', 0, 'north', 'hand 1 dealer 3', NULL, 7, 0)",
    "INSERT INTO match_seats VALUES ('m-1', 1, NULL, 'Bot 2', 'regular', -7, 0)",
    *(
        f"INSERT INTO hands VALUES ('m-1', {number}, {ended}, 'out', '{OLD_RESULT}', '{record}', '9f', '4b', '[]')"
        for number, ended, record in (
            (1, 20, "players hand 1 dealer 3 | Bot 2 (regular)\nhand 1 dealer 1\ncommit 9f\n"),
            (12, 40, "players hand 1 dealer 3 | Bot 2 (regular)\nhand 12 dealer 2\ncommit 9f\n"),
            (13, 30, "in no form that we know"),
        )
    ),
)
"""An archive as the first revision held it, with a player whose name is hardly one."""


async def test_what_came_later_comes_to_an_old_archive_and_goes(empty_url: str) -> None:
    await run_migration(empty_url, "0001")
    async with migrating(empty_url) as connection:
        for statement in OLD_ROWS:
            await connection.execute(text(statement))
        old = await contents(connection)
    await run_migration(empty_url, "head")
    async with migrating(empty_url) as connection:
        hands = await connection.execute(text("SELECT hand_no, dealer, v FROM hands ORDER BY hand_no"))
        assert [tuple(row) for row in hands] == [(1, 1, 0), (12, 2, 0), (13, 0, 0)]
        matches = await connection.execute(
            text("SELECT seen, table_id, state, state_v FROM matches ORDER BY id")
        )
        assert [tuple(row) for row in matches] == [
            (40, None, None, 0),
            (60, None, None, 0),
            (70, None, None, 0),
        ]
        # A worker of the release before knows nothing of the new columns.
        await connection.execute(
            text(
                "INSERT INTO hands (match, hand_no, ended, ending, result, record, commitment, seed, nonces)"
                " VALUES ('m-2', 1, 1, 'out', '{}', '', '9f', '4b', '[]')"
            )
        )
        await connection.execute(text("DELETE FROM hands WHERE match = 'm-2'"))
    await run_migration(empty_url, "-3")
    assert await tables(empty_url) == TABLES - {"departures"}
    async with migrating(empty_url) as connection:
        assert await contents(connection) == old
    await run_migration(empty_url, "head")
    async with migrating(empty_url) as connection:
        assert await connection.run_sync(differences) == []


async def contents(connection: AsyncConnection) -> dict[str, list[tuple[object, ...]]]:
    """All rows of the first revision's tables."""
    return {
        table: sorted(
            tuple(map(str, row)) for row in await connection.execute(text(f"SELECT * FROM {table}"))
        )
        for table in ("players", "matches", "match_seats", "hands")
    }


async def test_an_old_match_goes_on(empty_url: str) -> None:
    await run_migration(empty_url, "0001")
    async with migrating(empty_url) as connection:
        for statement in OLD_ROWS:
            await connection.execute(text(statement))
    await run_migration(empty_url, "head")
    engine = create_engine(empty_url)
    factory = create_session_factory(engine)
    two = (FinishedSeat("north", "North", total=9), FinishedSeat(None, "Bot 2", bot="regular", total=-9))
    nonces, deal = ("", ""), (("4H",), ("KS",))
    assert await save(factory, a_hand(14, match="m-1", table="m", seats=two, nonces=nonces, deal=deal))
    async with reading(factory) as session:
        match = await session.get_one(MatchRow, "m-1")
        assert (match.table_id, match.totals, match.dealer) == ("m", [9, -9], 1)
    assert await lost_table(factory, "m", 0) is None  # nobody knows its token
    assert await save(factory, a_state(70, 14, match="m-1", table="m", seats=two))
    lost = await lost_table(factory, "m", 0)
    assert lost is not None
    assert (lost.hand_no, lost.dealer, lost.totals) == (14, 0, (9, -9))
    assert [row[0] for row in lost.sheet] == [1, 12, 13, 14]
    await engine.dispose()


async def test_a_migrated_archive_stays_as_it_is(archive_url: str) -> None:
    engine = create_engine(archive_url)
    await save(create_session_factory(engine), a_hand())
    await asyncio.to_thread(session.migrate, archive_url)
    assert not await save(create_session_factory(engine), a_hand())
    await engine.dispose()


async def test_what_is_up_to_date_is_left_alone(empty_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """And only that: not an empty archive, and not an old one."""
    asked: list[str] = []

    def note(connection: Connection, revision: str) -> None:
        asked.append(revision)
        run_alembic(connection, revision)

    run_alembic = session.run_alembic
    monkeypatch.setattr(session, "run_alembic", note)
    for _ in range(2):
        await asyncio.to_thread(session.migrate, empty_url)
    assert asked == ["head"]
    await run_migration(empty_url, "-1")
    await asyncio.to_thread(session.migrate, empty_url)
    assert asked == ["head", "-1", "head"]


def test_the_revisions_that_are_known_are_those_of_the_migrations() -> None:
    """By the names of their files, without asking Alembic."""
    script = ScriptDirectory(str(session.migrations_folder()))
    oldest_last = [revision.revision for revision in script.walk_revisions()]
    assert list(session.known_revisions()) == oldest_last[::-1]


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
