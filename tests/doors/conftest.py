"""A house whose doors are tried."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.gateway.conftest import ada, ben, house  # noqa: F401 - fixtures
from tests.house import House, running_house


@pytest.fixture(scope="session")
def strict_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """One worker for which an address stands for one player, in front of which a proxy at 127.0.0.2 may stand."""
    folder = tmp_path_factory.mktemp("strict")
    proxy = "127.0.0.2"
    with running_house(folder, UPCARD_PLAYERS_PER_ADDRESS="1", UPCARD_TRUSTED_PROXIES=proxy) as strict:
        yield strict
