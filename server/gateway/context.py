"""What sockets need of the house, and what the house needs of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from server.clock import Clock
from server.gateway.limits import Doorkeeper
from server.gateway.outbox import Commons
from server.protocol import Bye
from server.readiness import Readiness
from server.tables.hub import Hub
from server.tables.service import Service
from server.tables.whereabouts import Whereabouts

if TYPE_CHECKING:
    from server.gateway.connection import Connection

LostTables = Callable[[str], Awaitable[tuple[str, ...]]]
"""Tables where the archive has a seat for a player, should the store have lost them; empty while it is away."""


@dataclass(frozen=True)
class Context:
    """The parts of one worker that sockets talk to."""

    hub: Hub
    service: Service
    whereabouts: Whereabouts
    clock: Clock
    secret: bytes = field(repr=False)
    build: str
    origins: tuple[str, ...]
    lost_tables: LostTables
    doorkeeper: Doorkeeper
    readiness: Readiness
    gathered: bool
    connections: set[Connection] = field(default_factory=set)
    """Open sockets with a session."""
    commons: Commons = field(default_factory=Commons)

    def farewell(self) -> None:
        """This worker goes down: tell every socket, before they are closed."""
        for connection in self.connections:
            connection.outbox.put(Bye("restart"))

    def sizes(self) -> dict[str, int]:
        """How many connections are kept."""
        return {"connections": len(self.connections)}
