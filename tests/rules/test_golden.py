"""Games once played, move for move: deal, rules and notation still give the same results."""

from pathlib import Path

import pytest

from server.rules.records import match_record, parse_records
from server.rules.replay import replay_match

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.txt"))


@pytest.mark.parametrize("file", [pytest.param(file, id=file.stem) for file in GOLDEN])
def test_a_golden_game_replays(file: Path) -> None:
    hands = parse_records(file.read_text(encoding="utf-8"))
    assert len(replay_match(hands)) == len(hands) > 0
    assert match_record(hand.record for hand in hands) == file.read_text(encoding="utf-8")


def test_there_are_golden_games() -> None:
    assert len(GOLDEN) >= 3
