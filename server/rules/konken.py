"""Konken: four players, two packs and two Jokers, match to 500.

Read with the rules page beside it (source: Konken Kuralları). This file is the course of a hand: deal, draw,
act, discard. Laying and adding with the finish rule are in konken_lay.py, the four Joker rules in
konken_jokers.py, the end of the hand in konken_scoring.py, what a player may choose from in
konken_choices.py.
"""

from __future__ import annotations

from typing import Any

import msgspec

from server.rules import konken_choices as choices
from server.rules.actions import Add, AnyAction, Discard, Draw, Lay, Swap, Take
from server.rules.cards import JOKER, Card, Placed, pack
from server.rules.dealing import dealt
from server.rules.events import Dealt, Discarded, Drew, Took
from server.rules.game import Layout, Legal, Rules
from server.rules.hands import replaced, throwing
from server.rules.konken_hand import KonkenHand, KonkenOptions, KonkenView
from server.rules.konken_jokers import swap
from server.rules.konken_lay import Step, add, held, lay, new_melds
from server.rules.konken_scoring import card_penalty, go_out, match_winner, stock_out
from server.rules.melds import new_meld, points
from server.rules.partition import Partition
from server.rules.refusal import Code, Refused
from server.rules.result import Result

__all__ = ["KONKEN", "Konken", "KonkenHand", "KonkenOptions", "KonkenView"]


def check_options(options: KonkenOptions) -> None:
    """All hands, the upcard and four turns a seat have to be in the pack."""
    wanted = options.players * options.hand_size + 1 + 4 * options.players
    if wanted > len(pack(options.packs, options.jokers)):
        raise Refused(Code.BAD_OPTION, option="hand_size")
    if not 0 <= options.max_hands <= 20:
        raise Refused(Code.BAD_OPTION, option="max_hands")


# ---- the deal ----------------------------------------------------------------------------------------------


def layout(options: KonkenOptions, entropy: bytes, dealer: int) -> Layout:
    """How the cards of a hand lie."""
    cards = pack(options.packs, options.jokers)
    return dealt(cards, options.players, options.hand_size, dealer, entropy)


def begin(options: KonkenOptions, cards: Layout, dealer: int) -> KonkenHand:
    """ "El, ıskarta destesine bir kart açılarak başlar; her el ilk oynayan oyuncu değişir." """
    first = (dealer + 1) % options.players
    return KonkenHand(
        options=options,
        first=first,
        turn=first,
        phase="draw",
        hands=cards.hands,
        stock=cards.stock,
        pile=() if cards.upcard is None else (cards.upcard,),
        opened=(False,) * options.players,
        laid=(False,) * options.players,
    )


# ---- a turn ------------------------------------------------------------------------------------------------


def apply(hand: KonkenHand, seat: int, action: AnyAction) -> Step:
    """Judge and make one move. A hand that is over takes no more; only the seat whose turn it is may act."""
    if hand.phase == "over":
        raise Refused(Code.HAND_OVER)
    if seat != hand.turn:
        raise Refused(Code.NOT_YOUR_TURN, turn=hand.turn)
    match action:
        case Draw() if hand.phase == "draw":
            return draw(hand)
        case Take() if hand.phase == "draw":
            return take(hand)
        case Discard() if hand.phase == "act":
            return discard(hand, action)
        case Lay() if hand.phase == "act":
            return lay(hand, action)
        case Add() if hand.phase == "act":
            return add(hand, action)
        case Swap() if hand.phase == "act":
            return swap(hand, action)
        case _:
            raise Refused(Code.WRONG_PHASE, phase=hand.phase)  # or an action of another game


def draw(hand: KonkenHand) -> Step:
    """ "Sıranda önce kapalı desteden … çekersin." """
    if not hand.stock:
        raise Refused(Code.STOCK_EMPTY)
    card = hand.stock[0]
    after = msgspec.structs.replace(
        hand, phase="act", hands=_with_card(hand, card), stock=hand.stock[1:], drawn=card, idle=-1
    )
    return after, (Drew(hand.turn, card),)


def take(hand: KonkenHand) -> Step:
    """ "… veya ıskarta destesinin yalnızca en üstündeki kartı çekersin": needs no opening, is no duty."""
    if (fault := choices.take_fault(hand)) is not None:
        raise Refused(fault)
    card = hand.pile[0]
    after = msgspec.structs.replace(
        hand, phase="act", hands=_with_card(hand, card), pile=hand.pile[1:], taken=card
    )
    return after, (Took(hand.turn, card),)


def _with_card(hand: KonkenHand, card: Card) -> tuple[tuple[Card, ...], ...]:
    return replaced(hand.hands, hand.turn, (*hand.own, card))


def discard(hand: KonkenHand, action: Discard) -> Step:
    """ "Sıranı bir kart atarak bitirirsin." """
    card = action.card
    if card not in held(hand):
        raise Refused(Code.NOT_IN_HAND, card=card)
    if (fault := choices.discard_fault(hand, card)) is not None:
        raise Refused(fault)
    hands = replaced(hand.hands, hand.turn, throwing(hand.own, card, hand.taken))
    thrown = msgspec.structs.replace(hand, hands=hands, pile=(card, *hand.pile))
    event = Discarded(hand.turn, card)
    if thrown.own and thrown.stock:
        return end_turn(thrown), (event,)
    over, ended = stock_out(thrown) if thrown.own else go_out(thrown)
    return over, (event, ended)


def end_turn(hand: KonkenHand) -> KonkenHand:
    """On to the next seat. What was laid in this turn counts as opened from now on."""
    return msgspec.structs.replace(
        hand,
        turn=(hand.turn + 1) % len(hand.hands),
        phase="draw",
        opened=replaced(hand.opened, hand.turn, hand.has_opened),
        drawn=None,
        taken=None,
        idle=hand.idle + 1,
    )


# ---- what others need --------------------------------------------------------------------------------------


def value(hand: KonkenHand, action: AnyAction) -> int:
    """Points of the valid melds that an action lays, as an opening counts them."""
    match action:
        case Lay():
            return _worth(hand, action)
        case Swap(then=Lay() as then):
            return _worth(hand, then)
        case _:
            return 0


def _worth(hand: KonkenHand, action: Lay) -> int:
    worth = 0
    for meld in action.melds:
        try:
            worth += sum(points(new.cards) for new in new_melds(hand, Lay((meld,))))
        except Refused:
            continue
    return worth


def arrange(hand: KonkenHand, seat: int) -> tuple[tuple[Placed, ...], ...]:
    """The melds of a seat's own cards that leave the lowest penalty but for Jokers: one that no natural needs is kept,
    and costs a point to lay, no more than any card that it helps to lay.
    """
    costs = {card: card_penalty(hand.options, card) for card in pack(1, 0)} | {JOKER: 0}
    melds, _ = Partition(hand.hands[seat], costs, thrifty=True, spent=1).plan(hand.hands[seat])
    return tuple(new_meld(meld.cards)[1] for meld in melds)


def own(hand: KonkenHand, seat: int) -> dict[str, Any]:
    """What only one seat may see, by the fields of the view."""
    return {"hand": hand.hands[seat], "drawn": hand.drawn if seat == hand.turn else None}


def view(hand: KonkenHand, seat: int | None) -> KonkenView:
    """What one seat, or with None a spectator, may see."""
    public = KonkenView(
        phase=hand.phase,
        turn=hand.turn,
        first=hand.first,
        hand=None,
        drawn=None,
        counts=tuple(len(cards) for cards in hand.hands),
        table=hand.table,
        stock=len(hand.stock),
        discard=hand.pile[0] if hand.pile else None,
        discards=len(hand.pile),
        opened=hand.opened,
        laid=hand.laid,
        taken=hand.taken,
        pending=hand.pending,
        result=hand.result,
    )
    return public if seat is None else msgspec.structs.replace(public, **own(hand, seat))


class Konken(Rules[KonkenOptions, KonkenHand, KonkenView]):
    """Konken, as the tables ask for it."""

    name = "konken"
    options = KonkenOptions

    def seats(self, options: KonkenOptions) -> int:
        """How many play."""
        return options.players

    def check_options(self, options: KonkenOptions) -> None:
        """Refuse options that do not go together."""
        check_options(options)

    def layout(self, options: KonkenOptions, entropy: bytes, dealer: int) -> Layout:
        """How the cards lie before the first move."""
        return layout(options, entropy, dealer)

    def begin(self, options: KonkenOptions, cards: Layout, dealer: int, drawn: int = 0) -> KonkenHand:
        """A hand from cards that lie so."""
        return begin(options, cards, dealer)

    def deal(self, options: KonkenOptions, entropy: bytes, dealer: int, drawn: int = 0) -> Step:
        """A fresh hand."""
        hand = begin(options, layout(options, entropy, dealer), dealer)
        return hand, (Dealt(dealer, hand.first, hand.pile[0]),)

    def deciders(self, hand: KonkenHand) -> tuple[int, ...]:
        """The seat whose turn it is."""
        return () if hand.phase == "over" else (hand.turn,)

    def legal(self, hand: KonkenHand, seat: int) -> list[AnyAction]:
        """Canonical legal actions."""
        return choices.legal(hand, seat)

    def menu(self, hand: KonkenHand, seat: int) -> Legal:
        """The small `legal` of a frame."""
        return choices.menu(hand, seat)

    def apply(self, hand: KonkenHand, seat: int, action: AnyAction) -> Step:
        """The one judge of moves."""
        return apply(hand, seat, action)

    def value(self, hand: KonkenHand, seat: int, action: AnyAction) -> int:
        """Points an action lays, as an opening counts them."""
        return value(hand, action)

    def arrange(self, hand: KonkenHand, seat: int) -> tuple[tuple[Placed, ...], ...]:
        """The melds of a hand that leave the lowest penalty."""
        return arrange(hand, seat)

    def clock(self, hand: KonkenHand, seat: int) -> int | None:
        """The table's."""
        return None

    def leave(self, options: KonkenOptions, hand: KonkenHand | None, seat: int, drawn: int) -> Result | None:
        """ "Oyuncu masadan tamamen ayrılırsa el sıfırlanır ancak kalan oyuncuların maç puanları korunur." """
        return None

    def timeout(self, hand: KonkenHand, seat: int) -> AnyAction:
        """The next step of the least harmful move."""
        return choices.timeout(hand)

    def view(self, hand: KonkenHand, seat: int | None) -> KonkenView:
        """What a seat may see."""
        return view(hand, seat)

    def own(self, hand: KonkenHand, seat: int) -> dict[str, Any]:
        """What only that seat may see."""
        return own(hand, seat)

    def result(self, hand: KonkenHand) -> Result | None:
        """The result, once the hand is over."""
        return hand.result

    def match_winner(
        self, options: KonkenOptions, totals: tuple[int, ...], winners: tuple[tuple[int, ...], ...]
    ) -> int | None:
        """Who has won the match, if anybody has."""
        return match_winner(options, totals, len(winners))


KONKEN = Konken()
