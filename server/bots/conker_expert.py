"""A strong Conker player: remembers what lies in the discard pile, and reckons with what can still come."""

from __future__ import annotations

import random
from collections.abc import Sequence

from server.bots.conker_outlook import ConkerOutlook
from server.bots.conker_regular import decide
from server.bots.memory import buried
from server.bots.sampling import FOREVER, Budget
from server.rules.conker_hand import ConkerOptions, ConkerView
from server.rules.game import AnyAction, AnyEvent


def conker_expert(
    view: ConkerView,
    legal: Sequence[AnyAction],
    options: ConkerOptions,
    chance: random.Random,
    seen: Sequence[AnyEvent] = (),
    budget: Budget = FOREVER,
) -> AnyAction:
    """Choose for the seat whose turn it is."""
    return legal[0] if len(legal) == 1 else decide(ConkerOutlook(view, options, buried(seen)), legal)
