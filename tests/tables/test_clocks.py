"""Clocks: what runs out, what moves them, and that lateness changes nothing."""

import pytest

from server.rules.actions import Discard, Draw
from server.tables import commands
from server.tables.events import ClockRanOut, ClocksRestarted
from server.tables.timers import due_of, thinks_until
from tests.tables.scene import Scene, dealt


def people() -> Scene:
    return dealt("ben", "cem", "deniz")


def test_a_clock_that_runs_out_plays_the_turn_to_its_end() -> None:
    scene = people()
    index = scene.turn
    scene.pass_time(30)
    assert scene.turn == (index + 1) % 4
    assert ClockRanOut(index) in scene.events
    assert [line.note for line in scene.table.lines] == ["timeout", "timeout"]
    assert scene.table.hand is not None
    assert len(scene.table.hand.hands[index]) == 13


def test_whoever_let_the_clock_run_out_gets_three_seconds_until_the_next_act() -> None:
    scene = people()
    index = scene.turn
    scene.pass_time(30)
    for _ in range(3):
        scene.plain_turn()
    assert scene.turn == index
    assert scene.seat(index).deadline == scene.clock.now() + 3_000
    scene.play(str(scene.seat(index).player), Draw())
    assert scene.seat(index).deadline == scene.clock.now() + 30_000


def test_an_answer_starts_the_next_question_and_nothing_else_moves_a_clock() -> None:
    scene = people()
    index = scene.turn
    other = str(scene.seat((index + 1) % 4).player)
    mine = str(scene.seat(index).player)
    deadline = scene.seat(index).deadline
    scene.clock.advance(5)
    scene.go(f"{other}-1")
    scene.come(other, "again")
    scene.come(mine, "second-tab")
    assert (
        scene.refused(commands.Play(scene.id(), mine, scene.seat(index).decision, Discard("JK")))
        == "wrong_phase"
    )
    assert scene.seat(index).deadline == deadline
    scene.play(mine, Draw())
    assert scene.seat(index).deadline == scene.clock.now() + 30_000


@pytest.mark.parametrize("late", [0, 1, 4_999])
def test_a_late_tick_decides_as_a_punctual_one(late: int) -> None:
    punctual, tardy = people(), people()
    punctual.pass_time(30)
    due = due_of(tardy.table)
    assert due is not None
    tardy.clock.ms = due + late
    tardy.chance.setstate(punctual.chance.getstate())
    tardy.do(commands.Tick())
    assert tardy.table == punctual.table


def test_what_the_servers_missed_is_given_again_in_full_once() -> None:
    scene = people()
    index = scene.turn
    scene.clock.advance(30 + 5.001)
    scene.do(commands.Tick())
    assert scene.turn == index
    assert scene.seat(index).deadline == scene.clock.now() + 30_000
    assert ClocksRestarted("late") in scene.events
    scene.pass_time(30)
    assert scene.turn != index


def test_a_move_after_the_clock_is_stale_even_before_the_tick() -> None:
    scene = people()
    index = scene.turn
    command = commands.Play(scene.id(), str(scene.seat(index).player), scene.seat(index).decision, Draw())
    scene.clock.advance(30.001)
    assert scene.refused(command) == "stale_decision"


def test_an_answer_to_a_question_that_has_passed_is_stale() -> None:
    scene = people()
    index = scene.turn
    player = str(scene.seat(index).player)
    decision = scene.seat(index).decision
    scene.play(player, Draw())
    assert scene.refused(commands.Play(scene.id(), player, decision, Draw())) == "stale_decision"


def test_presence_and_others_do_not_make_a_move_stale() -> None:
    scene = people()
    index = scene.turn
    decision = scene.seat(index).decision
    scene.go(f"{scene.seat((index + 2) % 4).player}-1")
    scene.do(commands.Play(scene.id(), str(scene.seat(index).player), decision, Draw()))


def test_a_private_table_may_have_no_clock_but_bots_keep_one() -> None:
    scene = Scene(True, turn_seconds=0)
    scene.come("ada")
    scene.bots(1, 2, 3)
    scene.ready("ada")
    clocks = set()
    for _ in range(4):
        clocks.add((scene.seat(scene.turn).driven, scene.seat(scene.turn).deadline is None))
        scene.plain_turn()
    assert clocks == {(True, False), (False, True)}


def test_bots_think_between_six_tenths_and_one_and_a_half_seconds() -> None:
    scene = dealt(bots=3)
    seen = set()
    for _ in range(12):
        index = scene.turn
        if scene.seat(index).driven:
            until = thinks_until(scene.table, index)
            assert until is not None
            wait = until - scene.clock.now()
            assert 600 <= wait < 1500
            assert due_of(scene.table) == until
            seen.add(wait)
        scene.plain_turn()
    assert len(seen) > 3


def test_no_timer_speaks_after_the_end() -> None:
    scene = dealt("ben", bots=2, target=100, max_hands=1)
    scene.play_out()
    assert scene.table.phase == "over"
    table = scene.table
    scene.pass_time(599)
    assert scene.table == table
    scene.pass_time(2)
    assert scene.closed


def test_a_finished_table_is_gone_after_an_outage_though_a_seat_was_counting_down() -> None:
    scene = dealt("ben", bots=2, target=100, max_hands=1)
    scene.play_out()
    assert scene.table.phase == "over"
    scene.go("ben-1")
    scene.clock.advance(700)
    scene.do(commands.Tick())
    assert scene.closed


def test_time_does_not_run_back_at_a_table() -> None:
    """The worker that deals is ahead of the one that plays next: what follows is never earlier than what it follows."""
    scene = people()
    at = scene.clock.now()
    assert scene.table.at == at
    scene.clock.advance(-2.5)
    scene.play(str(scene.seat(scene.turn).player), Draw())
    assert scene.table.at == at
    assert [line.ms for line in scene.table.lines] == [0]


def test_a_store_whose_own_clock_has_been_set_back_is_followed() -> None:
    scene = people()
    scene.clock.advance(-3600)
    scene.play(str(scene.seat(scene.turn).player), Draw())
    assert scene.table.at == scene.clock.now()
