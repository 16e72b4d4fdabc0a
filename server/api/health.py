"""For proxies and operators: alive, able to serve, and what is measured."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from server import telemetry
from server.tables.store import StoreError

router = APIRouter()


@router.get("/health")
async def health() -> dict[str, str]:
    """The process answers."""
    return {"status": "ok"}


@router.get("/ready")
async def ready(request: Request) -> Response:
    """The process can serve: its store answers."""
    try:
        await request.app.state.store.ping()
    except StoreError:
        return Response(status_code=503)
    return Response(status_code=204)


@router.get("/metrics")
async def metrics() -> Response:
    """Metrics in Prometheus' text format."""
    return Response(telemetry.metrics(), media_type=telemetry.METRICS_TYPE)
