"""A strong Konken player: remembers what lies in the discard pile, and reckons with what can still come."""

from __future__ import annotations

import random
from collections.abc import Sequence

from server.bots.konken_regular import decide
from server.bots.memory import buried
from server.bots.outlook import Outlook
from server.bots.sampling import FOREVER, Budget
from server.rules.game import AnyAction, AnyEvent
from server.rules.konken_hand import KonkenOptions, KonkenView


def konken_expert(
    view: KonkenView,
    legal: Sequence[AnyAction],
    options: KonkenOptions,
    chance: random.Random,
    seen: Sequence[AnyEvent] = (),
    budget: Budget = FOREVER,
) -> AnyAction:
    """Choose for the seat whose turn it is."""
    return legal[0] if len(legal) == 1 else decide(Outlook(view, options, buried(seen)), legal)
