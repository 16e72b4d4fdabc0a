"""A finished hand step by step: every card is somewhere at every step, and strangers see none of it."""

import random
from collections import Counter

import pytest

from server.archive.history import detail
from server.archive.matches import save
from server.archive.playback import playback, played_back
from server.archive.record import lost_record
from server.archive.session import SessionFactory, reading
from server.rules.konken import KonkenView
from server.rules.record_reader import parse_record
from server.tables import finished
from server.tables.finished import LostTable
from server.tables.recovery import lost_hand
from tests.archive.finished import VOID, a_state
from tests.archive.test_played import play_at_random
from tests.tables.scene import Scene, dealt


@pytest.fixture
async def played(archive: SessionFactory) -> Scene:
    """A match of one hand, Ada and Bea with two bots, in the archive."""
    scene = dealt("bea", bots=2, max_hands=1)
    play_at_random(scene, random.Random(7))
    for item in scene.finished:
        assert await save(archive, finished.decode(finished.encode(item)))
    return scene


async def test_every_step_of_a_hand_for_its_players(archive: SessionFactory, played: Scene) -> None:
    async with reading(archive) as session:
        found = await playback(session, "bea", played.table.match_id, 1, "share")
        asked = await detail(session, "bea", played.table.match_id)
    assert found is not None
    assert asked is not None
    record = parse_record(asked.hands[0].record)
    assert (found.deal, found.stock, found.commit, found.seed) == (
        record.deal,
        record.stock,
        record.commit,
        record.seed,
    )
    assert len(found.steps) == len(record.log) + 1
    assert found.steps[0].hands == record.deal
    assert found.result == asked.hands[0].result
    assert found.steps[-1].hands == found.result.hands
    counts = Counter(sum(map(len, step.hands)) + on_the_table(step.view) for step in found.steps)
    assert set(counts) == {sum(map(len, record.deal)) + 1 + len(record.stock)}


def on_the_table(view: object) -> int:
    """Cards that a spectator can see or count: stock, discard pile, melds."""
    assert isinstance(view, KonkenView)
    return view.stock + view.discards + sum(len(meld.cards) for meld in view.table)


async def test_nobody_else_sees_it(archive: SessionFactory, played: Scene) -> None:
    async with reading(archive) as session:
        assert await playback(session, "stranger", played.table.match_id, 1, "") is None
        assert await playback(session, "bea", played.table.match_id, 2, "") is None
        assert await playback(session, "bea", "0-none-1", 1, "") is None


def test_a_lost_hand_has_nothing_to_show() -> None:
    lost = lost_hand(LostTable(a_state(), (0,) * 4, 0, 0, True, ()), 0)
    assert played_back(lost_record(lost), VOID, "") is None
