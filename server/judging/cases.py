"""What a case file says, read with care: plain YAML values become cards, seats, positions; else a clear
error.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol, TypeVar

import msgspec
from msgspec import Struct

from server.rules.actions import AnyAction
from server.rules.cards import JOKER, Card, Placed, face
from server.rules.game import MeldView
from server.rules.melds import Kind, new_meld
from server.rules.notation import NotationError, parse_action, parse_cards, parse_meld
from server.rules.refusal import Refused
from server.rules.shuffle import Dice

T = TypeVar("T")
MeldReader = Callable[[tuple[Placed, ...]], tuple[Kind, tuple[Placed, ...]]]
"""Settles the Jokers of a meld that lies on the table. Raises Refused if it is none."""
REST = ("…", "...")
"""Ends a list of cards: these, then all the rest."""


class CaseError(Exception):
    """A case that says nothing sensible: the file is wrong, not the rules."""


class Facts(Struct, frozen=True):
    """What a case may ask about a hand, in the same terms for every game. Seats and meld numbers as in
    frames.
    """

    hands: tuple[tuple[Card, ...], ...]
    table: tuple[MeldView, ...]
    stock: tuple[Card, ...]
    discard: tuple[Card, ...]
    turn: int
    phase: str
    opened: tuple[int, ...]
    taken: Card | None
    pending: int | None
    dealer: int
    burned: tuple[Card, ...] = ()
    tables: tuple[tuple[tuple[Card, ...], ...], ...] | None = None
    """Each player's own melds, in games where the table is not common."""
    centre: dict[str, Any] | None = None
    """The card in the centre as a case writes it: card, by, how."""
    drawn_games: int = 0


class Positions(Protocol):
    """What a game adds to its rules so that cases can be run: positions in, facts out."""

    given: frozenset[str]
    """The keys of a position."""
    scored: frozenset[str]
    """What `expect` may ask beside those."""

    def options(self, said: Mapping[str, Any], given: Mapping[str, Any]) -> Any:
        """The options of a case. Raises CaseError."""
        ...

    def position(self, options: Any, given: Mapping[str, Any], fill: str) -> Any:
        """A hand in the position that is given; `fill` varies the unnamed cards. Raises CaseError."""
        ...

    def facts(self, hand: Any) -> Facts:
        """What may be asked about a hand."""
        ...

    def meld(self, cards: tuple[Placed, ...]) -> tuple[Kind, tuple[Placed, ...]]:
        """A meld as it lies on the table: its kind, and its cards with the Jokers settled. Raises Refused."""
        return new_meld(cards)

    def opens(self, hand: Any, seat: int, action: AnyAction) -> bool:
        """Whether an action would be the seat's opening."""
        ...

    def winners(self, hand: Any, scores: tuple[int, ...], counted: int) -> tuple[tuple[int, ...], ...]:
        """Who won each of the hands counted so far, this one last; nobody where it does not matter.

        `scores` are the totals before this hand.
        """
        return ((),) * max(0, counted - 1) + (hand.result.winners,) * (counted > 0)


class Deck:
    """The cards of a position that it does not name. Which of them go where must never matter to a case."""

    def __init__(self, pack: Iterable[Card], named: Iterable[Card], fill: str) -> None:
        """`fill` chooses the order; naturals come before Jokers. Raises CaseError if the pack has too few of
        a card.
        """
        rest = Counter(pack)
        rest.subtract(named)
        if short := sorted(card for card, count in rest.items() if count < 0):
            raise CaseError(f"the pack does not hold {short[0]} so often")
        shuffled = Dice(fill.encode()).shuffled(sorted(rest.elements()))
        self.cards = sorted(shuffled, key=lambda card: card == JOKER)

    def some(self, count: int) -> tuple[Card, ...]:
        """So many unnamed cards. Raises CaseError if there are not enough left."""
        if count > len(self.cards):
            raise CaseError(f"{count} unnamed cards wanted, {len(self.cards)} left")
        cards, self.cards = tuple(self.cards[:count]), self.cards[count:]
        return cards

    def rest(self) -> tuple[Card, ...]:
        """All that are left."""
        return self.some(len(self.cards))


Cards = tuple[Card, ...] | int
"""Named cards, or a number of unnamed ones."""


class Hands:
    """The hands as given, one by one."""

    def __init__(self, given: object) -> None:
        """Raises CaseError."""
        self.by_seat: list[Cards] = [
            number(hand, "hands") if is_number(hand) else cards(hand, "hands")
            for hand in sequence(given, "hands")
        ]

    def hold(self, seat: int, card: Card) -> None:
        """The card just taken is in hand; a hand of unnamed cards cannot say so."""
        hand = self.by_seat[seat]
        if isinstance(hand, int):
            raise CaseError("with `taken` the hand has to be named")
        if card not in hand:
            raise CaseError(f"the taken card {card} is not in hand")

    def named(self) -> list[Card]:
        """The cards that are named."""
        return [card for hand in self.by_seat for card in named(hand)]


def named(some: Cards) -> tuple[Card, ...]:
    """The cards that are named; none of a number."""
    return () if isinstance(some, int) else some


def filled(some: Cards, deck: Deck) -> tuple[Card, ...]:
    """The cards, or so many unnamed ones."""
    return deck.some(some) if isinstance(some, int) else some


def pile(value: object, what: str) -> tuple[Cards, bool]:
    """A number of cards, or a list with whether all the rest follow."""
    return (number(value, what), False) if is_number(value) else listed(value, what)


# ---- reading values ----------------------------------------------------------------------------------------


def mapping(value: object, what: str) -> dict[str, Any]:
    """A map; none given is an empty one."""
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise CaseError(f"{what} is not a map: {value!r}")
    return value


def only_keys(value: Mapping[str, Any], allowed: Iterable[str], what: str) -> None:
    """Raise CaseError for a key that means nothing here."""
    for key in value:
        if key not in allowed:
            raise CaseError(f"unknown key in {what}: {key!r}")


def sequence(value: object, what: str) -> list[Any]:
    """A list; none given is an empty one."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise CaseError(f"{what} is not a list: {value!r}")
    return value


def text(value: object, what: str) -> str:
    """A text."""
    if not isinstance(value, str):
        raise CaseError(f"{what} is not a text: {value!r}")
    return value


def is_number(value: object) -> bool:
    """Whether YAML gave a whole number; `on` and `off` are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def number(value: object, what: str, least: int | None = 0, below: int | None = None) -> int:
    """A whole number from `least` on, under `below`."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise CaseError(f"{what} is not a number: {value!r}")
    if (least is not None and value < least) or (below is not None and value >= below):
        raise CaseError(f"{what} is out of range: {value}")
    return value


def seats(value: object, count: int, what: str) -> tuple[int, ...]:
    """A list of seats, in ascending order."""
    return tuple(sorted({number(seat, what, below=count) for seat in sequence(value, what)}))


def by_seat(value: object, count: int, what: str) -> dict[int, Any]:
    """`{0: …}`, or a list with an entry for every seat."""
    if isinstance(value, list):
        if len(value) != count:
            raise CaseError(f"{what} has {len(value)} entries for {count} seats")
        return dict(enumerate(value))
    return {number(seat, f"seat in {what}", below=count): of for seat, of in mapping(value, what).items()}


def parsed(parse: Callable[[str], T], value: object, what: str) -> T:
    """A text in the notation."""
    try:
        return parse(text(value, what))
    except NotationError as wrong:
        raise CaseError(f"{what}: {wrong}") from None


def cards(value: object, what: str) -> tuple[Card, ...]:
    """Cards with spaces between them."""
    return parsed(parse_cards, value, what)


def card(value: object, what: str) -> Card | None:
    """One card, or none."""
    if value is None:
        return None
    found = cards(value, what)
    if len(found) != 1:
        raise CaseError(f"{what} is not one card: {value!r}")
    return found[0]


def action(value: object, what: str) -> AnyAction:
    """An action."""
    return parsed(parse_action, value, what)


def melds(value: object, what: str, read: MeldReader = new_meld) -> tuple[MeldView, ...]:
    """Melds of the table, numbered from 1, their Jokers settled as the game's `read` has it."""
    return tuple(meld(one, number, what, read) for number, one in enumerate(sequence(value, what), start=1))


def meld(value: object, number: int, what: str, read: MeldReader = new_meld) -> MeldView:
    """One meld of the table."""
    placed = parsed(parse_meld, value, what)
    try:
        return MeldView(number, *read(placed))
    except Refused as refused:
        raise CaseError(f"{what}: {value!r} is no meld ({refused.code})") from None


def listed(value: object, what: str) -> tuple[tuple[Card, ...], bool]:
    """Cards, top first, and whether all the rest follow (a list that ends in `…`)."""
    words = text(value, what).split()
    open_end = bool(words) and words[-1] in REST
    return cards(" ".join(words[:-1] if open_end else words), what), open_end


def faces(placed: Iterable[Placed]) -> list[Card]:
    """Placed cards as the pack counts them."""
    return [face(one) for one in placed]


def options(said: Mapping[str, Any], kind: type[T], switches: Iterable[str]) -> T:
    """The options of a case; YAML's `on` and `off` are booleans, and switches are made of them."""
    words = {True: "on", False: "off"}
    values = {
        name: words[value] if name in switches and isinstance(value, bool) else value
        for name, value in said.items()
    }
    try:
        return msgspec.convert(values, kind)
    except msgspec.ValidationError as wrong:
        raise CaseError(f"bad option: {wrong}") from None
