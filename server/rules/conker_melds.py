"""Conker, sections 3 and 4: what is a Tris, a Quatris or a run, which card a Joker stands for, what may join.

Other than in Konken the order of a lay matters: colours alternate in three of a rank, a run is named from low to
high, and so a Joker is the card of its place. The Ace is low (place 1) or high (place 14).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import pairwise, permutations, product

from server.rules.actions import End
from server.rules.cards import JOKER, RANKS, SUITS, Card, Placed, is_joker, stands_for
from server.rules.conker_hand import ConkerOptions
from server.rules.melds import (
    FEWEST_NATURALS,
    KEPT,
    LARGEST_GROUP,
    LONGEST_RUN,
    POSITION,
    SMALLEST,
    Cards,
    Kind,
    goes_round,
    with_ends,
)
from server.rules.refusal import Code, Refused

LARGEST_LAY = 4
""" "A Tris is any 3-card group … A Quatris is any 4-card group": longer runs grow on the table."""
ACE_HIGH = LONGEST_RUN + 1
"""The place of the Ace above the King."""
RED = {"H": True, "D": True, "S": False, "C": False}
""" "Hearts and diamonds are red. Spades and clubs are black." """
HIGH_ACE_POINTS = 11
ALTERNATING = {card: place for place, card in enumerate(rank + suit for suit in "SHCD" for rank in RANKS)}
"""Suit by suit so that colours alternate, low to high."""
PLACE_POINTS = {place: min(place, 10) for place in range(1, ACE_HIGH)} | {ACE_HIGH: HIGH_ACE_POINTS}
""" "Ace = 11 in a same-rank group or high run, 1 when low in a run"; court cards 10, others their pips."""


def points(kind: Kind, cards: Cards) -> int:
    """Points towards the opening of a meld whose Jokers are settled; "its value is the card it represents"."""
    if kind == "run":
        low = POSITION[role_in_run(cards[0])[0]]
        return sum(PLACE_POINTS[place] for place in range(low, low + len(cards)))
    place = POSITION[_rank(cards)]
    return len(cards) * PLACE_POINTS[ACE_HIGH if place == 1 else place]


def role_in_run(card: Placed) -> Card:
    """The card that a place of a run is; a Joker of a run is always settled."""
    role = stands_for(card)
    assert role is not None, "every Joker of a run is settled"  # noqa: S101
    return role


def _rank(group: Cards) -> str:
    return next(card[0] for card in group if not is_joker(card))


# ---- new melds ---------------------------------------------------------------------------------------------


@lru_cache(KEPT)
def new_meld(cards: Cards, options: ConkerOptions) -> tuple[Kind, Cards]:
    """Judge the cards of a new meld, in the order in which they are laid: its kind, and its cards with the Jokers
    settled as far as they are.
    """
    naturals = [card for card in cards if not is_joker(card)]
    one_rank = len({card[0] for card in naturals}) <= 1
    one_suit = len({card[1] for card in naturals}) <= 1
    of_a_rank = one_rank and len(naturals) >= FEWEST_NATURALS
    longest = LARGEST_LAY if of_a_rank or options.long_lay == "off" else len(cards)
    if len(cards) < SMALLEST:
        raise Refused(Code.MELD_SIZE)
    if len(cards) > longest:
        raise Refused(Code.MELD_SIZE, most=longest)
    if not one_rank and not one_suit:
        raise Refused(Code.NOT_A_MELD)
    _check_number(len(cards) - len(naturals), options)
    if len(naturals) < FEWEST_NATURALS:
        raise Refused(Code.TOO_FEW_NATURALS)
    if one_rank:
        if len(set(naturals)) < len(naturals):
            raise Refused(Code.SUIT_REPEATED)
        return "group", settled_group(cards, len(cards) == SMALLEST or options.quatris_alternation == "on")
    return "run", settled_run(cards)


def _check_number(jokers: int, options: ConkerOptions) -> None:
    """ "A wild Joker can stand in for a missing card": one a meld, by option two."""
    if jokers > options.max_jokers_per_group:
        raise Refused(Code.TOO_MANY_JOKERS)


def lying_meld(cards: Cards) -> tuple[Kind, Cards]:
    """A meld that lies on the table, where runs of any length are and nobody asks any more how they came there."""
    naturals = [card for card in cards if not is_joker(card)]
    if not naturals or len(cards) < SMALLEST:
        raise Refused(Code.MELD_SIZE)
    if len({card[0] for card in naturals}) == 1:
        if len(set(naturals)) < len(naturals):
            raise Refused(Code.SUIT_REPEATED)
        if len(cards) > LARGEST_GROUP:
            raise Refused(Code.GROUP_FULL)
        return "group", lying_group(cards)
    if len({card[1] for card in naturals}) > 1:
        raise Refused(Code.NOT_A_MELD)
    return "run", settled_run(cards)


# ---- same rank ---------------------------------------------------------------------------------------------


def settled_group(cards: Cards, alternating: bool) -> Cards:
    """Cards of one rank with the Jokers settled that can be one card only; an open one stays plain.

    "Lay them so colours alternate — no two same-colour cards may touch, or the lay is rejected."
    """
    fits = list(_suits(cards, alternating))
    if not fits:
        raise Refused(Code.COLOURS_TOUCH)
    rank = _rank(cards)
    roles = [stands_for(card) for card in cards]
    fits = [
        fit for fit in fits if all(role in (None, rank + suit) for role, suit in zip(roles, fit, strict=True))
    ]
    if not fits:
        raise Refused(Code.JOKER_NO_PLACE, **_first_role(cards))
    settled = []
    for card, suits in zip(cards, zip(*fits, strict=True), strict=True):
        only = len(set(suits)) == 1
        settled.append(card if not is_joker(card) else f"JK={rank}{suits[0]}" if only else JOKER)
    return tuple(settled)


def _suits(cards: Cards, alternating: bool) -> Iterator[tuple[str, ...]]:
    """The suits that cards of one rank may have, left to right: each once, whatever the Jokers are named."""
    held = {card[1] for card in cards if not is_joker(card)}
    free = [suit for suit in SUITS if suit not in held]
    for chosen in permutations(free, sum(map(is_joker, cards))):
        jokers = iter(chosen)
        suits = tuple(next(jokers) if is_joker(card) else card[1] for card in cards)
        if not alternating or all(RED[one] != RED[other] for one, other in pairwise(suits)):
            yield suits


def _roles(cards: Iterable[Placed]) -> Iterator[Card]:
    """The cards that Jokers are named as."""
    return (role for card in cards if is_joker(card) and (role := stands_for(card)))


def _first_role(cards: Iterable[Placed]) -> dict[str, int | str]:
    """What to tell about a Joker that cannot be what it is named; nothing about one without a name."""
    return {"card": role} if (role := next(_roles(cards), None)) else {}


def lying_group(cards: Cards) -> Cards:
    """A group that lies on the table, settled as it was laid; one that nobody could lay so, as its suits allow."""
    try:
        return settled_group(cards, alternating=len(cards) == SMALLEST)
    except Refused:
        return settled_group(cards, alternating=False)


def _missing(group: Cards) -> list[Card]:
    """The cards of the rank that a group has not, be it as a settled Joker."""
    settled = {stands_for(card) for card in group}
    return [card for suit in SUITS if (card := _rank(group) + suit) not in settled]


# ---- same suit ---------------------------------------------------------------------------------------------


def settled_run(cards: Cards) -> Cards:
    """Cards of one suit with every Joker settled: "A Joker takes a rank position from where you place it … lay the
    run low→high".
    """
    suit = next(card[1] for card in cards if not is_joker(card))
    if any(role[1] != suit for role in _roles(cards)):
        raise Refused(Code.JOKER_NO_PLACE, **_first_role(cards))
    if len(cards) > LONGEST_RUN:
        raise Refused(Code.RUN_TOO_LONG)
    lows = _lows(cards)
    for low in lows:
        if low >= 1 and low + len(cards) - 1 <= ACE_HIGH:
            return _named(cards, low, suit)
    if lows:
        raise Refused(Code.JOKER_NO_PLACE)
    raise Refused(_fault_of(cards))


def _lows(cards: Cards) -> set[int]:
    """The place that the first card would have, if the naturals stand right as they are sent."""
    found = [{place - at for place in places_of(card)} for at, card in enumerate(cards) if not is_joker(card)]
    return set.intersection(*found)


def places_of(card: Card) -> tuple[int, ...]:
    """The places of a card in a run; the Ace has two, the high one first."""
    place = POSITION[card[0]]
    return (ACE_HIGH, place) if place == 1 else (place,)


def _named(cards: Cards, low: int, suit: str) -> Cards:
    """A run whose cards stand right from `low` on; a Joker may be named as the card of its place only."""
    shown = [face_at(low + at, suit) for at in range(len(cards))]
    for card, there in zip(cards, shown, strict=True):
        if stands_for(card) not in (None, there):
            raise Refused(Code.JOKER_NO_PLACE, card=card[3:])
    return tuple(f"JK={there}" if is_joker(card) else card for card, there in zip(cards, shown, strict=True))


def face_at(place: int, suit: str) -> Card:
    """The card of a place: 1 and 14 are the Ace."""
    return RANKS[(place - 1) % LONGEST_RUN] + suit


def _fault_of(cards: Cards) -> Code:
    """Why cards of one suit that do not stand right are no run."""
    naturals = [card for card in cards if not is_joker(card)]
    named = [role for card in cards if (role := stands_for(card))]
    if _could_be_ordered(named, len(cards)):
        return Code.RUN_ORDER
    if _could_be_ordered(naturals, len(cards)):
        return Code.JOKER_NO_PLACE
    wraps = goes_round([POSITION[card[0]] for card in named], len(cards))
    return Code.ACE_WRAPS if wraps else Code.RUN_GAP


def _could_be_ordered(faces: list[Card], count: int) -> bool:
    """Whether these, with Jokers up to `count` cards, would be a run in some order."""
    if len(set(faces)) < len(faces):
        return False
    return any(max(places) - min(places) < count for places in product(*(places_of(card) for card in faces)))


# ---- adding ------------------------------------------------------------------------------------------------


@lru_cache(KEPT)
def added(kind: Kind, meld: Cards, cards: Cards, end: End | None, options: ConkerOptions) -> Cards:
    """The meld with cards added; `end` holds for every one of them. A group has no ends."""
    if not cards:
        raise Refused(Code.DOES_NOT_FIT)
    jokers = sum(map(is_joker, cards))
    if jokers:
        _check_number(jokers + sum(map(is_joker, meld)), options)
    if kind == "group" and len(meld) + len(cards) > LARGEST_GROUP:
        raise Refused(Code.GROUP_FULL)
    if jokers and options.joker_layoff == "off":
        raise Refused(Code.JOKER_NO_PLACE, **_first_role(cards))
    return _added_to_group(meld, cards) if kind == "group" else _added_to_run(meld, cards, end)


def _added_to_group(group: Cards, cards: Cards) -> Cards:
    """ "Same-rank groups accept the missing suit"; in any order, since the group is complete and leaves."""
    missing = _missing(group)
    for card in cards:
        if is_joker(card):
            if stands_for(card) not in (None, *missing):
                raise Refused(Code.JOKER_NO_PLACE, card=card[3:])
        elif card[0] != _rank(group):
            raise Refused(Code.DOES_NOT_FIT, card=card)
        elif card not in missing:
            raise Refused(Code.SUIT_PRESENT, card=card)
    return settled_group(group + cards, alternating=False)


def _added_to_run(run: Cards, cards: Cards, end: End | None) -> Cards:
    """ "Sequences extend at either end — the new card must match the suit and continue the rank." """
    suit = role_in_run(run[0])[1]
    naturals = [card for card in cards if not is_joker(card)]
    named = [role for card in cards if (role := stands_for(card))]
    if any(role[1] != suit for role in _roles(cards)):
        raise Refused(Code.JOKER_NO_PLACE, **_first_role(cards))
    if len(run) + len(cards) > LONGEST_RUN or any(card[1] != suit for card in naturals):
        raise Refused(Code.DOES_NOT_FIT)
    low = POSITION[role_in_run(run[0])[0]]
    there = range(low, low + len(run))
    span = _joined(there, named, len(run) + len(cards), end)
    if span is None:
        raise _why_not(there, naturals, cards, end)
    return _row((*run, *cards), span, suit)


def _joined(there: range, faces: Iterable[Card], count: int, end: End | None) -> tuple[int, int] | None:
    """The span of a run once faces and free Jokers join it, `count` cards in all: into a gap, else high, else low."""
    for places in product(*map(places_of, faces)):
        if span := with_ends(there[0], there[-1], list(places), count, end, ACE_HIGH):
            return span
    return None


def _why_not(there: range, naturals: list[Card], cards: Cards, end: End | None) -> Refused:
    """Why cards of its suit cannot join a run."""
    count = len(there) + len(cards)
    jokers = len(cards) - len(naturals)
    if _joined(there, naturals, count, end):
        return Refused(Code.JOKER_NO_PLACE, **_first_role(cards))
    if any(_joined(there, naturals, count - spare, end) for spare in range(1, jokers + 1)):
        return Refused(Code.JOKER_NO_PLACE)
    starts = {"high": [there[0]], "low": [there[-1] - count + 1], None: range(1, ACE_HIGH)}[end]
    places = [POSITION[face_at(place, "")] for place in there] + [POSITION[card[0]] for card in naturals]
    return Refused(Code.ACE_WRAPS if goes_round(places, count, starts) else Code.DOES_NOT_FIT)


def _row(cards: Cards, span: tuple[int, int], suit: str) -> Cards:
    """The cards of a run from low to high, free Jokers as what nobody else is."""
    placed = {role: card for card in cards if (role := stands_for(card))}
    shown = (face_at(place, suit) for place in range(span[0], span[1] + 1))
    return tuple(placed.get(there, f"JK={there}") for there in shown)


@lru_cache(KEPT)
def joining(kind: Kind, meld: Cards, options: ConkerOptions) -> Mapping[Card, tuple[End | None, ...]]:
    """The faces of which one card could join a meld, with the ends to name where both would do."""
    jokers = sum(map(is_joker, meld)) < options.max_jokers_per_group and options.joker_layoff == "on"
    faces: dict[Card, tuple[End | None, ...]] = {}
    if kind == "group":
        if len(meld) < LARGEST_GROUP:
            faces = dict.fromkeys([*_missing(meld), *([JOKER] if jokers else [])], (None,))
        return faces
    if len(meld) == LONGEST_RUN:
        return faces
    suit = role_in_run(meld[0])[1]
    low = POSITION[role_in_run(meld[0])[0]]
    high = low + len(meld) - 1
    ends: dict[End, Card] = {}
    if high < ACE_HIGH:
        ends["high"] = face_at(high + 1, suit)
    if low > 1:
        ends["low"] = face_at(low - 1, suit)
    both: tuple[End | None, ...] = tuple(ends) if len(ends) > 1 else (None,)
    faces = dict.fromkeys(ends.values(), both if len(set(ends.values())) < len(ends) else (None,))
    return faces | ({JOKER: both} if jokers else {})


# ---- taking a Joker's place --------------------------------------------------------------------------------


@lru_cache(KEPT)
def swapped(kind: Kind, meld: Cards, card: Card) -> Cards:
    """ "If a floor group holds a Joker, you can swap it out by laying the exact card it represents." """
    for at, taker in _takers(meld):
        if taker == card:
            replaced = (*meld[:at], card, *meld[at + 1 :])
            return replaced if kind == "run" else lying_group(replaced)
    raise Refused(Code.NOT_REPRESENTED, card=card)


@lru_cache(KEPT)
def takers(meld: Cards) -> tuple[Card, ...]:
    """The cards that may take a Joker's place in a meld."""
    return tuple(dict.fromkeys(card for _, card in _takers(meld)))


def _takers(meld: Cards) -> Iterator[tuple[int, Card]]:
    """Where a Joker lies, with each card it may be: its role, or while that is open every card of the set."""
    for at, card in enumerate(meld):
        if is_joker(card) and (role := stands_for(card)):
            yield at, role
        elif is_joker(card):
            yield from ((at, face) for face in _missing(meld))
