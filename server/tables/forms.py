"""What older releases stored, in the form of today."""

from __future__ import annotations

from typing import Any

import msgspec

from server.tables.answered import remembered
from server.tables.finished import LogLine, with_rows
from server.tables.logbook import rows

SCHEMA = 3
"""Number of the form of a table's record; a reader that meets a higher one is too old.

1: the log was a list of objects. 2: it was a list of rows, and the ids of commands one of texts. 3: each is as short as
it can be told (logbook.py, answered.py).
"""
FIRST_SCHEMA = 1
"""That of a record which says nothing of it."""


class TooNew(Exception):
    """The record was written by newer code than this."""


class _Form(msgspec.Struct):
    schema: int = FIRST_SCHEMA


_form = msgspec.json.Decoder(_Form)


def upgraded(record: bytes) -> bytes:
    """A table's record as this release would have written it; raises TooNew."""
    schema = _form.decode(record).schema
    if schema > SCHEMA:
        raise TooNew
    if schema == SCHEMA:
        return record
    told: dict[str, Any] = msgspec.json.decode(with_rows(record) if schema == FIRST_SCHEMA else record)
    told["log"] = rows(msgspec.convert(told.get("log", []), list[LogLine]))
    told["answered"] = {player: remembered(ids) for player, ids in told.get("answered", {}).items()}
    told["schema"] = SCHEMA
    return msgspec.json.encode(told)
