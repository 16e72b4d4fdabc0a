"""A real Postgres for tests, in a folder of its own: Debian's programs, started and stopped by us."""

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from server.lifeline import die_with_parent


@contextlib.contextmanager
def running_postgres() -> Iterator[str]:
    """Run an empty Postgres; yields its address."""
    bin_folder = find_postgres()
    owner = "postgres" if os.geteuid() == 0 else None  # it refuses to run as root
    with tempfile.TemporaryDirectory(prefix="upcard-pg-") as name:
        if owner:
            shutil.chown(name, owner, pwd.getpwnam(owner).pw_gid)
        data = f"{name}/data"
        subprocess.run(
            [bin_folder / "initdb", "--no-sync", "-A", "trust", "-U", "postgres", "-E", "UTF8", "-D", data],
            check=True,
            stdout=subprocess.DEVNULL,
            user=owner,
            cwd=name,
        )
        server = subprocess.Popen(
            [bin_folder / "postgres", "-D", data, "-k", name, "-h", "", "-F", "-c", "full_page_writes=off"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            user=owner,
            cwd=name,
            start_new_session=True,
            preexec_fn=lambda: die_with_parent(signal.SIGINT),
        )
        try:
            wait_for_postgres(server, bin_folder, name)
            yield f"postgresql+asyncpg://postgres@/postgres?host={name}"
        finally:
            server.send_signal(signal.SIGINT)  # "fast shutdown": open sessions are ended
            server.wait(timeout=20)


def find_postgres() -> Path:
    """The folder of Postgres' programs: Debian keeps them off PATH. Raises FileNotFoundError."""
    if initdb := shutil.which("initdb"):
        return Path(initdb).resolve().parent
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if not versions:
        raise FileNotFoundError(
            "No Postgres here: `./dev test` installs it, or `apt-get install postgresql`."
        )
    return versions[-1].parent


def wait_for_postgres(server: "subprocess.Popen[bytes]", bin_folder: Path, folder: str) -> None:
    """Wait until it takes connections: about half a second."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and server.poll() is None:
        ready = subprocess.run([bin_folder / "pg_isready", "-q", "-h", folder], check=False)
        if ready.returncode == 0:
            return
        time.sleep(0.05)
    raise RuntimeError("Postgres did not start.")
