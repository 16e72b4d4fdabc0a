"""What a Conker player may choose from: canonical actions, a frame's small menu, and what the clock plays.

`apply` alone decides what is legal; everything listed here is accepted by it, and what it takes to play well is
listed: openings of which no meld could be spared and the fullest one, every single meld, one card an add, every swap,
every discard.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from server.rules.actions import Add, AnyAction, Discard, Draw, Lay, Swap
from server.rules.cards import JOKER, Card, pack
from server.rules.conker_finder import parts_in
from server.rules.conker_hand import ConkerHand, ConkerOptions
from server.rules.conker_known import known
from server.rules.conker_melds import new_meld, points, takers
from server.rules.conker_openings import openings_in, openings_of
from server.rules.conker_scoring import COSTS
from server.rules.game import Legal, Why, no_choice, waiting
from server.rules.hands import kept_back
from server.rules.held import DISCARD, DRAW, TAKE, adds_by_card, counted, faces_in, meld_numbers
from server.rules.melds import SMALLEST, Cards
from server.rules.partition import Partition
from server.rules.refusal import Code

PACK = pack(2, 4)
""" "Two standard 52-card decks plus four jokers." """
HAND_SIZE = 13
""" "Each player is dealt 13 cards." """
STALL_TURNS = 10
"""Turns a player without a stock draw or a table action until `take` is refused (common.md, stall guard)."""
VERBS = ("draw", "take", "lay", "add", "swap", "discard")


def most_actions(options: ConkerOptions) -> int:
    """A bound on the actions of a hand.

    Every turn but the stall guard's `STALL_TURNS` a player in a row draws from the stock or acts on the table. All
    stocks together hold at most a pack each. Each lay, add and swap leaves a natural more on the table for good, or
    adds one of the Jokers, which only a swap brings back.
    """
    draws = len(PACK) * (1 + options.max_reshuffles)
    on_table = 2 * len(PACK)
    turns = (draws + on_table) * (STALL_TURNS * options.players + 1)
    return 2 * turns + on_table


def legal(hand: ConkerHand, seat: int) -> list[AnyAction]:
    """Canonical legal actions of a seat; none for a seat that is not asked."""
    if hand.phase == "over" or seat != hand.turn:
        return []
    if hand.phase == "draw":
        return [DRAW, TAKE] if take_fault(hand) is None else [DRAW]
    discards = [DISCARD[card] for card in discardable(hand)]
    if not hand.is_in:
        return [*openings(hand), *discards]
    if not hand.may_use_table:
        return [*discards]
    return [*lays(hand), *adds(hand), *swaps(hand), *discards]


def take_fault(hand: ConkerHand) -> Code | None:
    """Why the top of the discard pile cannot be taken: "Until you get in you can't … take the discard"."""
    if not hand.pile:
        return Code.DISCARD_EMPTY
    if hand.idle >= STALL_TURNS * len(hand.hands):
        return Code.MUST_DRAW
    return None if hand.is_in else Code.LOCKED


# ---- laying ------------------------------------------------------------------------------------------------


def lays(hand: ConkerHand) -> list[Lay]:
    """Lays of one meld, for a seat that may use the table."""
    own = hand.own
    return known(hand.options).lays_of(faces_in(own), own.count(JOKER), room=len(own) - 1)


def openings(hand: ConkerHand) -> Sequence[Lay]:
    """Lays that get a locked seat in: those that could spare no meld, and the one that leaves the least in hand."""
    return openings_in(*counted(hand.own), hand.options)


def arranged(cards: tuple[Card, ...], options: ConkerOptions) -> tuple[Cards, ...]:
    """The melds that leave the least in hand, each in an order in which it may be laid; a Joker that no natural needs
    is kept.
    """
    parts, _ = Partition(cards, COSTS, thrifty=True, spent=1, melds=parts_in(cards, options)).plan(cards)
    return tuple([part.cards for part in parts])


def worth(lay: Iterable[Cards], options: ConkerOptions) -> int:
    """What valid melds come to as an opening."""
    return sum(points(*new_meld(meld, options)) for meld in lay)


# ---- the table ---------------------------------------------------------------------------------------------


def adds(hand: ConkerHand) -> list[Add]:
    """Single cards onto melds; with the end where both would do."""
    return [add for ways in joinable(hand).values() for add in ways]


def joinable(hand: ConkerHand) -> dict[Card, list[Add]]:
    """For each card of the hand the ways in which it may join melds."""
    spots, own = known(hand.options).spots_of(hand.table), faces_in(hand.own)
    if not spots.joins & own or add_fault(hand) is not None:
        return {}
    return adds_by_card(spots, own)


def add_fault(hand: ConkerHand) -> Code | None:
    """Why nothing may be added at all."""
    if not hand.may_use_table:
        return Code.LOCKED
    return Code.KEEP_ONE_CARD if len(hand.own) == 1 else None


def swaps(hand: ConkerHand) -> list[Swap]:
    """Every Joker that a card of the hand may take off the table."""
    return [swap for ways in reclaimable(hand).values() for swap in ways]


def reclaimable(hand: ConkerHand) -> dict[Card, list[Swap]]:
    """For each card of the hand the melds in which it may take a Joker's place."""
    found: dict[Card, list[Swap]] = {}
    if not hand.may_use_table or not known(hand.options).spots_of(hand.table).takers & faces_in(hand.own):
        return found
    for meld in hand.table:
        for card in takers(meld.cards):
            if card in hand.own:
                found.setdefault(card, []).append(Swap(meld.id, card))
    return found


def discardable(hand: ConkerHand) -> list[Card]:
    """The faces that may be thrown, in the order of the hand."""
    cards = list(dict.fromkeys(hand.own))
    if (back := returned(hand)) is not None:
        cards.remove(back)
    return cards


def discard_fault(hand: ConkerHand, card: Card) -> Code | None:
    """Why a held card may not be thrown."""
    return Code.RETURN_TAKEN if card == returned(hand) else None


def returned(hand: ConkerHand) -> Card | None:
    """The card just taken, where by option it may not go straight back."""
    return kept_back(hand.own, hand.taken) if hand.options.return_taken_discard == "off" else None


# ---- the menu of a frame -----------------------------------------------------------------------------------


def menu(hand: ConkerHand, seat: int) -> Legal:
    """Which verbs a seat can use, or why not; for the seat that is asked also which cards may go where."""
    if hand.phase == "over":
        return no_choice(VERBS, Why(Code.HAND_OVER, {}))
    if seat != hand.turn:
        return waiting(VERBS, hand.turn)
    wrong_phase = Why(Code.WRONG_PHASE, {"phase": hand.phase})
    verbs: dict[str, Why | None] = dict.fromkeys(VERBS, wrong_phase)
    if hand.phase == "draw":
        return Legal(verbs | {"draw": None, "take": _why(take_fault(hand))}, (), {}, {})
    throwable = discardable(hand)
    verbs |= {
        "lay": _lay_why(hand),
        "add": _why(add_fault(hand)),
        "swap": None if hand.may_use_table else _why(Code.LOCKED),
        "discard": None if throwable else _why(Code.RETURN_TAKEN),
    }
    return Legal(
        verbs,
        discard=tuple(throwable),
        add=meld_numbers(joinable(hand)),
        swap=meld_numbers(reclaimable(hand)),
    )


def _why(fault: Code | None) -> Why | None:
    return None if fault is None else Why(fault, {})


def _lay_why(hand: ConkerHand) -> Why | None:
    """Why nothing can be laid; for a locked seat also what its cards come to, and what it needs."""
    room = len(hand.own) - 1
    if hand.is_in and not hand.may_use_table:
        return Why(Code.LOCKED, {})
    if room < SMALLEST:
        return Why(Code.KEEP_ONE_CARD, {})
    if hand.is_in:
        return None
    needed = hand.options.opening_points
    most = openings_of(hand.own, hand.options).most_of(room)
    return None if most >= needed else Why(Code.OPENING_TOO_LOW, {"points": most, "needed": needed})


# ---- the clock ---------------------------------------------------------------------------------------------


def timeout(hand: ConkerHand) -> AnyAction:
    """The next step of the least harmful move: draw, then throw that card, or the rightmost that may be thrown
    (common.md, turn clock).
    """
    if hand.phase == "draw":
        return Draw()
    cards = discardable(hand)
    newest = hand.drawn or hand.taken
    return Discard(newest if newest in cards else next(card for card in reversed(hand.own) if card in cards))
