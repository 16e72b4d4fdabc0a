"""Positions in a line: what one seat holds, what lies on the table, and what a bot makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from msgspec.structs import replace

from server.bots.policy import choose
from server.rules.actions import AnyAction
from server.rules.cards import Card, face, pack, without
from server.rules.conker import ConkerHand, ConkerOptions
from server.rules.conker_choices import PACK
from server.rules.conker_melds import lying_meld
from server.rules.game import MeldView
from server.rules.konken import KonkenHand, KonkenOptions
from server.rules.konken_hand import Phase
from server.rules.melds import new_meld
from server.rules.notation import action_text
from tests.rules.play import game_of

SOURCE = KonkenOptions()
CONKER_SOURCE = ConkerOptions()


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
    """A hand of Konken in which seat 0 holds `own` and it is its turn; the other cards lie anywhere.

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


def conker_position(
    own: str,
    *,
    top: Card = "9C",
    table: Sequence[str] = (),
    is_in: bool = False,
    others_in: bool = False,
    counts: tuple[int, ...] = (13, 13, 13),
    phase: Phase = "act",
    options: ConkerOptions = CONKER_SOURCE,
) -> ConkerHand:
    """The same of Conker; `is_in` and `others_in` say who is in."""
    melds = [MeldView(number, *lying_meld(tuple(cards.split()))) for number, cards in enumerate(table, 1)]
    hidden = without(PACK, [*own.split(), top, *(face(card) for meld in melds for card in meld.cards)])
    rest = sorted(hidden, key=lambda card: Random(card).random())
    hands = [tuple(own.split()), *(tuple(rest.pop() for _ in range(count)) for count in counts)]
    return ConkerHand(
        options=replace(options, players=len(hands)),
        first=0,
        turn=0,
        phase=phase,
        hands=tuple(hands),
        stock=tuple(rest),
        pile=(top,),
        opened=(is_in, *(others_in,) * len(counts)),
        table=tuple(melds),
        melds=len(melds),
    )


def chosen(hand: Any) -> AnyAction:
    """What the bot plays for the seat whose turn it is."""
    rules = game_of(hand)
    legal = rules.legal(hand, hand.turn)
    return choose(rules.name, rules.view(hand, hand.turn), legal, hand.options, Random(1))


def choice(hand: Any) -> str:
    """The same in the notation."""
    return action_text(chosen(hand))


def turn(hand: Any) -> list[str]:
    """The whole turn that the bot plays from here, until the next seat is asked or the hand is over."""
    played: list[str] = []
    seat = hand.turn
    while hand.turn == seat and hand.phase != "over" and (not played or hand.phase != "draw"):
        action = chosen(hand)
        played.append(action_text(action))
        hand, _ = game_of(hand).apply(hand, seat, action)
    return played


def goes_out(hand: Any) -> bool:
    """Whether the bot ends the hand in this turn."""
    seat = hand.turn
    while hand.turn == seat and hand.phase == "act":
        hand, _ = game_of(hand).apply(hand, seat, chosen(hand))
    return hand.result is not None and hand.result.ending == "out" and hand.result.winners == (seat,)
