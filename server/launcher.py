"""What `upcard serve` does: see to the stores, then run the workers.

Without configured stores the launcher starts a Valkey and a SQLite database of its own in the data folder. It
does so, never a worker: there is one launcher and there may be many workers. Workers get everything by
environment, and die with the launcher.
"""

import contextlib
import gc
import http.client
import os
import secrets
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import uvicorn
from fastapi import FastAPI
from uvicorn.supervisors import Multiprocess

from server.config import ConfigError, Settings, async_driver
from server.doors import HEADERS
from server.doorway import DoorwayConfig
from server.embedded import StoreError, running_store
from server.lifeline import die_with_launcher

LAUNCHER = "UPCARD_LAUNCHER"  # the launcher's process id, for its workers

MAX_MESSAGE = 16 * 1024  # bytes: the largest honest message, a lay of a whole hand, is below 1 KiB
GOODBYE_SECONDS = 5  # for open requests; sockets are told at once to come back elsewhere
OPEN_SECONDS = 60  # after that nobody is waiting for the address any more


def serve(*, host: str | None, port: int | None, workers: int | None, data: Path | None) -> None:
    """Run the server until it is told to stop. What is None comes from the environment."""
    given = {"HOST": host, "PORT": port, "WORKERS": workers, "DATA_DIR": data}
    os.environ.update({f"UPCARD_{name}": str(value) for name, value in given.items() if value is not None})
    for signum in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(signum, leave)  # by an exception, so that the store is stopped on the way out
    try:
        with contextlib.ExitStack() as stack:
            complete_environment(stack)
            run(Settings.from_environment(os.environ), stack)
    except (ConfigError, StoreError) as error:
        sys.exit(f"upcard: {error}")
    except KeyboardInterrupt:
        print("\nUpcard is closed.")


def migrate() -> None:
    """Bring the configured database up to date."""
    url = os.environ.get("UPCARD_DATABASE_URL")
    if not url:
        sys.exit("upcard: UPCARD_DATABASE_URL is not set; `upcard serve` sees to its own database by itself.")
    from server.archive.session import migrate as migrate_database

    try:
        migrate_database(async_driver(url))
    except ConfigError as error:
        sys.exit(f"upcard: {error}")


def leave(_signum: int, _frame: FrameType | None) -> None:
    """Turn a signal into an orderly way out."""
    raise SystemExit(0)


def complete_environment(stack: contextlib.ExitStack) -> None:
    """Start the stores that are not configured and add their addresses to the environment."""
    folder = Path(os.environ.get("UPCARD_DATA_DIR") or Settings.data_dir).absolute()
    own_store = not os.environ.get("UPCARD_REDIS_URL")
    own_database = not os.environ.get("UPCARD_DATABASE_URL")
    if own_store or own_database:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if own_store:
        os.environ["UPCARD_REDIS_URL"] = stack.enter_context(running_store(folder / "store"))
    if own_database:
        from server.archive.session import migrate as migrate_database

        os.environ["UPCARD_DATABASE_URL"] = f"sqlite+aiosqlite:///{folder / 'upcard.db'}"
        migrate_database(os.environ["UPCARD_DATABASE_URL"])
    if own_store and own_database and not os.environ.get("UPCARD_SECRET"):
        os.environ["UPCARD_SECRET"] = kept_secret(folder / "secret")


def kept_secret(path: Path) -> str:
    """The secret of this data folder: made once, for its owner's eyes only.

    It is there whole or not at all, though a first start be killed on the way.
    """
    if not path.exists() or not path.stat().st_size:
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix="secret-")  # 0600 by itself
        with open(descriptor, "w") as file:
            file.write(secrets.token_urlsafe(48))
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    return path.read_text()


def run(settings: Settings, stack: contextlib.ExitStack) -> None:
    """Open the door and run one worker here, or several beside."""
    if settings.workers > 1:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="upcard-metrics-"))
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder  # before anybody imports prometheus_client
    os.environ[LAUNCHER] = str(os.getpid())
    listener = stack.enter_context(listen(settings))
    threading.Thread(target=announce, args=(listener,), daemon=True).start()
    config = uvicorn_config(settings)
    if settings.workers > 1:
        gc.enable()  # who only watches over the workers stays, and no app sets the collector up here
        Multiprocess(config, sockets=[listener]).run()
        return
    server = uvicorn.Server(config)
    server.run(sockets=[listener])
    if not server.started:
        sys.exit("upcard: the server could not start; the reason is above.")


def uvicorn_config(settings: Settings) -> uvicorn.Config:
    """How workers serve; every choice that differs from uvicorn's own has its reason."""
    config = DoorwayConfig(
        "server.launcher:worker",
        factory=True,
        workers=settings.workers,
        loop="uvloop",
        http="server.doorway:Doorway",  # httptools, with bounds
        ws="server.doorway:Line",  # websockets-sansio, the least CPU per message of the three; with bounds
        ws_max_size=MAX_MESSAGE,
        ws_per_message_deflate=False,  # would double the memory of an idle socket, for messages of 2 KB
        ws_ping_interval=settings.ping_seconds / settings.time_rate,
        ws_ping_timeout=settings.ping_timeout / settings.time_rate,
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=list(settings.trusted_proxies),
        headers=list(HEADERS),
        server_header=False,
        access_log=False,  # a game is one long request; /metrics counts what matters
        log_config=None,  # ours
        log_level="warning",
        timeout_graceful_shutdown=GOODBYE_SECONDS,
    )
    config.players_per_address = settings.players_per_address
    return config


def worker() -> FastAPI:
    """Make the application, in the process that serves it."""
    launcher = int(os.environ[LAUNCHER])
    if launcher != os.getpid():
        die_with_launcher(launcher)
    from server.app import create_app

    return create_app(Settings.from_environment(os.environ))


@contextlib.contextmanager
def listen(settings: Settings) -> Iterator[socket.socket]:
    """Bind the port here, so that a taken one is told plainly and all workers share one socket."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        listener = socket.create_server((settings.host, settings.port), family=family, backlog=2048)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise ConfigError(f"cannot listen on {settings.host}, port {settings.port}: {reason}.") from None
    with listener:
        yield listener


def announce(listener: socket.socket) -> None:
    """Print the address as soon as the server answers there."""
    host, port = listener.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 (this reads it, and binds nothing)
    deadline = time.monotonic() + OPEN_SECONDS
    while time.monotonic() < deadline:
        if healthy(host, port):
            print(f"Upcard is open at http://{f'[{host}]' if ':' in host else host}:{port}", flush=True)
            return
        time.sleep(0.05)


def healthy(host: str, port: int) -> bool:
    """Whether the server at that address says it is well."""
    connection = http.client.HTTPConnection(host, port, timeout=5)
    try:
        connection.request("GET", "/health")
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
