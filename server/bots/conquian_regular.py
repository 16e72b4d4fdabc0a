"""A sensible Conquian player: melds what brings it nearer to just eleven, keeps what may still become melds, forces.

It decides by the tables of eleven cards that its own may still become (conquian_outlook.py), from its own cards, both
tables and the card in the centre, and throws no dice: where choices are equal the notation decides.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from server.bots.conquian_outlook import UNIT, Outlook, bits, on_table, outlook_of
from server.rules.actions import AnyAction, Discard, Exchange, Force, Meld
from server.rules.conquian_covers import can_lie, set_of
from server.rules.conquian_hand import ConquianOptions, ConquianView
from server.rules.events import AnyEvent
from server.rules.notation import action_text

WON: int = UNIT**2
"""Worth of the last card melded: more than all that may yet come."""
ALL = 1000
"""Prices and chances are in thousandths."""
PRICE_OF_USE = 300
"""What a card that the opponent surely melds costs who throws it, of what the hand is worth."""
PRICE_OF_FIT = 100
"""The same for a card that fits the opponent's table and helps there."""
GAIN_OF_FORCE = 50
"""What a card is worth that can be forced there and hurts."""
FATAL = 2 * ALL
"""Price of a card that ends the game: more than the hand is worth."""
RISK = 100
"""Chance that a card that fits one's own table comes and is forced."""
SHORT_HAND = 3
"""With so few cards a forced one may break what they wait for; with more there is always one to throw."""
FEW_OUTS = 3
"""Cards that may still end the opponent's wait for the last one: with so few it waits long."""

# The prices were compared over some hundred mirrored deals each: near them play hardly changes.


def conquian_regular(
    view: ConquianView,
    legal: Sequence[AnyAction],
    options: ConquianOptions,
    chance: random.Random,
    seen: Sequence[AnyEvent] = (),
) -> AnyAction:
    """Choose for a seat that is asked. Raises ValueError for a spectator's view."""
    if view.hand is None:
        raise ValueError("a spectator has nothing to choose")
    if len(legal) == 1:
        return legal[0]
    # In the exchange both are asked, and `turn` may be the other: the tables are empty then and the hands equal.
    outlook = outlook_of(view, options, view.turn)
    return by_worth(outlook, legal)[0]


def by_worth(outlook: Outlook, legal: Sequence[AnyAction]) -> list[AnyAction]:
    """The actions of a seat, best first."""
    return sorted(legal, key=lambda action: (*_rank(outlook, action), action_text(action)))


def _rank(outlook: Outlook, action: AnyAction) -> tuple[int, int]:
    """Best first: by what an action leaves; among equals by what it costs to throw the card."""
    table, hand = outlook.table, outlook.hand
    match action:
        case Meld():
            return -after_meld(outlook, on_table(action.melds)), 0
        case Force() if hurts(outlook, outlook.centre, declined=True):
            return -outlook.worth(table, hand) * (ALL + GAIN_OF_FORCE) // ALL, -1
        case Force():
            return 1, 0  # worse than anything
        case Discard():
            card = set_of([action.card])
            insists = hurts(outlook, card)
            return -after_discard(outlook, table, hand, card), price(outlook, card) + (
                action.force != insists
            )
        case Exchange():
            return -outlook.worth_without(table, hand, set_of([action.card])), 0
        case _:
            return -outlook.worth(table, hand), 0


def after_meld(outlook: Outlook, table: int) -> int:
    """What is left once a table lies so and the least useful card is thrown."""
    if table.bit_count() >= outlook.goal:
        return WON
    hand = outlook.hand & ~table
    return max((after_discard(outlook, table, hand, card) for card in bits(hand)), default=0)


def after_discard(outlook: Outlook, table: int, hand: int, card: int) -> int:
    """What a hand is worth without a card, less what the opponent gains by it."""
    kept = hand & ~card
    worth = outlook.worth_without(table, hand, card)
    if kept.bit_count() <= SHORT_HAND:
        worth -= RISK * broken(outlook, table, kept, worth) // ALL
    return worth * (ALL - price(outlook, card)) // ALL


def at_a_glance(outlook: Outlook, table: int, hand: int, card: int) -> int:
    """The same without a look at what may be forced: nearly always that says what to do."""
    return outlook.worth_without(table, hand, card) * (ALL - price(outlook, card)) // ALL


def broken(outlook: Outlook, table: int, hand: int, worth: int) -> int:
    """What the cards cost that may be forced on a table, the hand being as short as it is."""
    lost = 0
    for card in outlook.fitting(table) if hand else ():
        forced = max(outlook.worth_without(table | card, hand, thrown) for thrown in bits(hand))
        lost += max(0, worth - forced)
    return lost


def price(outlook: Outlook, card: int) -> int:
    """What it costs to throw a card, for what the opponent may do with it."""
    if not can_lie(outlook.opposite | card):
        return PRICE_OF_USE * outlook.uses(card) // ALL
    if outlook.opponents_hand == 0:
        return FATAL
    return -GAIN_OF_FORCE if hurts(outlook, card) else PRICE_OF_FIT


def hurts(outlook: Outlook, card: int, declined: bool = False) -> bool:
    """Whether it hurts the opponent to have to meld a card that fits its table.

    With two cards in hand, most likely a pair that waits for its third, one of them goes. With one the forced meld
    leaves ten on the table: a long wait, if few cards fit there. With more a card is a card, unless the opponent has
    `declined` it, and knows why.
    """
    match outlook.opponents_hand:
        case 0:
            return False
        case 1:
            table = outlook.opposite | card
            return sum(can_lie(table | one) for one in bits(outlook.unseen & ~card)) <= FEW_OUTS
        case 2:
            return True
        case _:
            return declined
