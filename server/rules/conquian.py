"""Conquian: two players, forty cards, eleven to meld.

Read with the rules page beside it (source: Conquian - Classic). This file is the course of a hand: a card in the
centre that one player may meld, then the other, and that is dead for good. What may be laid with it is in
conquian_meld.py and conquian_covers.py, the stake in conquian_scoring.py, what a player may choose from in
conquian_choices.py.
"""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from server.rules import conquian_choices as choices
from server.rules.actions import AnyAction, Discard, Exchange, Force, Meld, Pass, Waive
from server.rules.cards import Card, Placed, without
from server.rules.conquian_choices import discard_force_fault, force_fault, must_meld, pass_fault
from server.rules.conquian_covers import PACK
from server.rules.conquian_hand import (
    Centre,
    ConquianHand,
    ConquianOptions,
    ConquianView,
    ExchangeView,
    other,
)
from server.rules.conquian_meld import centre_fits, judged
from server.rules.conquian_scoring import draw, leave, match_winner, multiplier, win
from server.rules.events import (
    AnyEvent,
    Dealt,
    Died,
    Discarded,
    ExchangeChosen,
    ExchangeMade,
    Forced,
    Melded,
    Passed,
    TurnedUp,
    Waived,
)
from server.rules.game import Layout, Legal, Rules
from server.rules.refusal import Code, Refused
from server.rules.result import Result
from server.rules.shuffle import Dice

__all__ = ["CONQUIAN", "Conquian", "ConquianHand", "ConquianOptions", "ConquianView"]

FORCE_WINDOW_MS = 8_000
"""How long a player has to insist or to waive (table-life: Time)."""

T = TypeVar("T")
Step = tuple[ConquianHand, tuple[AnyEvent, ...]]


# ---- the deal ----------------------------------------------------------------------------------------------


def layout(options: ConquianOptions, entropy: bytes, dealer: int) -> Layout:
    """How the cards of a hand lie: dealt one at a time, the non-dealer first. An upcard is the first of the stock."""
    cards = Dice(entropy).shuffled(PACK)
    dealt, stock = cards[: 2 * options.deal], cards[2 * options.deal :]
    hands = (dealt[0::2], dealt[1::2])
    return Layout(hands if dealer == 1 else hands[::-1], None, stock)


def begin(options: ConquianOptions, cards: Layout, dealer: int, drawn: int) -> Step:
    """The first card is in the centre, or both are asked for the exchange."""
    hand = ConquianHand(
        options=options,
        dealer=dealer,
        turn=other(dealer),
        phase="exchange",
        hands=cards.hands,
        stock=cards.stock,
        drawn=drawn,
    )
    return (hand, ()) if options.exchange == "on" else first_card(hand)


def first_card(hand: ConquianHand) -> Step:
    """The non-dealer turns it; or the dealer does, and the other decides first (option)."""
    if hand.options.first_card == "pone_turns":
        return turn_up(hand, hand.pone)
    turned, events = turn_up(hand, hand.dealer)
    return msgspec.structs.replace(turned, phase="offered", turn=hand.pone), events


def turn_up(hand: ConquianHand, seat: int, dead: tuple[Card, ...] = ()) -> Step:
    """TURN_UP: the top card of the stock to the centre; who turned it decides first ("baru saja Anda balikkan")."""
    card = hand.stock[0]
    centre = Centre(card, seat, "turned")
    after = msgspec.structs.replace(
        hand, phase="own", turn=seat, stock=hand.stock[1:], centre=centre, dead=dead
    )
    return after, (TurnedUp(seat, card), *_enforced(after))


def _enforced(hand: ConquianHand) -> tuple[AnyEvent, ...]:
    """With forcing=auto the table itself insists on a card that fits."""
    if hand.options.forcing == "auto" and hand.centre is not None and must_meld(hand):
        return (Forced(hand.turn, hand.centre.card),)
    return ()


# ---- moves -------------------------------------------------------------------------------------------------


def apply(hand: ConquianHand, seat: int, action: AnyAction) -> Step:
    """Judge and make one move. A hand that is over takes no more; only the seat that is asked may act.

    The exchange asks both, each once: a second choice comes at the wrong time, not out of turn.
    """
    if hand.phase == "over":
        raise Refused(Code.HAND_OVER)
    if hand.phase != "exchange" and seat != hand.turn:
        raise Refused(Code.NOT_YOUR_TURN, turn=hand.turn)
    match action:
        case Pass() if (fault := pass_fault(hand)) is not Code.WRONG_PHASE:
            return refuse(hand, fault)
        case Meld() if hand.phase in ("own", "offered", "forced"):
            return meld(hand, action)
        case Discard() if hand.phase == "discard":
            return discard(hand, action)
        case Force() if hand.phase in ("offered", "window"):
            return force(hand)
        case Waive() if hand.phase == "window":
            return waive(hand)
        case Exchange() if hand.phase == "exchange" and hand.chosen[seat] is None:
            return exchange(hand, seat, action.card)
        case _:
            raise Refused(Code.WRONG_PHASE, phase=hand.phase)


def exchange(hand: ConquianHand, seat: int, card: Card) -> Step:
    """A card is chosen; it stays in hand until both have chosen, then the cards change hands."""
    if card not in hand.hands[seat]:
        raise Refused(Code.NOT_IN_HAND, card=card)
    chosen = _by_seat(hand.chosen, seat, card)
    event = ExchangeChosen(seat, card)
    first, second = chosen
    if first is None or second is None:
        return msgspec.structs.replace(hand, chosen=chosen, turn=other(seat)), (event,)
    hands = ((*without(hand.hands[0], [first]), second), (*without(hand.hands[1], [second]), first))
    changed = msgspec.structs.replace(hand, hands=hands, chosen=(None, None))
    after, events = first_card(changed)
    return after, (event, ExchangeMade((first, second)), *events)


def meld(hand: ConquianHand, action: Meld) -> Step:
    """The centre card and any of the hand join one's table, which may be re-arranged; then a discard is due.

    Eleven melded end the game: "Anda keluar dengan menggabungkan kartu yang terbuka dari tengah meja … bersama dengan
    semua kartu yang tersisa di tangan Anda (jika ada)."
    """
    melds, used = judged(hand, action.melds)
    assert hand.centre is not None, "judged() asks for the centre card"  # noqa: S101
    seat, own = hand.turn, without(hand.own, used)
    event = Melded(seat, hand.centre.card, used, melds)
    after = msgspec.structs.replace(
        hand,
        phase="discard",
        hands=_by_seat(hand.hands, seat, own),
        melds=_by_seat(hand.melds, seat, melds),
        centre=None,
    )
    if own and sum(map(len, melds)) < hand.options.goal:
        return after, (event,)
    over, ended = win(after)
    return over, (event, ended)


def _by_seat(values: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


def refuse(hand: ConquianHand, fault: Code | None) -> Step:
    """ "Ditolak": the other player decides on a card just turned; a card that both refused is dead.

    Before that the other may insist, if the card fits the table of who refused it last.
    """
    if fault is not None:
        raise Refused(fault)
    assert hand.centre is not None, "there is a card to refuse"  # noqa: S101
    seat, next_seat = hand.turn, other(hand.turn)
    event = Passed(seat, hand.centre.card)
    if hand.is_upcard:
        if hand.phase == "offered":
            return msgspec.structs.replace(hand, phase="own", turn=next_seat), (event,)
        return resolve(hand, next_seat, event)
    if hand.phase == "own":
        after = msgspec.structs.replace(hand, phase="offered", turn=next_seat)
        return after, (event, *_enforced(after))
    if hand.options.forcing == "optional" and centre_fits(hand, seat):
        return msgspec.structs.replace(hand, phase="window", turn=next_seat), (event,)
    return resolve(hand, seat, event)


def force(hand: ConquianHand) -> Step:
    """The opponent has to meld the card: one that was declined, "even after it has been declined" (Foster)."""
    if (fault := force_fault(hand)) is not None:
        raise Refused(fault)
    assert hand.centre is not None, "there is a card to force"  # noqa: S101
    target = other(hand.turn)
    return msgspec.structs.replace(hand, phase="forced", turn=target), (Forced(target, hand.centre.card),)


def waive(hand: ConquianHand) -> Step:
    """The card could have been forced, and is let go."""
    return resolve(hand, other(hand.turn), Waived(hand.turn))


def resolve(hand: ConquianHand, seat: int, event: AnyEvent) -> Step:
    """RESOLVE: the centre card is dead, and who refused it last turns the next one ("setelah menolak kartu").

    "Jika tidak ada kartu yang tersisa di stok … permainannya seri."
    """
    assert hand.centre is not None, "there is a card to resolve"  # noqa: S101
    card = hand.centre.card
    dead = (*hand.dead, card)
    if not hand.stock:
        over, ended = draw(msgspec.structs.replace(hand, centre=None, dead=dead))
        return over, (event, Died(card), ended)
    after, events = turn_up(hand, seat, dead)
    return after, (event, Died(card), *events)


def discard(hand: ConquianHand, action: Discard) -> Step:
    """A card from the hand to the centre, for the other player to decide on; or to meld, if it is forced at once."""
    card, seat = action.card, hand.turn
    if card not in hand.own:
        raise Refused(Code.NOT_IN_HAND, card=card)
    if action.force and (fault := discard_force_fault(hand, card)) is not None:
        raise Refused(fault)
    target = other(seat)
    after = msgspec.structs.replace(
        hand,
        phase="forced" if action.force else "offered",
        turn=target,
        hands=_by_seat(hand.hands, seat, without(hand.own, [card])),
        centre=Centre(card, seat, "discarded"),
    )
    forced = (Forced(target, card),) if action.force else _enforced(after)
    return after, (Discarded(seat, card), *forced)


# ---- what others need --------------------------------------------------------------------------------------


def own(hand: ConquianHand, seat: int) -> dict[str, Any]:
    """What a seat sees otherwise than everybody, by the fields of the view."""
    return {
        "hand": hand.hands[seat],
        "forceable": choices.forceable(hand, seat),
        "exchange": _exchange_view(hand, seat),
    }


def view(hand: ConquianHand, seat: int | None) -> ConquianView:
    """What one seat, or with None a spectator, may see."""
    public = ConquianView(
        phase=hand.phase,
        turn=hand.turn,
        dealer=hand.dealer,
        hand=None,
        counts=tuple(len(cards) for cards in hand.hands),
        table=hand.melds,
        centre=hand.centre,
        fits=tuple(centre_fits(hand, player) for player in (0, 1)),
        forceable=(),
        forced=hand.turn if must_meld(hand) else None,
        stock=len(hand.stock),
        dead=len(hand.dead),
        dead_cards=hand.dead if hand.options.show_dead == "on" else None,
        exchange=_exchange_view(hand, None),
        stake=hand.options.stake,
        multiplier=multiplier(hand.options, hand.drawn),
        result=hand.result,
    )
    return public if seat is None else msgspec.structs.replace(public, **own(hand, seat))


def _exchange_view(hand: ConquianHand, seat: int | None) -> ExchangeView | None:
    if hand.phase != "exchange":
        return None
    chosen = tuple(card is not None for card in hand.chosen)
    return ExchangeView(chosen, None if seat is None else hand.chosen[seat])


class Conquian(Rules[ConquianOptions, ConquianHand, ConquianView]):
    """Conquian, as the tables ask for it."""

    name = "conquian"
    options = ConquianOptions

    def seats(self, options: ConquianOptions) -> int:
        """ "Ada dua pemain." """
        return 2

    def check_options(self, options: ConquianOptions) -> None:
        """All values go together."""

    def layout(self, options: ConquianOptions, entropy: bytes, dealer: int) -> Layout:
        """How the cards lie before the first move."""
        return layout(options, entropy, dealer)

    def begin(self, options: ConquianOptions, cards: Layout, dealer: int, drawn: int = 0) -> ConquianHand:
        """A hand from cards that lie so."""
        return begin(options, cards, dealer, drawn)[0]

    def deal(self, options: ConquianOptions, entropy: bytes, dealer: int, drawn: int = 0) -> Step:
        """A fresh hand."""
        hand, events = begin(options, layout(options, entropy, dealer), dealer, drawn)
        return hand, (Dealt(dealer, hand.pone), *events)

    def deciders(self, hand: ConquianHand) -> tuple[int, ...]:
        """The seat whose turn it is; in the exchange all that have not chosen."""
        return choices.deciders(hand)

    def legal(self, hand: ConquianHand, seat: int) -> list[AnyAction]:
        """Canonical legal actions."""
        return choices.legal(hand, seat)

    def menu(self, hand: ConquianHand, seat: int) -> Legal:
        """The small `legal` of a frame."""
        return choices.menu(hand, seat)

    def apply(self, hand: ConquianHand, seat: int, action: AnyAction) -> Step:
        """The one judge of moves."""
        return apply(hand, seat, action)

    def value(self, hand: ConquianHand, seat: int, action: AnyAction) -> int:
        """Melds have no points here."""
        return 0

    def arrange(self, hand: ConquianHand, seat: int) -> tuple[tuple[Placed, ...], ...]:
        """A way to meld the centre card with most cards."""
        return choices.arrange(hand, seat)

    def clock(self, hand: ConquianHand, seat: int) -> int | None:
        """The force window is short; else the table's."""
        return FORCE_WINDOW_MS if hand.phase == "window" else None

    def leave(
        self, options: ConquianOptions, hand: ConquianHand | None, seat: int, drawn: int
    ) -> Result | None:
        """The leaver pays the stake of the game."""
        return leave(options, hand, seat, drawn)

    def timeout(self, hand: ConquianHand, seat: int) -> AnyAction:
        """The next step of the least harmful move."""
        return choices.timeout(hand, seat)

    def mid_turn(self, hand: ConquianHand, seat: int) -> bool:
        """After melding a discard is due; a card that a pass turns up is another question."""
        return hand.phase == "discard" and seat == hand.turn

    def view(self, hand: ConquianHand, seat: int | None) -> ConquianView:
        """What a seat may see."""
        return view(hand, seat)

    def own(self, hand: ConquianHand, seat: int) -> dict[str, Any]:
        """What only that seat may see."""
        return own(hand, seat)

    def result(self, hand: ConquianHand) -> Result | None:
        """The result, once the hand is over."""
        return hand.result

    def match_winner(
        self, options: ConquianOptions, totals: tuple[int, ...], winners: tuple[tuple[int, ...], ...]
    ) -> int | None:
        """Who has won the match, if anybody has."""
        return match_winner(options, winners)


CONQUIAN = Conquian()
