"""A table built again from what the archive knows."""

from server.rules.actions import Draw
from server.tables import commands
from server.tables.finished import FinishedHand, LostTable, MatchState
from server.tables.recovery import rebuild
from tests.tables.scene import Scene, dealt


def archived(scene: Scene) -> LostTable:
    """What the archive would know of a scene."""
    state = [item for item in scene.finished if isinstance(item, MatchState)][-1]
    hands = [item for item in scene.finished if isinstance(item, FinishedHand)]
    counted = [hand for hand in hands if hand.result.ending != "void"]
    return LostTable(
        state=state,
        totals=tuple(seat.total for seat in (hands[-1].seats if hands else state.seats)),
        hand_no=hands[-1].hand_no if hands else 0,
        dealer=hands[-1].dealer if hands else state.dealer,
        redeal=hands[-1].result.ending == "void" if hands else True,
        sheet=tuple((hand.hand_no, hand.result.winners, hand.result.points) for hand in counted),
    )


def lost_and_found(scene: Scene) -> Scene:
    found = Scene()
    found.clock = scene.clock
    found.table = rebuild(archived(scene), found.moment()).table
    return found


def test_a_match_lost_in_its_first_hand_begins_again_with_the_same_starter() -> None:
    scene = dealt("ben", bots=2, target=150, absent="bot")
    scene.plain_turn()
    found = lost_and_found(scene)
    assert found.table.phase == "between"
    assert found.table.options == scene.table.options
    assert found.table.house == scene.table.house
    found.come("ada")
    found.come("ben")
    found.ready("ada", "ben")
    assert found.table.phase == "playing"
    assert found.table.dealer == scene.table.dealer
    assert found.table.hand != scene.table.hand


def test_a_match_lost_in_its_third_hand_keeps_its_scores() -> None:
    scene = dealt("ben", bots=2)
    for _ in range(2):
        scene.play_out()
        scene.ready("ada", "ben")
    found = lost_and_found(scene)
    assert found.table.totals == scene.table.totals
    assert found.table.sheet == scene.table.sheet
    found.come("ada")
    found.come("ben")
    found.pass_time(21)
    assert found.table.phase == "playing"
    assert found.table.dealer == scene.table.dealer
    assert found.table.match_id == scene.table.match_id
    assert found.table.hand_no == scene.table.hand_no + 1, "the lost hand keeps its number"


def test_an_answer_to_the_lost_lineage_fits_no_new_question() -> None:
    scene = dealt("ben", bots=2)
    while scene.turn > 1:
        scene.plain_turn()
    player = str(scene.seat(scene.turn).player)
    old = commands.Play("old", player, scene.seat(scene.turn).decision, Draw())
    found = lost_and_found(scene)
    found.come("ada")
    found.come("ben")
    found.ready("ada", "ben")
    for _ in range(8):
        assert found.refused(old) == "stale_decision"
        found.plain_turn()


def test_newer_than_anything_shown_before() -> None:
    scene = dealt("ben", bots=2)
    scene.play_out()
    assert lost_and_found(scene).table.v > scene.table.v
