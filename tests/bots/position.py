"""Positions of Konken in a line: what one seat holds, what lies on the table, and what a bot makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from server.bots.policy import choose
from server.rules.cards import Card, face, pack, without
from server.rules.game import MeldView
from server.rules.konken import KONKEN, KonkenHand, KonkenOptions
from server.rules.konken_hand import Phase
from server.rules.melds import new_meld
from server.rules.notation import action_text

SOURCE = KonkenOptions()


def position(
    own: str,
    *,
    top: Card = "9C",
    table: Sequence[str] = (),
    opened: bool = False,
    others_opened: bool = False,
    counts: tuple[int, int, int] = (13, 13, 13),
    stock: int = 30,
    phase: Phase = "act",
    taken: Card | None = None,
    options: KonkenOptions = SOURCE,
) -> KonkenHand:
    """A hand in which seat 0 holds `own` and it is its turn; the other cards lie anywhere.

    `counts` are the other seats' cards, `table` the melds that lie there.
    """
    melds = [MeldView(number, *new_meld(tuple(cards.split()))) for number, cards in enumerate(table, 1)]
    hidden = without(pack(options.packs, options.jokers), own.split())
    hidden = without(hidden, [top, *(face(card) for meld in melds for card in meld.cards)])
    rest = sorted(hidden, key=lambda card: Random(card).random())
    hands = [tuple(own.split()), *(tuple(rest.pop() for _ in range(count)) for count in counts)]
    return KonkenHand(
        options=options,
        first=0,
        turn=0,
        phase=phase,
        hands=tuple(hands),
        stock=tuple(rest[:stock]),
        pile=(top, *rest[stock:]),
        opened=(opened, *(others_opened,) * 3),
        laid=(opened, *(others_opened,) * 3),
        table=tuple(melds),
        taken=taken,
    )


def choice(hand: KonkenHand) -> str:
    """What the bot plays for the seat whose turn it is, in the notation."""
    seat = hand.turn
    legal = KONKEN.legal(hand, seat)
    return action_text(choose("konken", KONKEN.view(hand, seat), legal, hand.options, Random(1)))


def turn(hand: KonkenHand) -> list[str]:
    """The whole turn that the bot plays from here, until the next seat is asked or the hand is over."""
    played: list[str] = []
    seat = hand.turn
    while hand.turn == seat and hand.phase != "over" and (not played or hand.phase != "draw"):
        legal = KONKEN.legal(hand, seat)
        action = choose("konken", KONKEN.view(hand, seat), legal, hand.options, Random(1))
        played.append(action_text(action))
        hand, _ = KONKEN.apply(hand, seat, action)
    return played


def goes_out(hand: KonkenHand) -> bool:
    """Whether the bot ends the hand in this turn."""
    seat = hand.turn
    while hand.turn == seat and hand.phase == "act":
        legal = KONKEN.legal(hand, seat)
        action = choose("konken", KONKEN.view(hand, seat), legal, hand.options, Random(1))
        hand, _ = KONKEN.apply(hand, seat, action)
    return hand.result is not None and hand.result.ending == "out" and hand.result.winners == (seat,)
