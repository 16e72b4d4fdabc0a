"""A strong Conker player: remembers the discard pile, and keeps what it could lay until somebody may close.

A meld in hand costs no turn: a hand closes in the turn in which all but one card can go to the table, whether they were
laid before or not. On the table a meld is a place for the cards of the others. So once in, cards stay in hand until
they close the hand, or until another may be about to: then what is left costs its points.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from server.bots.conker_outlook import POINT, ConkerOutlook
from server.bots.conker_regular import close, decide, discard, get_in
from server.bots.memory import buried
from server.rules.actions import AnyAction, Discard
from server.rules.conker_hand import ConkerOptions, ConkerView
from server.rules.events import AnyEvent

POINT_IN = 1
"""Cost of a point where the winner takes all and the others lose nothing by what they hold: the regular says 10."""
POINT_BEFORE = 3
"""The same before one is in: dear cards are what makes the sum that brings it in."""
CLOSE = 1
"""Cards in a hand that may close in its next turn."""
PAIR = 2
"""Seats at which that counts. Among more some hand is nearly always so short: over 150 mirrored deals of four seats an
expert that looked at it won 1.2 times its par, one that did not 1.28 times, for the same points.
"""


def conker_expert(
    view: ConkerView,
    legal: Sequence[AnyAction],
    options: ConkerOptions,
    chance: random.Random,
    seen: Sequence[AnyEvent] = (),
) -> AnyAction:
    """Choose for the seat whose turn it is."""
    if len(legal) == 1:
        return legal[0]
    outlook = ConkerOutlook(view, options, buried(seen), point(view, options))
    if view.phase == "draw" or is_pressed(view, options):
        return decide(outlook, legal)
    if not outlook.is_in:
        return get_in(outlook, legal, sparing=True) or discard(outlook, legal)
    return close(outlook, legal) or keep(outlook, legal)


def point(view: ConkerView, options: ConkerOptions) -> int:
    """What a point in hand costs: as much as the regular says where losers pay it, else nearly nothing."""
    if options.scoring == "penalty":
        return POINT
    return POINT_IN if view.opened[view.turn] else POINT_BEFORE


def keep(outlook: ConkerOutlook, legal: Sequence[AnyAction]) -> AnyAction:
    """A card to throw, or what the regular plays where none may be."""
    can_throw = any(isinstance(action, Discard) for action in legal)
    return discard(outlook, legal) if can_throw else decide(outlook, legal)


def is_pressed(view: ConkerView, options: ConkerOptions) -> bool:
    """Whether another seat that is in may close soon, where that is a reason to put down what can be: between two, or
    where everybody pays for what is left.
    """
    if len(view.counts) > PAIR and options.scoring != "penalty":
        return False
    others = (seat for seat in range(len(view.counts)) if seat != view.turn and view.opened[seat])
    return any(view.counts[seat] <= CLOSE for seat in others)
