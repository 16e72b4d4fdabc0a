"""Conquian positions: what the judge fills in, what it checks, and how it tells a wrong file."""

from __future__ import annotations

from typing import Any

import pytest

from server.judging.cases import CaseError
from server.judging.judge import CaseFailed, judge_case


def judged(given: dict[str, Any], expect: dict[str, Any], *play: str, **options: Any) -> None:
    judge_case(
        {"id": "X", "game": "conquian", "options": options, "given": given, "play": [*play], "expect": expect}
    )


CENTRE = {"card": "4C", "by": 0, "how": "turned"}
TABLE: dict[int, list[str]] = {0: ["AC 2C 3C"], 1: ["5D 6D 7D"]}


@pytest.mark.parametrize(
    ("given", "what"),
    [
        ({"hands": [5]}, "hands for 1 seats"),
        ({"hands": [5, 5, 5]}, "hands for 3 seats"),
        ({"hands": ["8C", 5]}, "8C is not in the pack"),
        ({"hands": ["JK", 5]}, "JK is not in the pack"),
        ({"hands": ["4C", 5], "centre": CENTRE}, "the pack does not hold 4C so often"),
        ({"hands": [30, 30]}, "30 unnamed cards wanted"),
        ({"phase": "draw"}, "no phase of Conquian"),
        ({"phase": ["own"]}, "no phase of Conquian"),
        ({"turn": 2}, "turn is out of range"),
        ({"centre": {"card": "4C", "how": "thrown"}}, "turned or discarded"),
        ({"centre": {"by": 1}}, "centre has no card"),
        ({"centre": {"card": "4C", "from": 1}}, "unknown key in centre"),
        ({"centre": "4C"}, "centre is not a map"),
        ({"table": ["AC 2C 3C"]}, "table has 1 entries for 2 seats"),
        ({"table": {0: ["AC 2C"]}}, "is no meld"),
        ({"table": {0: ["AC 2C 4C"]}}, "run_gap"),
        ({"table": {0: ["7H 8H 9H"]}}, "is not in the pack"),
        ({"table": {2: []}}, "seat in table is out of range"),
        ({"stock": ""}, "no centre card"),
        ({"discard": "4C"}, "unknown key in given"),
        ({"drawn_games": -1}, "drawn_games is out of range"),
    ],
)
def test_what_is_no_position(given: dict[str, Any], what: str) -> None:
    with pytest.raises(CaseError, match=what):
        judged(given, {})


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"deal": 7}, "deal"),
        ({"forcing": True}, "forcing"),
        ({"stake": 0}, "stake"),
        ({"players": 2}, "players"),
    ],
)
def test_what_is_no_option(options: dict[str, Any], what: str) -> None:
    with pytest.raises(CaseError, match=what):
        judged({}, {}, **options)


@pytest.mark.parametrize(
    ("expect", "what"),
    [
        ({"table": {0: ["AC 2C 3C", "5H 6H 7H"]}}, "table of 0"),
        ({"table": []}, "table of 0"),
        ({"centre": {"card": "5C"}}, "centre is"),
        ({"centre": {"how": "discarded"}}, "centre is"),
        ({"centre": None}, "centre is"),
        ({"drawn_games": 1}, "drawn_games is 0"),
        ({"phase": "offered"}, "phase is 'own'"),
        ({"burned": "4S"}, "burned"),
        ({"hands": {0: 9}}, "number of cards in hand of 0"),
        ({"match": {"winner": 0}}, "winner of the match"),
    ],
)
def test_what_does_not_hold(expect: dict[str, Any], what: str) -> None:
    with pytest.raises(CaseFailed, match=what):
        judged({"hands": [5, 5], "table": TABLE, "centre": CENTRE}, expect)


def test_what_is_left_out() -> None:
    judged(
        {}, {"phase": "own", "turn": 0, "counts": {"hands": [5, 5], "stock": 29, "burned": 0}, "table": []}
    )
    judged({"turn": 1, "stock": "KH …"}, {"centre": {"card": "KH", "by": 1, "how": "turned"}})
    judged({"phase": "offered", "stock": "KH 2D"}, {"centre": {"card": "KH", "by": 1}, "stock": "2D"})
    judged({"phase": "discard"}, {"centre": None, "counts": {"stock": 30}})
    judged({"phase": "exchange", "dealer": 1}, {"centre": None, "turn": 0}, exchange=True)
    judged({"burned": 3, "stock": 5}, {"counts": {"burned": 3, "stock": 4}})


def test_a_table_in_any_order() -> None:
    given = {"hands": ["QC KC", 5], "table": {0: ["AC 2C 3C", "JS JH JD"]}, "centre": CENTRE}
    expect = {"table": {0: ["JD JS JH", "4C 3C 2C AC"]}}
    judged(given, expect, "0: meld 4C 3C 2C AC / JH JD JS")


def test_off_without_quotes() -> None:
    given = {"hands": ["KD", "2H"], "table": TABLE, "centre": {**CENTRE, "by": 1}, "phase": "offered"}
    judged(given, {}, "0: force -> forcing_off", forcing=False)
