"""What is told of a hand: one kind of event for each thing that happens, and what of it a seat may know.

What there is by the thousand is kept from the garbage collector (`gc=False`): frozen values hold no rings.
"""

from __future__ import annotations

from msgspec import Struct

from server.rules.cards import Card, Placed
from server.rules.result import Result


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
