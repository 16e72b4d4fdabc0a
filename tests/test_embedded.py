"""The embedded store: one launcher, nothing lost, nothing left behind."""

import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from redis import Redis

from server import embedded
from server.embedded import StoreError, running_store

HOLD_A_STORE = """
import sys, time
from pathlib import Path
from server.embedded import running_store
with running_store(Path(sys.argv[1])) as url:
    print(url, flush=True)
    time.sleep(60)
"""


def wait_until(true: Callable[[], bool], seconds: float = 5) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)


def store_lives(folder: Path) -> bool:
    """Whether a store still holds the lock on its data, as it does to its very end."""
    descriptor = embedded.try_lock(folder / "valkey.lock")
    if descriptor is not None:
        os.close(descriptor)
    return descriptor is None


def launcher(folder: Path) -> "subprocess.Popen[str]":
    """Another process that runs a store."""
    return subprocess.Popen(
        [sys.executable, "-c", HOLD_A_STORE, str(folder)], stdout=subprocess.PIPE, text=True, cwd=Path.cwd()
    )


def test_it_answers_and_keeps_what_was_written(tmp_path: Path) -> None:
    for expected in (None, b"5H"):
        with running_store(tmp_path / "store") as url, Redis.from_url(url) as store:
            assert store.get("upcard") == expected
            store.set("upcard", "5H")


def test_it_never_evicts_and_writes_every_second(store_url: str) -> None:
    with Redis.from_url(store_url, decode_responses=True) as store:
        assert store.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}
        assert store.config_get("appendonly") == {"appendonly": "yes"}
        assert store.config_get("appendfsync") == {"appendfsync": "everysec"}


def test_kinds_of_commands_take_no_memory_of_their_own(store_url: str) -> None:
    with Redis.from_url(store_url) as store:
        store.get("upcard")
        before = store.info("memory")["used_memory"]
        for command in (store.ttl, store.strlen, store.llen, store.hlen, store.zcard, store.scard):
            command("upcard")
        assert store.info("memory")["used_memory"] - before < 16_384


def test_only_its_owner_can_reach_it(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    with running_store(folder):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert stat.S_IMODE((folder / "valkey.sock").stat().st_mode) == 0o700


def test_a_long_path_gets_a_socket_elsewhere(tmp_path: Path) -> None:
    folder = tmp_path / ("long" * 25) / "store"
    with running_store(folder) as url, Redis.from_url(url) as store:
        assert store.ping()
        socket_folder = Path(url.removeprefix("unix://")).parent
        assert not socket_folder.is_relative_to(tmp_path)
        assert stat.S_IMODE(socket_folder.stat().st_mode) == 0o700
    assert not socket_folder.exists()


def test_it_stops_with_its_block(tmp_path: Path) -> None:
    with running_store(tmp_path / "store"):
        assert store_lives(tmp_path / "store")
    assert not store_lives(tmp_path / "store")


def test_a_second_launcher_is_told(tmp_path: Path) -> None:
    with running_store(tmp_path / "store") as url, Redis.from_url(url) as store:
        with (
            pytest.raises(StoreError, match="Another Upcard is running on"),
            running_store(tmp_path / "store"),
        ):
            pass
        assert store.ping()


def test_a_store_that_cannot_start_says_where_to_look(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    (folder / "appendonlydir").mkdir(parents=True)
    (folder / "appendonlydir" / "appendonly.aof.manifest").write_text("nonsense\n")
    with pytest.raises(StoreError, match=r"valkey\.log"), running_store(folder):
        pass


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child of its parent's death")
def test_a_killed_launcher_takes_its_store_along_and_loses_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    with launcher(folder) as process:
        assert process.stdout is not None
        with Redis.from_url(process.stdout.readline().strip()) as store:
            store.set("upcard", "5H")
        assert store_lives(folder)
        process.send_signal(signal.SIGKILL)
    wait_until(lambda: not store_lives(folder))
    with running_store(folder) as url, Redis.from_url(url) as store:
        assert store.get("upcard") == b"5H"


def test_a_store_left_over_is_stopped_before_its_data_is_used(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    folder.mkdir()
    orphan = embedded.start(folder, folder / "valkey.sock")
    embedded.wait_for_pong(orphan, folder / "valkey.sock", folder / "valkey.log")
    with Redis(unix_socket_path=str(folder / "valkey.sock")) as store:
        store.set("upcard", "5H")
    with running_store(folder) as url, Redis.from_url(url) as store:
        assert orphan.wait(5) == 0
        assert store.get("upcard") == b"5H"


def test_without_the_wheel_one_on_path_will_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(StoreError, match="install valkey-server or redis-server"):
        embedded.find_binary()
    program = tmp_path / "redis-server"
    program.touch(mode=0o755)
    assert embedded.find_binary() == str(program)
