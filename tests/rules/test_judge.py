"""The judge: what it checks, and how it tells a wrong file from wrong rules."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from server.judging.cli import register
from server.judging.judge import judge, judge_file

RIGHT = """
- id: RIGHT
  game: konken
  given: {hands: ["7S 7H 7D 2C 9S", 5, 5, 5]}
  play: ["0: lay 7S 7H 7D"]
  expect: {hands: {0: "2C 9S"}}
"""


def run(tmp_path: Path, text: str) -> list[str]:
    """What the judge says about a file."""
    file = tmp_path / "cases.yaml"
    file.write_text(text, encoding="utf-8")
    said: list[str] = []
    passed = judge([file], said.append)
    assert passed == said[-1].endswith(", 0 failed")
    return said


def problem(tmp_path: Path, text: str) -> str:
    """The one problem of a file with one case."""
    told, last = run(tmp_path, text)
    assert last == "0 passed, 1 failed"
    assert str(tmp_path / "cases.yaml") in told
    return told


def test_a_right_case_passes(tmp_path: Path) -> None:
    assert run(tmp_path, RIGHT) == ["1 passed, 0 failed"]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("- [", "is no YAML"),
        ("\x07", "is no YAML"),
        ("", "is not a list"),
        ("id: X", "is not a list"),
        ("just words", "is not a list"),
        ("- just words", "is not a map"),
        ("- {game: konken}", "has no id"),
        ("- {id: 7, game: konken}", "id is not a text"),
        ("- {id: X}", "game is not a text"),
        ("- {id: X, game: whist}", "unknown game: 'whist'"),
        ("- {id: X, game: konken, givens: {}}", "unknown key in the case: 'givens'"),
        ("- {id: X, game: konken, given: {hand: []}}", "unknown key in given: 'hand'"),
        ("- {id: X, game: konken, expect: {winner: 0}}", "unknown key in expect: 'winner'"),
        ("- {id: X, game: konken, expect: {counts: {cards: 1}}}", "unknown key in counts"),
        ("- {id: X, game: konken, expect: {over: {by: 1}}}", "unknown key in over"),
        ("- {id: X, game: konken, given: []}", "given is not a map"),
        ("- {id: X, game: konken, play: draw}", "play is not a list"),
        ("- {id: X, game: konken, play: [draw]}", "not a line"),
        ("- {id: X, game: konken, play: [7]}", "play is not a text"),
        ("- {id: X, game: konken, play: ['0: fly']}", "no action"),
        ("- {id: X, game: konken, play: ['0: lay 7S 7H 7X']}", "no card: '7X'"),
        ("- {id: X, game: konken, play: ['9: draw']}", "out of range"),
        ("- {id: X, game: konken, play: ['0: draw -> no_way']}", "no code of a refusal"),
        ("- {id: X, game: konken, options: {players: 7}}", "bad option"),
        ("- {id: X, game: konken, options: {speed: 7}}", "bad option"),
        ("- {id: X, game: konken, options: {max_hands: 21}}", "bad option"),
        ("- {id: X, game: konken, options: {packs: 1}}", "bad option: hand_size"),
        ("- {id: X, game: konken, options: {tie: off}}", "bad option"),
        ("- {id: X, game: konken, options: {must_discard_to_finish: yes please}}", "bad option"),
        ("- {id: X, game: konken, options: {players: 3}, given: {hands: [5, 5]}}", "hands for 2 seats"),
        ("- {id: X, game: konken, given: {hands: [5]}}", "hands for 1 seats"),
        ("- {id: X, game: konken, given: {hands: [5, 5, 5, '10H']}}", "no card: '10H'"),
        ("- {id: X, game: konken, given: {hands: [5, 5, 5, [7H]]}}", "hands is not a text"),
        ("- {id: X, game: konken, given: {hands: [5, 5, 5, -1]}}", "out of range"),
        ("- {id: X, game: konken, given: {hands: [60, 60, 5, 5]}}", "unnamed cards wanted"),
        ("- {id: X, game: konken, given: {hands: ['7H 7H 7H', 5, 5, 5]}}", "does not hold 7H so often"),
        (
            "- {id: X, game: konken, given: {table: ['7H 7S JK'], hands: ['JK JK', 5, 5, 5]}}",
            "not hold JK so often",
        ),
        (
            "- {id: X, game: konken, given: {table: ['7H 7S JK'], pending: 1, hands: ['JK', 1, 1, 1]}}",
            "not hold JK",
        ),
        ("- {id: X, game: konken, given: {table: ['7H 8S 9D']}}", "is no meld (not_a_meld)"),
        ("- {id: X, game: konken, given: {table: '7H 8H 9H'}}", "table is not a list"),
        ("- {id: X, game: konken, given: {turn: 4}}", "turn is out of range"),
        ("- {id: X, game: konken, given: {turn: on}}", "turn is not a number"),
        ("- {id: X, game: konken, given: {turn: first}}", "turn is not a number"),
        ("- {id: X, game: konken, given: {phase: own}}", "no phase of Konken"),
        ("- {id: X, game: konken, given: {opened: [4]}}", "out of range"),
        ("- {id: X, game: konken, given: {opened: 0}}", "opened is not a list"),
        ("- {id: X, game: konken, given: {pending: 1}}", "pending is out of range"),
        (
            "- {id: X, game: konken, given: {taken: 9D, hands: [2C, 5, 5, 5]}}",
            "the taken card 9D is not in hand",
        ),
        ("- {id: X, game: konken, given: {taken: 9D 9C}}", "taken is not one card"),
        ("- {id: X, game: konken, given: {scores: [1, 2]}}", "2 entries for 4 seats"),
        ("- {id: X, game: konken, given: {scores: [1, 2, 3, x]}}", "scores is not a number"),
        ("- {id: X, game: konken, given: {stock: [2C]}}", "stock is not a text"),
        ("- {id: X, game: konken, given: {fresh: maybe}}", "fresh is neither"),
        ("- {id: X, game: konken, given: {centre: {}}}", "unknown key in given: 'centre'"),
        ("- {id: X, game: konken, expect: {hands: {7: ''}}}", "out of range"),
        ("- {id: X, game: konken, expect: {hands: {a: ''}}}", "is not a number"),
        ("- {id: X, game: konken, expect: {legal: {0: draw}}}", "legal is not a list"),
        ("- {id: X, game: konken, expect: {legal: [draw]}}", "1 entries for 4 seats"),
        ("- {id: X, game: konken, expect: {points: many}}", "points is not a number"),
        ("- {id: X, game: konken, expect: {match: 0}}", "match is not a map"),
    ],
)
def test_a_malformed_case_is_told_from_a_failing_one(tmp_path: Path, text: str, what: str) -> None:
    told = problem(tmp_path, text)
    assert what in told
    if text.startswith("- {id: X"):
        assert ": X: malformed case: " in told


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (('7S 7H 7D"]', '7S 7H"]'), "is refused with meld_size"),
        (('7S 7H 7D"]', '7S 7H -> run_gap"]'), "is refused with meld_size, not with run_gap"),
        (('7S 7H 7D"]', '7S 7H 7D -> refused"]'), "is accepted, not with refused"),
        (('hands: {0: "2C 9S"}', 'hands: {0: "2C"}'), "hand of 0 is '2C 9S', not '2C'"),
        (('hands: {0: "2C 9S"}', "hands: {0: 3}"), "number of cards in hand of 0 is 2"),
        (('hands: {0: "2C 9S"}', "table: []"), "table is ['7S 7H 7D'], not []"),
        (('hands: {0: "2C 9S"}', 'table: ["7S 7H 7C"]'), "table is"),
        (('hands: {0: "2C 9S"}', "turn: 1"), "turn is 0, not 1"),
        (('hands: {0: "2C 9S"}', "phase: draw"), "phase is 'act'"),
        (('hands: {0: "2C 9S"}', "opened: [0]"), "opened is ()"),
        (('hands: {0: "2C 9S"}', "taken: 2C"), "taken is None"),
        (('hands: {0: "2C 9S"}', "pending: 1"), "pending is None"),
        (('hands: {0: "2C 9S"}', "points: 20"), "points is 21"),
        (('hands: {0: "2C 9S"}', "scores: [0, 1, 0, 0]"), "score of 1 is 0"),
        (('hands: {0: "2C 9S"}', "dealer: 1"), "dealer is 0"),
        (('hands: {0: "2C 9S"}', "hand_no: 1"), "hand_no is 0"),
        (('hands: {0: "2C 9S"}', "stock: 5"), "number of cards in stock"),
        (('hands: {0: "2C 9S"}', 'stock: "JK JK JK …"'), "stock is"),
        (('hands: {0: "2C 9S"}', 'discard: ""'), "discard is"),
        (('hands: {0: "2C 9S"}', "counts: {discard: 2}"), "number of cards in discard is 1"),
        (('hands: {0: "2C 9S"}', "counts: {hands: [2, 5, 5, 4]}"), "number of cards of 3 is 5"),
        (('hands: {0: "2C 9S"}', "counts: {burned: 1}"), "number of cards in burned is 0"),
        (('hands: {0: "2C 9S"}', "over: {winner: 0}"), "the hand is not over"),
        (('hands: {0: "2C 9S"}', "match: {winner: 0}"), "winner of the match"),
        (('hands: {0: "2C 9S"}', 'legal: {0: ["draw"]}'), "'draw' of 0 is refused with wrong_phase"),
        (('hands: {0: "2C 9S"}', 'illegal: {0: ["discard 2C"]}'), "'discard 2C' of 0 is accepted"),
    ],
)
def test_a_failing_case_says_what_is_otherwise(tmp_path: Path, change: tuple[str, str], what: str) -> None:
    assert change[0] in RIGHT
    told = problem(tmp_path, RIGHT.replace(*change))
    assert f": RIGHT: {what}" in told or what in told
    assert "malformed" not in told


def test_a_case_after_a_broken_one_is_still_judged(tmp_path: Path) -> None:
    *_, last = run(tmp_path, "- {id: X, game: whist}\n" + RIGHT.strip())
    assert last == "1 passed, 1 failed"


def test_no_two_cases_have_one_id(tmp_path: Path) -> None:
    told, last = run(tmp_path, RIGHT + RIGHT)
    assert "has the id of an earlier case" in told
    assert last == "1 passed, 1 failed"


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (verdict,) = judge_file(tmp_path / "nowhere.yaml")
    assert verdict.problem == "cannot be read: No such file or directory"
    (tmp_path / "latin.yaml").write_bytes("- id: Kız\n".encode("iso8859-9"))
    (verdict,) = judge_file(tmp_path / "latin.yaml")
    assert verdict.problem is not None
    assert verdict.problem.startswith("is no YAML")


def test_fresh_hands_and_unnamed_cards(tmp_path: Path) -> None:
    text = """
- id: FRESH
  game: konken
  given: {fresh: true, dealer: 2, scores: [1, 2, 3, 4], hand_no: 3}
  play: ["3: draw", "3: timeout"]
  expect: {turn: 0, scores: {1: 2}, hand_no: 3, counts: {stock: 52, discard: 2, hands: [13, 13, 13, 13]}}
- id: SHORT-STOCK
  game: konken
  given: {stock: 3, discard: "2C …", hands: [2, 2]}
  expect: {stock: 3, counts: {hands: [2, 2]}}
- id: NAMED-STOCK
  game: konken
  given: {stock: "2C 3C", phase: draw}
  play: ["0: draw"]
  expect: {stock: "3C", phase: act, over: null, match: null}
- id: OPEN-STOCK
  game: konken
  given: {stock: "2C …", hands: [7, 7, 7]}
  expect: {stock: "2C …", counts: {stock: 84}}
"""
    assert run(tmp_path, text) == ["4 passed, 0 failed"]


# ---- the commands --------------------------------------------------------------------------------------------


@pytest.fixture
def app() -> typer.Typer:
    app = typer.Typer()
    register(app)
    return app


def test_judge_ends_with_a_code(app: typer.Typer, tmp_path: Path) -> None:
    (tmp_path / "right.yaml").write_text(RIGHT)
    good = CliRunner().invoke(app, ["judge", str(tmp_path)])
    assert (good.exit_code, good.output.splitlines()[-1]) == (0, "1 passed, 0 failed")
    (tmp_path / "wrong.yaml").write_text("- {id: X, game: whist}")
    bad = CliRunner().invoke(app, ["judge", str(tmp_path)])
    assert (bad.exit_code, bad.output.splitlines()[-1]) == (1, "1 passed, 1 failed")
    nothing = CliRunner().invoke(app, ["judge", str(tmp_path / "nowhere")])
    assert (nothing.exit_code, nothing.output.splitlines()[-1]) == (1, "0 passed, 1 failed")


def test_fuzz_and_replay(app: typer.Typer, tmp_path: Path) -> None:
    command = (
        "fuzz konken --hands 3 --seed 5 --policy greedy --options players=2 --options tie=void --records"
    )
    played = CliRunner().invoke(app, [*command.split(), str(tmp_path)])
    assert played.exit_code == 0
    assert played.output.startswith("3 hands, 0 faults")
    records = sorted(tmp_path.iterdir())
    assert len(records) == 3
    replayed = CliRunner().invoke(app, ["replay", "--verify", *map(str, records)])
    assert (replayed.exit_code, replayed.output) == (0, "3 hands replayed, 0 records refused\n")
    records[0].write_text(records[0].read_text().replace("draw", "fly", 1))
    refused = CliRunner().invoke(app, ["replay", "--verify", *map(str, records)])
    assert refused.exit_code == 1
    assert "line 1" in refused.output


@pytest.mark.parametrize("word", ["players=7", "speed=1", "players", "max_hands=21", "packs=1"])
def test_fuzz_refuses_options_that_are_none(app: typer.Typer, word: str) -> None:
    assert CliRunner().invoke(app, ["fuzz", "konken", "--hands", "1", "--options", word]).exit_code == 2
    assert CliRunner().invoke(app, ["fuzz", "whist", "--hands", "1"]).exit_code == 2
    assert CliRunner().invoke(app, ["fuzz", "konken", "--policy", "nobody"]).exit_code == 2
