"""What a game has to be: its rules as pure functions, and the small `legal` of a frame."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal, Protocol, TypeVar

from msgspec import Struct

from server.rules.actions import AnyAction
from server.rules.cards import Card, Placed
from server.rules.events import AnyEvent
from server.rules.refusal import Code, Detail
from server.rules.result import Result


class Why(Struct, frozen=True):
    """Why a verb cannot be used now."""

    code: Code
    detail: Detail


class Legal(Struct, frozen=True):
    """The small `legal` of a frame: what one seat may do, without listing thousands of lays.

    `verbs` has every verb of the game, None where it can be used; `discard` the cards that may be thrown;
    `add` and `swap` give for each card of the hand the numbers of the melds it may join or take a Joker from.
    """

    verbs: dict[str, Why | None]
    discard: tuple[Card, ...]
    add: dict[Card, tuple[int, ...]]
    swap: dict[Card, tuple[int, ...]]


def no_choice(verbs: tuple[str, ...], why: Why) -> Legal:
    """The menu of a seat that can do nothing, for one reason."""
    return Legal(dict.fromkeys(verbs, why), (), {}, {})


@cache
def waiting(verbs: tuple[str, ...], turn: int) -> Legal:
    """The menu of whoever is not asked: the same in every frame of all the others, so made once."""
    return no_choice(verbs, Why(Code.NOT_YOUR_TURN, {"turn": turn}))


class MeldView(Struct, frozen=True, gc=False, cache_hash=True):
    """A meld on the table: its number, its kind, and its cards left to right."""

    id: int
    kind: Literal["group", "run"]
    cards: tuple[Placed, ...]


OptionsT = TypeVar("OptionsT")
HandT = TypeVar("HandT")
ViewT = TypeVar("ViewT", covariant=True)


class Layout(Struct, frozen=True):
    """How cards lie before the first move: hands by seat in dealing order, upcard if there is one, stock top first.

    `key` is the secret that chance comes from later in the hand, in games that need it; empty if nobody knows it.
    """

    hands: tuple[tuple[Card, ...], ...]
    upcard: Card | None
    stock: tuple[Card, ...]
    key: str = ""


class Rules(Protocol[OptionsT, HandT, ViewT]):
    """All that a game has to be. Everything is pure; seats are numbered from 0 in turn order."""

    name: str
    options: type[OptionsT]

    def seats(self, options: OptionsT) -> int:
        """How many play."""
        ...

    def check_options(self, options: OptionsT) -> None:
        """Raise Refused(BAD_OPTION, option=…) for values that do not go together."""
        ...

    def layout(self, options: OptionsT, entropy: bytes, dealer: int) -> Layout:
        """How the cards that `deal` gives lie: what a record writes out."""
        ...

    def begin(self, options: OptionsT, cards: Layout, dealer: int, drawn: int = 0) -> HandT:
        """A fresh hand from cards that lie so: how a record is replayed without its seed."""
        ...

    def deal(
        self, options: OptionsT, entropy: bytes, dealer: int, drawn: int = 0
    ) -> tuple[HandT, tuple[AnyEvent, ...]]:
        """A fresh hand; the seat after `dealer` begins. `entropy` is seed and nonces, see shuffle.py.

        `drawn` is how many drawn hands in a row came before it; Conquian's stake grows with them.
        """
        ...

    def restock(self, hand: HandT, stock: tuple[Card, ...]) -> HandT:
        """The hand after a reshuffle that a record tells of. Raises ValueError where there is none, or not this one."""
        raise ValueError("this game has no reshuffle")

    def deciders(self, hand: HandT) -> tuple[int, ...]:
        """The seats that are asked now; empty when the hand is over."""
        ...

    def legal(self, hand: HandT, seat: int) -> list[AnyAction]:
        """Canonical legal actions: sufficient to play well, not all that `apply` accepts."""
        ...

    def menu(self, hand: HandT, seat: int) -> Legal:
        """The small `legal` of a frame."""
        ...

    def apply(self, hand: HandT, seat: int, action: AnyAction) -> tuple[HandT, tuple[AnyEvent, ...]]:
        """The one judge of moves. Raises Refused; then nothing has changed."""
        ...

    def value(self, hand: HandT, seat: int, action: AnyAction) -> int:
        """Points of the cards an action lays, as an opening would count them; 0 for other actions."""
        ...

    def arrange(self, hand: HandT, seat: int) -> tuple[tuple[Placed, ...], ...]:
        """The best melds of a seat's own cards, each in the order in which it would lie."""
        ...

    def clock(self, hand: HandT, seat: int) -> int | None:
        """The clock of a seat's question in ms, where the game has one of its own; None: the table's."""
        ...

    def leave(self, options: OptionsT, hand: HandT | None, seat: int, drawn: int) -> Result | None:
        """What it costs that a seat leaves the match for good; None: the hand in play is void and the seat opens."""
        ...

    def timeout(self, hand: HandT, seat: int) -> AnyAction:
        """The next step of the least harmful move; repeated while the seat is in the middle of its turn."""
        ...

    def mid_turn(self, hand: HandT, seat: int) -> bool:
        """Whether a seat that has just played has to go on with the same turn."""
        return seat in self.deciders(hand)

    def view(self, hand: HandT, seat: int | None) -> ViewT:
        """All a seat may see; `None` is a spectator."""
        ...

    def own(self, hand: HandT, seat: int) -> dict[str, Any]:
        """The fields of the view that are a seat's own, always the same ones; all others are alike for everybody."""
        ...

    def result(self, hand: HandT) -> Result | None:
        """The result, once the hand is over."""
        ...

    def low_wins(self, options: OptionsT) -> bool:
        """Whether few points are better than many."""
        return False

    def match_winner(
        self, options: OptionsT, totals: tuple[int, ...], winners: tuple[tuple[int, ...], ...]
    ) -> int | None:
        """The seat that has won the match, or None. `winners` is of each counted hand so far."""
        ...
