"""What all games share: actions, events, the small `legal` of a frame, results, and what a game has to be.

What there is by the thousand is kept from the garbage collector (`gc=False`): frozen values hold no rings.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Literal, Protocol, TypeVar

from msgspec import Struct

from server.rules.cards import Card, Placed
from server.rules.refusal import Code, Detail

End = Literal["low", "high"]


class Action(Struct, frozen=True, gc=False, tag_field="a", forbid_unknown_fields=True, omit_defaults=True):
    """What a player may do; the text of each is in notation.md."""


class Draw(Action, frozen=True, tag="draw"):
    """Take the top card of the stock."""


class Take(Action, frozen=True, tag="take"):
    """Take the top card of the discard pile."""


class Lay(Action, frozen=True, tag="lay"):
    """Lay new melds, all or nothing."""

    melds: tuple[tuple[Placed, ...], ...]


class Add(Action, frozen=True, tag="add"):
    """Add cards from the hand to a meld on the table."""

    meld: int
    cards: tuple[Placed, ...]
    end: End | None = None


class Swap(Action, frozen=True, tag="swap"):
    """Put a natural card in a Joker's place; Konken also lengthens the run and uses the Joker at once."""

    meld: int
    card: Card
    extend: tuple[Card, ...] = ()
    then: Lay | Add | None = None


class Discard(Action, frozen=True, tag="discard"):
    """Throw a card; ends the turn. In Conquian it may be forced on the opponent at once."""

    card: Card
    force: bool = False


class Meld(Action, frozen=True, tag="meld"):
    """Meld with the centre card (Conquian): the whole of one's own table afterwards."""

    melds: tuple[tuple[Card, ...], ...]


class Pass(Action, frozen=True, tag="pass"):
    """Refuse the centre card (Conquian)."""


class Force(Action, frozen=True, tag="force"):
    """Make the opponent meld the centre card (Conquian)."""


class Waive(Action, frozen=True, tag="waive"):
    """Let the centre card go, where it could be forced (Conquian)."""


class Exchange(Action, frozen=True, tag="exchange"):
    """Choose the card that changes hands before play (Conquian, option)."""

    card: Card


AnyAction = Draw | Take | Lay | Add | Swap | Discard | Meld | Pass | Force | Waive | Exchange


class Event(Struct, frozen=True, gc=False, tag_field="e", omit_defaults=True):
    """What happened, as a fact. Events narrate the difference of two views and decide nothing."""


class Dealt(Event, frozen=True, tag="dealt"):
    """A hand was dealt; `card` is the upcard, in games that turn one."""

    dealer: int
    first: int
    card: Card | None = None


class Drew(Event, frozen=True, tag="drew"):
    """A card came from the stock; the face is for its new owner only."""

    seat: int
    card: Card | None = None


class Took(Event, frozen=True, tag="took"):
    """The top of the discard pile went to a hand."""

    seat: int
    card: Card


class Laid(Event, frozen=True, tag="laid"):
    """A new meld lies on the table, its Jokers settled as far as they are."""

    seat: int
    meld: int
    cards: tuple[Placed, ...]


class Added(Event, frozen=True, tag="added"):
    """Cards joined a meld; `meld_cards` is the whole meld afterwards."""

    seat: int
    meld: int
    cards: tuple[Card, ...]
    meld_cards: tuple[Placed, ...]


class Swapped(Event, frozen=True, tag="swapped"):
    """A card took a Joker's place; `extend` is what else joined, `meld_cards` the whole meld afterwards."""

    seat: int
    meld: int
    card: Card
    extend: tuple[Card, ...]
    meld_cards: tuple[Placed, ...]


class JokerTaken(Event, frozen=True, tag="joker_taken"):
    """The Joker that a swap set free went to the hand (Conker)."""

    seat: int
    meld: int


class Burned(Event, frozen=True, tag="burned"):
    """A complete meld of one rank left the table (Conker); its cards are out of play."""

    seat: int
    meld: int
    cards: tuple[Placed, ...]


class Reshuffled(Event, frozen=True, tag="reshuffled"):
    """The discard pile but for its top became the stock (Conker). Its order, top first, is for nobody at the table."""

    count: int
    stock: tuple[Card, ...] | None = None


class TurnedUp(Event, frozen=True, tag="turned_up"):
    """The next card of the stock lies in the centre (Conquian)."""

    seat: int
    card: Card


class Melded(Event, frozen=True, tag="melded"):
    """The centre card was melded; `melds` is the whole of that player's table afterwards (Conquian)."""

    seat: int
    card: Card
    from_hand: tuple[Card, ...]
    melds: tuple[tuple[Card, ...], ...]


class Passed(Event, frozen=True, tag="passed"):
    """The centre card was refused (Conquian)."""

    seat: int
    card: Card


class Forced(Event, frozen=True, tag="forced"):
    """`seat` has to meld the centre card: the opponent insists, or the table's rules do (Conquian)."""

    seat: int
    card: Card


class Waived(Event, frozen=True, tag="waived"):
    """The centre card could have been forced and was not (Conquian)."""

    seat: int


class Died(Event, frozen=True, tag="died"):
    """Nobody wanted the centre card; it is out of play (Conquian)."""

    card: Card


class ExchangeChosen(Event, frozen=True, tag="exchange_chosen"):
    """A card was chosen for the exchange; until both have chosen, which one is for its owner only (Conquian)."""

    seat: int
    card: Card | None = None


class ExchangeMade(Event, frozen=True, tag="exchange_made"):
    """The chosen cards changed hands; `gave` is by seat, known to the two players (Conquian)."""

    gave: tuple[Card, ...] | None = None


class Discarded(Event, frozen=True, tag="discarded"):
    """A card went onto the discard pile."""

    seat: int
    card: Card


Ending = Literal["out", "stock", "void", "draw", "left"]


class Result(Struct, frozen=True):
    """How a hand ended.

    `points` and `penalties` are by seat, `hands` are the cards left, now public to all. `winners` is empty
    for a void or drawn hand; several are joint winners. `left`: somebody left, and the game says what that costs.
    """

    ending: Ending
    winners: tuple[int, ...]
    points: tuple[int, ...]
    penalties: tuple[int, ...]
    hands: tuple[tuple[Card, ...], ...]


class HandEnded(Event, frozen=True, tag="hand_ended"):
    """The hand is over and counted."""

    result: Result


AnyEvent = (
    Dealt
    | Drew
    | Took
    | Laid
    | Added
    | Swapped
    | JokerTaken
    | Burned
    | Reshuffled
    | Discarded
    | TurnedUp
    | Melded
    | Passed
    | Forced
    | Waived
    | Died
    | ExchangeChosen
    | ExchangeMade
    | HandEnded
)


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


def redact(event: AnyEvent, seat: int | None) -> AnyEvent:
    """An event as `seat` (None: a spectator) may see it."""
    match event:
        case Drew() if event.seat != seat:
            return Drew(event.seat)
        case ExchangeChosen() if event.seat != seat:
            return ExchangeChosen(event.seat)
        case ExchangeMade() if seat is None:
            return ExchangeMade()
        case Reshuffled():
            return Reshuffled(event.count)
        case _:
            return event
