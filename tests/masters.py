"""A Redis Cluster for a test: three masters on loopback, whose slots can be moved while they are used."""

from __future__ import annotations

import contextlib
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from redis import Redis
from redis.exceptions import RedisError

from server.embedded import find_binary
from server.lifeline import die_with_parent
from tests.house import free_port

SLOTS = 16384
NODE_TIMEOUT_MS = 1000
"""After this a master that does not answer counts as failed; one that starts waits as long before it serves."""


class Master:
    """One node, on a port of its own."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        self.port = free_port()
        self.redis = Redis(port=self.port, socket_timeout=5)
        self.id = ""
        self._options = {
            "port": str(self.port),
            "bind": "127.0.0.1",
            "cluster-enabled": "yes",
            "cluster-port": str(free_port()),
            "cluster-node-timeout": str(NODE_TIMEOUT_MS),
            "cluster-require-full-coverage": "no",
            "dir": str(folder),
            "logfile": str(folder / "valkey.log"),
            "appendonly": "yes",
            "save": "",
        }
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def bus(self) -> int:
        """The port where the nodes talk to each other."""
        return int(self._options["cluster-port"])

    def say(self, *command: str | int | bytes) -> Any:
        """Have it do something."""
        return self.redis.execute_command(*command)  # type: ignore[no-untyped-call]

    def start(self) -> None:
        """Start it and wait until it answers. It ends with the thread that calls this."""
        arguments = [word for name, value in self._options.items() for word in (f"--{name}", value)]
        self._process = subprocess.Popen([find_binary(), *arguments], preexec_fn=die_with_parent)
        until(self.answers)
        self.id = self.say("CLUSTER MYID").decode()

    def stop(self) -> None:
        """Let it write what it has, and end it."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(timeout=20)
        self.redis.close()

    def answers(self) -> bool:
        """Whether it is up."""
        with contextlib.suppress(RedisError):
            return bool(self.say("PING"))
        return False

    def serves(self) -> bool:
        """Whether it thinks well of the cluster, and knows all of it."""
        with contextlib.suppress(RedisError):
            told: dict[str, str] = self.say("CLUSTER INFO")
            return (told["cluster_state"], told["cluster_known_nodes"]) == ("ok", "3")
        return False


class Masters:
    """Three masters with a third of the slots each."""

    def __init__(self, folder: Path) -> None:
        self.nodes = [Master(folder / f"master-{number}") for number in range(3)]
        self.url = "redis+cluster://" + ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)

    def start(self) -> None:
        """Start all, share out the slots, and wait until all know each other."""
        for number, node in enumerate(self.nodes):
            node.start()
            first, end = (SLOTS * n // 3 for n in (number, number + 1))
            node.say("CLUSTER ADDSLOTSRANGE", first, end - 1)
            node.say("CLUSTER SET-CONFIG-EPOCH", number + 1)
        for node in self.nodes[1:]:
            node.say("CLUSTER MEET", "127.0.0.1", self.nodes[0].port, self.nodes[0].bus)
        until(lambda: all(node.serves() for node in self.nodes))

    def stop(self) -> None:
        """End all."""
        for node in self.nodes:
            node.stop()

    def owner(self, slot: int) -> Master:
        """The master that says a slot is its own."""
        slots = self.nodes[0].say("CLUSTER SLOTS")
        [port] = [master[1] for first, last, master, *_ in slots if first <= slot <= last]
        return next(node for node in self.nodes if node.port == port)

    @contextlib.contextmanager
    def moving(self, slot: int) -> Iterator[Master]:
        """Move a slot to the next master: on its way inside the block, arrived after it. Yields the new owner."""
        source = self.owner(slot)
        target = self.nodes[(self.nodes.index(source) + 1) % 3]
        target.say("CLUSTER SETSLOT", slot, "IMPORTING", source.id)
        source.say("CLUSTER SETSLOT", slot, "MIGRATING", target.id)
        yield target
        while keys := source.say("CLUSTER GETKEYSINSLOT", slot, 100):
            source.say("MIGRATE", "127.0.0.1", target.port, "", 0, 5000, "KEYS", *keys)
        for node in (target, source, *self.nodes):
            node.say("CLUSTER SETSLOT", slot, "NODE", target.id)


def until(holds: Callable[[], bool], seconds: float = 20) -> None:
    """Wait until something holds."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it does not come about"
        time.sleep(0.02)


@contextlib.contextmanager
def running_masters(folder: Path) -> Iterator[Masters]:
    """A cluster for the length of a block."""
    masters = Masters(folder)
    try:
        masters.start()
        yield masters
    finally:
        masters.stop()
