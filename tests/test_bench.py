"""The benches run, and say what they promise. Nothing here looks at a time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from server.bench import rules, tables, yardsticks
from server.bench.report import Report, Row, read, text, write
from server.rules.registry import GAMES


def test_the_rules_are_measured() -> None:
    report = rules.measure(hands=1)
    for game in GAMES:
        for what in ("deal", "apply", "legal", "menu", "view", "timeout", "to JSON and back"):
            row = report.row(f"{game}: {what}")
            assert row is not None
            assert row.p50 is not None
            assert row.p99 is not None
            assert row.p50 <= row.p99
            assert report.in_yardsticks(row.name) is not None
        assert report.row(f"{game}: playout, random: moves") is not None
    assert 1900 < len(msgspec.json.encode(rules.STICK)) < 2200


@pytest.mark.cluster
@pytest.mark.skipif(sys.platform != "linux", reason="CPU time of other processes is read as Linux tells it")
def test_tables_are_measured() -> None:
    report = tables.measure(tables=2, moves=4, rate=100, trips=50, idle=0.1)
    names = {row.name for row in report.rows}
    assert {"server CPU a move", "store CPU a move", "answer to the mover", "frame at all four"} < names
    assert {yardsticks.ECHO_CPU, yardsticks.ECHO_TRIP, yardsticks.SET_CPU, yardsticks.SET_TRIP} < names
    answers = report.row("answer to the mover")
    assert answers is not None
    assert answers.count == 8
    assert report.in_yardsticks(answers.name) is not None


def test_a_report_is_kept_and_compared(tmp_path: Path) -> None:
    def run(speed: float) -> Report:
        rows = (
            Row("move", "µs", 9, 30 * speed, 20 * speed, 90 * speed, "stick"),
            Row("stick", "µs", 9, 10.0),
        )
        return Report("bench of nothing", {"processor": "abacus", "cores": "10", "python": "3"}, rows)

    write(run(1.0), tmp_path / "before.json")
    before = read(tmp_path / "before.json")
    assert before == run(1.0)
    head, columns, move, _ = text(run(2.0), before).splitlines()
    assert head == "bench of nothing (abacus, 10 cores, Python 3)"
    assert columns.split()[-3:] == ["now/before", "in", "yardsticks"]
    assert move.split() == ["move", "µs", "9", "60", "40", "180", "6", "2", "2"]


def test_the_command_says_what_it_can() -> None:
    for name in ("rules", "tables"):
        command = [sys.executable, "-m", "server", "bench", name, "--help"]
        told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        assert "--json" in told
        assert "--compare" in told
