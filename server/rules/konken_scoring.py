"""Konken, section 5: penalties, the end of a hand, the match."""

from __future__ import annotations

import msgspec

from server.rules.cards import JOKER, Card
from server.rules.events import HandEnded
from server.rules.konken_hand import KonkenHand, KonkenOptions
from server.rules.melds import POINTS
from server.rules.result import Ending, Result


def penalty(options: KonkenOptions, cards: tuple[Card, ...], laid: bool) -> int:
    """The penalty of the cards left in a hand, and of never having opened."""
    return sum(card_penalty(options, card) for card in cards) + (0 if laid else options.unopened_penalty)


def card_penalty(options: KonkenOptions, card: Card) -> int:
    """What one card costs that is left in a hand."""
    if card == JOKER:
        return options.joker_penalty
    return options.ace_penalty if card[0] == "A" else POINTS[card[0]]


def go_out(hand: KonkenHand) -> tuple[KonkenHand, HandEnded]:
    """ "Elini bitiren oyuncu eli kazanır." """
    return _end(hand, "out", (hand.turn,), _penalties(hand))


def stock_out(hand: KonkenHand) -> tuple[KonkenHand, HandEnded]:
    """ "Deste biterse el cezası en düşük oyuncu eli kazanır"; a tie is broken as the option says."""
    penalties = _penalties(hand)
    lowest = [seat for seat in in_turn_order(hand) if penalties[seat] == min(penalties)]
    if len(lowest) > 1 and hand.options.tie == "void":
        return _end(hand, "void", (), penalties)
    if hand.options.tie == "turn_order":
        lowest = lowest[:1]
    return _end(hand, "stock", tuple(lowest), penalties)


def in_turn_order(hand: KonkenHand) -> list[int]:
    """The seats as they play in this hand, from the one that began."""
    count = len(hand.hands)
    return [(hand.first + step) % count for step in range(count)]


def _penalties(hand: KonkenHand) -> tuple[int, ...]:
    both = zip(hand.hands, hand.laid, strict=True)
    return tuple(penalty(hand.options, cards, laid) for cards, laid in both)


def _end(
    hand: KonkenHand, ending: Ending, winners: tuple[int, ...], penalties: tuple[int, ...]
) -> tuple[KonkenHand, HandEnded]:
    points = _points(winners, penalties)
    result = Result(ending, tuple(sorted(winners)), points, penalties, hand.hands)
    over = msgspec.structs.replace(hand, phase="over", drawn=None, taken=None, idle=0, result=result)
    return over, HandEnded(result)


def _points(winners: tuple[int, ...], penalties: tuple[int, ...]) -> tuple[int, ...]:
    """ "El galibi, diğer üç oyuncunun elde kalan toplam ceza puanını pozitif puan olarak alır. Diğer
    oyuncular kendi el cezaları kadar eksi puan alır."

    Joint winners, given in turn order, split the pot evenly, rounded down; odd points go one each to the
    earliest.
    """
    points = [0 if seat in winners or not winners else -own for seat, own in enumerate(penalties)]
    pot = -sum(points)
    for place, seat in enumerate(winners):
        points[seat] = pot // len(winners) + (place < pot % len(winners))
    return tuple(points)


def match_winner(options: KonkenOptions, totals: tuple[int, ...], hands: int) -> int | None:
    """ "Bir el sonunda toplamı 500 veya üzeri olan en yüksek puanlı oyuncu maçı kazanır."

    With `max_hands` the highest total wins after that many counted hands. Equal top totals: another hand.
    """
    decided = max(totals) >= options.target or 0 < options.max_hands <= hands
    if not decided or totals.count(max(totals)) > 1:
        return None
    return totals.index(max(totals))
