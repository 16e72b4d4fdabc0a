"""What leaves a table: shuffling what a viewer cannot see must not change one byte of it."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from server.brief import Teller
from server.protocol import encode
from server.rules.konken import KonkenHand
from server.tables.answered import remembered
from server.tables.table import Table
from server.tables.views import lobby_row, own_table, sight_of
from tests.frames import frame_of
from tests.tables.scene import Scene, dealt, seated

VIEWERS = ("ada", "ben", "stranger")
brief = Teller().brief


def with_other_secrets(table: Table, player: str, chance: random.Random) -> Table:
    """The same table with everything changed that this player must not know."""
    you = table.seat_of(player)
    hand = table.hand
    assert isinstance(hand, KonkenHand)
    hidden = [card for seat, cards in enumerate(hand.hands) if seat != you for card in cards]
    hidden += [*hand.stock, *hand.pile[1:]]
    chance.shuffle(hidden)

    def deal(count: int) -> tuple[str, ...]:
        return tuple(hidden.pop() for _ in range(count))

    hands = tuple(cards if seat == you else deal(len(cards)) for seat, cards in enumerate(hand.hands))
    stock = deal(len(hand.stock))
    pile = (*hand.pile[:1], *deal(len(hand.pile) - 1))
    drawn = hand.drawn if hand.turn == you or hand.drawn is None else hands[hand.turn][-1]
    seats = tuple(
        seat
        if i == you
        else replace(seat, player=seat.player and f"other-{i}", conns=tuple("xyz"[: len(seat.conns)]))
        for i, seat in enumerate(table.seats)
    )
    return replace(
        table,
        hand=replace(hand, hands=hands, stock=stock, pile=pile, drawn=drawn),
        seats=seats,
        nonces=("ff",) * 4,
        log="",
        answered={"ghost": remembered(["x"])},
        token="another",  # not shown at a public table
    )


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("turns", [0, 1, 2, 3, 7, 20, 40])
def test_hidden_cards_change_no_byte_of_a_frame(viewer: str, turns: int) -> None:
    scene = dealt("ben", bots=2)
    for _ in range(turns):
        scene.plain_turn()
    shown = encode(frame_of(scene.table, viewer, 0))
    for seed in range(5):
        other = with_other_secrets(scene.table, viewer, random.Random(seed))
        assert encode(frame_of(other, viewer, 0)) == shown


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("turns", [1, 2, 7])
def test_hidden_cards_do_not_show_in_what_a_frame_leaves_out(viewer: str, turns: int) -> None:
    """Not even if they have changed between two frames."""
    scene = dealt("ben", bots=2)
    for _ in range(5):
        before = scene.table
        for _ in range(turns):
            scene.plain_turn()
        told = brief(sight_of(scene.table, viewer, 0), sight_of(before, viewer, 0))
        for seed in range(5):
            then = with_other_secrets(before, viewer, random.Random(seed))
            now = with_other_secrets(scene.table, viewer, random.Random(seed + 5))
            assert brief(sight_of(now, viewer, 0), sight_of(then, viewer, 0)) == told


def test_the_test_would_notice_a_leak() -> None:
    scene = dealt("ben", bots=2)
    other = with_other_secrets(scene.table, "ada", random.Random(1))
    assert encode(frame_of(other, "ben", 0)) != encode(frame_of(scene.table, "ben", 0))


def test_the_seed_of_the_hand_in_play_is_nowhere() -> None:
    scene = dealt("ben", bots=2)
    for viewer in VIEWERS:
        assert scene.table.seed not in encode(frame_of(scene.table, viewer, 0))
    secret = scene.table.seed
    scene.play_out()
    assert secret in encode(frame_of(scene.table, "stranger", 0))
    assert scene.table.seed not in encode(frame_of(scene.table, "ada", 0))


def test_a_token_is_for_those_who_hold_a_seat() -> None:
    scene = Scene(True)
    assert scene.table.token in encode(frame_of(scene.table, "ada", 0))
    assert scene.table.token not in encode(frame_of(scene.table, "ben", 0))


def test_lobby_rows_name_what_differs_and_leave_out_what_is_private() -> None:
    scene = seated("ben", bots=1, target=100, grace_seconds=10)
    row = lobby_row(scene.table)
    assert row is not None
    assert row.options == {"target": 100, "grace_seconds": 10}
    assert [seat and (seat.name, seat.bot) for seat in row.seats] == [
        ("Ada", False),
        ("Ben", False),
        ("Bot 3", True),
        None,
    ]
    assert lobby_row(Scene(True).table) is None


def test_back_to_your_table_says_whose_turn_it_is() -> None:
    scene = dealt("ben", bots=2)
    while scene.turn != 1:
        scene.plain_turn()
    mine, theirs = own_table(scene.table, "ben"), own_table(scene.table, "ada")
    assert mine is not None
    assert theirs is not None
    assert (mine.your_turn, theirs.your_turn) == (True, False)
    assert own_table(scene.table, "stranger") is None
