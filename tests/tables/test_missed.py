"""What happened meanwhile is told again exactly as it was told the first time."""

from server.rules.events import redact
from server.tables import commands
from server.tables.events import StandInSeated
from server.tables.missed import missed
from server.tables.table import Event
from tests.tables.scene import dealt


def test_what_was_missed_is_what_the_others_saw() -> None:
    scene = dealt("ben", bots=2)
    told: list[tuple[int, list[Event]]] = [(scene.table.v, list(scene.events[-1:]))]
    for _ in range(9):
        before, count = scene.table.v, len(scene.events)
        scene.plain_turn()
        told.append((before, scene.events[count:]))
    for at, (version, _) in enumerate(told[1:], 1):
        expected = [redact(event, 1) for _, events in told[at:] for event in events]  # type: ignore[arg-type]
        assert list(missed(scene.table, version, 1)) == expected


def test_at_most_this_hand_and_from_its_deal() -> None:
    scene = dealt("ben", bots=2)
    first = scene.table.v
    scene.play_out()
    scene.ready("ada", "ben")
    told = missed(scene.table, first, 0)
    assert [type(event).__name__ for event in told] == ["Dealt"]


def test_after_the_hand_it_can_still_be_told() -> None:
    scene = dealt("ben", bots=2)
    scene.plain_turn()
    version = scene.table.v
    scene.play_out()
    names = [type(event).__name__ for event in missed(scene.table, version, 0)]
    assert names[0] == "Drew"
    assert names[-1] == "HandEnded"


def test_a_stand_in_is_part_of_the_story() -> None:
    scene = dealt("ben", bots=2, turn_seconds=60, absent="bot")
    version = scene.table.v
    scene.go("ben-1")
    scene.pass_time(31)
    assert StandInSeated(1) in missed(scene.table, version, 1)


def test_nothing_is_missed_by_who_has_seen_it_all() -> None:
    scene = dealt("ben", bots=2)
    assert missed(scene.table, scene.table.v, 0) == ()
    assert scene.do(commands.Tick()) is scene.table
