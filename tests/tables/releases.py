"""Records as other releases write them."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from server.tables.forms import SCHEMA
from server.tables.table import Table, write
from tests.remembered import ids_of

NAMES = ("seat", "text", "ms", "v", "note")


def written(table: Table, form: int) -> dict[str, Any]:
    """A table: lines and ids were values of their own, and first the lines had names. A later form looks like ours."""
    record: dict[str, Any] = json.loads(write(table)) | {"schema": form}
    if form >= SCHEMA:
        return record
    lines = msgspec.to_builtins(table.lines)
    record["log"] = lines if form > 1 else named(lines)
    record["answered"] = ids_of(table)
    if form == 1:
        del record["schema"]
    return record


def named(lines: list[list[Any]]) -> list[dict[str, Any]]:
    """Lines with names."""
    return [dict(zip(NAMES, line, strict=True)) for line in lines]
