"""Table ids, shards and tokens: all made from the command that asked, so that a re-send finds its table."""

from __future__ import annotations

import base64
import hashlib
import hmac
import zlib

SHARDS = 16
"""Shards of new tables. A table's shard is the first part of its id, so that this number may grow."""
ID_CHARS = 13
"""65 bits: nobody finds a table by trying."""
TOKEN_CHARS = 26
"""130 bits: nor opens one that is private."""


def shard_of(table_id: str) -> str:
    """The shard written in a table's id."""
    return table_id.partition("-")[0]


def shard_for(name: str) -> str:
    """The shard of something that has none in its name; the same in every process."""
    return f"{zlib.crc32(name.encode()) % SHARDS:x}"


def new_table_id(secret: bytes, player: str, command_id: str) -> str:
    """The id of the table that this command of this player opens: shard, a dash, and an unguessable rest."""
    rest = _derive(secret, "table", player, command_id)[:ID_CHARS]
    return f"{shard_for(rest)}-{rest}"


def new_token(secret: bytes, player: str, command_id: str) -> str:
    """The token of that table, should it be private."""
    return _derive(secret, "token", player, command_id)[:TOKEN_CHARS]


def next_token(token: str, chance: str) -> str:
    """Another token in the place of one that is known to too many; `chance` is secret and fresh."""
    return _derive(chance.encode(), "token", token)[:TOKEN_CHARS]


def _derive(secret: bytes, *parts: str) -> str:
    digest = hmac.new(secret, "\n".join(parts).encode(), hashlib.sha256).digest()
    return base64.b32encode(digest).decode().lower().rstrip("=")
