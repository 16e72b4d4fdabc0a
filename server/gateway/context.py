"""What sockets need of the house."""

from __future__ import annotations

from dataclasses import dataclass

from server.clock import Clock
from server.tables.hub import Hub
from server.tables.service import Service


@dataclass(frozen=True)
class Context:
    """The parts of one worker that sockets talk to."""

    hub: Hub
    service: Service
    clock: Clock
    secret: bytes
    build: str
    origins: tuple[str, ...]
