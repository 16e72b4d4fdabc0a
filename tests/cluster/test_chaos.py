"""Faults at random, by seed: whatever is done to workers, lines and stores, nothing is lost, doubled or stuck.

A seed that fails here is run again with `python -m tests.cluster --seed N`.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cluster.archives import Archive, PostgresArchive, SqliteArchive, migrated_template
from tests.cluster.run import run

pytestmark = [pytest.mark.cluster, pytest.mark.postgres]

SEEDS = 500 if os.environ.get("UPCARD_FULL") == "1" else 20
ON_POSTGRES = 4
"""Every so manieth seed is lived through with Postgres: a database of its own takes a moment."""


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated SQLite file."""
    return migrated_template(tmp_path_factory.mktemp("chaos"))


@pytest.mark.parametrize("seed", range(1, SEEDS + 1))
async def test_nothing_is_lost_doubled_or_stuck(
    seed: int, tmp_path: Path, template: Path, request: pytest.FixtureRequest
) -> None:
    archive: Archive
    if seed % ON_POSTGRES:
        archive = SqliteArchive(tmp_path, template)
    else:
        archive = await PostgresArchive.create(request.getfixturevalue("postgres_url"))
    verdict = await run(seed, tmp_path / "cluster", archive)
    assert verdict.wrong == [], verdict
    assert verdict.commits > 50
