"""The way to the database: engine, transactions, migrations.

Two databases, one behaviour: a transaction that writes begins as a writer (SQLite: `BEGIN IMMEDIATE`), and a
database that cannot be reached is one error, `Away`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, event, make_url, text
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import (
    AsyncConnection,
    AsyncEngine,
    AsyncSession,
    async_sessionmaker,
    create_async_engine,
)
from sqlalchemy.pool import NullPool

from server.config import async_driver

SessionFactory = async_sessionmaker[AsyncSession]

WRITES = "upcard_writes"
"""Execution option of a transaction that will write."""

MOST_FILES = 4  # connections to SQLite: each is a thread with memory of its own, and only one may write
BUSY_MS = 5000  # a SQLite write takes milliseconds; who waits longer meets a fault, not a queue
MIGRATION_BUSY_MS = 120_000  # whoever starts second waits for the whole migration of the first
CONNECT_SECONDS = 5  # Postgres that does not answer by then is away
COMMAND_SECONDS = 15  # and so is one that hangs in a query: all of ours are small
MIGRATION_LOCK = 0x75706361  # "upca": any number will do that no other program takes in this database
REVISION = text("SELECT version_num FROM alembic_version")
AWAY_STATES = ("08", "28", "3D", "40", "53", "55", "57")
"""Classes of Postgres' errors where asking again later may help: connection, password, database missing,
rolled back, out of resources, not ready, ended by an operator."""


class Away(Exception):
    """The database cannot be reached now. Ask again later; who was saving cannot know, so save again."""


def address(database_url: str) -> URL:
    """A database URL with its asyncio driver; raises ConfigError for other databases.

    Takes what hosts hand out: `postgres://…`, `postgresql://…?sslmode=require`, `sqlite:///path`.
    """
    url = make_url(async_driver(database_url))
    if url.get_backend_name() == "postgresql" and "sslmode" in url.query:
        # libpq's name for it; asyncpg's own is `ssl`, with the same values
        url = url.difference_update_query(["sslmode"]).update_query_dict({"ssl": url.query["sslmode"]})
    return url


def create_engine(database_url: str) -> AsyncEngine:
    """An engine with this project's settings. Dispose of it at the end: `await engine.dispose()`."""
    url = address(database_url)
    if url.get_backend_name() == "sqlite":
        engine = create_async_engine(url, hide_parameters=True, pool_size=MOST_FILES, max_overflow=0)
        tame_sqlite(engine, busy_ms=BUSY_MS, foreign_keys=True)
        return engine
    return create_async_engine(
        url,
        hide_parameters=True,  # an error ends up in a log, and among them are tokens
        pool_pre_ping=True,  # a restarted Postgres costs nobody an error
        pool_timeout=CONNECT_SECONDS,
        connect_args={"timeout": CONNECT_SECONDS, "command_timeout": COMMAND_SECONDS},
    )


def create_session_factory(engine: AsyncEngine) -> SessionFactory:
    """Sessions whose objects stay readable after the commit."""
    return async_sessionmaker(engine, expire_on_commit=False)


def tame_sqlite(engine: AsyncEngine, *, busy_ms: int, foreign_keys: bool) -> None:
    """Set the pragmas of every connection, and let transactions begin when we say and as we say."""

    @event.listens_for(engine.sync_engine, "connect")
    def prepare(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # else the driver begins by itself, late and never as a writer
        cursor = connection.cursor()
        # The timeout first: changing to WAL may have to wait as well.
        cursor.execute(f"PRAGMA busy_timeout = {busy_ms}")
        cursor.execute("PRAGMA journal_mode = WAL")
        cursor.execute("PRAGMA synchronous = NORMAL")  # a power cut may cost the last hands, not the file
        cursor.execute(f"PRAGMA foreign_keys = {'ON' if foreign_keys else 'OFF'}")
        cursor.close()
        # One whose user is cancelled twice is stopped and closed, and stopping it again would wait for ever for a
        # thread that has ended (aiosqlite 0.22): a worker would never go down.
        connection.driver_connection.stop = cache(connection.driver_connection.stop)

    @event.listens_for(engine.sync_engine, "begin")
    def begin(connection: Connection) -> None:
        # A reader that turns writer is refused at once if another wrote meanwhile, whatever the timeout.
        writes = connection.get_execution_options().get(WRITES, False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


@asynccontextmanager
async def reading(factory: SessionFactory) -> AsyncIterator[AsyncSession]:
    """A session to read with; raises Away if the database is."""
    try:
        async with factory() as session:
            yield session
    except (DBAPIError, PoolTimeout, OSError) as error:
        raise_if_away(error)
        raise


@asynccontextmanager
async def writing(factory: SessionFactory) -> AsyncIterator[AsyncSession]:
    """A session in a transaction that commits at the end, or leaves no trace; raises Away as well."""
    try:
        async with factory() as session, session.begin():
            await session.connection(execution_options={WRITES: True})
            yield session
    except (DBAPIError, PoolTimeout, OSError) as error:
        raise_if_away(error)
        raise


def raise_if_away(error: Exception) -> None:
    """Raise Away in place of what the drivers raise when nobody answers, or no longer; else return."""
    match error:
        case OSError() | PoolTimeout() | OperationalError() | InterfaceError():
            raise Away(str(error) or repr(error)) from error
        case DBAPIError() if error.connection_invalidated or sqlstate(error).startswith(AWAY_STATES):
            raise Away(str(error) or repr(error)) from error


def sqlstate(error: DBAPIError) -> str:
    """Postgres' code of an error; empty where there is none."""
    return getattr(error.orig, "sqlstate", None) or ""


def migrate(database_url: str) -> None:
    """Bring the database up to the newest revision, creating it if it is empty.

    Several processes may do so at once: one does the work, the others wait for it. Blocks until done.
    """
    with ThreadPoolExecutor(1) as apart:  # the caller's thread may have an event loop of its own
        apart.submit(asyncio.run, _bring_up_to_date(database_url)).result()


async def _bring_up_to_date(database_url: str) -> None:
    """Alembic is asked only where there is something to do: to load it takes a sixth of a start."""
    if not await _is_newest(database_url):
        await run_migration(database_url, "head")


async def _is_newest(database_url: str) -> bool:
    engine = create_async_engine(address(database_url), poolclass=NullPool)
    try:
        async with engine.connect() as connection:
            return set(await connection.scalars(REVISION)) == {known_revisions()[-1]}
    except DBAPIError:
        return False  # empty; or busy, and then the migration waits
    finally:
        await engine.dispose()


async def run_migration(database_url: str, revision: str) -> None:
    """Upgrade or downgrade (`base`, or `-1` for one step) in one transaction: all of it, or nothing."""
    async with migrating(database_url) as connection:
        await connection.run_sync(run_alembic, revision)


@asynccontextmanager
async def migrating(database_url: str) -> AsyncIterator[AsyncConnection]:
    """A transaction in which nobody else migrates this database."""
    url = address(database_url)
    engine = create_async_engine(url, poolclass=NullPool)
    if url.get_backend_name() == "sqlite":
        # Without foreign keys: rebuilding a table drops the old one, which would cascade.
        tame_sqlite(engine, busy_ms=MIGRATION_BUSY_MS, foreign_keys=False)
    try:
        async with engine.connect() as connection:
            await connection.execution_options(**{WRITES: True})
            async with connection.begin():
                if connection.dialect.name == "postgresql":
                    lock = text("SELECT pg_advisory_xact_lock(:key)")
                    await connection.execute(lock, {"key": MIGRATION_LOCK})
                yield connection
    finally:
        await engine.dispose()


def run_alembic(connection: Connection, revision: str) -> None:
    """Alembic's upgrade or downgrade over a connection that is already in its transaction."""
    from alembic import command
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(migrations_folder()).replace("%", "%%"))
    if revision == "base" or revision.startswith("-"):
        command.downgrade(config, revision)
    else:
        command.upgrade(config, revision)


@cache
def known_revisions() -> tuple[str, ...]:
    """The revisions of the database that this code knows, oldest first: a file each, which begins with its number."""
    files = (migrations_folder() / "versions").glob("[0-9]*_*.py")
    return tuple(sorted(file.name.partition("_")[0] for file in files))


async def knows_schema(factory: SessionFactory) -> bool:
    """Whether the database is at a revision that this code knows; newer code may have migrated it. Raises Away."""
    async with reading(factory) as session:
        return set(await session.scalars(REVISION)) <= set(known_revisions())


def migrations_folder() -> Path:
    """Where the revisions are: inside the installed package, or at the top of a checkout."""
    package = Path(__file__).resolve().parent.parent
    for folder in (package / "migrations", package.parent / "migrations"):
        if (folder / "env.py").is_file():
            return folder
    raise FileNotFoundError("The migrations are missing from this installation.")
