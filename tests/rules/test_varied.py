"""Options for long runs: every choice of every option comes, every preset does, and what is held stays."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import msgspec.inspect as mi
import pytest

from server.judging.fuzz import fuzz, play_greedily
from server.judging.varied import varied
from server.rules.presets import PRESETS
from server.rules.registry import GAMES, rules_of

DRAWS = 600


@pytest.mark.parametrize("game", GAMES)
def test_every_preset_and_every_choice_comes(game: str) -> None:
    drawn = [varied(game, {}, Random(number)) for number in range(DRAWS)]
    for preset in next(presets for name, presets in PRESETS.items() if name == game).values():
        assert msgspec.convert(preset, rules_of(game).options) in drawn
    struct = mi.type_info(rules_of(game).options)
    assert isinstance(struct, mi.StructType)
    for field in struct.fields:
        seen = {getattr(options, field.name) for options in drawn}
        if isinstance(field.type, mi.LiteralType):
            assert seen == set(field.type.values), field.name
        else:
            assert isinstance(field.type, mi.IntType)
            assert {field.type.ge, field.type.le} <= seen, field.name


def test_what_is_held_stays() -> None:
    drawn = [varied("konken", {"players": 2, "jokers": 4}, Random(number)) for number in range(100)]
    assert {(options.players, options.jokers) for options in drawn} == {(2, 4)}
    assert len(set(map(repr, drawn))) > 30


def test_a_varied_run_keeps_its_records(tmp_path: Any) -> None:
    options = rules_of("conquian").options(deal=8)
    assert fuzz("conquian", 12, "7", options, play_greedily, tmp_path, vary=True).faults == ()
    said = {
        line for record in tmp_path.iterdir() for line in record.read_text().split("\n") if "options" in line
    }
    assert len(said) > 6
    assert all("deal=8" in line for line in said)
