"""Conquian at a table: two asked at once, the force window, leaving that costs, drawn games, games to win."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from server.archive.record import hand_record, note_departure
from server.rules import record_reader, records
from server.rules.actions import Discard, Exchange, Force, Meld, Pass, Waive
from server.rules.conquian import CONQUIAN, ConquianHand
from server.rules.conquian_covers import PACK
from server.rules.conquian_hand import Centre
from server.rules.events import HandEnded, TurnedUp
from server.rules.notation import NotationError
from server.rules.replay import replay, replay_match
from server.tables import commands
from server.tables.events import ClockRanOut, Left
from server.tables.finished import FinishedHand, FinishedMatch
from tests.frames import frame_of
from tests.tables.scene import Scene

TURN = 30
"""Seconds of the default clock."""


def seated(**options: int | str) -> Scene:
    """Ada and Ben at a table of Conquian."""
    scene = Scene(False, "conquian", **options)
    scene.come("ada")
    scene.sit("ben")
    return scene


def dealt(**options: int | str) -> Scene:
    scene = seated(**options)
    scene.ready("ada", "ben")
    assert scene.table.phase == "playing"
    return scene


def hand_of(scene: Scene) -> ConquianHand:
    assert isinstance(scene.table.hand, ConquianHand)
    return scene.table.hand


def set_up(scene: Scene, hands: tuple[str, str], tables: tuple[list[str], list[str]], **more: Any) -> None:
    """Lay the cards of the hand in play so; the rest is the stock, or out of the hand with `stock`."""
    own = tuple(tuple(cards.split()) for cards in hands)
    melds = tuple(tuple(tuple(meld.split()) for meld in melds) for melds in tables)
    centre = more.get("centre")
    used = {card for cards in own for card in cards} | {c for ms in melds for m in ms for c in m}
    used |= {centre.card} if centre else set()
    stock = more.pop("stock", tuple(card for card in PACK if card not in used))
    hand = msgspec.structs.replace(hand_of(scene), hands=own, melds=melds, stock=stock, **more)
    seats = tuple(
        msgspec.structs.replace(
            seat, asked=scene.clock.now() if index in CONQUIAN.deciders(hand) else None, deadline=None
        )
        for index, seat in enumerate(scene.table.seats)
    )
    scene.table = msgspec.structs.replace(scene.table, hand=hand, seats=seats)


def player(scene: Scene, seat: int) -> str:
    return str(scene.seat(seat).player)


def act(scene: Scene, action: Any) -> None:
    """Whoever is asked plays."""
    scene.play(player(scene, scene.turn), action)


def draw_the_game(scene: Scene) -> None:
    """Everybody passes till the stock is out."""
    while scene.table.phase == "playing":
        act(scene, Pass())


def win(scene: Scene, winner: int) -> None:
    """The hand in play ends with `winner` going out."""
    tables: tuple[list[str], list[str]] = (["AS 2S 3S 4S 5S 6S 7S", "KS KH KD"], ["AC 2C 3C"])
    hands = ("", "2D 3D 4D 5H")
    if winner == 1:
        tables, hands = tables[::-1], hands[::-1]
    centre = Centre("KC", winner, "turned")
    set_up(scene, hands, tables, centre=centre, turn=winner, phase="own", dead=(), chosen=(None, None))
    scene.play(
        player(scene, winner),
        Meld((("AS", "2S", "3S", "4S", "5S", "6S", "7S"), ("KS", "KH", "KD", "KC"))),
    )


# ---- the exchange ------------------------------------------------------------------------------------------


def test_the_exchange_asks_both_at_once_with_two_clocks() -> None:
    scene = dealt(exchange="on")
    start = scene.clock.now()
    assert [seat.asked for seat in scene.table.seats] == [start, start]
    assert [seat.deadline for seat in scene.table.seats] == [start + TURN * 1000] * 2
    numbers = [seat.decision for seat in scene.table.seats]
    scene.pass_time(10)
    first = hand_of(scene).hands[0][0]
    scene.play("ada", Exchange(first))
    assert scene.seat(0).asked is None
    assert scene.seat(1).deadline == start + TURN * 1000, "the other's clock is moved by nothing"
    assert scene.seat(1).decision == numbers[1], "and its question is the same"
    assert scene.refused(commands.Play("again", "ada", numbers[0], Exchange(first))) == "stale_decision"
    later = commands.Play("later", "ada", scene.seat(0).decision, Exchange(first))
    assert scene.refused(later) == "wrong_phase"
    scene.play("ben", Exchange(hand_of(scene).hands[1][0]))
    assert first in hand_of(scene).hands[1]
    assert [e.seat for e in scene.events if isinstance(e, TurnedUp)] == [hand_of(scene).pone]
    assert scene.turn == hand_of(scene).pone
    assert sum(seat.asked is not None for seat in scene.table.seats) == 1


def test_a_clock_of_the_exchange_runs_out_for_its_own_seat() -> None:
    scene = dealt(exchange="on")
    rightmost = [cards[-1] for cards in hand_of(scene).hands]
    scene.pass_time(10)
    scene.play("ben", Exchange(hand_of(scene).hands[1][0]))
    scene.pass_time(TURN - 9)
    assert [e.seat for e in scene.events if isinstance(e, ClockRanOut)] == [0]
    assert rightmost[0] in hand_of(scene).hands[1]
    assert hand_of(scene).phase == "own"


def test_both_clocks_of_the_exchange_run_out_together() -> None:
    scene = dealt(exchange="on")
    scene.pass_time(TURN)
    assert sorted(e.seat for e in scene.events if isinstance(e, ClockRanOut)) == [0, 1]
    assert hand_of(scene).phase == "own"
    assert scene.seat(scene.turn).deadline == scene.clock.now() + 3_000, "late seats get three seconds"


def test_nobody_is_shown_the_other_cards_choice() -> None:
    scene = dealt(exchange="on")
    before = len(scene.events)
    card = hand_of(scene).hands[0][4]
    scene.play("ada", Exchange(card))
    told = tuple(scene.events[before:])
    own, other, guest = (
        msgspec.json.encode(frame_of(scene.table, who, 0, told)).decode() for who in ("ada", "ben", "gus")
    )
    assert f'"e":"exchange_chosen","seat":0,"card":"{card}"' in own
    assert card not in other
    assert card not in guest
    scene.play("ben", Exchange(hand_of(scene).hands[1][0]))
    told = tuple(scene.events[before:])
    guest = msgspec.json.encode(frame_of(scene.table, "gus", 0, told)).decode()
    assert card not in guest


# ---- the force window --------------------------------------------------------------------------------------


def window(scene: Scene, stock: tuple[str, ...] = ("KS", "QS")) -> None:
    """Ben is offered a card that fits his table, and refuses it."""
    centre = Centre("4C", 0, "discarded")
    tables: tuple[list[str], list[str]] = (["AH 2H 3H"], ["AC 2C 3C"])
    set_up(scene, ("KD 5D", "2D 6H"), tables, centre=centre, turn=1, phase="offered", stock=stock)
    scene.play("ben", Pass())
    assert hand_of(scene).phase == "window"


def test_the_force_window_lasts_eight_seconds() -> None:
    scene = dealt()
    window(scene)
    assert scene.turn == 0
    assert scene.seat(0).deadline == scene.clock.now() + 8_000
    scene.pass_time(7)
    assert hand_of(scene).phase == "window"
    scene.pass_time(1)
    assert hand_of(scene).phase == "own"
    assert hand_of(scene).dead == ("4C",)
    assert scene.turn == 1
    assert scene.seat(1).deadline == scene.clock.now() + TURN * 1000
    assert scene.table.lines[-1].text == "waive"
    assert scene.table.lines[-1].note == "timeout"


def test_the_window_has_its_clock_where_nothing_else_has() -> None:
    scene = Scene(True, "conquian", turn_seconds=0)
    scene.come("ada")
    scene.sit("ben", token=scene.table.token)
    scene.ready("ada", "ben")
    assert scene.seat(scene.turn).deadline is None
    window(scene)
    assert scene.seat(0).deadline == scene.clock.now() + 8_000


def test_force_and_waive_in_the_window() -> None:
    for action, phase, turn in ((Force(), "forced", 1), (Waive(), "own", 1)):
        scene = dealt()
        window(scene)
        scene.play("ada", action)
        assert (hand_of(scene).phase, scene.turn) == (phase, turn)
        assert scene.seat(1).deadline == scene.clock.now() + TURN * 1000


def test_a_forced_player_who_sleeps_melds_and_discards() -> None:
    scene = dealt()
    window(scene)
    scene.play("ada", Force())
    scene.pass_time(TURN)
    assert hand_of(scene).melds[1] == (("AC", "2C", "3C", "4C"),)
    assert hand_of(scene).centre == Centre("6H", 1, "discarded")
    assert [line.text for line in scene.table.lines[-2:]] == ["meld AC 2C 3C 4C", "discard 6H"]
    assert scene.turn == 0


# ---- one question after another -----------------------------------------------------------------------------


def test_a_timeout_answers_one_card_and_the_next_is_a_question_of_its_own() -> None:
    scene = dealt()
    first = scene.turn
    act(scene, Pass())
    second = scene.turn
    assert second == 1 - first
    decision = scene.seat(second).decision
    scene.pass_time(TURN)
    assert scene.turn == second, "who refused it turned up the next card"
    assert scene.seat(second).decision == decision + 1
    assert hand_of(scene).phase == "own"
    assert len(hand_of(scene).dead) == 1
    assert scene.seat(second).deadline == scene.clock.now() + 3_000
    scene.play(player(scene, second), Pass())
    assert scene.turn == first
    assert scene.seat(first).deadline == scene.clock.now() + TURN * 1000


def test_what_was_missed_is_told_again() -> None:
    scene = dealt(exchange="on")
    seen = scene.table.v
    scene.play("ada", Exchange(hand_of(scene).hands[0][0]))
    scene.play("ben", Exchange(hand_of(scene).hands[1][0]))
    act(scene, Pass())
    frame = frame_of(scene.table, "ben", 0, seen=seen)
    assert frame.missed is not None
    names = [event.__struct_config__.tag for event in frame.missed]
    assert names == ["exchange_chosen", "exchange_chosen", "exchange_made", "turned_up", "passed"]


# ---- games and the match -----------------------------------------------------------------------------------


def test_one_won_game_wins_the_match() -> None:
    scene = dealt()
    win(scene, 1)
    assert scene.table.phase == "over"
    assert scene.table.outcome is not None
    assert (scene.table.outcome.by, scene.table.outcome.winners) == ("points", (1,))
    assert scene.table.totals == (-1, 1)


def test_drawn_games_are_dealt_again_for_more() -> None:
    scene = dealt(stake=3)
    for drawn, multiplier in ((0, 1), (1, 2), (2, 4)):
        assert hand_of(scene).drawn == drawn
        assert CONQUIAN.view(hand_of(scene), None).multiplier == multiplier
        dealer = scene.table.dealer
        assert dealer is not None
        draw_the_game(scene)
        assert scene.table.phase == "between"
        assert scene.table.sheet[-1].winners == ()
        scene.ready("ada", "ben")
        assert scene.table.dealer == 1 - dealer, "the deal alternates, also after a drawn game"
    win(scene, 0)
    assert scene.table.totals == (24, -24)
    assert scene.table.phase == "over"
    ended = [event.result.ending for event in scene.events if isinstance(event, HandEnded)]
    assert ended == ["draw", "draw", "draw", "out"]


def test_a_match_to_two_wins() -> None:
    scene = dealt(wins=2)
    win(scene, 0)
    assert scene.table.phase == "between"
    scene.ready("ada", "ben")
    win(scene, 1)
    scene.ready("ada", "ben")
    assert scene.table.totals == (0, 0)
    draw_the_game(scene)
    scene.ready("ada", "ben")
    win(scene, 1)
    assert scene.table.outcome is not None
    assert scene.table.outcome.winners == (1,)
    assert scene.table.totals == (-2, 2)


def test_a_rematch_begins_with_the_plain_stake() -> None:
    scene = dealt()
    draw_the_game(scene)
    scene.ready("ada", "ben")
    win(scene, 0)
    assert scene.table.totals == (2, -2)
    scene.ready("ada", "ben")
    assert scene.table.phase == "playing"
    assert scene.table.totals == (0, 0)
    fresh = hand_of(scene)
    assert (fresh.drawn, fresh.dead, fresh.melds, fresh.result) == (0, (), ((), ()), None)
    assert fresh.centre is not None
    assert len(fresh.stock) == 19


# ---- leaving -----------------------------------------------------------------------------------------------


def leave(scene: Scene, name: str) -> None:
    scene.do(commands.Leave(scene.id(), name))


def test_who_leaves_pays_and_the_match_is_over() -> None:
    scene = dealt(stake=5, wins=3)
    draw_the_game(scene)
    scene.ready("ada", "ben")
    leave(scene, "ada")
    assert scene.table.phase == "over"
    outcome = scene.table.outcome
    assert outcome is not None
    assert (outcome.by, outcome.winners, outcome.ranking) == ("forfeit", (1,), (1, 0))
    assert scene.table.sheet[-1].points == (-10, 10)
    assert scene.seat(1).total == 10
    assert Left(0, "Ada", "left") in scene.events
    hand = [item for item in scene.finished if isinstance(item, FinishedHand)][-1]
    assert (hand.result.ending, hand.result.points, hand.log[-1].text) == ("left", (-10, 10), "left 0")
    assert [seat.total for seat in hand.seats] == [-10, 10]
    assert scene.refused(scene.sit_command("ada")) == "barred"


def test_leaving_between_two_games_costs_the_next_one() -> None:
    scene = dealt(stake=5, wins=3)
    draw_the_game(scene)
    assert scene.table.phase == "between"
    leave(scene, "ben")
    assert scene.table.phase == "over"
    ended = [item for item in scene.finished if isinstance(item, FinishedMatch)][-1]
    assert [seat.total for seat in ended.seats] == [10, -10]
    assert (ended.outcome.by, ended.outcome.winners) == ("forfeit", (0,))


def test_standing_up_before_the_match_costs_nothing() -> None:
    scene = seated()
    scene.do(commands.Stand(scene.id(), "ben"))
    assert scene.table.phase == "open"
    assert scene.seat(1).empty


def test_a_kick_between_two_games_costs_nothing_and_opens_the_seat() -> None:
    scene = dealt(wins=3)
    win(scene, 0)
    scene.do(commands.Kick(scene.id(), "ada", 1))
    assert scene.table.phase == "between"
    assert scene.seat(1).empty


def test_a_newcomer_has_not_won_what_was_won_in_that_seat() -> None:
    scene = dealt(wins=2)
    win(scene, 1)
    scene.do(commands.Kick(scene.id(), "ada", 1))
    scene.sit("cem")
    scene.ready("ada", "cem")
    win(scene, 1)
    assert scene.table.phase == "between", "one game, not two"
    scene.ready("ada", "cem")
    win(scene, 1)
    assert scene.table.phase == "over"


def test_a_discard_that_forces_at_once() -> None:
    scene = dealt()
    tables: tuple[list[str], list[str]] = (["AH 2H 3H"], ["AC 2C 3C"])
    set_up(scene, ("KD 4C", "2D 6H"), tables, centre=None, turn=0, phase="discard")
    scene.play("ada", Discard("4C", force=True))
    assert hand_of(scene).phase == "forced"
    assert scene.turn == 1
    assert scene.table.lines[-1].text == "discard 4C force"


# ---- the archive -------------------------------------------------------------------------------------------


def records_of(scene: Scene) -> list[records.HandRecord]:
    """The records of the finished hands, as the archive writes them."""
    hands = [item for item in scene.finished if isinstance(item, FinishedHand)]
    return [record_reader.parse_record(hand_record(hand)) for hand in hands]


def replayed(hands: list[records.HandRecord]) -> int:
    return len(replay_match(record_reader.parse_records(records.match_record(hands))))


def test_a_match_with_drawn_games_that_somebody_left_replays() -> None:
    scene = dealt(stake=5, wins=3)
    draw_the_game(scene)
    scene.ready("ada", "ben")
    draw_the_game(scene)
    scene.ready("ada", "ben")
    act(scene, Pass())
    leave(scene, "ben")
    hands = records_of(scene)
    assert [(hand.winners, hand.points) for hand in hands] == [((), (0, 0)), ((), (0, 0)), ((0,), (20, -20))]
    assert hands[-1].match == ((0,), (20, -20))
    assert replayed(hands) == 3
    assert replay(record_reader.parse_records(records.record(hands[-1]))[0]) is not None, "also by itself"
    wrong = msgspec.structs.replace(hands[-1], points=(15, -15))
    with pytest.raises(NotationError, match="the result is"):
        replay(record_reader.parse_records(records.record(wrong))[0])
    with pytest.raises(NotationError, match="the result is"):
        replayed([*hands[:1], msgspec.structs.replace(hands[-1], hand=2)])


def test_a_match_left_between_two_games_replays() -> None:
    scene = dealt(stake=5, wins=3)
    draw_the_game(scene)
    leave(scene, "ben")
    [hand] = records_of(scene)
    hands = [msgspec.structs.replace(hand, match=((0,), (10, -10)))]
    note_departure(hands, 1, 1)
    assert hands[0].log[-1].text == "left 1"
    assert replayed(hands) == 1
    with pytest.raises(NotationError, match="the totals are"):
        replayed([msgspec.structs.replace(hands[0], match=((0,), (5, -5)))])


def test_a_match_left_after_a_game_that_was_lost_replays() -> None:
    """Nothing else of it is known, but the price of leaving is."""
    lost = records.lost_hand("conquian", {}, ("Ada", "Ben"), 1, 1)
    hands = [msgspec.structs.replace(lost, match=((0,), (1, -1)))]
    note_departure(hands, 1, 1)
    assert replayed(hands) == 1
