"""A strong Konken player: remembers the discard pile, and plays to go out first.

A meld in hand costs no turn: a hand goes out in the turn in which all of it can go to the table, whether it was laid
before or not. On the table a meld is a place for the cards of the others. So once opened, new melds stay in hand until
they end the hand, or until another may be about to: then what is left costs its points.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from server.bots.konken_regular import decide, discard, finish, play
from server.bots.memory import buried
from server.bots.outlook import Outlook
from server.rules.actions import AnyAction, Discard, Lay
from server.rules.events import AnyEvent
from server.rules.konken_hand import KonkenOptions, KonkenView
from server.rules.konken_scoring import penalty

AT_ONCE = 1
"""Cards in a hand that may go out in its next turn."""
SOON = 3
"""Cards in a hand that may go out in the next turns: too near to hold what would cost DEAR."""
DEAR = 50
"""Penalty of a whole hand that is not risked any longer. With less fewer hands are won; without an end to it more are,
and all that is lost again in the others.
"""
POINT = 3
"""Cost of a penalty point, where the regular says 10: who goes out takes what three others hold, so a card that may
still become a meld is worth more than a cheap one.
"""
LAST_TURNS = 2
"""With so few turns left in the stock the hand is about to be counted."""


def konken_expert(
    view: KonkenView,
    legal: Sequence[AnyAction],
    options: KonkenOptions,
    chance: random.Random,
    seen: Sequence[AnyEvent] = (),
) -> AnyAction:
    """Choose for the seat whose turn it is."""
    if len(legal) == 1:
        return legal[0]
    outlook = Outlook(view, options, buried(seen), POINT)
    draws = view.phase == "draw" or view.pending is not None
    if draws or not view.laid[view.turn] or is_pressed(outlook):
        return decide(outlook, legal)
    held = [action for action in legal if not isinstance(action, Lay)]
    return finish(outlook, legal) or play(outlook, held) or throw(outlook, legal)


def throw(outlook: Outlook, legal: Sequence[AnyAction]) -> AnyAction:
    """A card to throw, or what the regular plays where none may be."""
    can_throw = any(isinstance(action, Discard) for action in legal)
    return discard(outlook, legal) if can_throw else decide(outlook, legal)


def is_pressed(outlook: Outlook) -> bool:
    """Whether it is time to put down what can be: another seat that has opened may go out, or the stock does."""
    view = outlook.view
    seats = range(len(view.counts))
    fewest = min(
        (view.counts[seat] for seat in seats if seat != view.turn and view.laid[seat]), default=SOON + 1
    )
    held = penalty(outlook.options, view.hand or (), laid=True)
    return fewest <= (SOON if held > DEAR else AT_ONCE) or view.stock // len(seats) <= LAST_TURNS
