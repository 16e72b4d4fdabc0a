"""A sensible Konken player: lays what makes its hand cheaper, keeps what the coming cards may complete.

It decides by exact partitions of its hand (partition.py) and by what the unseen cards may add to it
(outlook.py), so it plays from its own cards, the table and the top of the pile, and throws no dice: where
choices are equal the notation decides.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from server.bots.outlook import Outlook
from server.rules.actions import Add, AnyAction, Discard, Draw, Lay, Swap, Take
from server.rules.cards import JOKER, Card, face, is_joker, without
from server.rules.events import AnyEvent
from server.rules.konken_hand import KonkenOptions, KonkenView
from server.rules.melds import joining, new_meld, takers
from server.rules.notation import action_text
from server.rules.partition import Partition
from server.rules.parts import Part

FITTING = 30
"""Cost of throwing a card that fits the table: the next player may take it and lose a card more."""
FATAL = 200
"""The same where it may end the hand: the next player has opened and holds a card or two."""
FEW = 2
"""Cards from which a player gets rid of the last: one joins the table, the other is thrown."""


def konken_regular(
    view: KonkenView,
    legal: Sequence[AnyAction],
    options: KonkenOptions,
    chance: random.Random,
    seen: Sequence[AnyEvent] = (),
) -> AnyAction:
    """Choose for the seat whose turn it is."""
    return legal[0] if len(legal) == 1 else decide(Outlook(view, options), legal)


def decide(outlook: Outlook, legal: Sequence[AnyAction]) -> AnyAction:
    """Choose by an outlook."""
    view = outlook.view
    if view.phase == "draw":
        return draw_or_take(outlook)
    if view.pending is not None:
        return min(legal, key=lambda use: (cost_after(outlook.parts, outlook, use), action_text(use)))
    return finish(outlook, legal) or play(outlook, legal) or discard(outlook, legal)


def draw_or_take(outlook: Outlook) -> AnyAction:
    """The top of the pile, if the hand with it is worth more than with a card from the stock."""
    top = outlook.view.discard
    throws = {card for card in outlook.view.hand or () if not is_joker(card)}
    kept = (outlook.worth(without(outlook.hand, [card])) for card in sorted(throws))
    drawn = outlook.worth_of_draw()
    return Take() if top is not None and min(kept, default=drawn) < drawn else Draw()


# ---- ending the hand ---------------------------------------------------------------------------------------


def finish(outlook: Outlook, legal: Sequence[AnyAction]) -> AnyAction | None:
    """The next step to an empty hand, if it can be reached in this turn: at most one card over, to throw."""
    if not outlook.may_finish:
        return None
    counting = Partition(outlook.hand, dict.fromkeys(outlook.costs, 1), outlook.places)
    if counting.least(outlook.hand) <= 1:
        return next_step(outlook, counting, legal)
    ending = [swap for swap in swaps_in(outlook, legal) if cost_after(counting, outlook, swap) <= 1]
    return min(ending, key=action_text, default=None)


# ---- the table ---------------------------------------------------------------------------------------------


def play(outlook: Outlook, legal: Sequence[AnyAction]) -> AnyAction | None:
    """What makes the hand cheapest: a swap, a lay or an addition; None if nothing does."""
    best = outlook.parts.least(outlook.hand)
    swaps = [
        (cost_after(outlook.parts, outlook, swap), action_text(swap), swap)
        for swap in swaps_in(outlook, legal)
    ]
    if swaps and min(swaps)[0] < best:
        return min(swaps)[2]
    return next_step(outlook, outlook.parts, legal)


def next_step(outlook: Outlook, partition: Partition, legal: Sequence[AnyAction]) -> AnyAction | None:
    """The first action of a partition's plan: lays first, since they open and make places to add to."""
    parts, _ = partition.plan(outlook.hand)
    lays = [action for action in legal if isinstance(action, Lay)]
    new = [part for part in parts if part.meld is None]
    if new and lays:
        return planned_lay(outlook, new, lays) or min(
            lays, key=lambda lay: (cost_after(partition, outlook, lay), action_text(lay))
        )
    adds = {(action.cards, action.meld, action.end): action for action in legal if isinstance(action, Add)}
    for part in parts:
        if part.meld is not None:
            for end in (None, part.end):
                if (action := adds.get((part.cards[:1], part.meld, end))) is not None:
                    return action
    return None


def planned_lay(outlook: Outlook, new: Sequence[Part], lays: Sequence[Lay]) -> Lay | None:
    """A lay of one planned meld, its Jokers where they are least likely to be swapped out; None if none is legal.

    An opening minimum makes lays of several melds, which are no step of a plan.
    """
    wanted = {tuple(sorted(part.cards)) for part in new}
    fitting = [lay for lay in lays if len(lay.melds) == 1 and tuple(sorted(lay.melds[0])) in wanted]
    return min(fitting, key=lambda lay: (swappable(outlook, lay), action_text(lay)), default=None)


def swappable(outlook: Outlook, lay: Lay) -> int:
    """How many unseen cards could take a Joker out of the melds of a lay."""
    return sum(outlook.unseen[card] for meld in lay.melds for card in takers(*new_meld(meld)))


def swaps_in(outlook: Outlook, legal: Sequence[AnyAction]) -> Iterator[Swap]:
    """The swaps that do not lead into the trap of rule F."""
    for action in legal:
        if isinstance(action, Swap):
            opens = isinstance(action.then, Lay)
            if opens or not outlook.is_trap(len(outlook.hand) - len(cards_of(action))):
                yield action


def cost_after(partition: Partition, outlook: Outlook, action: AnyAction) -> int:
    """What the hand costs once an action is played, all that helps played after it."""
    return partition.least(without(outlook.hand, cards_of(action)))


def cards_of(action: AnyAction) -> list[Card]:
    """The hand cards that an action plays; a reclaimed Joker was never in hand."""
    match action:
        case Lay(melds):
            return [face(card) for meld in melds for card in meld]
        case Add():
            return [face(card) for card in action.cards]
        case Swap():
            used = cards_of(action.then) if action.then else [JOKER]
            used.remove(JOKER)
            return [action.card, *action.extend, *used]
        case Discard(card):
            return [card]
        case _:
            return []


# ---- the discard -------------------------------------------------------------------------------------------


def discard(outlook: Outlook, legal: Sequence[AnyAction]) -> AnyAction:
    """The card whose absence leaves the best hand."""
    return next(iter(throws_by_worth(outlook, legal)), legal[0])


def throws_by_worth(outlook: Outlook, legal: Sequence[AnyAction]) -> list[Discard]:
    """The cards that may be thrown, best first. A Joker only at the very end, when penalties are all."""
    discards = [action for action in legal if isinstance(action, Discard)]
    naturals = [action for action in discards if not is_joker(action.card)]
    danger = dangers(outlook)
    costs = {
        action: outlook.worth(without(outlook.hand, [action.card])) + danger.get(action.card, 0)
        for action in (naturals if naturals and outlook.turns else discards)
    }
    return sorted(costs, key=lambda action: (costs[action], action_text(action)))


def dangers(outlook: Outlook) -> dict[Card, int]:
    """For cards that the next player could bring onto the table at once what it costs to throw them."""
    view = outlook.view
    following = (view.turn + 1) % len(view.counts)
    close = view.opened[following] and view.counts[following] <= FEW
    fitting = (
        card
        for meld in view.table
        for card in (*joining(meld.kind, meld.cards), *takers(meld.kind, meld.cards))
    )
    return dict.fromkeys(fitting, FATAL if close else FITTING)
