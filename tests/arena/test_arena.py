"""The arena: every player in every seat as often, the same figures whoever computes them, and honest intervals."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from server.__main__ import build_app
from server.arena.play import Played, Scene, play_deal, seatings
from server.arena.run import BATCH, Plan, mirrored, run
from server.arena.score import Times, elo, interval, line_of
from server.bots.policy import POLICIES
from server.rules.actions import AnyAction
from server.rules.events import Dealt, Drew, TurnedUp
from server.rules.konken import KonkenOptions
from server.rules.registry import GAMES, rules_of

KONKEN = Plan("konken", KonkenOptions(), ("random", "greedy"), deals=4, seed="test")


def without_times(deals: list[Played]) -> list[Played]:
    return [replace(one, times=()) for one in deals]


def hand(shares: tuple[float, ...], sitting: tuple[int, ...], *, out: bool = True) -> Played:
    return Played(sitting, shares, tuple(10 * share for share in shares), out, ((1.0,),) * len(shares))


@pytest.mark.parametrize(
    ("players", "seats", "rows"),
    [(1, 4, 1), (2, 2, 2), (2, 4, 2), (3, 4, 4), (4, 4, 4), (2, 3, 3)],
)
def test_every_player_sits_in_every_seat_as_often(players: int, seats: int, rows: int) -> None:
    found = seatings(players, seats)
    assert len(found) == rows
    for player in range(players):
        times = {sum(row[seat] == player for row in found) for seat in range(seats)}
        assert len(times) == 1


def test_more_players_than_seats_are_refused() -> None:
    with pytest.raises(ValueError, match="3 players and 2 seats"):
        seatings(3, 2)


def test_the_same_cards_lie_for_every_seating() -> None:
    """Whoever sits there: what a seat is dealt depends on the deal alone."""
    dealt: list[tuple[tuple[str, ...], ...]] = []

    def look(scene: Scene) -> AnyAction:
        if all(isinstance(event, Dealt | TurnedUp) for event in scene.seen):
            dealt.append(scene.hand.hands)
        return Random(0).choice(scene.legal)

    for sitting in ((0, 1), (1, 0)):
        options = rules_of("conquian").options()
        play_deal("conquian", options, (look, look), sitting, "same", 0)
    assert len(dealt) == 2
    assert len(set(dealt)) == 1


def test_a_seat_sees_its_own_cards_only() -> None:
    def look(scene: Scene) -> AnyAction:
        drawn = [event for event in scene.seen if isinstance(event, Drew)]
        assert all((event.card is not None) == (event.seat == scene.seat) for event in drawn)
        return scene.legal[0]

    play_deal("konken", KonkenOptions(), (look,), (0, 0, 0, 0), "seen", 2)


def test_one_against_three_plays_four_hands_a_deal() -> None:
    plan = replace(KONKEN, players=("random", "greedy", "greedy", "greedy"))
    assert {one.sitting for one in mirrored(plan, 0)} == {
        (0, 1, 1, 1),
        (1, 0, 1, 1),
        (1, 1, 0, 1),
        (1, 1, 1, 0),
    }


def test_a_deal_can_be_repeated() -> None:
    plan = replace(KONKEN, players=("novice", "random"))
    assert without_times(mirrored(plan, 3)) == without_times(mirrored(plan, 3))
    assert without_times(mirrored(plan, 3)) != without_times(mirrored(plan, 4))


def test_processes_change_no_figure() -> None:
    one, two = run(KONKEN), run(replace(KONKEN, processes=2))
    none = Times(0, 0, 0, 0, 0)
    assert [replace(line, times=none) for line in one.lines] == [
        replace(line, times=none) for line in two.lines
    ]
    assert (one.deals, one.hands) == (4, 8)


def test_a_run_stops_at_the_width_asked_for() -> None:
    found = run(replace(KONKEN, deals=10 * BATCH, width=40.0))
    assert (found.deals, found.stopped) == (BATCH, True)
    score = found.lines[0].score
    assert score.high - score.mean <= 40.0


def test_equal_players_share_everything() -> None:
    found = run(replace(KONKEN, players=("greedy",), deals=2))
    (line,) = found.lines
    assert line.score.mean == pytest.approx(25)
    assert line.ratio.mean == pytest.approx(1)
    assert line.points.mean == pytest.approx(0)


def test_an_interval_is_the_means_normal_one() -> None:
    found = interval([0.0, 1.0, 0.0, 1.0])
    assert found.mean == 0.5
    assert found.high - found.mean == pytest.approx(1.96 * 0.57735 / 2)
    assert interval([3.0]).low == 3.0


def test_hands_of_one_deal_are_one_observation() -> None:
    """Twice the same hands in a deal make nothing surer."""
    once = [[hand((1, 0), (0, 1)), hand((0.5, 0.5), (1, 0))], [hand((0, 1), (0, 1)), hand((1, 0), (1, 0))]]
    twice = [deal * 2 for deal in once]
    assert line_of("a", 0, once).score == line_of("a", 0, twice).score
    assert line_of("a", 0, once).score.mean == 100 * (1 + 0.5 + 0 + 0) / 4


def test_a_share_of_a_drawn_hand_is_no_going_out() -> None:
    drawn = [[hand((0.5, 0.5), (0, 1), out=False), hand((1, 0), (1, 0))]] * 2
    assert line_of("a", 0, drawn).outs.mean == 0
    assert line_of("b", 1, drawn).outs.mean == 2


def test_the_command_writes_a_table_and_figures(tmp_path: Path) -> None:
    figures = tmp_path / "figures.json"
    words = [
        "arena",
        "conquian",
        "greedy",
        "random",
        "--deals",
        "3",
        "--options",
        "deal=8",
        "--json",
        str(figures),
    ]
    told = CliRunner().invoke(build_app(), [*words, "--processes", "1"])
    assert told.exit_code == 0, told.output
    assert "3 deals, 6 hands" in told.output
    found = json.loads(figures.read_text())
    assert [line["player"] for line in found["lines"]] == ["greedy", "random"]
    assert sum(line["score"]["mean"] for line in found["lines"]) == pytest.approx(100)


@pytest.mark.parametrize(
    "words", [["konken", "nobody"], ["conquian", "random", "greedy", "novice"], ["whist", "random"]]
)
def test_the_command_refuses_what_it_does_not_know(words: list[str]) -> None:
    assert CliRunner().invoke(build_app(), ["arena", *words]).exit_code == 2


def test_every_level_can_play() -> None:
    for game in GAMES:
        for level in POLICIES[game]:
            plan = Plan(game, rules_of(game).options(), (level, "random"), deals=1, seed="level")
            assert all(len(one.shares) == rules_of(game).seats(plan.options) for one in mirrored(plan, 0))


@pytest.mark.parametrize(
    ("share", "taken", "seats", "above"),
    [
        (0.5, 1, 2, 0),
        (10 / 11, 1, 2, 400),
        (1 / 11, 1, 2, -400),
        (0.25, 1, 4, 0),
        (10 / 13, 1, 4, 400),
        (5 / 11, 2, 4, 400),
    ],
)
def test_ten_times_the_wins_are_four_hundred_points(
    share: float, taken: int, seats: int, above: float
) -> None:
    assert elo(share, taken, seats) == pytest.approx(above, abs=1e-9)


def test_who_wins_all_or_nothing_is_rated_too() -> None:
    assert elo(1.0, 1, 2) == pytest.approx(-elo(0.0, 1, 2))
    assert 1000 < elo(1.0, 1, 2) < 2000
    assert elo(0.25, 4, 4) == 0
