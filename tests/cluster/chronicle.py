"""The store's append-only file, read as the chronicle of all tables: every commit there was, in order."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from server.tables import finished, table
from tests.cluster.history import Commit, Lineage


def read_lineage(path: Path) -> Lineage:
    """What an append-only file tells of tables. A last command that was cut off, or its transaction, is left out."""
    lineage = Lineage()
    for words in whole_commands(path.read_bytes()):
        match words:
            case [b"HSET", key, b"rev", rev, b"record", record] if is_table(key):
                state = table.read(record)
                lineage.commits.append(Commit(state.id, rev.decode(), state))
            case [b"DEL" | b"UNLINK", key] if is_table(key):
                lineage.commits.append(Commit(key.decode().partition("table:")[2], "", None))
            case [b"HSET", key, name, payload] if key.endswith(b"}done"):
                lineage.finished[name.decode()] = finished.decode(payload)
    return lineage


def is_table(key: bytes) -> bool:
    """Whether a key is that of a table."""
    return key.partition(b"}")[2].startswith(b"table:")


def whole_commands(data: bytes) -> Iterator[list[bytes]]:
    """Every command that stands: those between MULTI and EXEC only if EXEC came."""
    block: list[list[bytes]] | None = None
    for words in commands(data):
        name = words[0].upper()
        words[0] = name
        if name == b"MULTI":
            block = []
        elif name == b"EXEC":
            yield from block or []
            block = None
        elif block is not None:
            block.append(words)
        else:
            yield words


def commands(data: bytes) -> Iterator[list[bytes]]:
    """Every complete command of the file, as its words."""
    at = 0
    while at < len(data):
        end = data.find(b"\r\n", at)
        if end < 0:
            return
        if data[at : at + 1] == b"#":  # an annotation
            at = end + 2
            continue
        count = int(data[at + 1 : end])
        at = end + 2
        words = []
        for _ in range(count):
            end = data.find(b"\r\n", at)
            if end < 0:
                return
            length = int(data[at + 1 : end])
            word = data[end + 2 : end + 2 + length]
            at = end + 4 + length
            if at > len(data):
                return
            words.append(word)
        yield words
