"""What a Conquian player may choose from: canonical actions, a frame's small menu, and what the clock plays.

`apply` alone decides what is legal; everything listed here is accepted by it. Of the many ways to divide the same
cards into melds one is listed: how they are divided now never limits how they may be divided later.
"""

from __future__ import annotations

from functools import lru_cache

from server.rules.actions import AnyAction, Discard, Exchange, Force, Meld, Pass, Waive
from server.rules.cards import Card
from server.rules.conquian_covers import BIT, PACK, cards_of, first_division, neat_division
from server.rules.conquian_hand import ConquianHand, ConquianOptions, other
from server.rules.conquian_meld import centre_fits, fits, hand_set, table_set
from server.rules.conquian_parts import fits as fits_table
from server.rules.conquian_parts import parts
from server.rules.game import Legal, Why, no_choice, waiting
from server.rules.refusal import Code

PASS, FORCE, WAIVE = Pass(), Force(), Waive()
DISCARDS = {card: Discard(card) for card in PACK}
VERBS = ("meld", "pass", "force", "waive", "discard", "exchange")


def most_actions(options: ConquianOptions) -> int:
    """A bound on the actions of a hand.

    Every card that comes to the centre is melded or dead afterwards, and takes five actions at most: passed, passed or
    forced, forced or waived, melded, and the discard that brings the next card there. The exchange is two more.
    """
    return 5 * len(PACK) + 2


# ---- who has to do what ------------------------------------------------------------------------------------


def deciders(hand: ConquianHand) -> tuple[int, ...]:
    """The seats that are asked."""
    match hand.phase:
        case "over":
            return ()
        case "exchange":
            return tuple(seat for seat in (0, 1) if hand.chosen[seat] is None)
        case _:
            return (hand.turn,)


def must_meld(hand: ConquianHand) -> bool:
    """Whether the seat whose turn it is has to meld the centre card: forced by the opponent, or by the table."""
    if hand.phase == "forced":
        return True
    decides = hand.phase in ("own", "offered")
    return decides and hand.options.forcing == "auto" and centre_fits(hand, hand.turn)


def pass_fault(hand: ConquianHand) -> Code | None:
    """Why the centre card may not be refused."""
    if hand.phase == "discard":
        return Code.MUST_DISCARD
    if hand.phase not in ("own", "offered", "forced"):
        return Code.WRONG_PHASE
    return Code.FORCED if must_meld(hand) else None


def force_fault(hand: ConquianHand) -> Code | None:
    """Why the opponent cannot be forced to meld the centre card: it has to be one that the opponent declined.

    Who is offered a card may force it back on the player who turned it, not on the one who threw it.
    """
    if hand.phase not in ("offered", "window"):
        return Code.WRONG_PHASE
    if hand.options.forcing == "off":
        return Code.FORCING_OFF
    centre = hand.centre
    declined = hand.phase == "window" or (
        centre is not None and centre.how == "turned" and centre.by != hand.turn and not hand.is_upcard
    )
    return None if declined and centre_fits(hand, other(hand.turn)) else Code.CANNOT_FORCE


def discard_force_fault(hand: ConquianHand, card: Card) -> Code | None:
    """Why a card cannot be forced on the opponent as it is thrown."""
    if hand.options.forcing == "off":
        return Code.FORCING_OFF
    return None if fits(hand, card, other(hand.turn)) else Code.CANNOT_FORCE


def forceable(hand: ConquianHand, seat: int) -> tuple[Card, ...]:
    """The cards that a seat could throw now and force on the opponent; where the table insists, no word is needed."""
    table = table_set(hand.melds[other(seat)])
    if hand.phase != "discard" or seat != hand.turn or hand.options.forcing != "optional" or not table:
        return ()
    return tuple([card for card in hand.own if fits_table(BIT[card], table)])


# ---- canonical actions -------------------------------------------------------------------------------------


def legal(hand: ConquianHand, seat: int) -> list[AnyAction]:
    """Canonical legal actions of a seat; none for a seat that is not asked."""
    phase = hand.phase
    if phase == "exchange":
        return [Exchange(card) for card in hand.hands[seat]] if hand.chosen[seat] is None else []
    if seat != hand.turn or phase == "over":
        return []
    if phase == "window":
        return [FORCE, WAIVE]
    if phase == "discard":
        forced = [Discard(card, force=True) for card in forceable(hand, seat)]
        return [*map(DISCARDS.__getitem__, hand.own), *forced]
    actions: list[AnyAction] = [*melds(hand)]
    if not must_meld(hand):
        actions.append(PASS)
    if phase == "offered" and force_fault(hand) is None:
        actions.append(FORCE)
    return actions


def melds(hand: ConquianHand) -> list[Meld]:
    """For every part of the hand that can go down with the centre card one way to lay it, fewest cards first."""
    needed, used = meldable(hand)
    if not used:
        return []
    longest = hand.options.longest_run
    by_size = sorted([(part.bit_count(), part) for part in used])
    return [meld_of(needed | part, longest) for _, part in by_size]


def meldable(hand: ConquianHand) -> tuple[int, list[int]]:
    """The cards that a meld of the deciding seat has to hold, and the parts of its hand that can go down with them."""
    table = table_set(hand.melds[hand.turn])
    if hand.centre is None:
        return table, []
    centre = BIT[hand.centre.card]
    return table | centre, parts(centre, table, hand_set(hand.own))


@lru_cache(1 << 13)
def meld_of(cards: int, longest: int) -> Meld:
    """Cards that can lie, in the neatest division, as an action."""
    return Meld(tuple(neat_division(cards, longest)))


def arrange(hand: ConquianHand, seat: int) -> tuple[tuple[Card, ...], ...]:
    """A proposal for melding the centre card with most cards, for the seat that decides on it; or nothing."""
    if hand.phase not in ("own", "offered", "forced") or seat != hand.turn:
        return ()
    needed, used = meldable(hand)
    best = max(used, key=lambda part: (part.bit_count(), -part), default=None)
    return () if best is None else meld_of(needed | best, hand.options.longest_run).melds


# ---- the menu of a frame -----------------------------------------------------------------------------------


def menu(hand: ConquianHand, seat: int) -> Legal:
    """Which verbs a seat can use, or why not, and the cards that it may throw."""
    if hand.phase == "over":
        return no_choice(VERBS, Why(Code.HAND_OVER, {}))
    if hand.phase == "exchange":
        late = Why(Code.WRONG_PHASE, {})
        verbs = dict.fromkeys(VERBS, late) | {"exchange": late if hand.chosen[seat] else None}
        return Legal(verbs, (), {}, {})
    if seat != hand.turn:
        return waiting(VERBS, hand.turn)
    due = hand.phase == "discard"
    faults = {
        "meld": _meld_fault(hand),
        "pass": pass_fault(hand),
        "force": force_fault(hand),
        "waive": None if hand.phase == "window" else Code.WRONG_PHASE,
        "discard": None if due else Code.WRONG_PHASE,
        "exchange": Code.WRONG_PHASE,
    }
    verbs = {verb: None if fault is None else Why(fault, {}) for verb, fault in faults.items()}
    return Legal(verbs, hand.own if due else (), {}, {})


def _meld_fault(hand: ConquianHand) -> Code | None:
    """Not the time to meld, or nothing can be melded with the centre card."""
    if hand.phase not in ("own", "offered", "forced"):
        return Code.WRONG_PHASE
    _, used = meldable(hand)
    return None if used else Code.DOES_NOT_FIT


# ---- the clock ---------------------------------------------------------------------------------------------


def timeout(hand: ConquianHand, seat: int) -> AnyAction:
    """The next step of the least harmful move (common.md, turn clock).

    Pass; where that is refused the first legal division without hand cards; in the window waive; where a card has to
    leave the hand the rightmost one.
    """
    match hand.phase:
        case "exchange":
            return Exchange(hand.hands[seat][-1])
        case "window":
            return Waive()
        case "discard":
            return Discard(hand.own[-1])
        case _:
            return _forced_meld(hand) if must_meld(hand) else Pass()


def _forced_meld(hand: ConquianHand) -> Meld:
    """The lowest text of those without hand cards. Only a position that no play leads to has none, and takes the next
    best."""
    needed, used = meldable(hand)
    least = min(used, key=lambda part: (part.bit_count(), cards_of(part)))
    division = first_division(needed | least, hand.options.longest_run)
    assert division is not None, "the cards can lie"  # noqa: S101
    return Meld(tuple([tuple(meld.split()) for meld in division.split(" / ")]))
