"""What the house tells about itself: structured logs, and every metric, named once.

With several workers each metric lives in a shared folder (PROMETHEUS_MULTIPROC_DIR, set by the launcher), so
that /metrics of any worker tells about all of them.
"""

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

COMMITS = Counter("upcard_commits", "Changes committed to tables.")
CONFLICTS = Counter("upcard_conflicts", "Commits that met a newer version and were decided again.")
REFUSALS = Counter("upcard_refusals", "Commands refused.", ["code"])
FRAMES_SENT = Counter("upcard_frames_sent", "Frames sent to clients.")
FRAMES_SKIPPED = Counter(
    "upcard_frames_skipped", "Frames a slow client never got, as a newer one came first."
)
SOCKETS = Gauge("upcard_sockets", "Open WebSocket connections.", multiprocess_mode="livesum")
BOT_FALLBACKS = Counter("upcard_bot_fallbacks", "Bot moves that failed or came late, so the clock moved.")
ARCHIVED_HANDS = Counter("upcard_archived_hands", "Finished hands written to the archive.")
TICKER_LAG = Histogram(
    "upcard_ticker_lag_seconds",
    "How late a due table was decided.",
    # From "on time" to the 5 s after which a deadline counts as missed by the servers, not by the player.
    buckets=(0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)

METRICS_TYPE = CONTENT_TYPE_LATEST


def metrics() -> bytes:
    """All metrics, of all workers, in Prometheus' text format (METRICS_TYPE)."""
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


def configure_logs(level: str, *, as_json: bool) -> None:
    """Send structlog's and the standard library's records to stderr, one line each."""
    shared: list[structlog.types.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelName(level.upper())),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(foreign_pre_chain=shared, processors=last(as_json))
    )
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)


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
