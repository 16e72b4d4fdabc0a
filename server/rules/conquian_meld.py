"""Conquian, section 3: what a player may lay down with the centre card.

"Setiap saat, gabungan yang Anda miliki di meja harus terdiri dari satu atau lebih kombinasi sah yang terpisah": only
the end counts, so one's own table may be re-arranged freely.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import pairwise

from server.rules import conquian_parts
from server.rules.cards import Card
from server.rules.conquian_covers import BIT, PACK, RANKS, SMALLEST
from server.rules.conquian_hand import ConquianHand, Melds, other
from server.rules.refusal import Code, Refused

FOREIGN = 1 << len(PACK)
"""Any card that is not of the pack, in a set."""
POSITION = {rank: place for place, rank in enumerate(RANKS, start=1)}


@lru_cache(1 << 12)
def hand_set(cards: tuple[Card, ...]) -> int:
    """The cards of a hand as a set; there is one of each."""
    return sum(map(BIT.__getitem__, cards))


@lru_cache(1 << 12)
def table_set(melds: Melds) -> int:
    """The cards of melds as a set; those of another pack all together are FOREIGN."""
    cards = 0
    for meld in melds:
        for card in meld:
            cards |= BIT.get(card, FOREIGN)
    return cards


def fits(hand: ConquianHand, card: Card, seat: int) -> bool:
    """Whether a card could be melded with the cards on a player's table alone, however they are divided."""
    melds = hand.melds[seat]
    return melds != () and conquian_parts.fits(BIT[card], table_set(melds))


def centre_fits(hand: ConquianHand, seat: int) -> bool:
    """Whether the centre card fits a player's table: then it may be forced on that player."""
    centre, melds = hand.centre, hand.melds[seat]
    return centre is not None and melds != () and conquian_parts.fits(BIT[centre.card], table_set(melds))


def judged(hand: ConquianHand, melds: Melds) -> tuple[Melds, tuple[Card, ...]]:
    """The table as it will lie, and the cards that it takes from the hand of the seat whose turn it is.

    Raises Refused with the first reason that holds: whose the cards are, the shape of each meld, and last that the
    old cards are all there (M1) and the centre card with them (M2).
    """
    own, table = hand.own, table_set(hand.melds[hand.turn])
    centre = BIT[hand.centre.card] if hand.centre else 0
    lying = table_set(melds)
    if lying & ~(hand_set(own) | table | centre) or lying.bit_count() < sum(map(len, melds)):
        _check_owners(hand, [card for meld in melds for card in meld])
    longest = hand.options.longest_run
    laid = tuple([shaped(meld, longest) for meld in melds])
    if not laid:
        raise Refused(Code.MELD_SIZE)
    if table & ~lying:
        before = [card for meld in hand.melds[hand.turn] for card in meld]
        raise Refused(Code.MELD_CARD_MISSING, card=next(card for card in before if not BIT[card] & lying))
    if not centre & lying:
        raise Refused(Code.CENTRE_NOT_USED, **({"card": hand.centre.card} if hand.centre else {}))
    return laid, tuple([card for card in own if BIT[card] & lying])


def _check_owners(hand: ConquianHand, named: list[Card]) -> None:
    """ "Sebuah kartu tidak boleh menjadi bagian dari lebih dari satu kombinasi pada saat yang sama." """
    allowed = {*hand.own, *(card for meld in hand.melds[hand.turn] for card in meld)}
    if hand.centre is not None:
        allowed.add(hand.centre.card)
    opposite = {card for meld in hand.melds[other(hand.turn)] for card in meld}
    for card in named:
        if card in opposite:
            raise Refused(Code.NOT_YOUR_MELD, card=card)
    for card in named:
        if card not in allowed:
            raise Refused(Code.NOT_IN_HAND, card=card)
    for card, count in Counter(named).items():
        if count > 1:
            raise Refused(Code.CARD_TWICE, card=card)


@lru_cache(1 << 10)
def shaped(cards: tuple[Card, ...], longest_run: int) -> tuple[Card, ...]:
    """A meld, a run in its order. Raises Refused for what is neither a group nor a run.

    "Tiga atau empat kartu dengan peringkat yang sama", or three and more of a suit that follow each other.
    """
    if len(cards) < SMALLEST:
        raise Refused(Code.MELD_SIZE)
    if len({card[0] for card in cards}) == 1:
        return cards
    if len({card[1] for card in cards}) > 1:
        raise Refused(Code.NOT_A_MELD)
    if len(cards) > longest_run:
        raise Refused(Code.RUN_TOO_LONG, most=longest_run)
    run = tuple(sorted(cards, key=lambda card: POSITION[card[0]]))
    places = [POSITION[card[0]] for card in run]
    if places[-1] - places[0] == len(places) - 1:
        return run
    raise Refused(Code.ACE_LOW_ONLY if _goes_round(places) else Code.RUN_GAP)


def _goes_round(places: list[int]) -> bool:
    """Whether cards that are no run would be one if the Ace joined the King: one gap only, on the circle of ranks.

    "Urutan A-2-3 dan 6-7-J sah, tetapi Q-K-A tidak diperbolehkan."
    """
    gaps = sum(high - low > 1 for low, high in pairwise(places))
    return gaps == 1 and (places[0], places[-1]) == (1, len(RANKS))
