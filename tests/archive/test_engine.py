"""How many connections the archive has."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

from sqlalchemy import text

from server.archive.session import MOST_FILES, create_engine, create_session_factory, reading


async def test_a_crowd_that_asks_at_once_has_few_threads(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite+aiosqlite:///{tmp_path / 'archive.db'}")
    sessions = create_session_factory(engine)
    before, most = threading.active_count(), 0

    async def ask() -> None:
        nonlocal most
        async with reading(sessions) as session:
            assert await session.scalar(text("SELECT 1")) == 1
            most = max(most, threading.active_count() - before)

    await asyncio.gather(*(ask() for _ in range(50)))
    assert 1 < most <= MOST_FILES
    await engine.dispose()
