"""Servers started for a bench, and how much CPU time a process has used."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from server.lifeline import die_with_parent

STOP_SECONDS = 20
BENCH = {
    "UPCARD_LOG_LEVEL": "warning",
    "UPCARD_PLAYERS_PER_ADDRESS": "100000",  # everybody comes from this one address
    "UPCARD_PING_TIMEOUT": "60",  # thousands of sockets in one busy process may be slow to answer
}
CPUCLOCK_SCHED = 2
"""What C's clock_getcpuclockid() puts beside a process id; exact, where /proc counts steps of 10 ms."""


@contextlib.contextmanager
def serving(*command: str, **settings: str) -> Iterator[tuple[str, int]]:
    """Run one of our modules that prints its address, with UPCARD_… `settings`; yields the address and the process id.

    No setting of this environment reaches it: a bench uses stores of its own and nothing else.
    """
    clean = {name: value for name, value in os.environ.items() if not name.startswith("UPCARD_")}
    process = subprocess.Popen(
        [sys.executable, "-m", *command],
        env=clean | BENCH | settings,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=die_with_parent,  # noqa: PLW1509 (one system call)
        start_new_session=True,  # Ctrl-C is for the bench, which then stops it
    )
    try:
        assert process.stdout is not None  # noqa: S101 - as asked for
        line = process.stdout.readline()
        if " is open at " not in line:
            raise RuntimeError(f"{' '.join(command)} did not start")
        yield line.split()[-1], process.pid
    finally:
        process.terminate()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def cpu_seconds(pid: int) -> float:
    """User and system time of a process with all its threads. Linux only."""
    return time.clock_gettime_ns(~pid << 3 | CPUCLOCK_SCHED) / 1e9


def family(pid: int) -> list[int]:
    """A server's process and those of its workers, if it has any beside. Linux only."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    spawned = [child for child in children if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]
    return [pid, *map(int, spawned)]


def memory(pid: int) -> int:
    """Bytes in memory, what is shared with others counted in part. Linux only."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
