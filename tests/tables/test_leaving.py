"""Leaving for good, refilling, the host's kick, names, and the rematch."""

import pytest

from server.protocol import Create
from server.tables import commands
from server.tables.events import Left
from server.tables.finished import FinishedHand, FinishedMatch, MatchState
from server.tables.opening import open_table
from server.tables.timers import EMPTY_MS
from tests.frames import view_of
from tests.tables.scene import SECRET, Scene, dealt, seated


def leave(scene: Scene, player: str) -> None:
    scene.do(commands.Leave(scene.id(), player))


def states(scene: Scene) -> list[MatchState]:
    return [item for item in scene.finished if isinstance(item, MatchState)]


def test_leaving_voids_the_hand_and_keeps_the_points_of_the_others() -> None:
    scene = dealt("ben", bots=2)
    scene.play_out()
    scene.ready("ada", "ben")
    totals, dealer = scene.table.totals, scene.table.dealer
    leave(scene, "ben")
    assert scene.table.phase == "between"
    assert scene.table.hand is None
    assert scene.table.totals == (totals[0], 0, totals[2], totals[3])
    assert Left(1, "Ben", "left") in scene.events
    void = [item for item in scene.finished if isinstance(item, FinishedHand)][-1]
    assert void.result.ending == "void"
    assert void.log[-1].text == "left 1"
    assert len(scene.table.sheet) == 1, "a void hand does not count"
    scene.sit("cem")
    scene.ready("ada", "cem")
    assert scene.table.phase == "playing"
    assert scene.table.dealer == dealer, "the same starter"
    assert scene.seat(1).total == 0


def test_a_leaver_may_not_come_back() -> None:
    scene = dealt("ben", bots=2)
    leave(scene, "ben")
    assert scene.refused(scene.sit_command("ben")) == "barred"


def test_a_bot_fills_the_seat_and_the_hand_is_dealt_anew() -> None:
    scene = dealt("ben", bots=2)
    hand = scene.table.hand_no
    leave(scene, "ben")
    scene.bots(1)
    scene.ready("ada")
    assert scene.table.phase == "playing"
    assert scene.table.hand_no == hand + 1


def test_the_archive_hears_of_the_beginning_and_of_every_change_of_seats() -> None:
    scene = dealt("ben", bots=2)
    [begun] = states(scene)
    assert begun.hand_no == 1
    assert [seat.player for seat in begun.seats] == ["ada", "ben", None, None]
    leave(scene, "ben")
    scene.bots(1)
    left, filled = states(scene)[1:]
    assert left.departure is not None
    assert (left.departure.player, left.departure.kind, left.departure.seat) == ("ben", "left", 1)
    assert filled.seats[1].bot == "regular"
    assert begun.v < left.v < filled.v


def test_when_the_last_person_leaves_the_match_is_over_and_the_table_gone() -> None:
    scene = dealt(bots=3)
    leave(scene, "ada")
    assert scene.closed
    ending = scene.finished[-1]
    assert isinstance(ending, FinishedMatch)
    assert (ending.outcome.by, ending.outcome.winners) == ("forfeit", (1, 2, 3))


def test_an_empty_seat_wins_nothing() -> None:
    scene = dealt("ben", bots=2)
    leave(scene, "ben")
    leave(scene, "ada")
    ending = scene.finished[-1]
    assert isinstance(ending, FinishedMatch)
    assert ending.outcome.winners == (2, 3)


def test_leaving_before_the_match_costs_nothing() -> None:
    scene = seated("ben")
    leave(scene, "ben")
    scene.sit("ben")
    assert scene.table.seat_of("ben") == 1


def test_leaving_a_waiting_table_as_the_last_one_closes_it_a_minute_later() -> None:
    scene = seated()
    leave(scene, "ada")
    scene.pass_time(EMPTY_MS / 1000 + 1)
    assert scene.closed


def test_the_next_to_act_may_leave_and_the_others_go_on() -> None:
    for turns in range(4):
        scene = dealt("ben", "cem", "deniz")
        for _ in range(turns):
            scene.plain_turn()
        player = str(scene.seat(scene.turn).player)
        others = [name for name in ("ada", "ben", "cem", "deniz") if name != player]
        leave(scene, player)
        scene.do(
            commands.AddBot(
                scene.id(),
                others[0],
                scene.table.seats.index(next(s for s in scene.table.seats if s.empty)),
                "regular",
            )
        )
        scene.ready(*others)
        assert scene.table.phase == "playing"
        scene.play_out()
        assert len(scene.table.sheet) == 1


def test_the_host_is_the_person_longest_seated() -> None:
    scene = seated()
    scene.clock.advance(1)
    scene.sit("ben")
    scene.clock.advance(1)
    scene.sit("cem")
    assert scene.table.host == 0
    assert scene.refused(commands.Kick(scene.id(), "ben", 2)) == "not_host"
    leave(scene, "ada")
    assert scene.table.host == 1
    assert view_of(scene.table, 1).host == 1


@pytest.mark.parametrize("skew", [0, -0.004])
def test_clocks_that_differ_make_nobody_the_host(skew: float) -> None:
    scene = seated()
    scene.clock.advance(skew)
    scene.sit("cem", 2)
    scene.clock.advance(skew)
    scene.sit("ben", 1)
    assert scene.table.host == 0
    leave(scene, "ada")
    assert scene.table.host == 2


def test_a_kick_only_between_hands_and_with_a_block() -> None:
    scene = dealt("ben", bots=2)
    assert scene.refused(commands.Kick(scene.id(), "ada", 1)) == "wrong_phase"
    scene.play_out()
    assert scene.refused(commands.Kick(scene.id(), "ada", 0)) == "no_such_seat"
    assert scene.refused(commands.Kick(scene.id(), "ada", 2)) == "no_such_seat"
    scene.do(commands.Kick(scene.id(), "ada", 1))
    assert scene.seat(1).empty
    assert scene.refused(scene.sit_command("ben")) == "barred"
    departure = states(scene)[-1].departure
    assert departure is not None
    assert departure.kind == "kicked"


def test_a_kick_before_the_match() -> None:
    scene = seated("ben")
    scene.do(commands.Kick(scene.id(), "ada", 1))
    assert scene.seat(1).empty
    assert scene.refused(scene.sit_command("ben")) == "barred"


def test_a_quick_table_has_no_host_and_its_players_are_ready() -> None:
    scene = Scene()
    message = Create(id="q", game="konken", options={"target": 100, "max_hands": 8})
    scene.table = open_table(message, "ada", "Ada", SECRET, scene.moment(), quick_nonce="0b")
    scene.come("ada")
    assert scene.table.host is None
    assert scene.refused(commands.Kick(scene.id(), "ada", 1)) == "not_host"
    scene.sit("ben", nonce="0c")
    scene.bots(2, 3)
    assert scene.table.phase == "playing"
    assert scene.table.nonces == ("0b", "0c", "", "")


def test_a_rematch_takes_everybodys_consent_and_moves_the_starter_on() -> None:
    scene = dealt("ben", bots=2, max_hands=1)
    scene.play_out()
    dealer, match_id = scene.table.dealer, scene.table.match_id
    assert dealer is not None
    scene.ready("ada")
    scene.pass_time(25)
    assert scene.table.phase == "over", "after a match nobody is ready by itself"
    scene.ready("ben")
    assert scene.table.phase == "playing"
    assert scene.table.dealer == (dealer + 1) % 4
    assert scene.table.match_id != match_id
    assert (scene.table.hand_no, scene.table.sheet, scene.table.totals) == (1, (), (0, 0, 0, 0))
    assert scene.table.outcome is None
    scene.play_out()
    assert scene.table.phase in ("over", "between"), "at a tie on top another hand is played"


def test_after_the_match_an_absent_seat_is_freed_and_may_be_filled_for_the_rematch() -> None:
    scene = dealt("ben", bots=2, max_hands=1)
    scene.play_out()
    scene.go("ben-1")
    scene.pass_time(31)
    assert scene.seat(1).empty
    scene.sit("cem")
    scene.ready("ada", "cem")
    assert scene.table.phase == "playing"


def test_a_new_name_is_told_and_kept_distinct() -> None:
    scene = seated("ben")
    scene.do(commands.Rename(scene.id(), "ben", "Ada"))
    assert scene.seat(1).name == "Ada 2"
    scene.do(commands.Rename(scene.id(), "ben", "Benjamin"))
    assert scene.seat(1).name == "Benjamin"


@pytest.mark.parametrize("phase", ["open", "playing", "between", "over"])
def test_after_any_end_no_timer_speaks_again(phase: str) -> None:
    scene = seated("ben", bots=2, max_hands=2)
    if phase != "open":
        scene.ready("ada", "ben")
    if phase in ("between", "over"):
        scene.play_out()
    if phase == "over":
        scene.ready("ada", "ben")
        scene.play_out()
    assert scene.table.phase == phase
    leave(scene, "ben")
    leave(scene, "ada")
    if phase == "open":
        scene.pass_time(EMPTY_MS / 1000 + 1)
    assert scene.closed
