"""Where workers come from: a process that has loaded the server once, and forks.

A worker is a process of its own all the same, started by the launcher's own `serve`; it only need not spend a second of
both cores on reading modules, of which a run of a few seconds has three or four to spare.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

from server.lifeline import die_with_parent


class Nursery:
    """The process, seen from the tests. It ends with them, and its workers with it."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.cluster.nursery"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def bear(self, port: int, log: Path, environment: dict[str, str]) -> int:
        """Start a worker; returns its process id. It is not ready yet."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([port, str(log), environment]) + "\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())


_nursery: list[Nursery] = []


def nursery() -> Nursery:
    """The one of this process."""
    if not _nursery:
        _nursery.append(Nursery())
    return _nursery[0]


def main() -> None:
    """Load everything, then fork for every line that comes."""
    import server.app
    import server.doorway
    import server.launcher  # noqa: F401 (the others are here to be loaded)

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for them: they leave no zombies
    for line in sys.stdin:
        port, log, environment = json.loads(line)
        pid = os.fork()
        if pid == 0:
            work(port, log, environment)
        print(pid, flush=True)


def work(port: int, log: str, environment: dict[str, str]) -> None:
    """Be a worker, to the end of this process."""
    from server import launcher

    code = 1
    try:
        die_with_parent(signal.SIGKILL)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        os.environ.update(environment)
        said = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        nothing = os.open(os.devnull, os.O_RDONLY)
        for mine, theirs in ((nothing, 0), (said, 1), (said, 2)):
            os.dup2(mine, theirs)
        with contextlib.suppress(SystemExit):
            launcher.serve(host=None, port=port, workers=None, data=None)
        code = 0
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    main()
