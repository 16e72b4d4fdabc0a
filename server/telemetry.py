"""What the house tells about itself: structured logs, and every metric, named once.

With several workers each metric lives in a shared folder (PROMETHEUS_MULTIPROC_DIR, set by the launcher), so
that /metrics of any worker tells about all of them.
"""

import asyncio
import logging
import os
import sys
from pathlib import Path

import structlog
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector


class Tally:
    """A counter of what every move brings several of. The library's own takes a lock, so it is told now and then."""

    def __init__(self, name: str, about: str) -> None:
        self._counter = Counter(name, about)
        self._count = 0

    def inc(self) -> None:
        """Count one more."""
        self._count += 1

    def tell(self) -> None:
        """Have what was counted shown."""
        counted, self._count = self._count, 0
        self._counter.inc(counted)


COMMITS = Tally("upcard_commits", "Changes committed to tables.")
CONFLICTS = Counter("upcard_conflicts", "Commits that met a newer version and were decided again.")
REFUSALS = Counter("upcard_refusals", "Commands refused.", ["code"])
FRAMES_SENT = Tally("upcard_frames_sent", "Frames sent to clients.")
FRAMES_SKIPPED = Counter(
    "upcard_frames_skipped", "Frames a slow client never got, as a newer one came first."
)
SOCKETS = Gauge("upcard_sockets", "Open WebSocket connections.", multiprocess_mode="livesum")
TURNED_AWAY = Counter(
    "upcard_turned_away",
    "Sockets and requests turned away at the door: origin, rate, full (this worker), crowd (the address), "
    "flood, deaf (does not read), size, slow, malformed.",
    ["why"],
)
MESSAGES = Tally("upcard_messages", "Messages of clients, read or not.")
BOT_SECONDS = Histogram(
    "upcard_bot_seconds",
    "How long a bot thought.",
    ["game"],
    buckets=(0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 2),  # after 2 s the harmless move is played
)
BOT_FALLBACKS = Counter(
    "upcard_bot_fallbacks",
    "Bot moves that failed or came late: a search, so that the regular moved, or any, so that the clock did.",
    ["to"],
)
ARCHIVED_HANDS = Counter("upcard_archived_hands", "Finished hands written to the archive.")
ARCHIVE_WAITING = Gauge(
    "upcard_archive_waiting",
    "Finished hands and states of matches in the store that the archive has not got yet.",
    multiprocess_mode="livemostrecent",
)
ARCHIVE_LAG = Gauge(
    "upcard_archive_lag_seconds",
    "The oldest of them waits no longer than this; 0 while none does. By the worker that lags most.",
    multiprocess_mode="livemax",
)
TABLES = Gauge(
    "upcard_tables",
    "Tables in the store, empty and paused ones too.",
    ["game"],
    multiprocess_mode="livemostrecent",
)
KEPT = Gauge(
    "upcard_kept",
    "Entries of what workers keep in memory; all but lobby, absent and the buckets go with the sockets.",
    ["name"],
    multiprocess_mode="livesum",
)
TICKER_LAG = Histogram(
    "upcard_ticker_lag_seconds",
    "How late a due table was decided, by its clocks, or by the bot that was asked.",
    ["what"],
    # From "on time" to the 5 s after which a deadline counts as missed by the servers, not by the player.
    buckets=(0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)

log = structlog.get_logger(__name__)


class Outage:
    """Tells the log once when a service goes away, and once when it is back."""

    def __init__(self, what: str) -> None:
        self._what = what
        self.lasting = False

    def began(self, error: Exception) -> None:
        """It did not answer."""
        if not self.lasting:
            log.warning(f"{self._what} away", error=str(error) or repr(error))
        self.lasting = True

    def ended(self) -> None:
        """It answered."""
        if self.lasting:
            log.info(f"{self._what} back")
        self.lasting = False


store_outage = Outage("store")
archive_outage = Outage("archive")

METRICS_TYPE = CONTENT_TYPE_LATEST


def tell_tallies() -> None:
    """Have this worker's tallies shown, also by /metrics of another."""
    for tally in (COMMITS, FRAMES_SENT, MESSAGES):
        tally.tell()


def metrics() -> bytes:
    """All metrics, of all workers, in Prometheus' text format (METRICS_TYPE)."""
    tell_tallies()
    folder = os.environ.get("PROMETHEUS_MULTIPROC_DIR")
    if not folder:
        return generate_latest(REGISTRY)
    forget_dead_workers(Path(folder))
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry)


def forget_dead_workers(folder: Path) -> None:
    """Drop the gauges of killed workers, whose sockets would count as open for ever."""
    for path in folder.glob("gauge_live*_*.db"):
        process_id = int(path.stem.rpartition("_")[2])
        try:
            os.kill(process_id, 0)
        except ProcessLookupError:
            path.unlink(missing_ok=True)


SHARED: list[structlog.types.Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]
"""What our own records and those of libraries are given."""
PROCESSORS = [*SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter]
"""One list, however often logs are configured: a logger keeps that of its first use."""


def configure_logs(level: str, *, as_json: bool) -> None:
    """Send structlog's and the standard library's records to stderr, one line each.

    Below `info` only our own are heard: the drivers of the databases tell there every value that they are handed.
    """
    structlog.configure(
        processors=PROCESSORS,
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelName(level.upper())),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(foreign_pre_chain=SHARED, processors=last(as_json))
    )
    handler.addFilter(is_fault)
    own = logging.getLevelNamesMapping()[level.upper()]
    logging.basicConfig(level=max(own, logging.INFO), handlers=[handler], force=True)
    logging.getLogger("server").setLevel(own)
    logging.getLogger("alembic").setLevel(max(own, logging.WARNING))  # at `info` it lists its plug-ins


def is_fault(record: logging.LogRecord) -> bool:
    """Not what a library tells of being cancelled, as SQLAlchemy does where a worker goes down in mid-question."""
    return record.exc_info is None or not isinstance(record.exc_info[1], asyncio.CancelledError)


def last(as_json: bool) -> list[structlog.types.Processor]:
    """Machines read JSON, people read colours."""
    clean = structlog.stdlib.ProcessorFormatter.remove_processors_meta
    if as_json:
        return [clean, structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    return [
        clean,
        structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(),
            exception_formatter=structlog.dev.plain_traceback,  # the others print locals, secrets among them
        ),
    ]
