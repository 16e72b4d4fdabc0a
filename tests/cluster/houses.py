"""Several workers as processes of their own, each on its own port, with a real store and a real archive.

Every part can be frozen, killed and started again by itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Self

from redis import Redis as BlockingRedis
from redis.asyncio import Redis

from server import embedded
from tests.cluster.archives import Archive
from tests.cluster.nursery import nursery
from tests.house import free_port

SECRET = "a secret of the chaos suite, for nobody"
START_SECONDS = 40.0
"""For a worker to be ready: about one on an idle machine."""
STOP_SECONDS = 15.0
"""For a worker to go down by itself: it has five for open requests."""
SAMPLE_SECONDS = 0.05
"""How often the length of the append-only file is noted, to know what a power cut would have cost."""


class Worker:
    """One server process."""

    def __init__(self, number: int, folder: Path, environment: dict[str, str]) -> None:
        self.number = number
        self.port = free_port()
        self.log = folder / f"worker-{number}.log"
        self._environment = environment
        self._pid: int | None = None

    @property
    def running(self) -> bool:
        """Whether the process is there, be it frozen."""
        if self._pid is not None:
            try:
                os.kill(self._pid, 0)
            except ProcessLookupError:
                self._pid = None
        return self._pid is not None

    def spawn(self) -> None:
        """Start the process; see `ready`."""
        self._pid = nursery().bear(self.port, self.log, self._environment)

    async def ready(self) -> None:
        """Wait until it takes guests. Raises AssertionError."""
        if not await self.serves():
            raise AssertionError(f"worker {self.number} did not start:\n{self.log.read_text()[-2000:]}")

    async def serves(self) -> bool:
        """Wait until it takes guests; False if it ends before, or does not come to it."""
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self.running:
            if await answers(self.port, "/ready"):
                return True
            await asyncio.sleep(0.02)
        return False

    def signal(self, signum: int) -> None:
        """Send a signal; nothing happens where there is no process."""
        if self._pid is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._pid, signum)

    async def ended(self, seconds: float = STOP_SECONDS) -> bool:
        """Wait for the process' end; False if it does not come in time."""
        deadline = time.monotonic() + seconds
        while self.running:
            if time.monotonic() > deadline:
                return False
            await asyncio.sleep(0.01)
        return True


class LiveStore:
    """An embedded Valkey of its own, with its append-only file."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._folder.mkdir(parents=True)
        self._path = folder / "valkey.sock"
        self.url = f"unix://{self._path}"
        self._process: subprocess.Popen[bytes] | None = None
        self._lengths: list[tuple[float, int]] = []
        self.copies: list[Path] = []
        self.losses: list[float] = []

    @property
    def appended(self) -> Path:
        """The append-only file that is written now."""
        return max((self._folder / "appendonlydir").glob("*.incr.aof"))

    def start(self) -> None:
        """Start it, and wait until it answers.

        Every answer comes after its command is in the file: with `everysec` a slow disk may hold that up for two
        seconds, and nobody could tell afterwards what was lost.
        """
        self._process = embedded.start(self._folder, self._path)
        embedded.wait_for_pong(self._process, self._path, self._folder / "valkey.log")
        with contextlib.closing(BlockingRedis(unix_socket_path=str(self._path))) as redis:
            redis.config_set("appendfsync", "no")

    def signal(self, signum: int) -> None:
        """Freeze it, thaw it, or kill it."""
        assert self._process is not None
        self._process.send_signal(signum)

    def stop(self) -> None:
        """End it in order."""
        if self._process is not None:
            self._process.send_signal(signal.SIGCONT)
            embedded.stop(self._process)

    def client(self) -> Redis:
        """A connection of the test's own."""
        return Redis(unix_socket_path=str(self._path))

    async def hold_up(self, milliseconds: int) -> None:
        """Answer nobody for a moment."""
        async with self.client() as redis:
            await redis.client_pause(milliseconds)

    async def sample(self) -> None:
        """Note the length of the append-only file until cancelled."""
        while True:
            with contextlib.suppress(OSError, ValueError):
                self._lengths.append((time.monotonic(), self.appended.stat().st_size))
            await asyncio.sleep(SAMPLE_SECONDS)

    def power_cut(self, lost_seconds: float | None) -> None:
        """Kill it; what was written in the last `lost_seconds` is gone (None: everything). Then start it again.

        What was lost is kept aside: somebody may have been told of it. `losses` has the times of cuts that lose.
        """
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        copy = self._folder / f"lost-{len(self.copies)}.aof"
        shutil.copy(self.appended, copy)
        self.copies.append(copy)
        if lost_seconds != 0:
            self.losses.append(time.monotonic())
        if lost_seconds is None:
            shutil.rmtree(self._folder / "appendonlydir")
        elif lost_seconds > 0:
            until = time.monotonic() - lost_seconds
            kept = max((length for at, length in self._lengths if at <= until), default=0)
            os.truncate(self.appended, min(kept, self.appended.stat().st_size))
        self._lengths.clear()
        self.start()


class Cluster:
    """Workers, store and archive. Use as `async with`."""

    def __init__(self, folder: Path, archive: Archive, environment: dict[str, str], workers: int = 3) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.store = LiveStore(folder / "store")
        self.archive = archive
        given = {
            "UPCARD_REDIS_URL": self.store.url,
            "UPCARD_DATABASE_URL": archive.url,
            "UPCARD_SECRET": SECRET,
            "UPCARD_DATA_DIR": str(folder / "data"),
            "UPCARD_LOG_LEVEL": "warning",
            "UPCARD_PLAYERS_PER_ADDRESS": "1000",  # everybody comes from here
            **environment,
        }
        self.workers = [Worker(number, folder, given) for number in range(workers)]
        self._sampler: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self.store.start()
        self._sampler = asyncio.create_task(self.store.sample())
        for worker in self.workers:
            worker.spawn()
        await asyncio.gather(*(worker.ready() for worker in self.workers))
        return self

    async def __aexit__(self, *_: object) -> None:
        for worker in self.workers:
            worker.signal(signal.SIGKILL)
        await asyncio.gather(*(worker.ended() for worker in self.workers))
        if self._sampler is not None:
            self._sampler.cancel()
        self.store.stop()

    async def close_doors(self) -> list[str]:
        """Have all workers go down in order; returns what was wrong with that."""
        for worker in self.workers:
            worker.signal(signal.SIGTERM)
        downs = await asyncio.gather(*(worker.ended() for worker in self.workers))
        return [f"worker {number} does not go down" for number, down in enumerate(downs) if not down]

    def complaints(self) -> list[str]:
        """Faults that the workers logged: none of what happens here may surprise them."""
        found = []
        for worker in self.workers:
            text = worker.log.read_text() if worker.log.exists() else ""
            if (at := text.find("Traceback")) >= 0:
                found.append(f"worker {worker.number} logged: {text[max(0, at - 300) : at + 1500]}")
        return found


async def answers(port: int, path: str) -> bool:
    """Whether a server there answers a GET with 200 or 204."""
    try:
        async with asyncio.timeout(2):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(f"GET {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n".encode())
            line = await reader.readline()
            writer.close()
    except (OSError, TimeoutError):
        return False
    return b" 200 " in line or b" 204 " in line
