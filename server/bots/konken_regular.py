"""A Konken player that lays what it can and throws what costs most."""

from __future__ import annotations

import random
from collections.abc import Sequence

from server.rules.cards import is_joker
from server.rules.game import AnyAction, Discard, Draw, Lay, Swap
from server.rules.konken_hand import KonkenOptions, KonkenView
from server.rules.melds import POINTS
from server.rules.notation import action_text


def konken_regular(
    view: KonkenView, legal: Sequence[AnyAction], options: KonkenOptions, chance: random.Random
) -> AnyAction:
    """Draw, lay the most cards, else throw the highest card."""
    draws = [action for action in legal if isinstance(action, Draw)]
    if draws:
        return draws[0]
    return max(legal, key=lambda action: (*_worth(action), action_text(action)))


def _worth(action: AnyAction) -> tuple[int, int]:
    match action:
        case Lay(melds):
            return 2, sum(len(meld) for meld in melds)
        case Discard(card):
            return 0, 0 if is_joker(card) else POINTS[card[0]]
        case Swap():
            return 1, 1
        case _:
            return 1, 0
