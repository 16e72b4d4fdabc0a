"""Choosing by trying: the same imagined worlds played out after each of a few actions.

A seat does not know how the cards lie, so it imagines worlds that agree with what it has seen. Every action is tried in
the very same worlds, so that what chance does to all of them cancels out in the differences; and the first action, the
one that a careful player would choose without trying, stays unless another is clearly better.
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt

from msgspec import Struct

ROUND = 8
"""Worlds between two looks at who can still win, and at the clock."""
FEWEST = 24
"""Worlds before anything is concluded: errors are not known with less."""
CLEARLY = 1.0
"""Standard errors by which another action has to be ahead. To ask for more would be to play the first nearly always:
what can be gained is mostly less than what a hundred worlds can tell for sure.
"""
HOPELESS = 2.0
"""Standard errors by which an action is behind when it is no longer tried."""
SURPRISE = 0.25
"""Square of a difference that no world has shown yet and the next one may: where all were equal they may differ yet."""


def never() -> bool:
    """There is no hurry."""
    return False


class Budget(Struct, frozen=True):
    """How long a choice may take: so many worlds, or fewer once `late` says so.

    With worlds alone the choice can be repeated.
    """

    worlds: int | None = None
    """None: as many as the player finds enough."""
    late: Callable[[], bool] = never


FOREVER = Budget()
"""As many worlds as a player finds enough, however long it takes."""


class _Rival:
    """An action beside the first one: by how much better it did, world by world."""

    def __init__(self, index: int) -> None:
        self.index = index
        self._total = self._squares = 0.0
        self._count = 0

    def add(self, better_by: float) -> None:
        self._count += 1
        self._total += better_by
        self._squares += better_by * better_by

    @property
    def ahead(self) -> float:
        """The mean difference."""
        return self._total / self._count

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        spread = max(0.0, self._squares - self._total * self._total / self._count) + SURPRISE
        return sqrt(spread / (self._count - 1) / self._count)


def clearly_best(
    actions: int, values: Callable[[list[int]], list[float]], worlds: int, late: Callable[[], bool]
) -> int:
    """The number of the action to take; 0 unless another is clearly better.

    `values` imagines one more world and says what it comes to after each of these actions, high being good; so for at
    most so many `worlds`, and no longer than until it is `late`.
    """
    rivals = [_Rival(index) for index in range(1, actions)]
    for tried in range(1, worlds + 1):
        first, *others = values([0, *(rival.index for rival in rivals)])
        for rival, value in zip(rivals, others, strict=True):
            rival.add(value - first)
        if tried % ROUND == 0:
            if tried >= FEWEST:
                rivals = [rival for rival in rivals if rival.ahead > -HOPELESS * rival.error]
            if not rivals or late():
                break
    if tried < FEWEST:
        return 0
    best = max(rivals, key=lambda rival: rival.ahead, default=None)
    return best.index if best is not None and best.ahead > CLEARLY * best.error else 0
