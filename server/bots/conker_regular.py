"""A sensible Conker player: gets in, puts down what it can, and keeps what goes together.

It plays from its own cards, the table and the top of the pile, and throws no dice: where choices are equal the
notation decides.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from server.rules.cards import Card, face, is_joker, without
from server.rules.conker_choices import COSTS
from server.rules.conker_hand import ConkerOptions, ConkerView
from server.rules.conker_melds import melds_in
from server.rules.game import Add, AnyAction, Discard, Draw, Lay, Swap
from server.rules.notation import action_text
from server.rules.partition import Partition
from server.rules.parts import Part


def conker_regular(
    view: ConkerView, legal: Sequence[AnyAction], options: ConkerOptions, chance: random.Random
) -> AnyAction:
    """Choose for the seat whose turn it is."""
    if view.hand is None:
        raise ValueError("a spectator does not play")
    if view.phase == "draw":
        return next(action for action in legal if isinstance(action, Draw))
    found = [Part(meld) for meld in {tuple(sorted(meld)) for meld in melds_in(view.hand, options)}]
    partition = Partition(view.hand, COSTS, thrifty=True, spent=1, melds=found)

    def left(action: AnyAction) -> tuple[int, str]:
        return partition.least(without(view.hand or (), played(action))), action_text(action)

    busy = [action for action in legal if not isinstance(action, Discard | Swap)]
    throws = [action for action in legal if isinstance(action, Discard) and not is_joker(action.card)]
    return min(busy or throws or legal, key=left)


def played(action: AnyAction) -> list[Card]:
    """The hand cards that an action plays."""
    match action:
        case Lay(melds):
            return [face(card) for meld in melds for card in meld]
        case Add(_, cards):
            return [face(card) for card in cards]
        case Discard(card):
            return [card]
        case _:
            return []
