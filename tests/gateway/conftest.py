"""A house with two workers for the tests of sockets and HTTP."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from server.client import new_session
from tests.house import House, running_house


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Two workers on embedded stores, bots in a hurry."""
    with running_house(tmp_path_factory.mktemp("house"), workers=2) as house:
        yield house


@pytest.fixture
def ada(house: House) -> str:
    """Ada's cookie."""
    return new_session(house.url, "Ada")


@pytest.fixture
def ben(house: House) -> str:
    """Ben's cookie."""
    return new_session(house.url, "Ben")
