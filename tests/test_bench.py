"""The benches run, and say what they promise. Nothing here looks at a time."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from itertools import count, cycle, islice
from pathlib import Path
from typing import Any

import msgspec
import pytest

from server.bench import (
    bots,
    client,
    company,
    idle,
    melds,
    pace,
    questions,
    rivals,
    rules,
    tables,
    yardsticks,
)
from server.bench.pictures import pictures
from server.bench.report import Report, Row, read, text, write
from server.bots.policy import POLICIES
from server.rules.actions import Force
from server.rules.playout import PLAYOUTS
from server.rules.registry import GAMES


def test_the_rules_are_measured() -> None:
    report = rules.measure(hands=1, seconds=0, meld_hands=1, climb_seconds=0)
    for game in GAMES:
        for what in ("deal", "apply", "legal", "menu", "view", "timeout", "to JSON and back"):
            row = report.row(f"{game}: {what}")
            assert row is not None
            assert row.p50 is not None
            assert row.p99 is not None
            assert row.p50 <= row.p99
            assert report.in_yardsticks(row.name) is not None
        assert report.row(f"{game}: playout, random: moves") is not None
        for way in pace.WAYS[: 3 if game in PLAYOUTS else 2]:
            row = report.row(f"{game}: {way}")
            assert row is not None
            assert row.unit == "moves/s"
            assert row.count >= pace.ROUNDS
            assert report.in_yardsticks(row.name) is not None
    assert {row.name for row in melds.rows(hands=1, seconds=0)} < {row.name for row in report.rows}
    assert 1900 < len(msgspec.json.encode(rules.STICK)) < 2200


def test_the_choices_of_bots_are_measured() -> None:
    report = bots.measure(decisions=2, tables=0, thinking=0)
    for game, levels in POLICIES.items():
        for level in levels:
            for kind in ("a choice", "a seldom choice"):
                row = report.row(f"{game}, {level}: {kind}")
                longest = report.row(f"{game}, {level}: {kind}, longest")
                illegal = report.row(f"{game}, {level}: {kind}, not legal")
                assert row is not None
                assert longest is not None
                assert illegal is not None
                assert row.mean <= longest.mean
                assert illegal.mean == 0
                assert row.count == (1 if (game, level) == ("conquian", "expert") else 2)
                assert report.in_yardsticks(row.name) is not None


def test_an_illegal_choice_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "choose", lambda *_: Force())
    assert bots.answers("konken", "regular", islice(questions.common("konken", 1), 3)).illegal == 3


def test_rivals_take_turns_with_us_and_are_quoted_as_ratios() -> None:
    turns: list[tuple[str, int]] = []

    def plays(name: str, *rates: float) -> pace.Play:
        speeds = cycle(rates)

        def play(number: int) -> pace.Played:
            turns.append((name, number))
            seconds = 10 / next(speeds)
            return pace.Played(10, dealing=seconds / 2, playing=seconds / 2)

        return play

    ours, rival = plays("ours", 1, 30, 10, 40, 90, 20), plays("rival", 1, 10, 20, 10, 10, 10)
    found = pace.rows({"ours": ours}, {"rival": rival}, ("stick", plays("stick", 5)), seconds=0)
    rows = {row.name: row for row in found}
    assert [name for name, _ in turns] == ["stick", "rival", "ours"] * (1 + pace.ROUNDS)
    assert len({number for _, number in turns}) == len(turns)
    assert (rows["ours"].mean, rows["ours"].count, rows["rival"].mean) == (30, 50, 10)
    assert rows["ours, once dealt"].mean == 60
    assert (rows["ours ÷ rival"].mean, rows["ours ÷ rival"].unit) == (3, "times")
    assert rows["ours"].yardstick == "stick"


def test_a_spell_is_as_long_as_asked() -> None:
    def play(number: int) -> pace.Played:
        return pace.Played(number, dealing=0.125, playing=0.125)

    assert pace.spell(play, count(1), seconds=1) == (1 + 2 + 3 + 4, 0.5, 0.5)
    assert pace.spell(play, count(1), seconds=0) == (1, 0.125, 0.125)


@pytest.mark.parametrize("module", ["pyspiel", "rlcard"])
def test_a_rival_plays_where_it_is_installed(module: str) -> None:
    names = {"pyspiel": "OpenSpiel", "rlcard": "RLCard"}
    installed = [play for name, play in rivals.rivals().items() if name.startswith(names[module])]
    assert len(installed) == (find_spec(module) is not None)
    for play in installed:
        moves, dealing, playing = play(1)
        assert moves > 1
        assert dealing > 0 < playing


ON_LINUX = pytest.mark.skipif(
    sys.platform != "linux", reason="CPU time and memory of others, as Linux tells them"
)


@pytest.mark.cluster
@ON_LINUX
@pytest.mark.parametrize(("workers", "gathered"), [(1, False), (2, False), (2, True)])
def test_tables_are_measured(workers: int, gathered: bool) -> None:
    report = tables.measure([1, 2], 4, rate=20, workers=workers, trips=50, idle=0.1, gathered=gathered)
    names = {row.name for row in report.rows}
    for size in ("1 tables", "2 tables"):
        for what in ("moves", "server CPU a move", "store CPU a move", "CPU of both a move"):
            assert {f"{size}, closed loop: {what}", f"{size}, open loop: {what}"} <= names
        assert {f"{size}: server memory a table", f"{size}: store memory a table"} <= names
    assert {yardsticks.ECHO_CPU, yardsticks.ECHO_TRIP, yardsticks.SET_CPU, yardsticks.SET_TRIP} < names
    moves = report.row("2 tables, closed loop: the mover's new frame")
    assert moves is not None
    assert moves.count == 8
    assert report.in_yardsticks(moves.name) is not None
    beside = report.row("2 tables, open loop: an echo beside it")
    assert beside is not None
    assert beside.count > 1
    assert beside.p99 is not None
    sent = report.row("2 tables, closed loop: bytes a move to all 4")
    assert sent is not None
    assert 4 * 200 < sent.mean < 3000


@pytest.mark.cluster
@ON_LINUX
def test_bots_at_tables_are_measured() -> None:
    rows = {row.name: row for row in company.lag(tables=2, seconds=4) + company.regulars(2, seconds=2)}
    assert rows[company.AT_REST].count > 0
    assert rows[company.THINKING.format(2)].count > 0
    answered = rows["an expert's answer at 2 tables"].count
    assert 0 <= rows["… given by a regular, as the expert was late"].mean <= answered > 0
    moves, cpu = (rows[f"2 tables of regulars: {what}"] for what in ("moves a table", "CPU of both"))
    assert 0.2 < moves.mean < 5, "at the pace of a table"
    assert 0 < cpu.mean < 2


@pytest.mark.cluster
@ON_LINUX
def test_what_is_idle_is_measured() -> None:
    report = idle.measure(sockets=200, tables=20, settle=0.1)
    rows = {row.name: row.mean for row in report.rows}
    assert 20 < rows["idle server"] < 500
    assert 0.5 < rows["a table in the store"] < 1000
    assert (
        5 < rows["a socket that does nothing"] < 60
    )  # a fifth of it is the server's own growth, and shared by all
    assert 20 < rows["a table with 4 sockets"] < 400


@pytest.mark.cluster
@ON_LINUX
def test_the_client_is_measured() -> None:
    report = client.measure(moves=9)
    for page in client.FIRST:
        packed, smaller = (report.row(f"first load, {page}: {packing}") for packing in client.PACKINGS)
        assert packed is not None
        assert smaller is not None
        assert 20_000 < smaller.mean < packed.mean < 200_000
    names = (f"a frame, {client.FULL_HAND} cards in hand", "a frame, any other")
    for name, least in zip(names, (1, 7), strict=True):
        script, whole = (report.row(f"{name}: {what}") for what in ("script", "all"))
        assert script is not None
        assert whole is not None
        assert least <= script.count <= least + 1
        assert 0 < script.mean < whole.mean
        assert (report.in_yardsticks(script.name) or 0) > 1

    for whose, what in (
        ("own", "drew"),
        ("another's", "drew"),
        ("own", "discarded"),
        ("another's", "discarded"),
    ):
        drawn = report.row(f"a frame, {whose} {what}: script until it is drawn")
        after = report.row(f"a frame, {whose} {what}: script after that")
        assert drawn is not None
        assert after is not None
        assert drawn.count == after.count >= 1
        assert drawn.mean > 0


def test_script_counts_until_the_picture_with_a_frame_is_painted() -> None:
    page, files = {"pid": 1, "tid": 1}, "http://here/assets/"

    def event(
        name: str, ts: float, cpu: float = 0, dur: float = 0, url: str = "", **more: Any
    ) -> dict[str, Any]:
        spent = {"ph": "X", "ts": ts, "dur": dur or cpu, "tdur": cpu, "args": {"data": {"url": url}}}
        return {"name": name, **page, **spent, **more}

    def call(ts: float, cpu: float, dur: float = 0, url: str = f"{files}page.js") -> dict[str, Any]:
        return event("FunctionCall", ts, cpu, dur, url)

    trace = [
        event("Paint", 50),  # of the time before
        event("WebSocketReceive", 100, ph="I"),
        event("Paint", 110),  # what was still to be painted before the message was read
        call(120, 1_000, 2_000),
        call(2_200, 5_000),
        call(2_300, 700),  # called by the one before, and counted there
        event("UpdateLayoutTree", 2_400, 900),
        event("Layout", 3_400, 1_100),
        event("Layout", 3_500, 40_000, pid=2),  # another page's
        call(7_500, 9_000, url="http://elsewhere/look.js"),
        event("Paint", 20_000, 300),
        call(21_000, 250),
        event("WebSocketReceive", 30_000, ph="I"),
        call(30_100, 400),
        event("WebSocketReceive", 40_000, ph="I"),
    ]
    assert list(pictures(trace, files)) == [(4.0, 0.25), (0.4, 0.0), (0.0, 0.0)]
    assert list(pictures([], files)) == []


def test_frames_are_told_apart_by_who_does_what() -> None:
    drew = {"e": "drew", "seat": 2}
    frame = {"t": "frame", "table": "a", "v": 1}
    assert client.kind_of(json.dumps({**frame, "events": [drew]})) == "a frame, another's drew"
    assert client.kind_of(json.dumps({**frame, "events": [{**drew, "seat": 0}]})) == "a frame, own drew"
    assert client.kind_of(json.dumps({**frame, "events": [drew, drew]})) is None
    assert client.kind_of(json.dumps({**frame, "events": [{"e": "reshuffled", "count": 3}]})) is None
    assert client.kind_of(json.dumps(frame)) is None
    assert client.kind_of('{"t":"pong","now":1}') is None


def test_a_client_that_is_not_built_is_not_weighed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(client, "STATIC", tmp_path)
    with pytest.raises(RuntimeError, match="not built"):
        client.first_loads()


def test_a_report_is_kept_and_compared(tmp_path: Path) -> None:
    def run(speed: float) -> Report:
        rows = (
            Row("move", "µs", 9, 30 * speed, 20 * speed, 90 * speed, "stick"),
            Row("stick", "µs", 9, 10.0),
        )
        return Report("bench of nothing", {"processor": "abacus", "cores": "10", "python": "3"}, rows)

    write(run(1.0), tmp_path / "before.json")
    before = read(tmp_path / "before.json")
    assert before == run(1.0)
    head, columns, move, _ = text(run(2.0), before).splitlines()
    assert head == "bench of nothing (abacus, 10 cores, Python 3)"
    assert columns.split()[-3:] == ["now/before", "in", "yardsticks"]
    assert move.split() == ["move", "µs", "9", "60", "40", "180", "6", "2", "2"]


def test_yardsticks_know_units_of_time() -> None:
    rows = (Row("long", "ms", 1, 3.0, yardstick="stick"), Row("stick", "µs", 1, 10.0))
    assert Report("", {}, rows).in_yardsticks("long") == 300


def test_the_command_says_what_it_can() -> None:
    for name in ("rules", "bots", "tables", "idle", "client"):
        command = [sys.executable, "-m", "server", "bench", name, "--help"]
        told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        assert "--json" in told
        assert "--compare" in told
