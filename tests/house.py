"""A whole running server for a test: real processes, real sockets, real stores."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

START_SECONDS = 30


def free_port() -> int:
    """A port nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


class House:
    """`upcard serve` as a process, started as its users start it."""

    def __init__(self, folder: Path, workers: int = 1, **environment: str) -> None:
        self.folder = folder
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._workers = workers
        self._environment = {
            "UPCARD_BOT_PACE": "0.02",
            "UPCARD_LOG_LEVEL": "warning",
            "UPCARD_PLAYERS_PER_ADDRESS": "1000",  # everybody in a test comes from here
            **environment,
        }
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def log(self) -> str:
        """What the server has said so far."""
        return (self.folder / "server.log").read_text()

    @property
    def pid(self) -> int:
        """The launcher's process id."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start it and wait until it is healthy."""
        self.folder.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "server", "serve", "--port", str(self.port)]
        command += ["--workers", str(self._workers), "--data", str(self.folder / "data")]
        with open(self.folder / "server.log", "ab") as log:
            self._process = subprocess.Popen(
                command,
                env={**os.environ, **self._environment},
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self._process.poll() is None:
            with contextlib.suppress(OSError), urllib.request.urlopen(f"{self.url}/ready", timeout=1):
                return
            time.sleep(0.05)
        self.kill_all()
        raise AssertionError(f"the server did not start:\n{self.log}")

    def stop(self, signum: int = signal.SIGTERM) -> None:
        """End it with a signal, and wait until it has gone."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signum)
            self._process.wait(timeout=20)

    def worker_pids(self) -> list[int]:
        """The processes that serve, where there are several."""
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
        return [int(pid) for pid in children if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]

    def kill_worker(self, pid: int) -> None:
        """kill -9 of one worker."""
        os.kill(pid, signal.SIGKILL)

    def kill_all(self) -> None:
        """kill -9 of the launcher and everything it has started, the store too."""
        assert self._process is not None
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(timeout=10)


@contextlib.contextmanager
def running_house(folder: Path, workers: int = 1, **environment: str) -> Iterator[House]:
    """A house for the length of a block."""
    house = House(folder, workers, **environment)
    house.start()
    try:
        yield house
    finally:
        house.stop()
