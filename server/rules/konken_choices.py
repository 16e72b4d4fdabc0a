"""What a Konken player may choose from: canonical actions, a frame's small menu, and what the clock plays.

`apply` alone decides what is legal; everything listed here is accepted by it, and what it takes to play well
is listed: every single meld, one card an add, one use a swap, every discard.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from server.rules.actions import Add, AnyAction, Discard, Draw, Lay, Swap, Take
from server.rules.cards import JOKER, Card, pack
from server.rules.game import Legal, MeldView, Why, no_choice, waiting
from server.rules.hands import kept_back
from server.rules.held import DISCARD, DRAW, JOKER_BIT, TAKE, adds_by_card, faces_in, meld_numbers
from server.rules.konken_hand import KonkenHand, KonkenOptions
from server.rules.konken_jokers import fewest_cards_of_a_lay, needs_extension, swap
from server.rules.konken_known import lays_of, spots_of
from server.rules.konken_lay import (
    fewest_to_keep,
    finish_fault,
    held,
    may_finish,
    opening_minimum,
    openings_of,
)
from server.rules.melds import joining, swapped, takers
from server.rules.notation import action_text
from server.rules.refusal import Code, Refused

STALL_TURNS = 10
"""Turns a player without a stock draw or a table action until `take` is refused (common.md, stall guard)."""
MOST_OPENINGS = 100
"""With an opening minimum melds combine; a hand full of Jokers has thousands, and nobody chooses from so many. The one
that leaves the least is the first of them.
"""
MOST_USES = 25
"""The same for a Joker that waits, since every swap has its own."""
VERBS = ("draw", "take", "lay", "add", "swap", "discard")


def most_actions(options: KonkenOptions) -> int:
    """A bound on the actions of a hand.

    Every turn but the stall guard's `STALL_TURNS` a player in a row draws from the stock or acts on the table. The
    stock is never refilled, and every lay, add and swap with its use leaves a card more on the table for good.
    """
    cards = len(pack(options.packs, options.jokers))
    busy_turns = 2 * cards
    turns = busy_turns * (STALL_TURNS * options.players + 1)
    return 2 * turns + 2 * cards


def legal(hand: KonkenHand, seat: int) -> list[AnyAction]:
    """Canonical legal actions of a seat; none for a seat that is not asked."""
    if hand.phase == "over" or seat != hand.turn:
        return []
    if hand.phase == "draw":
        return draws(hand)
    if hand.pending is not None:
        return [*uses(hand)]
    discards = [DISCARD[card] for card in discardable(hand)]
    return [*lays(hand), *adds(hand), *swaps(hand), *discards]


def draws(hand: KonkenHand) -> list[AnyAction]:
    """ "Sıranda önce kapalı desteden veya ıskarta destesinin yalnızca en üstündeki kartı çekersin." """
    found: list[AnyAction] = [DRAW] if hand.stock else []
    return found if take_fault(hand) else [*found, TAKE]


def take_fault(hand: KonkenHand) -> Code | None:
    """Why the top of the discard pile cannot be taken: there is none, or the stall guard wants a stock
    draw.
    """
    if not hand.pile:
        return Code.DISCARD_EMPTY
    if hand.idle >= STALL_TURNS * len(hand.hands):
        return Code.MUST_DRAW
    return None


def uses(hand: KonkenHand) -> list[Add | Lay]:
    """What may be done with the Joker that waits, by itself or with cards of the hand in a new meld."""
    return [*adds(hand), *lays(hand)]


def lays(hand: KonkenHand, room: int | None = None) -> list[Lay]:
    """Lays of one meld, or of what reaches the opening minimum; of at most `room` cards.

    While a Joker waits it has to be among them.
    """
    cards, joker = held(hand), hand.pending is not None
    if needed := opening_minimum(hand):
        room = len(cards) - fewest_to_keep(hand) if room is None else room
        most = MOST_USES if joker else MOST_OPENINGS
        openings = openings_of(cards)
        cheapest = openings.cheapest(needed, room, joker)
        if cheapest is None:
            return []
        listed = openings.listed(cheapest, needed, room, joker, most)
        return [Lay(tuple(part.cards for part in opening)) for opening in listed]
    found = lays_of(faces_in(cards), cards.count(JOKER))
    if not found:
        return found
    room = len(cards) - fewest_to_keep(hand) if room is None else room
    return [lay for lay in found if len(lay.melds[0]) <= room and (not joker or JOKER in lay.melds[0])]


def adds(hand: KonkenHand) -> list[Add]:
    """Single cards onto melds; with the end where both would do. While a Joker waits, that Joker."""
    return [add for ways in joinable(hand).values() for add in ways]


def joinable(hand: KonkenHand) -> dict[Card, list[Add]]:
    """For each card of the hand the ways in which it may join melds."""
    spots, own = spots_of(hand.table), faces_in(hand.own) if hand.pending is None else JOKER_BIT
    if not spots.joins & own or add_fault(hand) is not None:
        return {}
    return adds_by_card(spots, own, hand.pending)


def add_fault(hand: KonkenHand) -> Code | None:
    """Why nothing may be added at all."""
    if is_locked(hand):
        return Code.LOCKED
    if hand.pending is not None and hand.options.reclaimed_joker == "new_meld_only":
        return Code.JOKER_PENDING
    return finish_fault(hand, len(held(hand)) - 1, opening=False)


def is_locked(hand: KonkenHand) -> bool:
    """Whether the option asks for an opening before adding and swapping."""
    return hand.options.must_open_before_layoff == "on" and not hand.has_opened


def swaps(hand: KonkenHand) -> list[Swap]:
    """Swaps with each use of their Joker, and a card more where a run of three has to grow."""
    return [
        Swap(swap.meld, swap.card, swap.extend, then)
        for ways in reclaimable(hand).values()
        for swap, after in ways
        for then in uses(after)
    ]


def reclaimable(hand: KonkenHand) -> dict[Card, list[tuple[Swap, KonkenHand]]]:
    """For each card of the hand the ways in which it may take a Joker's place, with the hand after each."""
    found: dict[Card, list[tuple[Swap, KonkenHand]]] = {}
    if not spots_of(hand.table).takers & faces_in(hand.own) or is_locked(hand):
        return found
    for meld in hand.table:
        for card in takers(meld.kind, meld.cards):
            if card in hand.own and (ways := [*swaps_of(hand, meld, card)]):
                found.setdefault(card, []).extend(ways)
    return found


def _swaps_by_card(hand: KonkenHand) -> dict[Card, list[Swap]]:
    return {card: [swap for swap, _ in ways] for card, ways in reclaimable(hand).items()}


def swaps_of(hand: KonkenHand, meld: MeldView, card: Card) -> Iterator[tuple[Swap, KonkenHand]]:
    """Legal swaps of a card into a meld, the Joker's use left open, and the hand after each."""
    for extend in _extensions(hand, meld, card):
        action = Swap(meld.id, card, extend)
        try:
            yield action, swap(hand, action)[0]
        except Refused:
            continue


def _extensions(hand: KonkenHand, meld: MeldView, card: Card) -> Iterable[tuple[Card, ...]]:
    if not needs_extension(meld):
        return [()]
    joins = joining(meld.kind, swapped(meld.kind, meld.cards, card))
    return [(extra,) for extra in joins if extra in hand.own]


def discardable(hand: KonkenHand) -> list[Card]:
    """The faces that may be thrown, in the order of the hand."""
    if throwing_fault(hand) is not None:
        return []
    cards = list(dict.fromkeys(hand.own))
    if (back := returned(hand)) is not None:
        cards.remove(back)
    return cards


def discard_fault(hand: KonkenHand, card: Card) -> Code | None:
    """Why a held card may not be thrown."""
    return throwing_fault(hand) or (Code.RETURN_TAKEN if card == returned(hand) else None)


def throwing_fault(hand: KonkenHand) -> Code | None:
    """Why no card may be thrown.

    The first Joker rule: "Masadan geri alınan joker aynı tur içinde bir perde kullanılmadan kart atılamaz."
    Rule F: whoever may not finish keeps a card.
    """
    if hand.pending is not None:
        return Code.JOKER_PENDING
    return Code.NO_FINISH_ON_OPENING if len(hand.own) == 1 and not may_finish(hand) else None


def returned(hand: KonkenHand) -> Card | None:
    """The card just taken, where by option it may not go straight back."""
    return kept_back(hand.own, hand.taken) if hand.options.return_taken_discard == "off" else None


# ---- the menu of a frame -----------------------------------------------------------------------------------


def menu(hand: KonkenHand, seat: int) -> Legal:
    """Which verbs a seat can use, or why not; for the seat that is asked also which cards may go where."""
    if hand.phase == "over":
        return no_choice(VERBS, Why(Code.HAND_OVER, {}))
    if seat != hand.turn:
        return waiting(VERBS, hand.turn)
    if hand.phase == "draw":
        return Legal(_verbs(_draw_faults(hand)), (), {}, {})
    throwable = discardable(hand)
    return Legal(
        _verbs(_act_faults(hand, throwable)),
        discard=tuple(throwable),
        add=meld_numbers(joinable(hand)),
        swap={} if hand.pending is not None else meld_numbers(_swaps_by_card(hand)),
    )


def _verbs(faults: dict[str, Code | None]) -> dict[str, Why | None]:
    return {verb: None if fault is None else Why(fault, {}) for verb, fault in faults.items()}


def _draw_faults(hand: KonkenHand) -> dict[str, Code | None]:
    faults: dict[str, Code | None] = dict.fromkeys(VERBS, Code.WRONG_PHASE)
    return faults | {"draw": None if hand.stock else Code.STOCK_EMPTY, "take": take_fault(hand)}


def _act_faults(hand: KonkenHand, throwable: list[Card]) -> dict[str, Code | None]:
    """A reason only where it holds for every card; for single cards the maps of the menu tell."""
    waiting = None if hand.pending is None else Code.JOKER_PENDING
    return {
        "draw": Code.WRONG_PHASE,
        "take": Code.WRONG_PHASE,
        "lay": finish_fault(hand, max(0, len(held(hand)) - 3), opening=not hand.has_opened),
        "add": add_fault(hand),
        "swap": Code.LOCKED if is_locked(hand) else waiting,
        "discard": None if throwable or not hand.own else discard_fault(hand, hand.own[0]),
    }


# ---- the clock ---------------------------------------------------------------------------------------------


def timeout(hand: KonkenHand) -> AnyAction:
    """The next step of the least harmful move: draw, seat a waiting Joker, discard (common.md, turn
    clock).
    """
    if hand.phase == "draw":
        return Draw() if hand.stock else Take()
    if hand.pending is not None:
        return first_use(hand)
    cards = discardable(hand)
    newest = hand.drawn or hand.taken
    return Discard(newest if newest in cards else cards_from_right(hand, cards))


def cards_from_right(hand: KonkenHand, cards: list[Card]) -> Card:
    """The rightmost card of the hand that is among `cards`."""
    return next(card for card in reversed(hand.own) if card in cards)


def first_use(hand: KonkenHand) -> Add | Lay:
    """The first use of a waiting Joker: fewest cards, then lowest notation text (section 4)."""
    alone = list(adds(hand))
    if alone:
        return min(alone, key=action_text)
    cards = fewest_cards_of_a_lay(hand) or 0
    return min(lays(hand, room=cards + 1), key=action_text)
