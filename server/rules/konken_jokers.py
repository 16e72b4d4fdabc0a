"""Konken, section 4: the four Joker rules.

A Joker comes off the table only to be used at once in another meld, so a swap has to prove that it can be.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from server.rules.actions import Lay, Swap
from server.rules.cards import JOKER, RANKS, Card, is_joker
from server.rules.events import Swapped
from server.rules.game import MeldView
from server.rules.konken_hand import KonkenHand
from server.rules.konken_lay import (
    Step,
    add,
    check_unlocked,
    fewest_to_keep,
    find_meld,
    finish_fault,
    hand_without,
    held,
    lay,
    opening_minimum,
    openings_of,
    table_action,
    with_meld,
)
from server.rules.melds import LONGEST_RUN, Cards, added, joining, swapped
from server.rules.refusal import Code, Refused


def swap(hand: KonkenHand, action: Swap) -> Step:
    """ "Bir jokeri temsil ettiği kartla değiştirebilirsin": card and extension go to the meld, its Joker
    waits.

    With `then` the Joker is used in the same action, else by the very next one.
    """
    played = (action.card, *action.extend)
    left = hand_without(hand, played)
    meld = find_meld(hand, action.meld)
    check_unlocked(hand)
    if hand.pending is not None:
        raise Refused(Code.JOKER_PENDING)
    cards = _lengthened(meld, swapped(meld.kind, meld.cards, action.card), action.extend)
    after = table_action(hand, left, played, with_meld(hand, meld.id, cards))
    after = msgspec.structs.replace(after, pending=meld.id)
    check_use(after)
    event = Swapped(hand.turn, meld.id, action.card, action.extend, cards)
    if action.then is None:
        return after, (event,)
    used, events = lay(after, action.then) if isinstance(action.then, Lay) else add(after, action.then)
    return used, (event, *events)


def _lengthened(meld: MeldView, cards: Cards, extend: Cards) -> Cards:
    """The fourth rule: "Üç kartlı bir serideki jokeri değiştirirken seriyi en az dört karta tamamlayacak
    şekilde uzatman gerekir", with cards from the hand. Any run may be lengthened, a group never.
    """
    if extend:
        if meld.kind == "group" and len(cards) + len(extend) <= 4:
            raise Refused(Code.DOES_NOT_FIT)
        return added(meld.kind, cards, extend)
    if needs_extension(meld):
        raise Refused(Code.SWAP_NEEDS_EXTENSION)
    return cards


def needs_extension(meld: MeldView) -> bool:
    """Whether a Joker leaves this meld only while the meld grows."""
    return meld.kind == "run" and len(meld.cards) == 3


def check_use(hand: KonkenHand) -> None:
    """The second rule: "Bir perdeki jokeri ancak geri aldığın jokeri hemen başka bir perde kullanabiliyorsan
    değiştirebilirsin". The use must exist, and the finish rule must allow it.
    """
    adding = _fault_of_adding(hand)
    if adding is None:
        return
    laying = _fault_of_laying(hand)
    if laying is not None:
        raise Refused(laying if adding is Code.SWAP_WITHOUT_USE else adding)


def _fault_of_adding(hand: KonkenHand) -> Code | None:
    """Why the waiting Joker cannot join another meld; None if it can.

    A use that adds further cards with it implies one without: a run that takes more has room for the Joker
    alone.
    """
    if next(melds_for_joker(hand), None) is None:
        return Code.SWAP_WITHOUT_USE
    return finish_fault(hand, len(hand.own), opening=False)


def _fault_of_laying(hand: KonkenHand) -> Code | None:
    """Why the waiting Joker cannot be laid in a new meld; None if it can."""
    needed, room = opening_minimum(hand), len(held(hand)) - fewest_to_keep(hand)
    if needed and openings_of(held(hand)).reaches(needed, room, joker=True):
        return None  # found without asking for the fewest, as the list of lays finds it
    cards = fewest_cards_of_a_lay(hand)
    if cards is None:
        return Code.SWAP_WITHOUT_USE
    return finish_fault(hand, len(hand.own) - cards, opening=not hand.has_opened)


def melds_for_joker(hand: KonkenHand) -> Iterator[MeldView]:
    """The melds that the waiting Joker may join; none where the option wants a new meld."""
    if hand.options.reclaimed_joker == "any_meld":
        for meld in hand.table:
            if meld.id != hand.pending and JOKER in joining(meld.kind, meld.cards):
                yield meld


def fewest_cards_of_a_lay(hand: KonkenHand) -> int | None:
    """How many hand cards the smallest legal lay with the waiting Joker takes; None if there is no such
    lay.
    """
    needed = opening_minimum(hand)
    if needed:
        cards = openings_of(held(hand)).fewest(needed)
        return None if cards is None else cards - 1
    return _smallest_pair(hand.own)


def _smallest_pair(own: tuple[Card, ...]) -> int | None:
    """The same without a minimum: two naturals that the Joker makes a meld of, with held Jokers in wider
    gaps.

    Naturals between two others of their suit would be a closer pair, so pairs are all that has to be looked
    at.
    """
    naturals = sorted({card for card in own if not is_joker(card)})
    jokers = len(own) - sum(not is_joker(card) for card in own)
    best: int | None = None
    for index, one in enumerate(naturals):
        for other in naturals[index + 1 :]:
            if one[0] == other[0]:
                return 2
            if one[1] == other[1]:
                gap = abs(RANKS.index(one[0]) - RANKS.index(other[0])) - 1
                if gap <= 1:
                    return 2
                if gap <= jokers + 1 and gap + 2 <= LONGEST_RUN:
                    best = gap + 1 if best is None else min(best, gap + 1)
    return best
