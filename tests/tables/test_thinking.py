"""Experts think elsewhere: what they answer, and that a table never waits for one that does not."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Callable
from threading import Event
from typing import Any

import pytest
from msgspec.structs import replace

from server import telemetry
from server.bots.policy import POLICIES
from server.rules.actions import AnyAction
from server.rules.registry import GAMES, rules_of
from server.tables import commands
from server.tables.table import Table
from server.tables.thinking import LAST_SECONDS, Thinkers, search, think
from tests.tables.scene import Scene

MODULE = "server.tables.thinking"


def asked(game: str, level: Any = "expert") -> tuple[Table, int]:
    """A table at which a bot of a level has a choice, and its seat."""
    scene = Scene(False, game)
    scene.come("ada")
    for seat in range(1, len(scene.table.seats)):
        scene.do(commands.AddBot(scene.id(), "ada", seat, level))
    scene.ready("ada")
    rules = rules_of(game)
    for _ in range(20):
        table, turn = scene.table, scene.turn
        if scene.seat(turn).bot and len(rules.legal(table.hand, turn)) > 1:
            return table, turn
        action = rules.timeout(table.hand, turn)
        if scene.seat(turn).driven:
            scene.bot_play(turn, action)
        else:
            scene.play("ada", action)
    raise AssertionError("no bot is asked")


def never_answer(table: Table, seat: int, until: float) -> AnyAction:
    time.sleep(30)
    raise AssertionError("nobody waits for this")


def fail(table: Table, seat: int, until: float) -> AnyAction:
    raise RuntimeError("no idea")


def die(table: Table, seat: int, until: float) -> AnyAction:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("dead")


ASKED: list[int] = []
"""Seats asked so far, in the process that searches."""


def fail_at_first(table: Table, seat: int, until: float) -> AnyAction:
    ASKED.append(seat)
    return search(table, seat, until) if len(ASKED) > 1 else fail(table, seat, until)


def late_at_first(table: Table, seat: int, until: float) -> AnyAction:
    ASKED.append(seat)
    time.sleep(1.0 if len(ASKED) == 1 else 0.0)
    return search(table, seat, until)


def fallbacks() -> float:
    return sum(
        sample.value
        for metric in telemetry.BOT_FALLBACKS.collect()
        for sample in metric.samples
        if sample.labels == {"to": "regular"} and sample.name.endswith("_total")
    )


@pytest.mark.parametrize("level", ["novice", "regular", "expert"])
@pytest.mark.parametrize("game", GAMES)
def test_a_seat_plays_at_its_level(game: str, level: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[str, str]] = []

    def listen(game: str, view: Any, legal: Any, options: Any, *rest: Any) -> AnyAction:
        told.append((game, rest[2]))
        return POLICIES[game]["regular"](view, legal, options, rest[0])

    monkeypatch.setattr(f"{MODULE}.choose", listen)
    table, seat = asked(game, level)
    assert think(table, seat) in rules_of(game).legal(table.hand, seat)
    assert told == [(game, level)]


def test_who_plays_on_for_somebody_is_a_regular(monkeypatch: pytest.MonkeyPatch) -> None:
    table, seat = asked("konken")
    stand_in = replace(table.seats[seat], bot=None, player="ben", stand_in=True)
    table = replace(table, seats=tuple(stand_in if at == seat else one for at, one in enumerate(table.seats)))
    told: list[str] = []
    monkeypatch.setattr(f"{MODULE}.choose", lambda *words: told.append(words[6]))
    think(table, seat)
    assert told == ["regular"]


@pytest.mark.parametrize("game", GAMES)
def test_an_expert_knows_what_its_seat_has_seen(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Any] = []
    monkeypatch.setattr(f"{MODULE}.choose", lambda *words: told.append(words[5]))
    table, seat = asked(game)
    think(table, seat)
    (seen,) = told
    assert seen
    hidden = [event for event in seen if type(event).__name__ == "Drew" and event.seat != seat]
    assert all(event.card is None for event in hidden)
    monkeypatch.undo()


async def begun(thinkers: Thinkers, table: Table) -> None:
    """Have the search process begin, and wait until it has."""
    thinkers.expect(table)
    assert thinkers._warm is not None
    await asyncio.wrap_future(thinkers._warm)


async def test_a_search_in_another_process_answers_legally(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{MODULE}.LAST_SECONDS", 20.0)  # the machine that runs this may be busy
    thinkers = Thinkers()
    table, seat = asked("conquian")
    before = fallbacks()
    try:
        await begun(thinkers, table)
        action = await thinkers.choose(table, seat)
    finally:
        thinkers.close()
    assert action in rules_of("conquian").legal(table.hand, seat)
    assert fallbacks() == before


@pytest.mark.parametrize("game", ["konken", "conker"])
async def test_an_expert_that_does_not_search_needs_no_process(game: str) -> None:
    thinkers = Thinkers(never_answer)
    table, seat = asked(game)
    before = fallbacks()
    try:
        thinkers.expect(table)
        assert thinkers._pool is None
        assert await thinkers.choose(table, seat) == think(table, seat, "expert")
        assert thinkers._pool is None
    finally:
        thinkers.close()
    assert fallbacks() == before


async def test_who_is_asked_while_the_house_opens_makes_no_table_of_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Many bots are asked at once when a house comes back to its tables."""
    ready, made = Event(), []

    def make_slowly() -> None:
        ready.wait(10)
        made.append(1)

    def think_after(*_: object) -> int:
        return len(made)

    monkeypatch.setattr(f"{MODULE}.warm_up", make_slowly)
    monkeypatch.setattr(f"{MODULE}.think", think_after)
    thinkers = Thinkers()
    table, seat = asked("konken")
    choices = [asyncio.create_task(thinkers.choose(table, seat)) for _ in range(4)]
    await asyncio.sleep(0.1)
    assert not any(choice.done() for choice in choices)
    ready.set()
    assert await asyncio.gather(*choices) == [1, 1, 1, 1]


async def test_nobody_waits_for_a_process_that_is_still_beginning() -> None:
    thinkers = Thinkers(never_answer)
    table, seat = asked("conquian")
    before = fallbacks()
    try:
        thinkers.expect(table)
        assert thinkers._warm is not None
        thinkers._warm = asyncio.get_running_loop().create_future()  # type: ignore[assignment]
        action = await thinkers.choose(table, seat)
    finally:
        thinkers.close()
    assert action == think(table, seat, "regular")
    assert fallbacks() == before + 1


@pytest.mark.parametrize("trouble", [never_answer, fail, die])
async def test_the_regular_plays_where_a_search_does_not(
    trouble: Callable[[Table, int, float], AnyAction],
) -> None:
    thinkers = Thinkers(trouble)
    table, seat = asked("conquian")
    before = fallbacks()
    try:
        async with asyncio.timeout(100 * LAST_SECONDS):
            await begun(thinkers, table)
            action = await thinkers.choose(table, seat)
            again = await thinkers.choose(table, seat)
    finally:
        thinkers.close()
    assert action == again == think(table, seat, "regular")
    assert fallbacks() == before + 2


async def test_a_fault_at_one_table_takes_the_process_from_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{MODULE}.LAST_SECONDS", 20.0)
    thinkers = Thinkers(fail_at_first)
    table, seat = asked("conquian")
    before = fallbacks()
    try:
        await begun(thinkers, table)
        await thinkers.choose(table, seat)
        await thinkers.choose(table, seat)
    finally:
        thinkers.close()
    assert fallbacks() == before + 1


async def test_a_process_that_was_late_once_is_not_replaced_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """At a quiet table the next question may come long after: what counts is that this one was answered."""
    thinkers = Thinkers(late_at_first)
    table, seat = asked("conquian")
    before = fallbacks()
    try:
        await begun(thinkers, table)
        await thinkers.choose(table, seat)
        async with asyncio.timeout(20):
            while thinkers._stuck_since is not None:  # noqa: ASYNC110 - a state, not an event
                await asyncio.sleep(0.01)
        monkeypatch.setattr(f"{MODULE}.LAST_SECONDS", 20.0)
        monkeypatch.setattr(f"{MODULE}.STUCK_SECONDS", 0.0)
        await thinkers.choose(table, seat)
    finally:
        thinkers.close()
    assert fallbacks() == before + 1


async def test_the_loop_is_free_while_a_search_goes_on() -> None:
    thinkers = Thinkers(never_answer)
    table, seat = asked("conquian")
    turns = 0
    try:
        await begun(thinkers, table)
        waiting = asyncio.ensure_future(thinkers.choose(table, seat))
        while not waiting.done():
            await asyncio.sleep(0)
            turns += 1
    finally:
        thinkers.close()
    assert turns > 100
