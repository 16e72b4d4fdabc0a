"""Sitting, standing, bots and ready, before and between hands."""

import msgspec
import pytest

from server.rules.konken import KonkenOptions
from server.rules.presets import PRESETS
from server.rules.refusal import Refused
from server.tables import commands
from server.tables.opening import parse_options
from server.tables.table import MAX_BARRED
from server.tables.timers import EMPTY_MS
from server.tables.views import lobby_row
from tests.tables.scene import Scene, dealt, seated


def test_the_creator_sits_and_has_the_grace_to_come() -> None:
    scene = Scene()
    assert scene.seat(0).player == "ada"
    assert scene.table.paused_at is not None
    scene.come("ada")
    assert scene.table.paused_at is None
    assert scene.seat(0).away_until is None


def test_a_table_that_nobody_comes_to_closes() -> None:
    scene = Scene()
    scene.pass_time(EMPTY_MS / 1000 - 1)
    assert not scene.closed
    scene.pass_time(2)
    assert scene.closed


def test_one_seat_a_player_and_one_player_a_seat() -> None:
    scene = seated("ben")
    assert scene.refused(scene.sit_command("ben")) == "already_seated"
    assert scene.refused(scene.sit_command("cem", 0)) == "seat_taken"
    assert scene.refused(scene.sit_command("cem", 5)) == "no_such_seat"
    scene.sit("cem")
    scene.sit("deniz")
    assert scene.refused(scene.sit_command("eda")) == "seat_taken"


def test_equal_names_get_a_number() -> None:
    scene = seated("ben")
    scene.sit("cem", name="Ada")
    scene.sit("deniz", name="Ada")
    assert [seat.name for seat in scene.table.seats] == ["Ada", "Ben", "Ada 2", "Ada 3"]


def test_a_private_table_asks_for_its_token() -> None:
    scene = Scene(True)
    scene.come("ada")
    assert scene.refused(scene.sit_command("ben", token="wrong")) == "private"
    scene.sit("ben", token=scene.table.token)
    assert scene.table.seat_of("ben") == 1


def test_who_is_sent_away_from_a_private_table_takes_its_key_along_in_vain() -> None:
    scene = Scene(True)
    scene.come("ada")
    key = scene.table.token
    scene.sit("ben", token=key)
    scene.do(commands.Kick(scene.id(), "ada", 1))
    assert scene.table.token not in {key, ""}
    assert scene.refused(scene.sit_command("another of ben", token=key)) == "private"
    scene.sit("cem", token=scene.table.token)
    assert scene.table.seat_of("cem") == 1


def test_a_table_that_has_sent_away_so_many_takes_nobody_new_and_none_of_them_back() -> None:
    scene = Scene()
    scene.come("ada")
    for n in range(MAX_BARRED):
        scene.sit(f"guest {n}")
        scene.do(commands.Kick(scene.id(), "ada", 1))
    assert len(scene.table.barred) == MAX_BARRED
    assert scene.refused(scene.sit_command("cem")) == "seats_closed"
    assert scene.refused(scene.sit_command("guest 0")) == "barred"
    scene.bots(1, 2, 3)
    assert scene.table.full, "those who are there can still play"


def test_standing_up_frees_the_seat_and_costs_nothing() -> None:
    scene = seated("ben")
    scene.do(commands.Stand(scene.id(), "ben"))
    assert scene.seat(1).empty
    assert scene.refused(commands.Stand(scene.id(), "ben")) == "not_seated"


def test_nobody_stands_up_in_a_match() -> None:
    scene = dealt("ben", bots=2)
    assert scene.refused(commands.Stand(scene.id(), "ben")) == "wrong_phase"
    assert scene.refused(commands.DropBot(scene.id(), "ada", 2)) == "wrong_phase"


def test_bots_come_and_go_before_a_hand() -> None:
    scene = seated(bots=2)
    assert scene.refused(commands.AddBot(scene.id(), "ada", 1, "regular")) == "seat_taken"
    scene.do(commands.DropBot(scene.id(), "ada", 1))
    assert scene.seat(1).empty
    assert scene.refused(commands.DropBot(scene.id(), "ada", 1)) == "no_such_seat"
    assert scene.refused(commands.AddBot(scene.id(), "stranger", 1, "regular")) == "not_seated"


def seated_without_bots() -> Scene:
    scene = Scene(bots="off")
    scene.come("ada")
    return scene


def test_a_table_without_bots() -> None:
    scene = seated_without_bots()
    assert scene.refused(commands.AddBot(scene.id(), "ada", 1, "regular")) == "bots_off"


def test_the_hand_starts_when_all_are_seated_and_ready() -> None:
    scene = seated("ben", bots=1)
    scene.ready("ada", "ben")
    assert scene.table.phase == "open"
    scene.bots(3)
    assert scene.table.phase == "playing"
    assert scene.table.hand is not None
    assert all(len(hand) == 13 for hand in scene.table.hand.hands)


def test_connected_people_are_ready_by_themselves_after_twenty_seconds() -> None:
    scene = seated("ben", bots=2)
    scene.pass_time(19.9)
    assert scene.table.phase == "open"
    scene.pass_time(0.2)
    assert scene.table.phase == "playing"


def test_a_paused_table_deals_when_somebody_comes() -> None:
    scene = Scene(players=2)
    scene.ready("ada")
    scene.sit("ben", conn=None, nonce="0b")
    assert scene.table.phase == "open", "nobody would see the hand"
    scene.come("ben")
    assert scene.table.phase == "playing"


def test_ready_can_be_taken_back() -> None:
    scene = seated("ben", bots=2)
    scene.ready("ben")
    scene.do(commands.Ready(scene.id(), "ben", False, ""))
    scene.ready("ada")
    assert scene.table.phase == "open"


def test_a_ghost_loses_its_seat_before_the_match() -> None:
    scene = seated("ben")
    scene.go("ben-1")
    scene.pass_time(29.9)
    assert not scene.seat(1).empty
    scene.pass_time(0.2)
    assert scene.seat(1).empty


def test_a_resent_command_has_one_effect() -> None:
    scene = seated("ben")
    command = commands.Stand("same", "ben")
    scene.do(command)
    version = scene.table.v
    scene.do(command)
    assert scene.table.v == version
    scene.sit("ben")
    scene.do(command)
    assert scene.table.seat_of("ben") is not None


@pytest.mark.parametrize(
    ("given", "private", "option"),
    [
        ({"target": 7}, False, "target"),
        ({"colour": "red"}, False, "colour"),
        ({"players": "4"}, False, "players"),
        ({"packs": 1}, False, "hand_size"),
        ({"turn_seconds": 0}, False, "turn_seconds"),
        ({"grace_seconds": 1}, True, "grace_seconds"),
    ],
)
def test_bad_options_are_named(given: dict[str, int | str], private: bool, option: str) -> None:
    with pytest.raises(Refused) as refused:
        parse_options("konken", given, private)
    assert refused.value.code == "bad_option"
    assert refused.value.detail == {"option": option}


def test_options_that_differ_are_kept_apart() -> None:
    options, house = parse_options("konken", {"target": 100, "turn_seconds": 0, "absent": "bot"}, True)
    assert options == KonkenOptions(target=100)
    assert house.turn_seconds == 0
    assert house.absent == "bot"


def test_a_default_that_is_spelled_out_is_no_difference() -> None:
    scene = Scene(target=500, grace_seconds=30, max_hands=2)
    row = lobby_row(scene.table)
    assert row is not None
    assert row.options == {"max_hands": 2}


def test_a_resent_create_finds_its_table() -> None:
    assert Scene().table.id == Scene().table.id


@pytest.mark.parametrize(
    ("game", "preset"), [(game, name) for game, named in PRESETS.items() for name in named]
)
def test_every_preset_can_be_opened(game: str, preset: str) -> None:
    given = PRESETS[game][preset]  # type: ignore[index]
    options, _ = parse_options(game, given, False)
    assert msgspec.to_builtins(options) == {"game": game, **given}, "a preset names only what differs"
