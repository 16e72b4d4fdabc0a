"""The archive of a cluster: SQLite in a file, or a database of its own on a real Postgres. Both can be away."""

from __future__ import annotations

import asyncio
import itertools
import shutil
import sqlite3
from pathlib import Path
from typing import Protocol

from sqlalchemy import make_url, text
from sqlalchemy.ext.asyncio import create_async_engine

from server.archive.session import migrate

AWAY = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = "
numbers = itertools.count(1)


class Archive(Protocol):
    """Where finished hands go."""

    url: str

    async def away(self, seconds: float) -> None:
        """Be unreachable that long."""
        ...


class SqliteArchive:
    """A migrated file, copied from `template`."""

    def __init__(self, folder: Path, template: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._path = folder / "archive.db"
        shutil.copy(template, self._path)
        self.url = f"sqlite+aiosqlite:///{self._path}"

    async def away(self, seconds: float) -> None:
        """Somebody else writes all the time."""
        connection = sqlite3.connect(self._path, isolation_level=None, timeout=0)
        try:
            held = False
            while not held:
                held = busy(connection)
                await asyncio.sleep(seconds if held else 0.01)
        finally:
            connection.close()


def busy(connection: sqlite3.Connection) -> bool:
    """Begin to write, if nobody else does just now."""
    try:
        connection.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError:
        return False
    return True


class PostgresArchive:
    """A database made from a migrated one."""

    def __init__(self, server_url: str, name: str) -> None:
        self._server = server_url
        self._name = name
        self.url = make_url(server_url).set(database=name).render_as_string(hide_password=False)

    @classmethod
    async def create(cls, server_url: str) -> PostgresArchive:
        """A fresh one on that server; the first call migrates a template."""
        if template_of.get(server_url) is None:
            template = f"chaos_{next(numbers)}"
            await execute(server_url, f"CREATE DATABASE {template}")
            url = make_url(server_url).set(database=template).render_as_string(hide_password=False)
            await asyncio.to_thread(migrate, url)
            template_of[server_url] = template
        name = f"chaos_{next(numbers)}"
        await execute(server_url, f"CREATE DATABASE {name} TEMPLATE {template_of[server_url]}")
        return cls(server_url, name)

    async def away(self, seconds: float) -> None:
        """All sessions end, and no new one begins."""
        await execute(self._server, f"ALTER DATABASE {self._name} ALLOW_CONNECTIONS false")
        await execute(self._server, f"{AWAY}'{self._name}'")
        try:
            await asyncio.sleep(seconds)
        finally:
            await execute(self._server, f"ALTER DATABASE {self._name} ALLOW_CONNECTIONS true")

    async def drop(self) -> None:
        """No more of it."""
        await execute(self._server, f"DROP DATABASE {self._name} WITH (FORCE)")


template_of: dict[str, str] = {}


async def execute(server_url: str, statement: str) -> None:
    """One statement, outside of any transaction."""
    engine = create_async_engine(server_url, isolation_level="AUTOCOMMIT")
    try:
        async with engine.connect() as connection:
            await connection.execute(text(statement))
    finally:
        await engine.dispose()


def migrated_template(folder: Path) -> Path:
    """A migrated SQLite file to copy."""
    path = folder / "template.db"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        migrate(f"sqlite:///{path}")
    return path
