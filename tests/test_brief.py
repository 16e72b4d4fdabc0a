"""Frames without what their socket was told before: whoever completes them misses nothing, and they are small."""

from __future__ import annotations

import itertools
import random
from typing import Any

import msgspec
import pytest

from server.brief import Reader, Teller, complete
from server.protocol import encode
from server.rules.registry import GAMES
from server.sight import Sight
from server.tables import commands
from server.tables.thinking import think
from server.tables.views import sight_of
from tests.tables.scene import Scene

PEOPLE = ("ada", "ben", "cem", "deniz")
STRANGER = "eve"
VERSIONS = 200
brief = Teller().brief
LONG: dict[str, dict[str, int]] = {
    "konken": {"target": 1000},
    "conker": {"target": 1000},
    "conquian": {"wins": 20},
}
every_game = pytest.mark.parametrize("game", GAMES)


class Course(Scene):
    """A match between people, a step at a time."""

    def __init__(self, game: Any, **options: Any) -> None:
        super().__init__(True, game, **LONG[game], **options)
        self.people = PEOPLE[: len(self.table.seats)]
        self.come("ada")
        for seat, player in enumerate(self.people[1:], 1):
            self.sit(player, seat, token=self.table.token)
            self.come(player)

    def step(self) -> None:
        """A move where one is asked for; else all get ready. Now and then somebody's line breaks, and comes back."""
        self.events.clear()
        self.clock.advance(1.5)
        self.do(commands.Tick())
        player = self.chance.choice(self.people)
        if not self.seat(self.people.index(player)).here:
            self.come(player)
        elif self.chance.random() < 0.1:
            self.go(f"{player}-1")
        elif self.table.phase != "playing":
            self.ready(player)
        else:
            asked = self.seat(self.turn)
            self.do(
                commands.Play(self.id(), asked.player or "", asked.decision, think(self.table, self.turn))
            )

    def sight(self, player: str) -> Sight:
        """What somebody is to see now."""
        return sight_of(self.table, player, self.clock.now(), tuple(self.events))


def as_json(sight: Sight) -> dict[str, Any]:
    return dict(msgspec.json.decode(encode(sight.frame)))


@pytest.mark.parametrize(
    ("game", "options"), [*((game, {}) for game in GAMES), ("conquian", {"exchange": "on"})]
)
def test_a_frame_that_leaves_out_what_was_told_is_made_whole_again(
    game: str, options: dict[str, str]
) -> None:
    """Also where some are passed over on the way to a slow socket."""
    course, chance = Course(game, **options), random.Random(game)
    told: dict[str, Sight] = {}
    whole: dict[str, dict[str, Any]] = {}
    phases = set()
    for _ in range(VERSIONS):
        course.step()
        phases.add(course.table.phase)
        for player in (*course.people, STRANGER):
            if chance.random() < 0.3:
                continue
            sight = course.sight(player)
            text = brief(sight, told.get(player))
            told[player] = sight
            whole[player] = complete(msgspec.json.decode(text), whole.get(player, {}))
            assert whole[player] == as_json(sight)
    assert {"playing", "between"} <= phases


@every_game
def test_who_sits_elsewhere_now_sees_that_seat_and_no_other(game: str) -> None:
    """Whatever a screen has shown, of whichever seat or of none: what it is told next makes it the new one's."""
    course, chance = Course(game), random.Random(game)
    viewers = (*course.people, STRANGER)
    seen = []
    for _ in range(VERSIONS // 4):
        course.step()
        seen.append({player: course.sight(player) for player in viewers})
        earlier = seen[chance.randrange(max(0, len(seen) - 8), len(seen))]
        for player, before in itertools.product(viewers, earlier.values()):
            text = brief(seen[-1][player], before)
            assert complete(msgspec.json.decode(text), as_json(before)) == as_json(seen[-1][player])


def test_what_is_a_viewers_own_is_told_also_where_a_spectator_sees_something_new() -> None:
    course = Course("conquian")
    now = course.sight("ada")
    while now.common.hand is None or "forceable" not in now.own:
        course.step()
        now = course.sight("ada")
    other = msgspec.structs.replace(
        now.common, hand=msgspec.structs.replace(now.common.hand, forceable=("5H",))
    )
    before = msgspec.structs.replace(now, common=other, v=now.v - 1)
    told = complete(msgspec.json.decode(brief(now, before)), as_json(before))
    assert told == as_json(now)
    assert told["view"]["hand"]["forceable"] == list(now.own["forceable"])
    back = complete(msgspec.json.decode(brief(before, now)), as_json(now))
    assert back["view"]["hand"]["forceable"] == list(now.own["forceable"])


@every_game
def test_a_move_is_told_in_a_third_of_the_words(game: str) -> None:
    course = Course(game)
    told = {player: course.sight(player) for player in course.people}
    short = long = 0
    for _ in range(VERSIONS):
        course.step()
        for player in course.people:
            sight = course.sight(player)
            short += len(brief(sight, told[player]))
            long += len(encode(sight.frame))
            told[player] = sight
    assert 3 * short < long


def test_a_reader_keeps_tables_apart_and_reads_all_else_as_it_is() -> None:
    course, other = Course("konken"), Course("conquian")
    other.table = msgspec.structs.replace(other.table, id="0-another")
    reader = Reader()
    for one in (course, other):
        assert reader.read(encode(one.sight("ada").frame)) == one.sight("ada").frame
    before = course.sight("ada")
    for _ in range(20):
        course.step()
    assert reader.read(brief(course.sight("ada"), before)) == course.sight("ada").frame
    assert reader.read(b'{"t":"pong","now":5}').now == 5


def test_what_happened_is_not_told_twice() -> None:
    course = Course("konken")
    first = course.sight("ada")
    assert first.events
    course.events.clear()
    before = msgspec.structs.replace(first, missed=first.events, sync=True)
    text = brief(course.sight("ada"), before)
    assert complete(msgspec.json.decode(text), as_json(before)) == as_json(course.sight("ada"))
    assert "events" not in text
