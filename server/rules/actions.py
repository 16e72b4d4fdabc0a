"""What players do: one kind of action for each verb of the games. The text of each is in docs/rules/notation.md."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from server.rules.cards import Card, Placed

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
