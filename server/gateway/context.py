"""What sockets need of the house."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from server.clock import Clock
from server.tables.hub import Hub
from server.tables.service import Service

LostTables = Callable[[str], Awaitable[tuple[str, ...]]]
"""Tables where the archive has a seat for a player, should the store have lost them; empty while it is away."""


@dataclass(frozen=True)
class Context:
    """The parts of one worker that sockets talk to."""

    hub: Hub
    service: Service
    clock: Clock
    secret: bytes = field(repr=False)
    build: str
    origins: tuple[str, ...]
    lost_tables: LostTables
