"""For proxies and operators: alive, able to serve, and what is measured."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse

from server import telemetry
from server.api.schema import LIVE, METRICS, READY
from server.readiness import Readiness
from server.tables.store import StoreError

STORE_SECONDS = 1.0
"""A store that has not answered by then is away: proxies wait for 2 s."""

router = APIRouter()


@router.get("/live", responses=LIVE)
async def live() -> dict[str, str]:
    """The process answers."""
    return {"status": "ok"}


@router.get("/health", responses=LIVE)
async def health() -> dict[str, str]:
    """The same, by its older name."""
    return {"status": "ok"}


@router.get("/ready", responses=READY, status_code=204, response_class=Response)
async def ready(request: Request) -> Response:
    """The process can serve: 204. It goes down, newer code has taken over, or its store does not answer: 503."""
    readiness: Readiness = request.app.state.readiness
    if not readiness.serving:
        return Response("leaving" if readiness.leaving else "outdated", 503, media_type="text/plain")
    try:
        async with asyncio.timeout(STORE_SECONDS):
            await request.app.state.store.ping()
    except (StoreError, TimeoutError):
        return Response("store away", 503, media_type="text/plain")
    return Response(status_code=204)


@router.get("/metrics", responses=METRICS, response_class=PlainTextResponse)
async def metrics() -> Response:
    """Metrics in Prometheus' text format."""
    return Response(telemetry.metrics(), media_type=telemetry.METRICS_TYPE)
