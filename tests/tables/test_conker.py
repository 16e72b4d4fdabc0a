"""Conker at a table: new stocks, a void hand, points that are better low, leaving, options that need each other."""

from __future__ import annotations

import msgspec
import pytest

from server.archive.record import hand_record
from server.rules.actions import Discard, Draw
from server.rules.conker import ConkerHand
from server.rules.events import Reshuffled
from server.rules.record_reader import parse_records
from server.rules.refusal import Refused
from server.rules.replay import replay
from server.tables import commands
from server.tables.finished import FinishedHand, FinishedMatch
from server.tables.missed import missed
from server.tables.opening import parse_options
from tests.frames import frame_of
from tests.tables.scene import Scene


def dealt(**options: int | str) -> Scene:
    """Ada and Ben in their first hand of Conker."""
    scene = Scene(False, "conker", players=2, **options)
    scene.come("ada")
    scene.sit("ben")
    scene.come("ben")
    scene.ready("ada", "ben")
    assert scene.table.phase == "playing"
    return scene


def hand_of(scene: Scene) -> ConkerHand:
    assert isinstance(scene.table.hand, ConkerHand)
    return scene.table.hand


def step(scene: Scene) -> None:
    """Whoever has the turn draws, or throws the card that was drawn."""
    hand = hand_of(scene)
    action = Draw() if hand.phase == "draw" else Discard(hand.own[-1])
    scene.play(str(scene.seat(scene.turn).player), action)


def about_to_close(scene: Scene, card: str, other: str) -> str:
    """Leave the player whose turn it is with a card to throw, and the other with some; who that is."""
    hand, turn = hand_of(scene), scene.turn
    hands = [tuple(other.split())] * 2
    hands[turn] = (card,)
    hand = msgspec.structs.replace(hand, phase="act", hands=tuple(hands), opened=(True, True))
    scene.table = msgspec.structs.replace(scene.table, hand=hand)
    return str(scene.seat(turn).player)


def test_a_hand_goes_through_its_stocks_and_ends_void() -> None:
    scene = dealt()
    dealer = scene.table.dealer
    while scene.table.phase == "playing":
        step(scene)
    (hand,) = (one for one in scene.finished if isinstance(one, FinishedHand))
    stocks = [line for line in hand.log if line.seat is None]
    assert [line.text.split()[0] for line in stocks] == ["reshuffle"] * 3
    assert hand.result.ending == "void"
    assert scene.table.sheet == ()
    assert [seat.total for seat in scene.table.seats] == [0, 0]
    record = hand_record(hand)
    assert "\nresult - +0 +0\n" in record
    for verify in (True, False):
        assert replay(parse_records(record)[0], verify).reshuffles == 3
    scene.ready("ada", "ben")
    assert (scene.table.dealer, scene.table.hand_no) == (1 - (dealer or 0), 2)


def test_nobody_is_told_the_order_of_a_new_stock() -> None:
    scene = dealt()
    before = scene.table.v
    while not hand_of(scene).reshuffles:
        before = scene.table.v
        step(scene)
    told = [event for event in scene.events if isinstance(event, Reshuffled)]
    assert len(told) == 1
    assert told[0].stock is not None
    for viewer in ("ada", "ben", "stranger"):
        frame = msgspec.json.encode(frame_of(scene.table, viewer, scene.clock.now(), tuple(scene.events)))
        assert hand_of(scene).key.encode() not in frame
        assert b'"stock":[' not in frame
    for seat in (None, 0, 1):
        (again,) = (event for event in missed(scene.table, before, seat) if isinstance(event, Reshuffled))
        assert again == Reshuffled(told[0].count)


def test_low_points_win_and_lead_where_points_are_penalties() -> None:
    scene = dealt(scoring="penalty", target=20)
    closer = about_to_close(scene, "5C", "KD QD")
    scene.play(closer, Discard("5C"))
    assert scene.table.outcome is not None
    winner = scene.table.seat_of(closer)
    assert scene.table.outcome.winners == (winner,)
    assert scene.table.outcome.ranking == (winner, 1 - (winner or 0))
    assert sorted(seat.total for seat in scene.table.seats) == [0, 20]
    assert not any(isinstance(one, FinishedMatch) for one in scene.finished[:-1])


def test_who_leaves_makes_the_hand_void_and_the_seat_free() -> None:
    scene = dealt()
    dealer = scene.table.dealer
    scene.do(commands.Leave(scene.id(), "ben"))
    assert scene.table.phase == "between"
    assert scene.table.seats[1].player is None
    assert scene.table.outcome is None
    (hand,) = (one for one in scene.finished if isinstance(one, FinishedHand))
    assert "\nvoid 1 left\n" in hand_record(hand)
    scene.sit("cleo")
    scene.ready("ada", "cleo")
    assert scene.table.dealer == dealer


@pytest.mark.parametrize("options", [{"target": 100}, {"target": 1}, {"max_hands": 1}])
def test_flat_points_need_an_end(options: dict[str, int | str]) -> None:
    parse_options("conker", {"scoring": "flat", **options}, False)
    with pytest.raises(Refused) as refused:
        parse_options("conker", {"scoring": "flat", "target": 101}, False)
    assert (refused.value.code, refused.value.detail) == ("bad_option", {"option": "target"})


@pytest.mark.parametrize(
    "given",
    [
        {"players": 1},
        {"players": 7},
        {"opening_points": 40},
        {"max_reshuffles": 6},
        {"target": 0},
        {"game": "konken"},
    ],
)
def test_other_values_are_refused_by_name(given: dict[str, int | str]) -> None:
    with pytest.raises(Refused) as refused:
        parse_options("conker", given, False)
    assert refused.value.detail == {"option": next(iter(given))}
