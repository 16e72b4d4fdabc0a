"""What a Konken player may choose from: canonical actions, a frame's small menu, and what the clock plays.

`apply` alone decides what is legal; everything listed here is accepted by it, and what it takes to play well
is listed: every single meld, one card an add, one use a swap, every discard.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from server.rules.cards import JOKER, Card, pack
from server.rules.game import (
    Add,
    AnyAction,
    Discard,
    Draw,
    Lay,
    Legal,
    MeldView,
    Swap,
    Take,
    Why,
    no_choice,
    waiting,
)
from server.rules.hands import kept_back
from server.rules.konken_hand import KonkenHand, KonkenOptions
from server.rules.konken_jokers import fewest_cards_of_a_lay, melds_for_joker, needs_extension, swap
from server.rules.konken_lay import (
    fewest_to_keep,
    finish_fault,
    held,
    may_finish,
    opening_minimum,
    openings_of,
)
from server.rules.melds import joining, melds_in, swapped, takers
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
        return [*draws(hand)]
    if hand.pending is not None:
        return [*uses(hand)]
    discards = (Discard(card) for card in discardable(hand))
    return [*lays(hand), *adds(hand), *swaps(hand), *discards]


def draws(hand: KonkenHand) -> Iterator[AnyAction]:
    """ "Sıranda önce kapalı desteden veya ıskarta destesinin yalnızca en üstündeki kartı çekersin." """
    if hand.stock:
        yield Draw()
    if take_fault(hand) is None:
        yield Take()


def take_fault(hand: KonkenHand) -> Code | None:
    """Why the top of the discard pile cannot be taken: there is none, or the stall guard wants a stock
    draw.
    """
    if not hand.pile:
        return Code.DISCARD_EMPTY
    if hand.idle >= STALL_TURNS * len(hand.hands):
        return Code.MUST_DRAW
    return None


def uses(hand: KonkenHand) -> Iterator[Add | Lay]:
    """What may be done with the Joker that waits, by itself or with cards of the hand in a new meld."""
    yield from adds(hand)
    yield from lays(hand)


def lays(hand: KonkenHand, room: int | None = None) -> Iterator[Lay]:
    """Lays of one meld, or of what reaches the opening minimum; of at most `room` cards.

    While a Joker waits it has to be among them.
    """
    cards, joker = held(hand), hand.pending is not None
    room = len(cards) - fewest_to_keep(hand) if room is None else room
    needed = opening_minimum(hand)
    if needed:
        most = MOST_USES if joker else MOST_OPENINGS
        for opening in openings_of(cards).listed(needed, room, joker, most):
            yield Lay(tuple(part.cards for part in opening))
        return
    for meld in melds_in(cards):
        if len(meld) <= room and (not joker or JOKER in meld):
            yield Lay((meld,))


def adds(hand: KonkenHand) -> Iterator[Add]:
    """Single cards onto melds; with the end where both would do. While a Joker waits, that Joker."""
    for card, melds in joinable(hand).items():
        for meld in melds:
            for end in joining(meld.kind, meld.cards)[card]:
                yield Add(meld.id, (card,), end)


def joinable(hand: KonkenHand) -> dict[Card, list[MeldView]]:
    """For each card of the hand the melds that it may join."""
    if add_fault(hand) is not None:
        return {}
    if hand.pending is not None:
        return {JOKER: melds} if (melds := list(melds_for_joker(hand))) else {}
    found: dict[Card, list[MeldView]] = {}
    own = set(hand.own)
    for meld in hand.table:
        for card in joining(meld.kind, meld.cards):
            if card in own:
                found.setdefault(card, []).append(meld)
    return found


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


def swaps(hand: KonkenHand) -> Iterator[Swap]:
    """Swaps with each use of their Joker, and a card more where a run of three has to grow."""
    for card, melds in reclaimable(hand).items():
        for meld in melds:
            for action, after in swaps_of(hand, meld, card):
                for then in uses(after):
                    yield Swap(meld.id, card, action.extend, then)


def reclaimable(hand: KonkenHand) -> dict[Card, list[MeldView]]:
    """For each card of the hand the melds in which it may take a Joker's place, with a use for that Joker."""
    found: dict[Card, list[MeldView]] = {}
    if is_locked(hand):
        return found
    own = set(hand.own)
    for meld in hand.table:
        for card in takers(meld.kind, meld.cards):
            if card in own and next(swaps_of(hand, meld, card), None) is not None:
                found.setdefault(card, []).append(meld)
    return found


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
    back = returned(hand)
    return [card for card in dict.fromkeys(hand.own) if card != back]


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
        add=_numbers(joinable(hand)),
        swap={} if hand.pending is not None else _numbers(reclaimable(hand)),
    )


def _verbs(faults: dict[str, Code | None]) -> dict[str, Why | None]:
    return {verb: None if fault is None else Why(fault, {}) for verb, fault in faults.items()}


def _numbers(melds_by_card: dict[Card, list[MeldView]]) -> dict[Card, tuple[int, ...]]:
    return {card: tuple(meld.id for meld in melds) for card, melds in melds_by_card.items()}


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
