"""Names of what lies in the store, and of what is published there; the shard of each is its hash tag."""

from __future__ import annotations

from server.tables.ids import SHARDS, shard_of

EVERY_SHARD = [f"{shard:x}" for shard in range(SHARDS)]


def key(shard: str, name: str) -> str:
    """A key of a shard."""
    return f"{{{shard}}}{name}"


def shard_of_key(name: str) -> str:
    """Where a key lies."""
    return name[1 : name.index("}")]


def table_channel(table_id: str) -> str:
    """A table's hash, and where its news are published."""
    return key(shard_of(table_id), f"table:{table_id}")


def lobby_channels() -> list[str]:
    """Where changes of the lobby are published."""
    return [key(shard, "lobby") for shard in EVERY_SHARD]
