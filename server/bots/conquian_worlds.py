"""How the cards may lie at Conquian, for one who has watched: hands that the other would have played as it did."""

from __future__ import annotations

import random
from collections.abc import Callable

from server.bots.conquian_outlook import bits

AT_FIRST = 40
"""Hands imagined before the first world."""
HANDS = 200
"""Hands imagined in all, another one with each world. The likely ones come again and again, with other stocks."""


class Imagination:
    """Worlds that agree with what a seat has watched."""

    def __init__(
        self,
        unseen: int,
        known: int,
        hand_size: int,
        stock_size: int,
        likelihood: Callable[[int], float],
        chance: random.Random,
        late: Callable[[], bool],
    ) -> None:
        """Of the cards that may be anywhere some are `known` to be in the other's hand; `likelihood` is a hand's.

        When it is `late` one hand has to do.
        """
        self._unseen = list(bits(unseen))
        self._stock_size = stock_size
        self._chance = chance
        self._known = known
        self._others = list(bits(unseen & ~known))
        self._more = hand_size - known.bit_count()
        self._likelihood = likelihood
        self._hands: list[int] = []
        self._likely: list[float] = []  # of all hands up to each
        self._imagine()
        while len(self._hands) < AT_FIRST and not late():
            self._imagine()

    def _imagine(self) -> None:
        hand = sum(self._chance.sample(self._others, self._more)) | self._known
        so_far = self._likely[-1] if self._likely else 0.0
        self._hands.append(hand)
        self._likely.append(so_far + self._likelihood(hand))

    def world(self) -> tuple[int, list[int]]:
        """A hand for the other player, and a stock with its top last."""
        if len(self._hands) < HANDS:
            self._imagine()
        (hand,) = self._chance.choices(self._hands, cum_weights=self._likely)
        rest = [card for card in self._unseen if not card & hand]
        return hand, self._chance.sample(rest, min(self._stock_size, len(rest)))
