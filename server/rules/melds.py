"""Melds: what is a group or a run, which card a Joker stands for, what may join, what may take a Joker's
place. As Konken has them; what its cousins have in common with it they take from here.

Pure functions on tuples of cards. `Placed` cards carry a Joker's role (`JK=QS`); a plain `JK` in a group is
open between several suits. Everything here raises `Refused` with the first reason that holds, in
notation.md's order. Positions in a run are 1 for the Ace to 13 for the King; what is special to one game is
in that game's file.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import combinations
from typing import Literal, TypeVar

from server.rules.actions import End
from server.rules.cards import JOKER, RANKS, SUITS, Card, Placed, is_joker, stands_for
from server.rules.refusal import Code, Refused

T = TypeVar("T")
Kind = Literal["group", "run"]
Cards = tuple[Placed, ...]

SMALLEST = 3
LARGEST_GROUP = len(SUITS)
LONGEST_RUN = len(RANKS)
PLACES = range(1, LONGEST_RUN + 1)
KEPT = 1 << 14
"""Answers that are kept of each question about melds: the same melds come again and again."""
FEWEST_NATURALS = 2
"""Konken, section 3: at least two naturals, so a meld's rank or suit is never in doubt."""

POSITION = {rank: place for place, rank in enumerate(RANKS, start=1)}
IN_ORDER = {card: place for place, card in enumerate(rank + suit for suit in SUITS for rank in RANKS)}
"""Suit by suit, low to high."""
POINTS = {rank: min(place, 10) for rank, place in POSITION.items()}
"""Pips; court cards 10, the Ace 1: its only value in the Konken source."""


def points(cards: Cards) -> int:
    """Points of a meld as `new_meld` gives it; a Joker counts as the card it stands for."""
    rank = next(card[0] for card in cards if not is_joker(card))
    return sum(POINTS[(stands_for(card) or rank)[0]] for card in cards)


# ---- new melds ---------------------------------------------------------------------------------------------


@lru_cache(KEPT)
def new_meld(cards: Cards) -> tuple[Kind, Cards]:
    """Judge the cards of a new meld: its kind, and its cards with the Jokers settled as far as they are.

    A run comes back from low to high. "Per en az üç karttan oluşur."
    """
    if len(cards) < SMALLEST:
        raise Refused(Code.MELD_SIZE)
    naturals = [card for card in cards if not is_joker(card)]
    one_rank = len({card[0] for card in naturals}) <= 1
    one_suit = len({card[1] for card in naturals}) <= 1
    if not one_rank and not one_suit:
        raise Refused(Code.NOT_A_MELD)
    if len(naturals) < FEWEST_NATURALS:
        raise Refused(Code.TOO_FEW_NATURALS)
    if one_rank:
        return "group", _new_group(cards, naturals)
    return "run", _new_run(cards)


def _new_group(cards: Cards, naturals: list[Card]) -> Cards:
    """ "Grup: aynı değerde, birbirinden farklı renkte kartlar; bir grup en fazla dört kart olabilir." """
    if len(set(naturals)) < len(naturals):
        raise Refused(Code.SUIT_REPEATED)
    if len(cards) > LARGEST_GROUP:
        raise Refused(Code.GROUP_FULL)
    _check_roles(naturals[0][0], naturals, [card for card in cards if is_joker(card)])
    return settle(cards)


def _check_roles(rank: str, there: Collection[Card], jokers: Iterable[Placed]) -> None:
    """Roles named for Jokers of a group: of its rank, and each suit once."""
    taken = set(there)
    for joker in jokers:
        role = stands_for(joker)
        if role is None:
            continue
        if role[0] != rank or role in taken:
            raise Refused(Code.JOKER_NO_PLACE, card=role)
        taken.add(role)


def _new_run(cards: Cards) -> Cards:
    """ "Seri: aynı renkte, sıralı kartlar." A named Joker is judged as the card it names."""
    settled = [role for card in cards if (role := stands_for(card))]
    if len({role[1] for role in settled}) > 1:
        raise Refused(Code.NOT_A_MELD)
    if len(cards) > LONGEST_RUN:
        raise Refused(Code.RUN_TOO_LONG)
    positions = [POSITION[role[0]] for role in settled]
    span = _as_sent(cards) or _arranged(positions, len(cards))
    if span is None:
        raise Refused(Code.ACE_LOW_ONLY if goes_round(positions, len(cards)) else Code.RUN_GAP)
    return _row(cards, *span)


def _as_sent(cards: Cards) -> tuple[int, int] | None:
    """Lowest and highest position, if the cards as sent are a correct ascending row."""
    starts = {POSITION[role[0]] - at for at, card in enumerate(cards) if (role := stands_for(card))}
    low = starts.pop()
    high = low + len(cards) - 1
    return (low, high) if not starts and low >= 1 and high <= LONGEST_RUN else None


def _arranged(positions: Collection[int], count: int) -> tuple[int, int] | None:
    """Lowest and highest position of a run: free Jokers fill gaps, then the high end, then the low."""
    if len(set(positions)) < len(positions):
        return None
    return stretched(min(positions), max(positions), count)


def stretched(
    low: int, high: int, count: int, end: End | None = None, top: int = LONGEST_RUN
) -> tuple[int, int] | None:
    """The span low..high lengthened to `count` positions: up as far as there is room below `top`, then down."""
    spare = count - (high - low + 1)
    if spare < 0:
        return None
    up = 0 if end == "low" else min(spare, top - high)
    down = spare - up
    if low - down < 1 or (down and end == "high"):
        return None
    return low - down, high + up


def goes_round(
    positions: Collection[int], count: int, starts: Iterable[int] = range(1, LONGEST_RUN + 1)
) -> bool:
    """Whether `count` cards would be a run if the Ace also joined the King, or King and Two.

    Asked only of what is no run, so a window of `count` places on the circle of ranks must cross from King to
    Ace. "As yalnızca 1 değeriyle serinin başında yer alabilir; kız-papaz-as şeklinde seri dönmez."
    """
    if len(set(positions)) < len(positions) or count > LONGEST_RUN:
        return False
    return any(all((place - start) % LONGEST_RUN < count for place in positions) for start in starts)


def _row(cards: Iterable[Placed], low: int, high: int) -> Cards:
    """The cards from low to high, free Jokers with the roles of the places that nobody else fills."""
    placed = {POSITION[role[0]]: card for card in cards if (role := stands_for(card))}
    suit = next(iter(placed.values()))[-1]
    return tuple(placed.get(place) or f"JK={RANKS[place - 1]}{suit}" for place in range(low, high + 1))


def settle(group: Cards) -> Cards:
    """A group whose last open Joker can be one suit only has it settled as that card."""
    if group.count(JOKER) != 1:
        return group
    free = _free_roles(group)
    if len(free) != 1:
        return group
    return tuple(f"JK={free[0]}" if card == JOKER else card for card in group)


def _free_roles(group: Cards) -> list[Card]:
    """The cards that an open Joker of a group may stand for."""
    settled = {stands_for(card) for card in group}
    rank = next(card[0] for card in group if not is_joker(card))
    return [rank + suit for suit in SUITS if rank + suit not in settled]


# ---- adding ------------------------------------------------------------------------------------------------


@lru_cache(KEPT)
def added(kind: Kind, meld: Cards, cards: Cards, end: End | None = None) -> Cards:
    """The meld with cards added; `end` holds for every one of them. A group has no ends."""
    if not cards:
        raise Refused(Code.DOES_NOT_FIT)
    if kind == "group":
        return _added_to_group(meld, cards)
    return _added_to_run(meld, cards, end)


def _added_to_group(group: Cards, cards: Cards) -> Cards:
    """A group of three takes a missing suit, or a Joker; shape is judged before fit."""
    if len(group) + len(cards) > LARGEST_GROUP:
        raise Refused(Code.GROUP_FULL)
    rank = next(card[0] for card in group if not is_joker(card))
    settled = [role for card in group if (role := stands_for(card))]
    _check_roles(rank, settled, [card for card in cards if is_joker(card)])
    for card in cards:
        if is_joker(card):
            continue
        if card[0] != rank:
            raise Refused(Code.DOES_NOT_FIT, card=card)
        if card in group:
            raise Refused(Code.SUIT_PRESENT, card=card)
        if any(is_joker(there) for there in group):
            # "Joker içeren bir gruba doğal dördüncü kartı ekleyemezsin; bunun yerine jokeri asıl kartla
            # değiştirmen gerekir."
            raise Refused(Code.SWAP_INSTEAD, card=card)
    return settle(group + cards)


def _added_to_run(run: Cards, cards: Cards, end: End | None) -> Cards:
    """Cards join at the ends, never inside; where a Joker could go to either end it goes high, else low."""
    settled = [role for card in cards if (role := stands_for(card))]
    count = len(run) + len(cards)
    if count > LONGEST_RUN or any(role[1] != run[0][-1] for role in settled):
        raise Refused(Code.DOES_NOT_FIT)
    low, high = POSITION[_role(run[0])[0]], POSITION[_role(run[-1])[0]]
    new = [POSITION[role[0]] for role in settled]
    span = with_ends(low, high, new, count, end)
    if span is None:
        there = range(low, high + 1)
        starts = {"high": [low], "low": [high - count + 1], None: PLACES}[end]
        round_ = goes_round([*there, *new], count, starts)
        raise Refused(Code.ACE_LOW_ONLY if round_ else Code.DOES_NOT_FIT)
    return _row([*run, *cards], *span)


def with_ends(
    low: int, high: int, new: list[int], count: int, end: End | None, top: int = LONGEST_RUN
) -> tuple[int, int] | None:
    """The span of a run low..high with the positions `new` and free Jokers, `count` in all."""
    if len(set(new)) < len(new) or any(low <= place <= high for place in new):
        return None
    if (end == "high" and min(new, default=high) < low) or (end == "low" and max(new, default=low) > high):
        return None
    return stretched(min([low, *new]), max([high, *new]), count, end, top)


@lru_cache(KEPT)
def joining(kind: Kind, meld: Cards) -> Mapping[Card, tuple[End | None, ...]]:
    """The faces of which one card could join a meld, with the ends to name: both where a Joker fits both."""
    if kind == "group":
        if len(meld) == LARGEST_GROUP:
            return {}
        naturals = [] if any(is_joker(card) for card in meld) else _free_roles(meld)
        return dict.fromkeys([*naturals, JOKER], (None,))
    low, high, suit = POSITION[_role(meld[0])[0]], POSITION[_role(meld[-1])[0]], meld[0][-1]
    faces: dict[Card, tuple[End | None, ...]] = {}
    if low > 1:
        faces[RANKS[low - 2] + suit] = (None,)
    if high < LONGEST_RUN:
        faces[RANKS[high] + suit] = (None,)
    if faces:
        faces[JOKER] = (None,) if len(faces) == 1 else ("high", "low")
    return faces


def _role(card: Placed) -> Card:
    role = stands_for(card)
    assert role is not None, "every Joker of a run is settled"  # noqa: S101
    return role


# ---- taking a Joker's place --------------------------------------------------------------------------------


@lru_cache(KEPT)
def swapped(kind: Kind, meld: Cards, card: Card) -> Cards:
    """The meld with `card` in the place of a Joker that may stand for it."""
    index = joker_of(kind, meld, card)
    if index is None:
        raise Refused(Code.NOT_REPRESENTED, card=card)
    replaced = (*meld[:index], card, *meld[index + 1 :])
    return settle(replaced) if kind == "group" else replaced


@lru_cache(KEPT)
def takers(kind: Kind, meld: Cards) -> tuple[Card, ...]:
    """The cards that may take a Joker's place in a meld."""
    cards = [card[3:] for card in meld if is_joker(card) and card != JOKER]
    if kind == "group" and JOKER in meld:
        cards += _free_roles(meld)
    return tuple(cards)


def joker_of(kind: Kind, meld: Cards, card: Card) -> int | None:
    """Where in the meld a Joker stands whose place `card` may take.

    A named Joker is that card only; an open one of a group is any suit that the group still lacks.
    """
    if is_joker(card):
        return None
    if f"JK={card}" in meld:
        return meld.index(f"JK={card}")
    if kind == "group" and JOKER in meld and card in _free_roles(meld):
        return meld.index(JOKER)
    return None


# ---- finding melds in a hand -------------------------------------------------------------------------------


def melds_in(hand: Iterable[Card]) -> Iterator[Cards]:
    """Every new meld that a hand can lay, each once: groups with open Jokers, runs as rows from low to
    high.
    """
    cards = tuple(hand)
    jokers = cards.count(JOKER)
    by_rank: dict[str, list[Card]] = {}
    by_suit: dict[str, list[int]] = {}
    for card in sorted({*cards} - {JOKER}, key=IN_ORDER.__getitem__):
        by_rank.setdefault(card[0], []).append(card)
        by_suit.setdefault(card[1], []).append(POSITION[card[0]])
    for rank in RANKS:
        if len(held := by_rank.get(rank, ())) >= FEWEST_NATURALS:
            yield from _groups_in(tuple(held), jokers)
    for suit, places in by_suit.items():
        if len(places) >= FEWEST_NATURALS:
            yield from _runs_in(suit, tuple(places), jokers)


def kept(find: Callable[..., Iterator[T]]) -> Callable[..., tuple[T, ...]]:
    """What a finder finds, kept for the next time: the cards of one rank or one suit come again and again."""

    @lru_cache(KEPT)
    def found(*cards: Hashable) -> tuple[T, ...]:
        return tuple(find(*cards))

    return found


@kept
def _groups_in(held: tuple[Card, ...], jokers: int) -> Iterator[Cards]:
    """Groups of one rank."""
    for count in range(FEWEST_NATURALS, len(held) + 1):
        for naturals in combinations(held, count):
            for extra in range(max(0, SMALLEST - count), min(jokers, LARGEST_GROUP - count) + 1):
                yield (*naturals, *(JOKER,) * extra)


def _runs_in(suit: str, held: tuple[int, ...], jokers: int) -> Iterator[Cards]:
    """Runs of one suit."""
    for row in _rows_in(held, jokers):
        yield tuple([RANKS[place - 1] + suit if place else JOKER for place in row])


@kept
def _rows_in(held: tuple[int, ...], jokers: int) -> Iterator[tuple[int, ...]]:
    """The same of any suit as places, 0 for a Joker, which may also stand where the natural is held: that card may be
    wanted elsewhere.
    """
    for low in range(1, LONGEST_RUN - SMALLEST + 2):
        for high in range(low + SMALLEST - 1, LONGEST_RUN + 1):
            have = [place for place in held if low <= place <= high]
            missing = high - low + 1 - len(have)
            if missing > jokers:
                break
            for spared in range(jokers - missing + 1):
                if len(have) - spared < FEWEST_NATURALS:
                    break
                for left_out in combinations(have, spared):
                    yield tuple(
                        place if place in have and place not in left_out else 0
                        for place in range(low, high + 1)
                    )
