"""Bots at the table: how long they take, and that they say little."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from server.protocol import PHRASES
from server.rules.registry import GAMES, rules_of
from server.tables import commands
from server.tables.manners import GOOD_LUCK, THANK_YOU, WELL_PLAYED, pause_ms, remark
from server.tables.table import Table
from server.tables.thinking import think
from tests.tables.scene import Scene

LEVELS = ("novice", "regular", "expert")


def dealt(game: str, level: Any = "regular", *options: str) -> Scene:
    """A table of Ada and bots, the first hand dealt."""
    scene = Scene(False, game, **dict.fromkeys(options, "on"))
    scene.come("ada")
    for seat in range(1, len(scene.table.seats)):
        scene.do(commands.AddBot(scene.id(), "ada", seat, level))
    scene.ready("ada")
    return scene


def step(scene: Scene) -> int:
    """One move of whoever is asked, a bot's by its own choice; returns the seat."""
    index, table = scene.turn, scene.table
    if scene.seat(index).driven:
        scene.bot_play(index, think(table, index, "regular"))
    else:
        scene.play("ada", rules_of(table.game).timeout(table.hand, index))
    return index


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("game", GAMES)
def test_a_bot_takes_six_tenths_to_one_and_a_half_seconds(game: str, level: Any) -> None:
    scene = dealt(game, level)
    while scene.table.phase == "playing":
        for index, seat in enumerate(scene.table.seats):
            if seat.bot:
                assert 600 <= pause_ms(scene.table, index) <= 1500
        step(scene)


def slowest(table: Table, index: int) -> int:
    """The longest that a seat takes over a question like this one."""

    def asked(number: int) -> Table:
        seats = list(table.seats)
        seats[index] = replace(seats[index], decision=number)
        return replace(table, seats=tuple(seats))

    return max(pause_ms(asked(number), index) for number in range(50))


def test_a_hand_of_cards_takes_longer_than_yes_or_no() -> None:
    scene = dealt("konken", "expert")
    while not scene.seat(scene.turn).bot:
        step(scene)
    assert scene.table.hand is not None
    assert scene.table.hand.phase == "draw"
    index = scene.turn
    asked_for_a_draw = slowest(scene.table, index)
    step(scene)
    assert scene.turn == index
    assert slowest(scene.table, index) > asked_for_a_draw + 300


def test_two_seats_never_answer_in_one_moment() -> None:
    """Conquian's exchange asks both players at once."""
    scene = dealt("conquian", "regular", "exchange")
    table = replace(
        scene.table, seats=tuple(replace(seat, bot="regular", decision=3) for seat in scene.table.seats)
    )
    assert len(rules_of("conquian").deciders(table.hand)) == 2
    for number in range(60):
        numbered = replace(
            table, hand_no=number, seats=tuple(replace(seat, decision=number) for seat in table.seats)
        )
        assert pause_ms(numbered, 0) != pause_ms(numbered, 1)


def test_bots_say_little_and_only_what_suits() -> None:
    said: list[tuple[str, int]] = []
    moves = 0
    for game in GAMES:
        for _ in range(2):
            scene = dealt(game)
            while scene.table.phase == "playing":
                index = step(scene)
                moves += 1
                if scene.seat(index).bot and (phrase := remark(scene.table, index)) is not None:
                    said.append((scene.table.phase, phrase))
    assert len(said) < moves / 10
    assert all(0 <= phrase < PHRASES for _, phrase in said)
    assert all((phrase == GOOD_LUCK) == (phase == "playing") for phase, phrase in said)


@pytest.mark.parametrize(("winner", "phrase"), [(0, WELL_PLAYED), (1, THANK_YOU)])
def test_a_bot_is_civil_when_a_hand_ends(winner: int, phrase: int) -> None:
    scene = dealt("konken")
    scene.play_out()
    row = replace(scene.table.sheet[-1], winners=(winner,))
    ended = [replace(scene.table, sheet=(row,), hand_no=number) for number in range(30)]
    found = [remark(table, 1) for table in ended]
    assert {phrase, None} == set(found)
    assert found.count(None) > found.count(phrase)
