"""Dropping out, coming back, and what the others may choose."""

import pytest
from msgspec.structs import replace

from server.rules.actions import Discard, Draw
from server.tables import commands
from server.tables.finished import FinishedHand, FinishedMatch
from server.tables.timers import PAUSED_MS
from tests.frames import view_of
from tests.tables.scene import Scene, dealt


def claim(scene: Scene, player: str, absent: int, choice: str) -> None:
    scene.do(commands.Claim(scene.id(), player, absent, choice))  # type: ignore[arg-type]


def absent_ben(**options: int | str) -> Scene:
    """Ada and Cem play on, Ben's grace is over."""
    scene = dealt("ben", "cem", bots=1, turn_seconds=60, **options)
    scene.go("ben-1")
    scene.pass_time(31)
    return scene


def test_a_dropped_seat_keeps_cards_and_turn() -> None:
    scene = dealt("ben", bots=2)
    hand = scene.table.hand
    scene.go("ben-1")
    assert scene.seat(1).away_until == scene.clock.now() + 30_000
    scene.pass_time(10)
    scene.come("ben", "ben-2")
    assert scene.seat(1).away_until is None
    assert scene.table.hand == hand


def test_a_second_tab_keeps_the_seat_here() -> None:
    scene = dealt("ben", bots=2)
    scene.come("ben", "ben-2")
    scene.go("ben-1")
    assert scene.seat(1).away_until is None
    scene.go("ben-2")
    assert scene.seat(1).away_until is not None


def test_coming_back_moves_no_clock() -> None:
    scene = dealt("ben", bots=2)
    deadlines = [seat.deadline for seat in scene.table.seats]
    scene.go("ben-1")
    scene.clock.advance(5)
    scene.come("ben", "ben-2")
    assert [seat.deadline for seat in scene.table.seats] == deadlines


@pytest.mark.parametrize(("after", "open_choice"), [(29.999, False), (30.0, True), (30.001, True)])
def test_the_choice_opens_when_the_grace_is_over(after: float, open_choice: bool) -> None:
    scene = dealt("ben", bots=2, turn_seconds=60)
    scene.go("ben-1")
    scene.pass_time(after)
    assert bool(view_of(scene.table, 0).absences) is open_choice


def test_a_return_at_29_999_beats_the_grace_and_at_30_001_cancels_the_choice() -> None:
    for after in (29.999, 30.001):
        scene = dealt("ben", bots=2, turn_seconds=60)
        scene.go("ben-1")
        scene.pass_time(after)
        scene.come("ben", "ben-2")
        assert not view_of(scene.table, 0).absences
        assert scene.refused(commands.Claim(scene.id(), "ada", 1, "claim")) == "no_claim"


def test_a_win_needs_every_connected_person() -> None:
    scene = absent_ben()
    claim(scene, "ada", 1, "claim")
    assert scene.table.phase == "playing"
    claim(scene, "cem", 1, "claim")
    assert scene.table.phase == "over"
    outcome = scene.table.outcome
    assert outcome is not None
    assert (outcome.by, outcome.winners, outcome.ranking[-1]) == ("forfeit", (0, 2, 3), 1)
    assert isinstance(scene.finished[-1], FinishedMatch)


def test_waiting_is_no_claim_and_may_be_changed() -> None:
    scene = absent_ben()
    claim(scene, "ada", 1, "claim")
    claim(scene, "cem", 1, "wait")
    assert scene.table.phase == "playing"
    claim(scene, "cem", 1, "claim")
    assert scene.table.phase == "over"


def test_when_the_one_who_waits_drops_out_the_claims_of_the_rest_count() -> None:
    scene = absent_ben()
    claim(scene, "ada", 1, "claim")
    scene.go("cem-1")
    assert scene.table.phase == "over"
    assert scene.table.outcome is not None
    assert scene.table.outcome.winners == (0, 2, 3)


def test_a_return_cancels_all_votes_of_that_absence() -> None:
    scene = absent_ben()
    claim(scene, "ada", 1, "claim")
    scene.come("ben", "ben-2")
    scene.go("ben-2")
    scene.pass_time(31)
    claim(scene, "cem", 1, "claim")
    assert scene.table.phase == "playing"


def test_who_takes_the_seat_of_one_who_chose_has_not_chosen() -> None:
    scene = absent_ben()
    claim(scene, "cem", 1, "claim")
    scene.do(commands.Leave(scene.id(), "cem"))
    scene.sit("deniz", 2)
    [absence] = view_of(scene.table, 2).absences
    assert absence.votes == {}


@pytest.mark.parametrize("claim_first", [True, False])
def test_claim_and_return_in_one_instant_have_one_outcome(claim_first: bool) -> None:
    scene = dealt("ben", bots=2, turn_seconds=60)
    scene.go("ben-1")
    scene.pass_time(31)
    if claim_first:
        claim(scene, "ada", 1, "claim")
        scene.come("ben", "ben-2")
        assert scene.table.phase == "over"
    else:
        scene.come("ben", "ben-2")
        assert scene.refused(commands.Claim(scene.id(), "ada", 1, "claim")) == "no_claim"
        assert scene.table.phase == "playing"


def test_the_choice_is_for_those_who_are_connected() -> None:
    scene = absent_ben()
    scene.go("cem-1")
    assert scene.refused(commands.Claim(scene.id(), "cem", 1, "bot")) == "no_claim"
    scene.go("ada-1")
    assert scene.refused(commands.Claim(scene.id(), "ada", 1, "claim")) == "paused"


def test_one_person_seats_a_bot() -> None:
    scene = absent_ben()
    claim(scene, "cem", 1, "bot")
    assert scene.seat(1).stand_in
    assert scene.seat(1).player == "ben"
    assert not view_of(scene.table, 0).absences


def test_the_person_takes_the_seat_back_at_the_next_question() -> None:
    scene = dealt("ben", bots=2, turn_seconds=60, absent="bot")
    while scene.turn != 1:
        scene.plain_turn()
    scene.go("ben-1")
    scene.pass_time(31)
    assert scene.seat(1).stand_in
    scene.come("ben", "ben-2")
    assert scene.seat(1).stand_in, "the question that is being answered stays the bot's"
    scene.plain_turn()
    assert not scene.seat(1).stand_in
    while scene.turn != 1:
        scene.plain_turn()
    assert not scene.seat(1).driven


def test_coming_back_when_not_asked_takes_the_seat_back_at_once() -> None:
    scene = dealt("ben", bots=2, turn_seconds=60, absent="bot")
    while scene.turn != 0:
        scene.plain_turn()
    scene.go("ben-1")
    scene.pass_time(31)
    scene.come("ben", "ben-2")
    assert not scene.seat(1).stand_in


def test_a_clock_that_the_stand_in_let_run_out_is_not_held_against_the_person() -> None:
    scene = dealt("ben", bots=2, turn_seconds=60, absent="bot")
    while scene.turn != 1:
        scene.plain_turn()
    scene.go("ben-1")
    scene.pass_time(31)
    scene.come("ben", "ben-2")
    scene.pass_time(60)
    assert scene.turn == 2
    while scene.turn != 1:
        scene.plain_turn()
    assert scene.seat(1).deadline == scene.clock.now() + 60_000


def test_who_came_back_to_the_end_of_a_hand_is_asked_before_the_next_one() -> None:
    scene = dealt("ben", bots=2, turn_seconds=60, absent="bot")
    while scene.turn != 1:
        scene.plain_turn()
    hand = scene.table.hand
    assert hand is not None
    scene.table = replace(scene.table, hand=replace(hand, stock=hand.stock[:1]))
    scene.go("ben-1")
    scene.pass_time(31)
    scene.bot_play(1, Draw())
    scene.come("ben", "ben-2")
    scene.bot_play(1, Discard(hand.hands[1][0]))
    assert scene.table.phase == "between"
    assert not scene.seat(1).waiting
    ended = scene.finished[-1]
    assert isinstance(ended, FinishedHand)
    assert ended.seats[1].stand_in


def test_the_archive_notes_the_hands_that_a_bot_finished_and_no_others() -> None:
    scene = dealt("ben", bots=2, turn_seconds=60, absent="bot")
    while scene.turn != 0:
        scene.plain_turn()
    scene.go("ben-1")
    scene.pass_time(31)
    scene.come("ben", "ben-2")
    scene.play_out()
    ended = scene.finished[-1]
    assert isinstance(ended, FinishedHand)
    assert not ended.seats[1].stand_in, "Ben was back in time"


def test_with_wait_there_is_nothing_to_choose_in_a_hand() -> None:
    scene = absent_ben(absent="wait")
    assert not view_of(scene.table, 0).absences
    assert scene.refused(commands.Claim(scene.id(), "ada", 1, "claim")) == "no_claim"


def test_between_hands_nobody_can_claim() -> None:
    scene = dealt("ben", bots=2, turn_seconds=60)
    scene.play_out()
    assert scene.table.phase == "between"
    scene.go("ben-1")
    scene.pass_time(31)
    assert view_of(scene.table, 0).absences[0].choices == ("bot", "wait")
    assert scene.refused(commands.Claim(scene.id(), "ada", 1, "claim")) == "no_claim"
    claim(scene, "ada", 1, "bot")
    assert scene.table.phase == "playing", "Ada was ready by herself, a bot always is"


def test_who_comes_back_after_the_others_were_ready_is_ready_by_itself_too() -> None:
    scene = dealt("ben", bots=2, turn_seconds=60)
    scene.play_out()
    scene.go("ben-1")
    scene.pass_time(31)
    assert scene.seat(0).ready
    scene.come("ben", "ben-2")
    assert scene.table.ready_by == scene.clock.now() + 20_000
    scene.pass_time(20)
    assert scene.table.phase == "playing"


def test_one_person_and_three_bots_in_a_tunnel_lose_nothing() -> None:
    scene = dealt(bots=3)
    scene.clock.advance(10)
    hand = scene.table.hand
    scene.go("ada-1")
    assert scene.table.paused_at is not None
    scene.pass_time(3600)
    assert scene.table.hand == hand
    scene.come("ada", "ada-2")
    asked = scene.seat(scene.turn)
    assert asked.deadline == scene.clock.now() + 30_000


def test_a_match_paused_for_a_day_is_void() -> None:
    scene = dealt(bots=3)
    scene.go("ada-1")
    scene.pass_time(PAUSED_MS / 1000 + 1)
    assert scene.closed
    ending = scene.finished[-1]
    assert isinstance(ending, FinishedMatch)
    assert ending.outcome.by == "void"


def test_the_grace_of_others_runs_while_one_is_here_and_stops_when_none_is() -> None:
    scene = dealt("ben", bots=2, turn_seconds=60)
    scene.go("ben-1")
    scene.pass_time(20)
    scene.go("ada-1")
    scene.pass_time(100)
    scene.come("ada", "ada-2")
    assert scene.seat(1).away_until == scene.clock.now() + 30_000
