"""A sensible Conquian player."""

from __future__ import annotations

import random
from collections.abc import Sequence

from server.rules.conquian_hand import ConquianOptions, ConquianView
from server.rules.game import AnyAction, Meld
from server.rules.notation import action_text


def conquian_regular(
    view: ConquianView, legal: Sequence[AnyAction], options: ConquianOptions, chance: random.Random
) -> AnyAction:
    """Choose for a seat that is asked. Raises ValueError for a spectator's view."""
    if view.hand is None:
        raise ValueError("a spectator has nothing to choose")
    return min(legal, key=lambda action: (-laid(action), action_text(action)))


def laid(action: AnyAction) -> int:
    """How many cards lie on the table after an action, if it is a meld."""
    return sum(map(len, action.melds)) if isinstance(action, Meld) else 0
