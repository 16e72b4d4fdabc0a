"""From the table to the archive and back: hands really played, whose archived records replay card for card."""

import random

import pytest

from server.archive.matches import detail, save
from server.archive.session import SessionFactory, reading
from server.rules.game import Layout, Result
from server.rules.konken import KonkenOptions
from server.rules.notation import parse_action
from server.rules.records import HandRecord, parse_record
from server.rules.registry import rules_of
from server.tables import finished
from tests.tables.scene import Scene, dealt


def play_at_random(scene: Scene, chance: random.Random) -> None:
    """Play the hand to its end with whatever is legal."""
    rules = rules_of("konken")
    while scene.table.phase == "playing":
        index = scene.turn
        action = chance.choice(rules.legal(scene.table.hand, index))
        if scene.seat(index).driven:
            scene.bot_play(index, action)
        else:
            scene.play(str(scene.seat(index).player), action)


def replayed(record: HandRecord) -> Result | None:
    """What the rules say of a record's deal and log."""
    rules = rules_of(record.game)
    assert record.turned is not None
    options = KonkenOptions(max_hands=2)
    hand = rules.begin(options, Layout(record.deal, record.turned, record.stock), record.dealer)
    for entry in record.log:
        if entry.seat is not None:
            hand, _ = rules.apply(hand, entry.seat, parse_action(entry.text))
    return rules.result(hand)


@pytest.mark.parametrize("seed", range(3))
async def test_a_match_of_two_hands(archive: SessionFactory, seed: int) -> None:
    scene = dealt("bea", bots=2, max_hands=2)
    play_at_random(scene, random.Random(seed))
    scene.ready("ada", "bea")
    play_at_random(scene, random.Random(-seed))
    assert scene.table.phase == "over"
    assert scene.table.outcome is not None

    for item in scene.finished:
        assert await save(archive, finished.decode(finished.encode(item)))
    async with reading(archive) as session:
        found = await detail(session, "bea", scene.table.match_id)
    assert found is not None
    assert (found.match.hands, found.match.by) == (2, "points")
    assert found.match.winners == scene.table.outcome.winners
    assert tuple(seat.total for seat in found.match.seats) == scene.table.totals
    assert [seat.you for seat in found.match.seats] == [False, True, False, False]
    for hand in found.hands:
        record = parse_record(hand.record)
        assert record.options == found.match.options == {"max_hands": 2}
        assert replayed(record) == hand.result
