"""From the table to the archive and back: hands really played, whose archived records replay card for card."""

import random

import pytest

from server.archive.history import detail, record_of
from server.archive.matches import save
from server.archive.recovery import lost_table
from server.archive.session import SessionFactory, reading
from server.rules.game import Layout
from server.rules.konken import KonkenOptions
from server.rules.notation import parse_action
from server.rules.record_reader import parse_record, parse_records
from server.rules.records import LOST, HandRecord
from server.rules.registry import rules_of
from server.rules.replay import replay_match
from server.rules.result import Result
from server.tables import commands, finished
from server.tables.recovery import rebuild
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


async def test_a_match_that_players_left_and_that_was_lost(archive: SessionFactory) -> None:
    """Bea leaves the second hand, Cem comes and leaves after the next; then the table is lost and comes back."""
    chance = random.Random(5)
    scene = dealt("bea", bots=2, max_hands=4)
    play_at_random(scene, chance)
    scene.ready("ada", "bea")
    scene.do(commands.Leave(scene.id(), "bea"))
    scene.sit("cem")
    scene.ready("ada", "cem")
    play_at_random(scene, chance)
    scene.do(commands.Leave(scene.id(), "cem"))
    scene.sit("dan")
    scene.ready("ada", "dan")
    match = scene.table.match_id
    for item in chance.sample(scene.finished, len(scene.finished)):
        await save(archive, finished.decode(finished.encode(item)))

    lost = await lost_table(archive, scene.table.id, 0)
    assert lost is not None
    assert (lost.hand_no, lost.totals) == (3, scene.table.totals)
    assert [row[0] for row in lost.sheet] == [1, 3]
    back = rebuild(lost, scene.moment())
    scene.table = back.table
    scene.finished = list(back.finished)
    for player in ("ada", "dan"):
        scene.come(player)
    for _ in range(2):
        scene.ready("ada", "dan")
        play_at_random(scene, chance)
    assert scene.table.phase == "over"
    for item in chance.sample(scene.finished, len(scene.finished)):
        await save(archive, item)

    async with reading(archive) as session:
        left = {player: await detail(session, player, match) for player in ("ada", "bea", "cem", "dan")}
        text = await record_of(session, "bea", match)
    assert [found and found.match.left for found in left.values()] == [None, "left", "left", None]
    assert left["ada"] is not None
    assert tuple(seat.total for seat in left["ada"].match.seats) == scene.table.totals
    assert text is not None
    hands = parse_records(text)
    assert [hand.record.void for hand in hands] == ["", "1 left", "", LOST, "", ""]
    replay_match(hands)
