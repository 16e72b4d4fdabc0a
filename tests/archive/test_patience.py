"""A database that hangs instead of refusing: players are not kept waiting for what only it would know."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from sqlalchemy import make_url
from sqlalchemy.ext.asyncio import AsyncEngine

from server.archive.keeper import Keeper
from server.archive.session import create_engine, create_session_factory
from server.clock import StoreClock
from server.rules.refusal import Code, Refused
from tests.archive.conftest import create_database
from tests.cluster.road import Road

PONG_SECONDS = 4.0
"""How long a client waits for a sign of life before it hangs up (web/src/net/link.ts)."""


def in_time() -> asyncio.Timeout:
    """Fails if it takes so long that the client would be gone."""
    return asyncio.timeout(PONG_SECONDS * 0.6)


class Deaf:
    """Takes every call and never says a word."""

    async def __aenter__(self) -> str:
        self._server = await asyncio.start_server(lambda reader, writer: None, "127.0.0.1", 0)
        return f"postgresql://north@127.0.0.1:{self._server.sockets[0].getsockname()[1]}/archive"

    async def __aexit__(self, *_: object) -> None:
        self._server.close()


@pytest.fixture(params=["never answers", pytest.param("falls silent", marks=pytest.mark.postgres)])
async def hanging(request: pytest.FixtureRequest) -> AsyncIterator[AsyncEngine]:
    """An archive that hangs: from the first call, or in the middle of a connection that was good."""
    if request.param == "never answers":
        async with Deaf() as deaf:
            engine = create_engine(deaf)
            yield engine
            await engine.dispose()
        return
    template = request.getfixturevalue("migrated_postgres")
    url = make_url(await create_database(request.getfixturevalue("postgres_url"), template))
    async with Road([f"{url.query['host']}/.s.PGSQL.5432"]) as road:
        there = url.set(host="127.0.0.1", port=road.port, query={}).render_as_string(hide_password=False)
        engine = create_engine(there)
        assert await Keeper(create_session_factory(engine), StoreClock()).lost_tables("north") == ()
        assert road.lanes
        road.silence()
        yield engine
        await engine.dispose()


async def test_who_says_hello_is_greeted_without_what_the_archive_knows(hanging: AsyncEngine) -> None:
    keeper = Keeper(create_session_factory(hanging), StoreClock())
    async with in_time():
        assert await keeper.lost_tables("north") == ()


async def test_a_table_that_only_the_archive_knows_is_asked_for_again(hanging: AsyncEngine) -> None:
    keeper = Keeper(create_session_factory(hanging), StoreClock())
    with pytest.raises(Refused) as refused:
        async with in_time():
            await keeper.recover("table")
    assert refused.value.code is Code.UNAVAILABLE
