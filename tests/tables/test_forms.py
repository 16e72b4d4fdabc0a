"""Records outlive the release that wrote them."""

from __future__ import annotations

import json

import msgspec
import pytest

from server.rules.game import Draw
from server.tables import commands
from server.tables.finished import FinishedHand, decode, encode
from server.tables.table import SCHEMA, read, write
from tests.tables.scene import dealt


def test_a_table_that_an_older_release_wrote_is_read() -> None:
    """Its lines had names, and it said nothing of its form; what waits for the archive likewise."""
    scene = dealt("ben", players=2)
    scene.play(str(scene.seat(scene.turn).player), Draw())
    scene.do(commands.Leave("c9", "ben"))
    names = ("seat", "text", "ms", "v", "note")
    older = json.loads(write(scene.table))
    assert older.pop("schema") == SCHEMA
    assert any(older["log"])
    older["log"] = [dict(zip(names, line, strict=False)) for line in older["log"]]
    assert read(json.dumps(older).encode()) == scene.table
    hand = next(item for item in scene.finished if isinstance(item, FinishedHand))
    waits = json.loads(encode(hand))
    waits["log"] = [dict(zip(names, line, strict=False)) for line in waits["log"]]
    assert decode(json.dumps(waits)) == hand
    with pytest.raises(msgspec.MsgspecError):
        decode(b'{"kind":"hand"}')
