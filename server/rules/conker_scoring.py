"""Conker, section 5: what a hand is worth, the end of a hand, the match."""

from __future__ import annotations

import msgspec

from server.rules.cards import JOKER, NATURALS, Card, is_joker
from server.rules.conker_hand import ConkerHand, ConkerOptions
from server.rules.events import HandEnded
from server.rules.melds import POINTS
from server.rules.result import Ending, Result

ACE_POINTS = 11
"""An Ace left in a hand: low only where it stands low in a run."""
JOKER_POINTS = 25
""" "Joker counts 25 when left in your hand." """


def hand_points(cards: tuple[Card, ...]) -> int:
    """The points of cards left in a hand."""
    return sum(map(card_points, cards))


def card_points(card: Card) -> int:
    """What one card counts that is left in a hand."""
    if card == JOKER:
        return JOKER_POINTS
    return ACE_POINTS if card[0] == "A" else POINTS[card[0]]


COSTS = {card: card_points(card) for card in NATURALS} | {JOKER: 0}
"""What cards cost that are left over when melds are put together; a Joker is kept for free, and costs a point to lay:
less than any card that it helps to lay.
"""


def close(hand: ConkerHand, card: Card) -> tuple[ConkerHand, HandEnded]:
    """ "You must always have one final card left to discard. That discard closes the round." """
    doubled = hand.options.joker_close_double == "on" and is_joker(card)
    penalties = _penalties(hand)
    points = _points(hand, penalties)
    return _end(hand, "out", (hand.turn,), tuple(2 * own for own in points) if doubled else points, penalties)


def void(hand: ConkerHand) -> tuple[ConkerHand, HandEnded]:
    """No stock can be built: no score."""
    return _end(hand, "void", (), (0,) * len(hand.hands), _penalties(hand))


def _penalties(hand: ConkerHand) -> tuple[int, ...]:
    """What each seat's cards count, and for those who keep some where points are not flat, what being locked does."""
    locked = 0 if hand.options.scoring == "flat" else hand.options.locked_penalty
    both = zip(hand.hands, hand.opened, strict=True)
    return tuple(hand_points(cards) + (0 if opened or not cards else locked) for cards, opened in both)


def _points(hand: ConkerHand, penalties: tuple[int, ...]) -> tuple[int, ...]:
    """The points of the round for a winner, whose hand is empty."""
    if hand.options.scoring == "penalty":
        return tuple(0 if seat == hand.turn else own for seat, own in enumerate(penalties))
    won = len(penalties) - 1 if hand.options.scoring == "flat" else sum(penalties) - penalties[hand.turn]
    return tuple(won if seat == hand.turn else 0 for seat in range(len(penalties)))


def _end(
    hand: ConkerHand,
    ending: Ending,
    winners: tuple[int, ...],
    points: tuple[int, ...],
    penalties: tuple[int, ...],
) -> tuple[ConkerHand, HandEnded]:
    result = Result(ending, winners, points, penalties, hand.hands)
    over = msgspec.structs.replace(
        hand, phase="over", drawn=None, taken=None, entered=False, idle=0, result=result
    )
    return over, HandEnded(result)


def match_winner(options: ConkerOptions, totals: tuple[int, ...], hands: int) -> int | None:
    """First to the target at the end of a round; highest wins, with `penalty` lowest. A tie on top plays on.

    With `max_hands` the match also ends after that many counted hands.
    """
    decided = max(totals) >= options.target or 0 < options.max_hands <= hands
    best = min(totals) if options.scoring == "penalty" else max(totals)
    if not decided or totals.count(best) > 1:
        return None
    return totals.index(best)
