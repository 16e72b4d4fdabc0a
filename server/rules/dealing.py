"""Dealing for the games that turn up the first card of the discard pile: Konken and Conker."""

from __future__ import annotations

from collections.abc import Iterable

from server.rules.cards import Card, is_joker
from server.rules.game import Layout
from server.rules.shuffle import Dice


def dealt(cards: Iterable[Card], seats: int, hand_size: int, dealer: int, entropy: bytes) -> Layout:
    """How the cards of a hand lie: dealt one at a time from the seat after the dealer, then the upcard.

    A Joker turned up is put back at a random place of the stock and the next card is turned; with the place
    drawn from the same stream every order of the stock stays as likely as any other.
    """
    dice = Dice(entropy)
    shuffled = dice.shuffled(cards)
    hands, stock = shuffled[: seats * hand_size], shuffled[seats * hand_size :]
    while is_joker(stock[0]):
        place = dice.below(len(stock))
        rest = stock[1:]
        stock = (*rest[:place], stock[0], *rest[place:])
    first = (dealer + 1) % seats
    by_seat = tuple(hands[(seat - first) % seats :: seats] for seat in range(seats))
    return Layout(by_seat, stock[0], stock[1:])
