"""Konken, sections 2 to 4: laying and adding, and the finish rule that bounds both.

The player whose turn it is holds, beside the hand, the Joker that waits for its use, if there is one.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import msgspec

from server.rules.actions import Add, Lay
from server.rules.cards import JOKER, Card, Placed, face, is_joker, pack
from server.rules.events import Added, AnyEvent, Laid
from server.rules.game import MeldView
from server.rules.hands import leaving, replaced
from server.rules.konken_hand import KonkenHand
from server.rules.konken_scoring import go_out
from server.rules.melds import POINTS, added, new_meld, points
from server.rules.openings import Openings
from server.rules.parts import melds_of
from server.rules.refusal import Code, Refused

Step = tuple[KonkenHand, tuple[AnyEvent, ...]]

COSTS = {card: POINTS[card[0]] for card in pack(1, 0)} | {JOKER: 0}
"""What cards cost that stay when an opening is laid."""


def lay(hand: KonkenHand, action: Lay) -> Step:
    """ "Geçerli per açabilirsin": new melds, all or nothing. The first lay of a hand is the opening."""
    cards = [card for meld in action.melds for card in meld]
    left = hand_without(hand, cards)
    if hand.pending is not None and not any(is_joker(card) for card in cards):
        raise Refused(Code.JOKER_PENDING)
    melds = new_melds(hand, action)
    worth = sum(points(meld.cards) for meld in melds)
    if worth < (needed := opening_minimum(hand)):
        raise Refused(Code.OPENING_TOO_LOW, points=worth, needed=needed)
    check_finish(hand, left, opening=not hand.has_opened)
    after = table_action(hand, left, cards, (*hand.table, *melds))
    after = msgspec.structs.replace(after, laid=replaced(hand.laid, hand.turn, True))
    return finish(after, [Laid(hand.turn, meld.id, meld.cards) for meld in melds])


def new_melds(hand: KonkenHand, action: Lay) -> list[MeldView]:
    """The melds of a lay, judged; they get the next numbers. A refusal says which of them it is about, from
    1.
    """
    if not action.melds:
        raise Refused(Code.MELD_SIZE)
    melds = []
    for number, cards in enumerate(action.melds, start=1):
        try:
            kind, settled = new_meld(cards)
        except Refused as refused:
            raise Refused(refused.code, **refused.detail, part=number) from None
        melds.append(MeldView(len(hand.table) + number, kind, settled))
    return melds


def opening_minimum(hand: KonkenHand) -> int:
    """Points the first lay needs (option); later lays of the turn have no minimum."""
    return 0 if hand.has_opened else hand.options.opening_points


@lru_cache(8)  # a swap asks for the same cards when it is looked for, judged and listed
def openings_of(cards: tuple[Card, ...]) -> Openings:
    """The melds of some cards, to put together what reaches an opening minimum."""
    return Openings(cards, COSTS, melds_of(set(cards) - {JOKER}, cards.count(JOKER), thrifty=False))


def add(hand: KonkenHand, action: Add) -> Step:
    """ "Masadaki uygun perlere kart ekleyebilirsin": no opening needed by default."""
    left = hand_without(hand, action.cards)
    meld = find_meld(hand, action.meld)
    check_unlocked(hand)
    if hand.pending is not None:
        _check_is_use(hand, action)
    cards = added(meld.kind, meld.cards, action.cards, action.end)
    if hand.pending == meld.id:
        raise Refused(Code.JOKER_SAME_MELD)
    check_finish(hand, left, opening=False)
    after = table_action(hand, left, action.cards, with_meld(hand, meld.id, cards))
    return finish(after, [Added(hand.turn, meld.id, tuple(face(card) for card in action.cards), cards)])


def _check_is_use(hand: KonkenHand, action: Add) -> None:
    """A reclaimed Joker has to be used by the very next action; by option, in a new meld only."""
    new_only = hand.options.reclaimed_joker == "new_meld_only"
    if new_only or not any(is_joker(card) for card in action.cards):
        raise Refused(Code.JOKER_PENDING)


def check_unlocked(hand: KonkenHand) -> None:
    """Option `must_open_before_layoff`: adding and swapping only after a lay, be it in this turn."""
    if hand.options.must_open_before_layoff == "on" and not hand.has_opened:
        raise Refused(Code.LOCKED)


# ---- the finish rule ---------------------------------------------------------------------------------------


def may_finish(hand: KonkenHand) -> bool:
    """ "Elini bitirebilmek için daha önce masaya per açmış olman gerekir": opened in an earlier turn.

    With `finish_on_opening_turn` an opening earlier in the same turn is enough.
    """
    if hand.opened[hand.turn]:
        return True
    return hand.options.finish_on_opening_turn == "on" and hand.has_opened


def finish_fault(hand: KonkenHand, left: int, opening: bool) -> Code | None:
    """Rule F: why a lay or add may not leave `left` cards; `opening` says that it is the first lay.

    "Henüz hiç per açmadıysan tek açılışla elini tamamen boşaltamaz ve son kartını atarak turu bitiremezsin":
    two cards stay, one for the compulsory discard and one to keep.
    """
    if left == 0 and hand.options.must_discard_to_finish == "on":
        return Code.KEEP_ONE_CARD
    if left >= 2 or may_finish(hand):
        return None
    if left == 1 and opening and hand.options.finish_on_opening_turn == "on":
        return None
    return Code.NO_FINISH_ON_OPENING


def fewest_to_keep(hand: KonkenHand) -> int:
    """Cards that have to stay in hand after a lay (rule F)."""
    opening = not hand.has_opened
    return next(left for left in (0, 1, 2) if finish_fault(hand, left, opening) is None)


def check_finish(hand: KonkenHand, left: tuple[Card, ...], opening: bool) -> None:
    """Raise Refused if rule F forbids to keep just `left`."""
    fault = finish_fault(hand, len(left), opening)
    if fault is not None:
        raise Refused(fault)


# ---- moving cards ------------------------------------------------------------------------------------------


def held(hand: KonkenHand) -> tuple[Card, ...]:
    """What the player may play from: the hand, and the Joker that waits for its use."""
    return hand.own if hand.pending is None else (*hand.own, JOKER)


def hand_without(hand: KonkenHand, cards: Iterable[Placed]) -> tuple[Card, ...]:
    """What stays in hand once `cards` are played, the waiting Joker before any other; NOT_IN_HAND if they are
    not there.

    For a play that names no Joker while one waits the answer has that Joker in it; such a play is refused
    anyway.
    """
    return leaving(held(hand), cards)


def find_meld(hand: KonkenHand, number: int) -> MeldView:
    """A meld by its number."""
    if not 1 <= number <= len(hand.table):
        raise Refused(Code.NO_SUCH_MELD, meld=number)
    return hand.table[number - 1]


def with_meld(hand: KonkenHand, number: int, cards: tuple[Placed, ...]) -> tuple[MeldView, ...]:
    """The table with one meld's cards changed."""
    meld = msgspec.structs.replace(hand.table[number - 1], cards=cards)
    return (*hand.table[: number - 1], meld, *hand.table[number:])


def table_action(
    hand: KonkenHand, left: tuple[Card, ...], played: Iterable[Placed], table: tuple[MeldView, ...]
) -> KonkenHand:
    """The hand after cards went to the table; a waiting Joker was among them, if there was one.

    Of two equal cards the one that came this turn counts as played first.
    """
    faces = [face(card) for card in played]
    if hand.pending is not None:
        faces.remove(JOKER)
    return msgspec.structs.replace(
        hand,
        hands=replaced(hand.hands, hand.turn, left),
        table=table,
        drawn=None if hand.drawn in faces else hand.drawn,
        taken=None if hand.taken in faces else hand.taken,
        pending=None,
        idle=-1,
    )


def finish(hand: KonkenHand, events: Iterable[AnyEvent]) -> Step:
    """An empty hand after a lay or add wins at once."""
    if hand.own:
        return hand, tuple(events)
    over, ended = go_out(hand)
    return over, (*events, ended)
