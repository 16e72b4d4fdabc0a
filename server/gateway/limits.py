"""How much one socket may ask for, and how much all sockets of one address together."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import Literal

from server.buckets import Bucket, Buckets, Rate
from server.protocol import (
    AddBot,
    AnyClientMessage,
    Arrange,
    Check,
    Claim,
    ClientMessage,
    Create,
    DropBot,
    Hello,
    Kick,
    Leave,
    Lobby,
    Ping,
    Play,
    Quick,
    Ready,
    Rename,
    Say,
    Sit,
    Stand,
    Unwatch,
    Watch,
)

Kind = Literal["message", "seat", "watch", "ask", "greet", "open", "say", "rename", "connect"]

RATES: dict[Kind, Rate] = {
    # A client that comes back re-sends what was not answered; a person's clicks never come near.
    "message": Rate(30, 300),
    # A commit each, told to everybody at the table.
    "seat": Rate(5, 60),
    # A read of the store and a whole frame.
    "watch": Rate(5, 60),
    # A dry run while cards are moved about, or a search for the best melds.
    "ask": Rate(10, 20),
    # Reads of the store and of the archive.
    "greet": Rate(2, 30),
    # A new table; nobody may hold more than MOST_TABLES, and an empty one lives for a minute.
    "open": Rate(0.2, 24),
    # A nod across the table, not a conversation.
    "say": Rate(0.5, 4),
    # A new name is a commit at every table of the player.
    "rename": Rate(0.5, 4),
    # A new socket; only by address.
    "connect": Rate(2, 30),
}
"""For one socket. Every message counts as `message`; those of another kind count for that as well."""
KIND: dict[type[ClientMessage], Kind] = {
    Hello: "greet",
    Lobby: "greet",
    Create: "open",
    Quick: "open",
    Sit: "seat",
    Stand: "seat",
    Leave: "seat",
    Kick: "seat",
    Ready: "seat",
    AddBot: "seat",
    DropBot: "seat",
    Claim: "seat",
    Watch: "watch",
    Unwatch: "watch",
    Check: "ask",
    Arrange: "ask",
    Say: "say",
    Rename: "rename",
    Play: "message",
    Ping: "message",
}
FLOOD = 400
"""Refused for the rate that many times more often than heard: not a client of ours."""
MOST_TABLES = 12
"""Seats that one player may hold at once."""
MOST_WATCHED = 32
"""Tables that one socket may watch at once; a page shows one."""
SOCKETS_PER_PLAYER = 8
"""Tabs and devices of one of the players for whom an address may stand."""

Turned = Literal["full", "crowd"]
"""Why a socket is not let in: this worker has all it may have, or its address has."""


class Doorkeeper:
    """What this worker knows of the addresses its sockets come from.

    An address may have as much as `players` busy players (Settings.players_per_address): a home, a school.
    """

    def __init__(
        self, players: float, most_sockets: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._most_sockets = most_sockets
        self._most_of_one = int(players * SOCKETS_PER_PLAYER)
        self._sockets: Counter[str] = Counter()
        self.sockets = 0
        """Open ones."""
        self._buckets = {kind: Buckets(rate.times(players), clock=clock) for kind, rate in RATES.items()}

    def enter(self, address: str) -> Turned | None:
        """A socket is opened: count it, or say why it is not let in."""
        if self.sockets >= self._most_sockets:
            return "full"
        if self._sockets.get(address, 0) >= self._most_of_one:
            return "crowd"
        self._sockets[address] += 1
        self.sockets += 1
        return None

    def leave(self, address: str) -> None:
        """A socket that was let in has ended."""
        self.sockets -= 1
        self._sockets[address] -= 1
        if not self._sockets[address]:
            del self._sockets[address]

    def take(self, address: str, kind: Kind) -> bool:
        """Whether the address may have one more of a kind."""
        return self._buckets[kind].take(address)

    def sizes(self) -> dict[str, int]:
        """How many sockets are open, and how much is kept of the addresses; those long quiet are forgotten first."""
        for buckets in self._buckets.values():
            buckets.forget_full()
        kept = sum(map(len, self._buckets.values()))
        return {"sockets": self.sockets, "addresses": len(self._sockets), "buckets": kept}


class Allowance:
    """What one socket may ask for."""

    def __init__(
        self, doorkeeper: Doorkeeper, address: str, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._doorkeeper = doorkeeper
        self._address = address
        self._clock = clock
        self._buckets: dict[Kind, Bucket] = {}
        self._too_many = 0

    @property
    def flooding(self) -> bool:
        """Whether the socket has been refused so often that it is no client of ours."""
        return self._too_many > FLOOD

    def message(self) -> bool:
        """Whether one more message may come, of whatever kind, readable or not."""
        if not self._own("message"):
            self._too_many += 1
            return False
        self._too_many = max(0, self._too_many - 1)
        return self._doorkeeper.take(self._address, "message")

    def of(self, message: AnyClientMessage) -> bool:
        """Whether one more of this kind may come; it has been counted as a message already."""
        kind = KIND[type(message)]
        return kind == "message" or (self._own(kind) and self._doorkeeper.take(self._address, kind))

    def _own(self, kind: Kind) -> bool:
        bucket = self._buckets.get(kind)
        if bucket is None:
            bucket = self._buckets[kind] = Bucket(RATES[kind], self._clock)
        return bucket.take()
