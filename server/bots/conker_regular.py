"""A sensible Conker player: collects what gets it in, puts down what it can, keeps one card, and closes.

It decides by exact partitions of its hand and by what the unseen cards may add to it (conker_outlook.py), so it plays
from its own cards, the table and the top of the pile, and throws no dice: where choices are equal the notation
decides.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

from server.bots.conker_outlook import ConkerOutlook
from server.rules.actions import Add, AnyAction, Discard, Draw, Lay, Swap, Take
from server.rules.cards import JOKER, Card, face, is_joker, without
from server.rules.conker_hand import ConkerOptions, ConkerView
from server.rules.conker_melds import joining, new_meld, takers
from server.rules.events import AnyEvent
from server.rules.notation import action_text
from server.rules.partition import Partition
from server.rules.parts import Part

FITTING = 30
"""Cost of throwing a card that fits the table: the next player, if in, may take it and lose a card more."""
FATAL = 200
"""The same where it may end the hand: the next player is in and holds a card or two."""
FEW = 2
"""Cards from which a player closes once one of them joins the table: the other is thrown."""


def conker_regular(
    view: ConkerView,
    legal: Sequence[AnyAction],
    options: ConkerOptions,
    chance: random.Random,
    seen: Sequence[AnyEvent] = (),
) -> AnyAction:
    """Choose for the seat whose turn it is."""
    return legal[0] if len(legal) == 1 else decide(ConkerOutlook(view, options), legal)


def decide(outlook: ConkerOutlook, legal: Sequence[AnyAction]) -> AnyAction:
    """Choose by an outlook."""
    if outlook.view.phase == "draw":
        return draw_or_take(outlook)
    return close(outlook, legal) or play(outlook, legal) or discard(outlook, legal)


def draw_or_take(outlook: ConkerOutlook) -> AnyAction:
    """The top of the pile, if the hand with it is worth more than with a card from the stock."""
    top = outlook.view.discard
    if top is None:
        return Draw()
    cards = (*outlook.own, top)
    kept = [outlook.worth(without(cards, [card])) for card in sorted(set(outlook.own)) if card != JOKER]
    drawn = outlook.worth_of_draw()
    return Take() if min(kept, default=drawn) < drawn else Draw()


# ---- closing -------------------------------------------------------------------------------------------------


def close(outlook: ConkerOutlook, legal: Sequence[AnyAction]) -> AnyAction | None:
    """The next step to one card left, if that can be reached in this turn."""
    if not outlook.may_use_table:
        return None
    counting = outlook.partition({**dict.fromkeys(outlook.costs, 10), JOKER: 0}, 1)
    if closes(outlook, counting, outlook.own):
        return next_step(outlook, counting, legal) or seat_joker(outlook, legal)
    for action in sorted((action for action in legal if isinstance(action, Swap)), key=action_text):
        if closes(outlook, counting, (*without(outlook.own, [action.card]), JOKER)):
            return action
    return None


def closes(outlook: ConkerOutlook, counting: Partition, cards: tuple[Card, ...]) -> bool:
    """Whether all but one of these cards can go to the table: Jokers that nothing needs join what has room for them."""
    parts, left = counting.plan(cards)
    spare = left.count(JOKER)
    naturals = len(left) - spare
    new = sum(JOKER not in part.cards for part in parts if part.meld is None)
    room = outlook.jokers_seated + (new if outlook.options.joker_layoff == "on" else 0)
    return naturals + max(0, spare - room) <= 1


def seat_joker(outlook: ConkerOutlook, legal: Sequence[AnyAction]) -> AnyAction | None:
    """A Joker goes where there is room for it, so that it does not stay in hand."""
    if len(outlook.own) < FEW or JOKER not in outlook.own:
        return None
    adds = [action for action in legal if isinstance(action, Add) and action.cards == (JOKER,)]
    return min(adds, key=action_text, default=None)


# ---- the table -----------------------------------------------------------------------------------------------


def play(outlook: ConkerOutlook, legal: Sequence[AnyAction]) -> AnyAction | None:
    """What makes the hand cheapest: an opening, a swap, a lay or an addition; None if nothing does."""
    if not outlook.is_in:
        return get_in(outlook, legal)
    best = outlook.parts.least(outlook.own)
    swaps = [
        (outlook.parts.least((*without(outlook.own, [swap.card]), JOKER)), action_text(swap), swap)
        for swap in legal
        if isinstance(swap, Swap)
    ]
    if swaps and min(swaps)[0] < best:
        return min(swaps)[2]
    step = next_step(outlook, outlook.parts, legal)
    return step if step is not None or outlook.has_time else seat_joker(outlook, legal)


def get_in(outlook: ConkerOutlook, legal: Sequence[AnyAction], sparing: bool = False) -> AnyAction | None:
    """The opening that leaves the cheapest hand, and of those the fullest, for the turn may end with it; or the most
    `sparing`, for who keeps what it could lay.
    """
    lays = [action for action in legal if isinstance(action, Lay)]

    def rank(lay: Lay) -> tuple[int, int, str]:
        laid = len(cards_of(lay))
        return cost_after(outlook, lay), laid if sparing else -laid, action_text(lay)

    return min(lays, key=rank, default=None)


def next_step(outlook: ConkerOutlook, partition: Partition, legal: Sequence[AnyAction]) -> AnyAction | None:
    """The first action of a partition's plan: lays first, since they make places to add to."""
    parts, _ = partition.plan(outlook.own)
    lays = [action for action in legal if isinstance(action, Lay)]
    adds = {(action.cards, action.meld, action.end): action for action in legal if isinstance(action, Add)}
    for part in sorted(parts, key=lambda part: (part.meld is not None, -len(part.cards), part.cards)):
        if part.meld is not None:
            for end in (None, part.end):
                if (action := adds.get((part.cards[:1], part.meld, end))) is not None:
                    return action
        elif (lay := lay_of(outlook, part, lays)) is not None:
            return lay
    return None


def lay_of(outlook: ConkerOutlook, part: Part, lays: Sequence[Lay]) -> Lay | None:
    """The lay of a planned meld, or of as much of a long run as can be laid at once; its Joker where it is least
    likely to be swapped out.
    """
    planned = Counter(part.cards)
    within = [lay for lay in lays if Counter(lay.melds[0]) <= planned]
    return min(
        within,
        key=lambda lay: (-len(lay.melds[0]), swappable(outlook, lay), action_text(lay)),
        default=None,
    )


def swappable(outlook: ConkerOutlook, lay: Lay) -> int:
    """How many unseen cards could take a Joker out of a lay."""
    settled = (new_meld(meld, outlook.options)[1] for meld in lay.melds)
    return sum(outlook.unseen[card] for meld in settled for card in takers(meld))


def cost_after(outlook: ConkerOutlook, action: AnyAction) -> int:
    """What the hand costs once an action is played, all that helps played after it."""
    return outlook.parts.least(without(outlook.own, cards_of(action)))


def cards_of(action: AnyAction) -> list[Card]:
    """The hand cards that an action plays."""
    match action:
        case Lay(melds):
            return [face(card) for meld in melds for card in meld]
        case Add():
            return [face(card) for card in action.cards]
        case Swap(card=card) | Discard(card=card):
            return [card]
        case _:
            return []


# ---- the discard ---------------------------------------------------------------------------------------------


def discard(outlook: ConkerOutlook, legal: Sequence[AnyAction]) -> AnyAction:
    """The card whose absence leaves the best hand."""
    return next(iter(throws_by_worth(outlook, legal)), legal[0])


def throws_by_worth(outlook: ConkerOutlook, legal: Sequence[AnyAction]) -> list[Discard]:
    """The cards that may be thrown, best first; a Joker only as the last card, or when time to use it is out."""
    throws = [action for action in legal if isinstance(action, Discard)]
    naturals = [action for action in throws if not is_joker(action.card)]
    danger = dangers(outlook)
    costs = {
        action: outlook.worth(without(outlook.own, [action.card])) + danger.get(action.card, 0)
        for action in (naturals if naturals and outlook.has_time else throws)
    }
    return sorted(costs, key=lambda action: (costs[action], action_text(action)))


def dangers(outlook: ConkerOutlook) -> dict[Card, int]:
    """For cards that the next player could take and bring onto the table at once what it costs to throw them."""
    view = outlook.view
    following = (view.turn + 1) % len(view.counts)
    if not view.opened[following]:
        return {}
    fitting = (
        card
        for meld in view.table
        for card in (*joining(meld.kind, meld.cards, outlook.options), *takers(meld.cards))
    )
    return dict.fromkeys(fitting, FATAL if view.counts[following] <= FEW else FITTING)
