"""Logs that a machine can read, and metrics of all workers."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from prometheus_client import REGISTRY

from server import telemetry

SPEAK = """
import asyncio, logging, structlog
from server.telemetry import configure_logs
configure_logs("info", as_json={as_json})
structlog.get_logger("house").info("table opened", table="a1")
structlog.get_logger("house").debug("unheard")
try:
    1 / 0
except ZeroDivisionError:
    logging.getLogger("uvicorn.error").exception("from %s", "elsewhere")
try:
    raise asyncio.CancelledError
except asyncio.CancelledError:
    logging.getLogger("sqlalchemy.pool").exception("no fault")
"""


def spoken(*, as_json: bool) -> list[str]:
    """What a process writes to stderr."""
    code = SPEAK.format(as_json=as_json)
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stderr.splitlines()


def test_every_record_is_one_line_of_json_whoever_wrote_it() -> None:
    own, foreign = map(json.loads, spoken(as_json=True))
    assert own.pop("timestamp").endswith("Z")
    assert own == {"event": "table opened", "table": "a1", "level": "info", "logger": "house"}
    assert (foreign["event"], foreign["level"]) == ("from elsewhere", "error")
    assert "ZeroDivisionError" in foreign["exception"]


def test_people_get_plain_lines() -> None:
    lines = spoken(as_json=False)
    assert "table opened" in lines[0]
    assert "table=a1" in lines[0]
    assert not any("unheard" in line for line in lines)


def test_metrics_are_named_for_this_project() -> None:
    names = [
        line.split()[2] for line in telemetry.metrics().decode().splitlines() if line.startswith("# TYPE")
    ]
    own = {name for name in names if name.startswith("upcard_")}
    assert {"upcard_commits_total", "upcard_refusals_total", "upcard_sockets"} <= own
    assert all(name.startswith(("upcard_", "python_", "process_")) for name in names)


def test_a_killed_worker_no_longer_counts(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        pass
    dead = tmp_path / f"gauge_livesum_{gone.pid}.db"
    living = tmp_path / f"gauge_livesum_{os.getpid()}.db"
    counter = tmp_path / f"counter_{gone.pid}.db"
    for path in (dead, living, counter):
        path.touch()
    telemetry.forget_dead_workers(tmp_path)
    assert [path.exists() for path in (dead, living, counter)] == [False, True, True]


def test_a_tally_is_told_once() -> None:
    tally = telemetry.Tally("upcard_test_tally", "For a test.")
    for _ in range(3):
        tally.inc()
    for _ in range(2):
        tally.tell()
        assert REGISTRY.get_sample_value("upcard_test_tally_total") == 3


def test_workers_share_one_account(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    count = "from server import telemetry; telemetry.COMMITS.inc(); telemetry.tell_tallies(); telemetry.SOCKETS.inc()"
    environment = {**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
    for _ in range(2):
        subprocess.run([sys.executable, "-c", count], env=environment, check=True)
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", str(tmp_path))
    told = telemetry.metrics().decode()
    assert "upcard_commits_total 2.0" in told
    assert "upcard_sockets 1.0" not in told  # both are gone, and their sockets with them
