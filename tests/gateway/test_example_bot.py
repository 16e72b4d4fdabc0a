"""The example bot of docs/bot.md plays a whole match on a real server."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from tests.house import House

FILE = Path(__file__).parents[2] / "docs" / "bot.py"


@pytest.fixture(scope="module")
def bot() -> ModuleType:
    spec = importlib.util.spec_from_file_location("example_bot", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


async def test_the_example_bot_plays_a_match_to_its_end(house: House, bot: ModuleType) -> None:
    last = await bot.main(house.url, target=100, max_hands=1, players=2)
    assert last.view.phase == "over"
    assert last.view.outcome is not None
    assert last.view.outcome.by == "points"
    assert last.about.sheet


def test_the_example_is_short() -> None:
    assert len(FILE.read_text().splitlines()) < 60
