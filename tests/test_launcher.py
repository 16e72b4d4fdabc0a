"""`upcard serve`, started as a person would: it opens, it closes, and a kill leaves nothing behind."""

import http.client
import json
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from server.embedded import try_lock
from server.launcher import kept_secret

pytestmark = pytest.mark.cluster

OPEN_SECONDS = 30  # a slow machine that runs other tests at the same time


@contextmanager
def serving(data: Path, *options: str, **environment: str) -> Iterator["subprocess.Popen[str]"]:
    """A server of its own; whatever happens, it is gone afterwards."""
    process = subprocess.Popen(
        [sys.executable, "-m", "server", "serve", "--port", "0", "--data", str(data), *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def opened(process: "subprocess.Popen[str]") -> int:
    """Wait for the address it prints; returns the port."""
    assert process.stdout is not None
    line = process.stdout.readline()
    told = re.fullmatch(r"Upcard is open at http://127\.0\.0\.1:(\d+)\n", line)
    if not told:
        process.kill()
        pytest.fail(f"It said {line!r} and {process.communicate()[1]}")
    return int(told[1])


def get(port: int, path: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    connection.request("GET", path)
    answer = connection.getresponse()
    return answer.status, answer.read()


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


def store_is_gone(data: Path) -> bool:
    descriptor = try_lock(data / "store" / "valkey.lock")
    if descriptor is not None:
        os.close(descriptor)
    return descriptor is not None


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_killed_launcher_leaves_nothing_that_holds_port_or_data(tmp_path: Path, workers: str) -> None:
    with serving(tmp_path / "data", "--workers", workers) as process:
        port = opened(process)
        process.send_signal(signal.SIGKILL)
        process.wait()
        deadline = time.monotonic() + 5
        while not (is_free(port) and store_is_gone(tmp_path / "data")):
            assert time.monotonic() < deadline
            time.sleep(0.05)


@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_it_closes_when_asked(tmp_path: Path, workers: str, how: signal.Signals) -> None:
    with serving(tmp_path / "data", "--workers", workers) as process:
        port = opened(process)
        process.send_signal(how)
        _, errors = process.communicate(timeout=OPEN_SECONDS)
        assert process.returncode == 0, errors
        assert "Traceback" not in errors
        assert is_free(port)
        assert store_is_gone(tmp_path / "data")


def test_it_opens_with_a_secret_that_stays_its_own(tmp_path: Path) -> None:
    secret = tmp_path / "data" / "secret"
    with serving(tmp_path / "data") as process:
        port = opened(process)
        assert get(port, "/health")[0] == 200
        assert stat.S_IMODE(secret.stat().st_mode) == 0o600
        assert stat.S_IMODE(secret.parent.stat().st_mode) == 0o700
        first = secret.read_text()
        assert len(first) >= 32
    with serving(tmp_path / "data") as process:
        opened(process)
        assert secret.read_text() == first


def test_metrics_tell_about_all_workers(tmp_path: Path) -> None:
    with serving(tmp_path / "data", "--workers", "2") as process:
        status, body = get(opened(process), "/metrics")
    assert status == 200
    assert b"upcard_commits_total" in body
    assert b"process_resident_memory_bytes" not in body  # that one is of a single process


def test_a_taken_port_is_told_plainly(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with serving(tmp_path / "data", "--port", str(port)) as process:
            _, errors = process.communicate(timeout=OPEN_SECONDS)
    assert process.returncode == 1
    assert errors == f"upcard: cannot listen on 127.0.0.1, port {port}: Address already in use.\n"
    assert store_is_gone(tmp_path / "data")


def test_a_secret_whose_writing_was_cut_off_is_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    path.touch()
    made = kept_secret(path)
    assert len(made) >= 32
    assert kept_secret(path) == made
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_real_stores_need_a_secret(tmp_path: Path) -> None:
    real = {"UPCARD_REDIS_URL": "redis://store", "UPCARD_DATABASE_URL": "postgres://host/upcard"}
    with serving(tmp_path / "data", **real) as process:
        _, errors = process.communicate(timeout=OPEN_SECONDS)
    assert process.returncode == 1
    assert errors == "upcard: UPCARD_SECRET is not set.\n"
    assert not (tmp_path / "data").exists()


def test_migrate_says_what_it_needs() -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("UPCARD_")}
    command = [sys.executable, "-m", "server", "migrate"]
    told = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert told.returncode == 1
    assert told.stderr.startswith("upcard: UPCARD_DATABASE_URL is not set")


def test_small_commands_do_not_load_the_server() -> None:
    code = "import sys, json, server.__main__ as m; m.build_app(); print(json.dumps(sorted(sys.modules)))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(json.loads(told.stdout))
    assert not loaded & {"fastapi", "uvicorn", "sqlalchemy", "redis"}
