"""Conker, sections 2 to 4: getting in, laying, adding, burning, and taking Jokers off the table.

Any number of these, in any order, in one turn; a card for the discard always stays.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from server.rules.actions import Add, Lay, Swap
from server.rules.cards import JOKER, Card, Placed, face
from server.rules.conker_hand import ConkerHand
from server.rules.conker_melds import added, new_meld, points, swapped
from server.rules.events import Added, AnyEvent, Burned, JokerTaken, Laid, Swapped
from server.rules.game import MeldView
from server.rules.hands import leaving, replaced
from server.rules.melds import LARGEST_GROUP
from server.rules.refusal import Code, Refused

Step = tuple[ConkerHand, tuple[AnyEvent, ...]]


def lay(hand: ConkerHand, action: Lay) -> Step:
    """New melds, all or nothing. "To get in, your first Lay must be valid Tris/Quatris groups whose points total 41 or
    more"; once in, there is no minimum.
    """
    cards = [card for meld in action.melds for card in meld]
    left = leaving(hand.own, cards)
    if hand.is_in:
        check_in(hand)
    melds = new_melds(hand, action)
    if not hand.is_in:
        worth = sum(points(meld.kind, meld.cards) for meld in melds)
        if worth < (needed := hand.options.opening_points):
            raise Refused(Code.OPENING_TOO_LOW, points=worth, needed=needed)
    check_finish(left)
    after = _played(hand, left, cards, (*hand.table, *melds))
    after = msgspec.structs.replace(
        after,
        melds=hand.melds + len(melds),
        opened=replaced(hand.opened, hand.turn, True),
        entered=hand.entered or not hand.is_in,
    )
    return burn(after, [Laid(hand.turn, meld.id, meld.cards) for meld in melds])


def new_melds(hand: ConkerHand, action: Lay) -> list[MeldView]:
    """The melds of a lay, judged; they get the next numbers. A refusal says which of them it is about, from 1."""
    if not action.melds:
        raise Refused(Code.MELD_SIZE)
    melds = []
    for number, cards in enumerate(action.melds, start=1):
        try:
            kind, settled = new_meld(cards, hand.options)
        except Refused as refused:
            raise Refused(refused.code, **refused.detail, part=number) from None
        melds.append(MeldView(hand.melds + number, kind, settled))
    return melds


def add(hand: ConkerHand, action: Add) -> Step:
    """ "Once you're in, you may add cards (layoffs) to any group already on the table — yours or another player's." """
    left = leaving(hand.own, action.cards)
    meld = find_meld(hand, action.meld)
    check_in(hand)
    cards = added(meld.kind, meld.cards, action.cards, action.end, hand.options)
    check_finish(left)
    after = _played(hand, left, action.cards, _with_meld(hand, meld.id, cards))
    return burn(after, [Added(hand.turn, meld.id, tuple(map(face, action.cards)), cards)])


def swap(hand: ConkerHand, action: Swap) -> Step:
    """ "If a floor group holds a Joker, you can swap it out by laying the exact card it represents; the Joker comes to
    your hand." No extension and no use are asked for: what Konken names in the same action is of another game.
    """
    if action.extend or action.then is not None:
        raise Refused(Code.WRONG_PHASE, phase=hand.phase)
    left = leaving(hand.own, (action.card,))
    meld = find_meld(hand, action.meld)
    check_in(hand)
    cards = swapped(meld.kind, meld.cards, action.card)
    after = _played(hand, (*left, JOKER), (action.card,), _with_meld(hand, meld.id, cards))
    events = Swapped(hand.turn, meld.id, action.card, (), cards), JokerTaken(hand.turn, meld.id)
    return after, events


def check_in(hand: ConkerHand) -> None:
    """ "A locked player can't add to floor groups." """
    if not hand.may_use_table:
        raise Refused(Code.LOCKED)


def check_finish(left: tuple[Card, ...]) -> None:
    """ "Always keep one final card to discard." """
    if not left:
        raise Refused(Code.KEEP_ONE_CARD)


def find_meld(hand: ConkerHand, number: int) -> MeldView:
    """A meld on the table by its number; what burned has left it."""
    for meld in hand.table:
        if meld.id == number:
            return meld
    raise Refused(Code.NO_SUCH_MELD, meld=number)


# ---- moving cards ------------------------------------------------------------------------------------------


def _with_meld(hand: ConkerHand, number: int, cards: tuple[Placed, ...]) -> tuple[MeldView, ...]:
    """The table with one meld's cards changed."""
    return tuple(
        msgspec.structs.replace(meld, cards=cards) if meld.id == number else meld for meld in hand.table
    )


def _played(
    hand: ConkerHand, left: tuple[Card, ...], played: Iterable[Placed], table: tuple[MeldView, ...]
) -> ConkerHand:
    """The hand after cards went to the table. Of two equal ones the one that came this turn counts as played first."""
    faces = [face(card) for card in played]
    return msgspec.structs.replace(
        hand,
        hands=replaced(hand.hands, hand.turn, left),
        table=table,
        drawn=None if hand.drawn in faces else hand.drawn,
        taken=None if hand.taken in faces else hand.taken,
        idle=-1,
    )


def burn(hand: ConkerHand, events: Iterable[AnyEvent]) -> Step:
    """ "A same-rank Quatris with all four suits is complete: it closes and leaves the table." """
    complete = [meld for meld in hand.table if meld.kind == "group" and len(meld.cards) == LARGEST_GROUP]
    if not complete:
        return hand, tuple(events)
    after = msgspec.structs.replace(
        hand,
        table=tuple(meld for meld in hand.table if meld not in complete),
        burned=(*hand.burned, *(face(card) for meld in complete for card in meld.cards)),
    )
    return after, (*events, *(Burned(hand.turn, meld.id, meld.cards) for meld in complete))
