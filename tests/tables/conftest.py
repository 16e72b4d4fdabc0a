"""A worker's tables on a real store that is empty at first."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.tables.shop import Shop


@pytest.fixture
async def shop(store_url: str) -> AsyncIterator[Shop]:
    """Nobody is in it yet."""
    shop = Shop(store_url)
    await shop.redis.flushall()
    yield shop
    await shop.close()
