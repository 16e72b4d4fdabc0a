"""How long bots think: a choice of every level at every game, and what bots at many tables do to a server.

Choices are measured as CPU time, of those that search too: what they may take is told them on the clock, and a busy
machine gives them less. `longest` is the longest of all.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from functools import partial
from itertools import islice
from random import Random

import msgspec
from msgspec import Struct

from server.bench import company
from server.bench.questions import Question, common, seldom
from server.bench.report import Report, Row, machine, spread
from server.bench.rules import STICK, YARDSTICK, cpu
from server.bots.conquian_columns import columns_of
from server.bots.policy import POLICIES, choose, searches
from server.bots.sampling import FOREVER, Budget
from server.tables.thinking import BUDGET_SECONDS

HANDS = 1000
"""Hands at most that common questions are taken from."""
DEALS = (8, 9, 10)
"""Of Conquian: for each its bots look things up in a table of its own."""
SEARCHES_ONE_IN = 5
"""Whoever searches is asked so many times less: it takes a hundred times as long."""


class Answers(Struct):
    """How a level answered: the CPU time of each choice in ms, and how many choices were not legal."""

    times: list[float]
    illegal: int


def measure(decisions: int, tables: int = 200, seconds: float = 20.0, thinking: int = 10) -> Report:
    """Ask every level so many common questions and as many seldom ones; then let bots play at tables for a while.

    With no `tables` or no `thinking` ones that part is left out.
    """
    for deal in DEALS:
        columns_of(deal + 1)  # made once in a process, in a tenth of a second, and no choice's own time
    rows = [spread(YARDSTICK, "µs", [cpu(partial(msgspec.json.encode, STICK)) for _ in range(2000)])]
    for game, levels in POLICIES.items():
        for level in levels:
            count = max(1, decisions // SEARCHES_ONE_IN) if searches(game, level) else decisions
            for kind, questions in (("", common(game, HANDS)), (" seldom", seldom(game))):
                rows += told(
                    f"{game}, {level}: a{kind} choice", answers(game, level, islice(questions, count))
                )
    if thinking:
        rows += company.lag(thinking, seconds)
    if tables:
        rows += company.regulars(tables, seconds)
    return Report(f"bench bots: {decisions} choices, {tables} tables", machine(), tuple(rows))


def answers(game: str, level: str, questions: Iterable[Question], budget: Budget | None = None) -> Answers:
    """Ask a level; without a budget one that searches has as long as at a table."""
    found = Answers([], 0)
    for number, question in enumerate(questions):
        view, chance = question.view, Random(number)  # noqa: S311 - it has to be repeatable
        time_left = budget or (in_time() if searches(game, level) else FOREVER)
        begun = time.thread_time_ns()
        action = choose(
            game, view, question.legal, question.hand.options, chance, question.seen, level, time_left
        )
        found.times.append((time.thread_time_ns() - begun) / 1e6)
        found.illegal += action not in question.legal
    return found


def in_time() -> Budget:
    """As long as a search at a table may take, from now on."""
    until = time.monotonic() + BUDGET_SECONDS
    return Budget(late=lambda: time.monotonic() > until)


def told(name: str, found: Answers) -> list[Row]:
    """Rows of what was found."""
    return [
        spread(name, "ms", found.times, YARDSTICK),
        Row(f"{name}, longest", "ms", len(found.times), max(found.times), yardstick=YARDSTICK),
        Row(f"{name}, not legal", "", len(found.times), found.illegal),
    ]
