"""A strong Conquian player: knows what has died, imagines what the other holds, and tries its best moves there.

Its first move is the regular's with a better memory. The next best are tried against it in worlds that agree with what
the other has refused (conquian_worlds.py), each played to its end by two quick players (conquian_rollout.py); where
nothing is clearly better the first one stays.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from server.bots.conquian_columns import WHOLE, columns_of
from server.bots.conquian_outlook import on_table, outlook_of
from server.bots.conquian_reading import Reading, watched
from server.bots.conquian_regular import by_worth
from server.bots.conquian_rollout import Mind, Rollout, World
from server.bots.conquian_worlds import Imagination
from server.bots.sampling import FOREVER, Budget, clearly_best
from server.rules.actions import AnyAction, Discard, Exchange, Force, Meld, Pass
from server.rules.conquian_covers import set_of
from server.rules.conquian_hand import ConquianOptions, ConquianView, other
from server.rules.events import AnyEvent

MOST_TRIED = 5
"""Actions that are tried: those further down are seldom the best, and take worlds from the others."""
WORLDS = 160
"""Worlds that are imagined where there is time for them: more decide nothing more."""
FARTHEST = 4
"""Cards that a table may need now, to be still looked at when a world is played out."""


def conquian_expert(
    view: ConquianView,
    legal: Sequence[AnyAction],
    options: ConquianOptions,
    chance: random.Random,
    seen: Sequence[AnyEvent] = (),
    budget: Budget = FOREVER,
) -> AnyAction:
    """Choose for a seat that is asked. Raises ValueError for a spectator's view."""
    if len(legal) == 1:
        return legal[0]
    if view.hand is None:
        raise ValueError("a spectator has nothing to choose")
    known = watched(seen, view.turn)
    ranked = by_worth(outlook_of(view, options, view.turn, known.dead), legal)
    if isinstance(ranked[0], Exchange) or _wins(ranked[0], options) or budget.late():
        return ranked[0]
    return ranked[_Search(view, options, chance, seen, budget).best(ranked[:MOST_TRIED])]


def _wins(action: AnyAction, options: ConquianOptions) -> bool:
    return isinstance(action, Meld) and sum(map(len, action.melds)) >= options.goal


class _Search:
    """One question, and the worlds in which its answers are tried."""

    def __init__(
        self,
        view: ConquianView,
        options: ConquianOptions,
        chance: random.Random,
        seen: Sequence[AnyEvent],
        budget: Budget,
    ) -> None:
        known = watched(seen, view.turn)
        dead = known.dead | set_of(view.dead_cards or ())
        self.seat = view.turn
        self.centre = set_of([view.centre.card]) if view.centre else 0
        self.by = view.centre.by if view.centre else self.seat
        self.turned = view.centre is not None and view.centre.how == "turned"
        self.hand = set_of(view.hand or ())
        self.tables = [on_table(melds) for melds in view.table]
        own, opposite = self.tables[self.seat], self.tables[other(self.seat)]
        tables = columns_of(options.goal)
        mine = Mind(
            tables.narrowed(own, dead | opposite, own | self.hand | self.centre, options.goal - FARTHEST),
            WHOLE & ~(dead | opposite),
        )
        theirs = Mind(tables.narrowed(opposite, dead | own, without=self.hand), WHOLE & ~(dead | own))
        minds = (mine, theirs) if self.seat == 0 else (theirs, mine)
        self.rollout = Rollout(minds, options.goal, options.forcing)
        self.worlds = Imagination(
            WHOLE & ~(dead | own | opposite | self.hand | self.centre),
            known.known,
            view.counts[other(self.seat)],
            view.stock,
            Reading(known.moves, options.goal).likelihood,
            chance,
            budget.late,
        )
        self.budget = budget

    def best(self, actions: Sequence[AnyAction]) -> int:
        """The number of the action to take."""

        def values(numbers: list[int]) -> list[float]:
            hand, stock = self.worlds.world()
            hands = [self.hand, hand] if self.seat == 0 else [hand, self.hand]
            world = World(hands, self.tables, stock)
            return [self._outcome(world.copy(), actions[number]) for number in numbers]

        return clearly_best(len(actions), values, self.budget.worlds or WORLDS, self.budget.late)

    def _outcome(self, world: World, action: AnyAction) -> float:
        """1 if the seat wins this world after an action, 0 if it loses, a half if nobody wins."""
        first = self._for_seat_0(world, action)
        return first if self.seat == 0 else 1.0 - first

    def _for_seat_0(self, world: World, action: AnyAction) -> float:
        seat, rollout = self.seat, self.rollout
        match action:
            case Meld():
                return rollout.melded(world, seat, self.centre, on_table(action.melds) & self.hand)
            case Discard():
                return rollout.thrown(world, seat, set_of([action.card]), action.force)
            case Pass():
                return rollout.refused(world, self.by, self.centre, seat, self.turned)
            case Force():
                return rollout.asked(world, self.by, self.centre, other(seat), self.turned, forced=True)
            case _:
                return rollout.next_card(world, other(seat))
