"""What every test may ask for: a real store, a real Postgres, a real browser."""

import asyncio
import os
from collections.abc import Iterator
from typing import Any

import hypothesis
import pytest
from xdist.scheduler import LoadScopeScheduling

from server.bench.browsers import launch_options
from server.embedded import running_store
from tests.masters import Masters, running_masters
from tests.postgres import running_postgres

FULL = os.environ.get("UPCARD_FULL") == "1"  # set by `./dev test --full`

ONE_AT_A_TIME = ("tests/browser/", "tests/cluster/")
"""The machine has enough to do with one browser and one cluster: each has a worker of the run to itself."""

# No deadline: a shared machine may be slow for a moment. CI prints what reproduces a failure.
hypothesis.settings.register_profile("quick", deadline=None, max_examples=30, print_blob=True)
hypothesis.settings.register_profile("full", deadline=None, max_examples=1000, print_blob=True)
hypothesis.settings.load_profile("full" if FULL else "quick")


@pytest.fixture(scope="session")
def full() -> bool:
    """Whether the long suites were asked for."""
    return FULL


@pytest.fixture(scope="session")
def store_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a real store, one for each worker of the test run; tests keep to keys of their own."""
    with running_store(tmp_path_factory.mktemp("data") / "store") as url:
        yield url


@pytest.fixture(scope="session")
def masters(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Masters]:
    """A Redis Cluster of three masters, one for each worker of the test run."""
    with running_masters(tmp_path_factory.mktemp("masters")) as masters:
        yield masters


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """The address of an empty Postgres, one for each worker of the test run."""
    with running_postgres() as url:
        yield url


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """How pytest-playwright starts the browser: the system's own, and without calls home."""
    own = launch_options()
    return {
        **browser_type_launch_args,
        **own,
        "args": [*browser_type_launch_args.get("args", []), *own["args"]],
    }


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Let asyncio tests run after a browser test of the same process.

    Playwright's synchronous interface leaves its event loop marked as running, though it only runs
    while it is called. Nobody but a browser test may see that mark.
    """
    if item.get_closest_marker("browser"):
        return (yield)
    running = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    try:
        return (yield)
    finally:
        asyncio._set_running_loop(running)


class InTurn(LoadScopeScheduling):
    """Whatever is not to run twice at a time is one piece of work; all else is handed out test by test.

    By folder: the names that pytest-xdist's own groups put behind a test's are no longer there since pytest 9.2.
    """

    def _split_scope(self, nodeid: str) -> str:
        return next((folder for folder in ONE_AT_A_TIME if nodeid.startswith(folder)), nodeid)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> InTurn | None:
    """How `./dev test` hands out the tests; another `--dist` is taken at its word."""
    return InTurn(config, log) if config.getvalue("dist") == "loadscope" else None
