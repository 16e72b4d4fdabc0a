"""How the cards may lie at Conquian, for one who has watched: hands that the other would have played as it did."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from msgspec import Struct

from server.bots.conquian_outlook import bits
from server.rules.conquian_covers import set_of
from server.rules.game import AnyEvent, Died, Discarded, ExchangeMade, Melded, Passed

TRIES = 4
"""Hands imagined for every world, one of which is taken by how well it explains what the other refused."""
UNLIKELY = 0.2
"""How likely it is that a card is refused which would have helped, compared with one that would not."""


class Refusal(Struct):
    """The other player refused a card while its table lay so; `left` are the cards that have left its hand since."""

    card: int
    table: int
    left: int = 0


class Watched(Struct):
    """What a seat has seen of the other: cards that died, refusals, and cards known to be in its hand."""

    dead: int
    refusals: list[Refusal]
    known: int


def watched(seen: Sequence[AnyEvent], seat: int) -> Watched:
    """What `seat` knows of the other player's hand from what has happened."""
    dead = table = known = 0
    refusals: list[Refusal] = []
    for event in seen:
        gone = 0
        match event:
            case Died(card=card):
                dead |= set_of([card])
            case ExchangeMade(gave=gave) if gave is not None:
                known |= set_of([gave[seat]])
            case Passed(seat=player, card=card) if player != seat:
                refusals.append(Refusal(set_of([card]), table))
            case Melded(seat=player, card=card, from_hand=used) if player != seat:
                gone = set_of(used)
                table |= gone | set_of([card])
            case Discarded(seat=player, card=card) if player != seat:
                gone = set_of([card])
            case _:
                pass
        known &= ~gone
        for refusal in refusals if gone else ():
            refusal.left |= gone
    return Watched(dead, refusals, known)


class Imagination:
    """Worlds that agree with what a seat has watched."""

    def __init__(
        self,
        known: Watched,
        unseen: int,
        hand_size: int,
        stock_size: int,
        would_meld: Callable[[int, int, int], bool],
    ) -> None:
        """`would_meld` says of a table, a hand and a centre card whether the other would have melded it."""
        self._known = known
        self._unseen = list(bits(unseen & ~known.known))
        self._more = hand_size - known.known.bit_count()
        self._stock_size = stock_size
        self._would_meld = would_meld

    def world(self, chance: random.Random) -> tuple[int, list[int]]:
        """A hand for the other player, and a stock with its top last."""
        cards = self._unseen
        hands = [sum(chance.sample(cards, self._more)) | self._known.known for _ in range(TRIES)]
        (hand,) = chance.choices(hands, [self.likelihood(hand) for hand in hands])
        rest = [card for card in cards if not card & hand]
        return hand, chance.sample(rest, min(self._stock_size, len(rest)))

    def likelihood(self, hand: int) -> float:
        """How well a hand explains the refusals, compared with one that explains them all."""
        likely = 1.0
        for refusal in self._known.refusals:
            if self._would_meld(refusal.table, hand | refusal.left, refusal.card):
                likely *= UNLIKELY
        return likely
