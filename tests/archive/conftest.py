"""The archive on both databases, real ones; each test gets a freshly migrated database of its own."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import make_url, text
from sqlalchemy.ext.asyncio import create_async_engine

from server.archive.session import SessionFactory, create_engine, create_session_factory, migrate

BOTH = ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]

numbers = count(1)


async def create_database(postgres_url: str, template: str = "template1") -> str:
    """A new database on the tests' own server; returns its address."""
    name = f"archive_{next(numbers)}"
    engine = create_async_engine(postgres_url, isolation_level="AUTOCOMMIT")
    async with engine.connect() as connection:
        await connection.execute(text(f"CREATE DATABASE {name} TEMPLATE {template}"))
    await engine.dispose()
    return make_url(postgres_url).set(database=name).render_as_string(hide_password=False)


@pytest.fixture(scope="session")
def migrated_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated file to copy: quicker than a migration for every test."""
    path = tmp_path_factory.mktemp("archive") / "template.db"
    migrate(f"sqlite:///{path}")
    return path


@pytest.fixture(scope="session")
def migrated_postgres(postgres_url: str) -> str:
    """The name of a migrated database to copy."""
    with ThreadPoolExecutor(1) as apart:  # a test's own event loop may be running in this thread
        url = apart.submit(asyncio.run, create_database(postgres_url)).result()
    migrate(url)
    return str(make_url(url).database)


@pytest.fixture(params=BOTH)
async def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database without any table."""
    if request.param == "sqlite":
        return f"sqlite+aiosqlite:///{tmp_path / 'archive.db'}"
    return await create_database(request.getfixturevalue("postgres_url"))


@pytest.fixture(params=BOTH)
async def archive_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a migrated, empty archive."""
    if request.param == "sqlite":
        shutil.copy(request.getfixturevalue("migrated_sqlite"), tmp_path / "archive.db")
        return f"sqlite+aiosqlite:///{tmp_path / 'archive.db'}"
    template = request.getfixturevalue("migrated_postgres")
    return await create_database(request.getfixturevalue("postgres_url"), template)


@pytest.fixture
async def archive(archive_url: str) -> AsyncIterator[SessionFactory]:
    """A migrated, empty archive."""
    engine = create_engine(archive_url)
    yield create_session_factory(engine)
    await engine.dispose()


@pytest.fixture
async def client(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    """Somebody without a session, who asks a test's own `app`."""
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://upcard.test") as client:
        yield client
