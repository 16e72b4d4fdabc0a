"""What the product may weigh: on disk, in memory, in the store. The client is in tests/browser/test_size.py.

Sizes only: a machine may be slow, but it does not make anything bigger. The figures are those of `upcard bench idle`.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from server.bench.idle import measure

ROOT = Path(__file__).parent.parent
WHEEL = 1_100_000
"""Bytes of the wheel: the server, the client as it is served, the migrations."""
MEMORY = {
    "idle server MiB": 100.0,
    "a socket that does nothing KiB": 40.0,
    "a table with 4 sockets KiB": 180.0,
    "a table in the store KiB": 6.0,
}
"""Each with its share of what grows with the first and no more: pools, buffers, caches."""
SOCKETS, TABLES = 400, 120


def test_memory() -> None:
    measured = {f"{row.name} {row.unit}": row.mean for row in measure(SOCKETS, TABLES).rows}
    assert {what for what in MEMORY if not 0 < measured[what] <= MEMORY[what]} == set(), measured


def test_the_wheel(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--wheel-dir",
        str(tmp_path),
        str(ROOT),
    ]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    (wheel,) = tmp_path.glob("*.whl")
    assert 100_000 < wheel.stat().st_size <= WHEEL
