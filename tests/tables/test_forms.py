"""Records outlive the release that wrote them."""

from __future__ import annotations

import json

import msgspec
import pytest

from server.rules.actions import Draw
from server.tables import commands
from server.tables.finished import FinishedHand, decode, encode
from server.tables.forms import SCHEMA
from server.tables.table import read
from tests.remembered import ids_of
from tests.tables.releases import named, written
from tests.tables.scene import Scene, dealt


@pytest.fixture
def scene() -> Scene:
    """A table with a move in its log."""
    scene = dealt("ben", players=2)
    scene.play(str(scene.seat(scene.turn).player), Draw())
    assert scene.table.log
    assert any(ids_of(scene.table).values())
    return scene


@pytest.mark.parametrize("form", range(1, SCHEMA))
def test_a_table_that_an_older_release_wrote_is_read(scene: Scene, form: int) -> None:
    assert read(json.dumps(written(scene.table, form)).encode()) == scene.table


@pytest.mark.parametrize("form", range(1, SCHEMA))
def test_a_table_without_a_move_likewise(form: int) -> None:
    table = Scene().table
    older = written(table, form)
    del older["log"], older["answered"]  # an older release leaves out what is empty, too
    assert read(json.dumps(older).encode()) == msgspec.structs.replace(table, answered={})


def test_what_waits_for_the_archive_likewise(scene: Scene) -> None:
    scene.do(commands.Leave("c9", "ben"))
    hand = next(item for item in scene.finished if isinstance(item, FinishedHand))
    waits = json.loads(encode(hand))
    waits["log"] = named(waits["log"])
    assert decode(json.dumps(waits)) == hand
    with pytest.raises(msgspec.MsgspecError):
        decode(b'{"kind":"hand"}')
