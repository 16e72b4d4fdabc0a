"""A beginner at any of the games: plays as the regular does with what it has noticed, and throws at a glance.

A beginner's slips are not wild moves. It overlooks what could be done now and then, more often what is rare; and it
throws what stands alone in its hand, without reckoning what may still come or who could use the card.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from server.rules.actions import Action, Add, AnyAction, Discard, Force, Lay, Meld, Swap, Take
from server.rules.cards import Card, is_joker
from server.rules.events import AnyEvent
from server.rules.notation import action_text

RANKS = {"conquian": "A234567JQK"}
"""Ranks in the order of runs, where it is not the whole pack's."""
WHOLE_PACK = "A23456789TJQK"

NOTICED: dict[type[Action], int] = {Lay: 85, Meld: 80, Add: 65, Take: 60, Swap: 40, Force: 25}
"""Of a hundred chances of a kind how many a beginner sees; everything else it always sees."""
GLANCE = 75
"""Of a hundred throws how many are by a glance at the hand; the others are as good as the regular's."""

Decide = Callable[[Any, Sequence[AnyAction], Any, random.Random], AnyAction]


class Novice:
    """A beginner beside a regular player of the same game, whose choice it makes when it sees it."""

    def __init__(self, game: str, regular: Decide) -> None:
        self._ranks = RANKS.get(game, WHOLE_PACK)
        self._regular = regular

    def __call__(
        self,
        view: Any,
        legal: Sequence[AnyAction],
        options: Any,
        chance: random.Random,
        seen: Sequence[AnyEvent] = (),
    ) -> AnyAction:
        """Choose from `legal`. Raises ValueError for a spectator's view."""
        if view.hand is None and len(legal) > 1:
            raise ValueError("a spectator has nothing to choose")
        # In the notation's order, so that how `legal` is listed changes nothing.
        listed = sorted(legal, key=action_text)
        noticed = [action for action in listed if chance.randrange(100) < NOTICED.get(type(action), 100)]
        throws = [action for action in noticed if isinstance(action, Discard)]
        if throws and len(throws) == len(noticed) and chance.randrange(100) < GLANCE:
            return self._at_a_glance(throws, view.hand, chance)
        choice = self._regular(view, noticed or listed, options, chance)
        return choice if choice in (noticed or listed) else (noticed or listed)[-1]

    def _at_a_glance(
        self, throws: Sequence[Discard], hand: Sequence[Card], chance: random.Random
    ) -> AnyAction:
        """The card with fewest neighbours; among equals any, and never a Joker while there is another."""
        naturals = [throw for throw in throws if not is_joker(throw.card)] or throws
        fewest = min(self._neighbours(throw.card, hand) for throw in naturals)
        return chance.choice([throw for throw in naturals if self._neighbours(throw.card, hand) == fewest])

    def _neighbours(self, card: Card, hand: Sequence[Card]) -> int:
        """Cards of the hand that are of the same rank, or beside it in its suit."""
        if is_joker(card):
            return len(hand)
        rank, suit = card[0], card[1]
        place = self._ranks.index(rank)
        beside = {self._ranks[at] + suit for at in (place - 1, place + 1) if 0 <= at < len(self._ranks)}
        return sum(other != card and (other in beside or other[0] == rank) for other in hand)
