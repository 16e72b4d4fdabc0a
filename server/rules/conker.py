"""Conker: two to six players, two packs and four Jokers, 41 points to get in, first to 500.

Read with the rules page beside it (source: How to Play Conker). This file is the course of a hand: draw, lay or add
or create, discard. Getting in, laying, adding and Jokers are in conker_lay.py, what is a meld in conker_melds.py, the
end of the hand in conker_scoring.py, what a player may choose from in conker_choices.py.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec

from server.rules import conker_choices as choices
from server.rules.actions import Add, AnyAction, Discard, Draw, Lay, Swap, Take
from server.rules.cards import Card, Placed
from server.rules.conker_choices import HAND_SIZE, PACK
from server.rules.conker_hand import ConkerHand, ConkerOptions, ConkerView
from server.rules.conker_lay import Step, add, lay, new_melds, swap
from server.rules.conker_melds import points
from server.rules.conker_openings import arranged_opening
from server.rules.conker_scoring import close, match_winner, void
from server.rules.dealing import dealt
from server.rules.events import Dealt, Discarded, Drew, Reshuffled, Took
from server.rules.game import Layout, Legal, Rules
from server.rules.hands import replaced, throwing
from server.rules.refusal import Code, Refused
from server.rules.result import Result
from server.rules.shuffle import Dice, derived

__all__ = ["CONKER", "Conker", "ConkerHand", "ConkerOptions", "ConkerView"]

MOST_FLAT_TARGET = 100
"""Flat points are one a loser: to a higher target no table would play."""


def check_options(options: ConkerOptions) -> None:
    """ "`flat` needs `max_hands` or a target up to 100"."""
    if options.scoring == "flat" and not options.max_hands and options.target > MOST_FLAT_TARGET:
        raise Refused(Code.BAD_OPTION, option="target")


# ---- the deal ----------------------------------------------------------------------------------------------


def layout(options: ConkerOptions, entropy: bytes, dealer: int) -> Layout:
    """ "Each player is dealt 13 cards … one card is turned face-up to start the discard pile." """
    cards = dealt(PACK, options.players, HAND_SIZE, dealer, entropy)
    return msgspec.structs.replace(cards, key=derived(entropy, "reshuffle"))


def begin(options: ConkerOptions, cards: Layout, dealer: int) -> ConkerHand:
    """ "You start locked." The seat after the dealer begins."""
    first = (dealer + 1) % options.players
    return ConkerHand(
        options=options,
        first=first,
        turn=first,
        phase="draw",
        hands=cards.hands,
        stock=cards.stock,
        pile=() if cards.upcard is None else (cards.upcard,),
        opened=(False,) * options.players,
        key=cards.key,
    )


# ---- a turn ------------------------------------------------------------------------------------------------


def apply(hand: ConkerHand, seat: int, action: AnyAction) -> Step:
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
        case Discard(force=False) if hand.phase == "act":
            return discard(hand, action.card)
        case Lay() if hand.phase == "act":
            return lay(hand, action)
        case Add() if hand.phase == "act":
            return add(hand, action)
        case Swap() if hand.phase == "act":
            return swap(hand, action)
        case _:
            raise Refused(Code.WRONG_PHASE, phase=hand.phase)  # or an action of another game


def draw(hand: ConkerHand) -> Step:
    """ "Take a card from the stock pile." An empty one is built anew first; where that cannot be the hand is void."""
    if hand.stock:
        return _drawn(hand)
    if not may_reshuffle(hand):
        over, ended = void(hand)
        return over, (ended,)
    renewed = restocked(hand, next_stock(hand))
    after, events = _drawn(renewed)
    return after, (Reshuffled(len(renewed.stock), renewed.stock), *events)


def _drawn(hand: ConkerHand) -> Step:
    card = hand.stock[0]
    after = msgspec.structs.replace(
        hand, phase="act", hands=_with_card(hand, card), stock=hand.stock[1:], drawn=card, idle=-1
    )
    return after, (Drew(hand.turn, card),)


def take(hand: ConkerHand) -> Step:
    """ "… or — once you're in — take the discard top and use it like a draw"; no duty to use it."""
    if (fault := choices.take_fault(hand)) is not None:
        raise Refused(fault)
    card = hand.pile[0]
    after = msgspec.structs.replace(
        hand, phase="act", hands=_with_card(hand, card), pile=hand.pile[1:], taken=card
    )
    return after, (Took(hand.turn, card),)


def _with_card(hand: ConkerHand, card: Card) -> tuple[tuple[Card, ...], ...]:
    return replaced(hand.hands, hand.turn, (*hand.own, card))


def discard(hand: ConkerHand, card: Card) -> Step:
    """ "End your turn by placing one card on the discard pile"; the last one closes the round."""
    own = hand.own
    if card not in own:
        raise Refused(Code.NOT_IN_HAND, card=card)
    if (fault := choices.discard_fault(hand, card)) is not None:
        raise Refused(fault)
    left = throwing(own, card, hand.taken)
    thrown = msgspec.structs.replace(
        hand, hands=replaced(hand.hands, hand.turn, left), pile=(card, *hand.pile)
    )
    event = Discarded(hand.turn, card)
    if left:
        return end_turn(thrown), (event,)
    over, ended = close(thrown, card)
    return over, (event, ended)


def end_turn(hand: ConkerHand) -> ConkerHand:
    """On to the next seat."""
    return msgspec.structs.replace(
        hand,
        turn=(hand.turn + 1) % len(hand.hands),
        phase="draw",
        entered=False,
        drawn=None,
        taken=None,
        idle=hand.idle + 1,
    )


# ---- a new stock -------------------------------------------------------------------------------------------


def may_reshuffle(hand: ConkerHand) -> bool:
    """Whether a stock can be built: "shuffle the discard pile except its top", so often and no more."""
    allowed = hand.options.stock_out == "reshuffle" and hand.reshuffles < hand.options.max_reshuffles
    return allowed and len(hand.pile) > 1


def next_stock(hand: ConkerHand) -> tuple[Card, ...]:
    """The order of the next stock, which follows from seed, nonces and the number of the reshuffle."""
    return Dice(f"{hand.key} {hand.reshuffles + 1}".encode()).shuffled(hand.pile[1:])


def restocked(hand: ConkerHand, stock: tuple[Card, ...]) -> ConkerHand:
    """The hand once its pile but for the top is the stock, in this order; "burned cards stay out"."""
    return msgspec.structs.replace(hand, stock=stock, pile=hand.pile[:1], reshuffles=hand.reshuffles + 1)


def restock(hand: ConkerHand, stock: tuple[Card, ...]) -> ConkerHand:
    """The same as a record tells it. Raises ValueError where there is no reshuffle, or not this one."""
    if hand.phase != "draw" or hand.stock or not may_reshuffle(hand):
        raise ValueError("there is no reshuffle here")
    if Counter(stock) != Counter(hand.pile[1:]):
        raise ValueError("the new stock is not what lies under the top of the discard pile")
    if hand.key and stock != next_stock(hand):
        raise ValueError("the seed does not give this stock")
    return restocked(hand, stock)


# ---- what others need --------------------------------------------------------------------------------------


def value(hand: ConkerHand, action: AnyAction) -> int:
    """Points of the valid melds that an action lays, as an opening counts them."""
    worth = 0
    for meld in action.melds if isinstance(action, Lay) else ():
        try:
            worth += sum(points(new.kind, new.cards) for new in new_melds(hand, Lay((meld,))))
        except Refused:
            continue
    return worth


def arrange(hand: ConkerHand, seat: int) -> tuple[tuple[Placed, ...], ...]:
    """The melds of a seat's own cards that leave the least in hand, in an order in which they may be laid.

    For a locked seat such as get it in, if its cards can.
    """
    own, options = hand.hands[seat], hand.options
    best = choices.arranged(own, options)
    if hand.opened[seat] or choices.worth(best, options) >= options.opening_points:
        return best
    return arranged_opening(own, options) or best


def own(hand: ConkerHand, seat: int) -> dict[str, Any]:
    """What only one seat may see, by the fields of the view."""
    return {"hand": hand.hands[seat], "drawn": hand.drawn if seat == hand.turn else None}


def view(hand: ConkerHand, seat: int | None) -> ConkerView:
    """What one seat, or with None a spectator, may see."""
    public = ConkerView(
        phase=hand.phase,
        turn=hand.turn,
        first=hand.first,
        hand=None,
        drawn=None,
        counts=tuple(len(cards) for cards in hand.hands),
        table=hand.table,
        burned=hand.burned,
        stock=len(hand.stock),
        discard=hand.pile[0] if hand.pile else None,
        discards=len(hand.pile),
        opened=hand.opened,
        entered=hand.entered,
        taken=hand.taken,
        reshuffles=hand.reshuffles,
        result=hand.result,
    )
    return public if seat is None else msgspec.structs.replace(public, **own(hand, seat))


class Conker(Rules[ConkerOptions, ConkerHand, ConkerView]):
    """Conker, as the tables ask for it."""

    name = "conker"
    options = ConkerOptions

    def seats(self, options: ConkerOptions) -> int:
        """How many play."""
        return options.players

    def check_options(self, options: ConkerOptions) -> None:
        """Refuse options that do not go together."""
        check_options(options)

    def layout(self, options: ConkerOptions, entropy: bytes, dealer: int) -> Layout:
        """How the cards lie before the first move."""
        return layout(options, entropy, dealer)

    def begin(self, options: ConkerOptions, cards: Layout, dealer: int, drawn: int = 0) -> ConkerHand:
        """A hand from cards that lie so."""
        return begin(options, cards, dealer)

    def deal(self, options: ConkerOptions, entropy: bytes, dealer: int, drawn: int = 0) -> Step:
        """A fresh hand."""
        hand = begin(options, layout(options, entropy, dealer), dealer)
        return hand, (Dealt(dealer, hand.first, hand.pile[0]),)

    def restock(self, hand: ConkerHand, stock: tuple[Card, ...]) -> ConkerHand:
        """The hand after a reshuffle that a record tells of."""
        return restock(hand, stock)

    def deciders(self, hand: ConkerHand) -> tuple[int, ...]:
        """The seat whose turn it is."""
        return () if hand.phase == "over" else (hand.turn,)

    def legal(self, hand: ConkerHand, seat: int) -> list[AnyAction]:
        """Canonical legal actions."""
        return choices.legal(hand, seat)

    def menu(self, hand: ConkerHand, seat: int) -> Legal:
        """The small `legal` of a frame."""
        return choices.menu(hand, seat)

    def apply(self, hand: ConkerHand, seat: int, action: AnyAction) -> Step:
        """The one judge of moves."""
        return apply(hand, seat, action)

    def value(self, hand: ConkerHand, seat: int, action: AnyAction) -> int:
        """Points an action lays, as an opening counts them."""
        return value(hand, action)

    def arrange(self, hand: ConkerHand, seat: int) -> tuple[tuple[Placed, ...], ...]:
        """The melds of a hand that leave the least."""
        return arrange(hand, seat)

    def clock(self, hand: ConkerHand, seat: int) -> int | None:
        """The table's."""
        return None

    def leave(self, options: ConkerOptions, hand: ConkerHand | None, seat: int, drawn: int) -> Result | None:
        """The hand in play is void, and the seat opens."""
        return None

    def timeout(self, hand: ConkerHand, seat: int) -> AnyAction:
        """The next step of the least harmful move."""
        return choices.timeout(hand)

    def view(self, hand: ConkerHand, seat: int | None) -> ConkerView:
        """What a seat may see."""
        return view(hand, seat)

    def own(self, hand: ConkerHand, seat: int) -> dict[str, Any]:
        """What only that seat may see."""
        return own(hand, seat)

    def result(self, hand: ConkerHand) -> Result | None:
        """The result, once the hand is over."""
        return hand.result

    def low_wins(self, options: ConkerOptions) -> bool:
        """With `penalty` "lowest total wins"."""
        return options.scoring == "penalty"

    def match_winner(
        self, options: ConkerOptions, totals: tuple[int, ...], winners: tuple[tuple[int, ...], ...]
    ) -> int | None:
        """Who has won the match, if anybody has."""
        return match_winner(options, totals, len(winners))


CONKER = Conker()
