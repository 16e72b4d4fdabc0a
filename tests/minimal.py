"""A game that is as little as a card game can be: draw, then throw; nobody lays, and the hand never ends.

It is no game of the house. `python -m tests.minimal serve …` is a server that has it as well, by what the registry
asks of a new game: to see that nothing else knows the games by name, and to compare servers by one game that all have.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from server.rules import registry
from server.rules.actions import AnyAction, Discard, Draw
from server.rules.cards import Card, pack, without
from server.rules.dealing import dealt
from server.rules.events import AnyEvent, Dealt, Discarded, Drew
from server.rules.game import Layout, Legal, Rules, waiting
from server.rules.hands import replaced
from server.rules.refusal import Code, Refused
from server.rules.result import Result

SEATS = 4
HAND = 13
VERBS = ("draw", "discard")


class MinimalOptions(Struct, frozen=True, tag="minimal", tag_field="game", forbid_unknown_fields=True):
    """There is nothing to choose."""


class MinimalHand(Struct, frozen=True, tag="minimal", tag_field="game"):
    """A hand at one moment; `stock` and `pile` lie top first."""

    turn: int
    phase: Literal["draw", "act"]
    hands: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...]
    pile: tuple[Card, ...]


class MinimalView(Struct, frozen=True, tag="minimal", tag_field="game"):
    """What one seat may see."""

    turn: int
    phase: Literal["draw", "act"]
    hand: tuple[Card, ...] | None
    counts: tuple[int, ...]
    stock: int
    discard: Card


Step = tuple[MinimalHand, tuple[AnyEvent, ...]]


class Minimal(Rules[MinimalOptions, MinimalHand, MinimalView]):
    """The whole game."""

    name = "minimal"
    options = MinimalOptions

    def seats(self, options: MinimalOptions) -> int:
        return SEATS

    def check_options(self, options: MinimalOptions) -> None:
        pass

    def layout(self, options: MinimalOptions, entropy: bytes, dealer: int) -> Layout:
        return dealt(pack(2, 0), SEATS, HAND, dealer, entropy)

    def begin(self, options: MinimalOptions, cards: Layout, dealer: int, drawn: int = 0) -> MinimalHand:
        pile = () if cards.upcard is None else (cards.upcard,)
        return MinimalHand((dealer + 1) % SEATS, "draw", cards.hands, cards.stock, pile)

    def deal(self, options: MinimalOptions, entropy: bytes, dealer: int, drawn: int = 0) -> Step:
        hand = self.begin(options, self.layout(options, entropy, dealer), dealer)
        return hand, (Dealt(dealer, hand.turn, hand.pile[0]),)

    def deciders(self, hand: MinimalHand) -> tuple[int, ...]:
        return (hand.turn,)

    def legal(self, hand: MinimalHand, seat: int) -> list[AnyAction]:
        return [Draw()] if hand.phase == "draw" else [Discard(card) for card in hand.hands[seat]]

    def menu(self, hand: MinimalHand, seat: int) -> Legal:
        if seat != hand.turn:
            return waiting(VERBS, hand.turn)
        thrown = hand.hands[seat] if hand.phase == "act" else ()
        return Legal(dict.fromkeys(VERBS), thrown, {}, {})

    def apply(self, hand: MinimalHand, seat: int, action: AnyAction) -> Step:
        own = hand.hands[seat]
        match hand.phase, action:
            case _ if seat != hand.turn:
                raise Refused(Code.NOT_YOUR_TURN, turn=hand.turn)
            case "draw", Draw():
                card, *rest = hand.stock
                hands = replaced(hand.hands, seat, (*own, card))
                stock, pile = (tuple(rest), hand.pile) if rest else (hand.pile[:0:-1], hand.pile[:1])
                return MinimalHand(seat, "act", hands, stock, pile), (Drew(seat, card),)
            case "act", Discard(card) if card in own:
                hands = replaced(hand.hands, seat, without(own, (card,)))
                turn = (seat + 1) % SEATS
                return MinimalHand(turn, "draw", hands, hand.stock, (card, *hand.pile)), (
                    Discarded(seat, card),
                )
            case _:
                raise Refused(Code.WRONG_PHASE)

    def value(self, hand: MinimalHand, seat: int, action: AnyAction) -> int:
        return 0

    def arrange(self, hand: MinimalHand, seat: int) -> tuple[tuple[Card, ...], ...]:
        return ()

    def clock(self, hand: MinimalHand, seat: int) -> int | None:
        return None

    def leave(
        self, options: MinimalOptions, hand: MinimalHand | None, seat: int, drawn: int
    ) -> Result | None:
        return None

    def timeout(self, hand: MinimalHand, seat: int) -> AnyAction:
        return self.legal(hand, seat)[-1]

    def view(self, hand: MinimalHand, seat: int | None) -> MinimalView:
        own = None if seat is None else hand.hands[seat]
        counts = tuple(map(len, hand.hands))
        return MinimalView(hand.turn, hand.phase, own, counts, len(hand.stock), hand.pile[0])

    def own(self, hand: MinimalHand, seat: int) -> dict[str, Any]:
        return {"hand": hand.hands[seat]}

    def result(self, hand: MinimalHand) -> Result | None:
        return None

    def match_winner(
        self, options: MinimalOptions, totals: tuple[int, ...], winners: tuple[tuple[int, ...], ...]
    ) -> int | None:
        return None


def register() -> None:
    """Add it to the registry, before anybody has read there what games there are."""
    names: Any = registry
    names.AnyHand |= MinimalHand
    names.AnyOptions |= MinimalOptions
    names.AnyView |= MinimalView
    names.GameName = Literal["konken", "conker", "conquian", "minimal"]
    registry.GAMES[Minimal.name] = Minimal()


if __name__ == "__main__":
    register()
    from server.__main__ import main

    main()
