"""A client that keeps its view by listening to events alone: what it cannot know, an event must have told.

Of the games with a discard pile: Konken and Conker.
"""

from __future__ import annotations

from typing import Any

import msgspec

from server.rules.events import (
    Added,
    AnyEvent,
    Burned,
    Discarded,
    Drew,
    HandEnded,
    JokerTaken,
    Laid,
    Reshuffled,
    Swapped,
    Took,
)
from server.rules.game import MeldView


class Mirror:
    """One viewer's picture of a hand. It knows no rules but whose turn follows and what a meld looks like."""

    def __init__(self, viewer: int | None, players: int) -> None:
        self.viewer, self.players = viewer, players
        self.view: Any = None
        self.pile: list[str] = []

    def begin(self, view: Any) -> None:
        """The first view of a hand."""
        self.view = view
        self.pile = [view.discard] if view.discard else []

    def hear(self, event: AnyEvent) -> None:
        """Change the view as an event tells."""
        match event:
            case Drew():
                self.put(phase="act", stock=self.view.stock - 1, drawn=event.card)
                self.gain(event.seat, event.card)
            case Took():
                assert self.pile.pop() == event.card
                self.put(phase="act", taken=event.card, **self.top())
                self.gain(event.seat, event.card)
            case Laid():
                kind: Any = "run" if len({card[-1] for card in event.cards if card != "JK"}) == 1 else "group"
                self.put(table=(*self.view.table, MeldView(event.meld, kind, event.cards)))
                self.lay(event)
                self.play(event.seat, [card[:2] for card in event.cards])
            case Added():
                self.change(event.meld, event.meld_cards)
                self.play(event.seat, list(event.cards))
            case Swapped():
                self.change(event.meld, event.meld_cards)
                self.swap(event)
            case Discarded():
                self.throw(event)
            case HandEnded():
                self.end(event)

    def lay(self, event: Laid) -> None:
        laid = self.view.laid
        self.put(laid=(*laid[: event.seat], True, *laid[event.seat + 1 :]))

    def swap(self, event: Swapped) -> None:
        self.play(event.seat, [event.card, *event.extend])
        self.put(pending=event.meld)

    def end(self, event: HandEnded) -> None:
        if self.by_discard(event):  # the turn did not pass on
            self.put(turn=self.last, opened=self.opened)
        self.put(phase="over", drawn=None, taken=None, result=event.result)

    def put(self, **changes: Any) -> None:
        self.view = msgspec.structs.replace(self.view, **changes)

    def top(self) -> dict[str, Any]:
        return {"discard": self.pile[-1] if self.pile else None, "discards": len(self.pile)}

    def change(self, number: int, cards: tuple[str, ...]) -> None:
        table = [m if m.id != number else MeldView(m.id, m.kind, cards) for m in self.view.table]
        self.put(table=tuple(table))

    def by_discard(self, event: HandEnded) -> bool:
        return bool(self.view.phase == "draw")

    def gain(self, seat: int, card: str | None) -> None:
        self.count(seat, 1)
        if seat == self.viewer:
            assert card is not None
            self.put(hand=(*self.view.hand, card))

    def count(self, seat: int, by: int) -> None:
        counts = list(self.view.counts)
        counts[seat] += by
        self.put(counts=tuple(counts))

    def play(self, seat: int, faces: list[str]) -> None:
        """Cards left a hand for the table; a Joker that waited goes first and came from no hand."""
        if self.waits and "JK" in faces:
            faces.remove("JK")
            self.put(pending=None)
        self.count(seat, -len(faces))
        for face in faces:
            self.lose(seat, face, newest=True)
        self.put(
            drawn=None if self.view.drawn in faces else self.view.drawn,
            taken=None if self.view.taken in faces else self.view.taken,
        )

    @property
    def waits(self) -> bool:
        """Whether a Joker is in no hand."""
        return self.view.pending is not None

    def lose(self, seat: int, face: str, newest: bool) -> None:
        if seat == self.viewer and self.view.hand is not None:
            hand = list(self.view.hand)
            at = len(hand) - 1 - hand[::-1].index(face) if newest else hand.index(face)
            del hand[at]
            self.put(hand=tuple(hand))

    def throw(self, event: Discarded) -> None:
        """A discard ends the turn; the card just taken stays while its twin goes."""
        self.last, self.opened = event.seat, self.view.opened
        self.pile.append(event.card)
        self.count(event.seat, -1)
        self.lose(event.seat, event.card, newest=event.card != self.view.taken)
        self.pass_on(event.seat)
        turn = (event.seat + 1) % self.players
        self.put(phase="draw", turn=turn, drawn=None, taken=None, **self.top())

    def pass_on(self, seat: int) -> None:
        """What was laid in this turn counts as opened from now on."""
        opened = self.view.opened
        self.put(opened=(*opened[:seat], self.view.laid[seat], *opened[seat + 1 :]))


class ConkerMirror(Mirror):
    """The same for Conker: who lays is in, what burns is gone, a Joker comes to the hand."""

    waits = False

    def hear(self, event: AnyEvent) -> None:
        """Change the view as an event tells."""
        match event:
            case Burned():
                self.put(table=tuple(meld for meld in self.view.table if meld.id != event.meld))
                self.put(burned=(*self.view.burned, *(card[:2] for card in event.cards)))
            case JokerTaken():
                self.gain(event.seat, "JK")
            case Reshuffled():
                assert event.stock is None
                self.pile = self.pile[-1:]
                self.put(stock=event.count, reshuffles=self.view.reshuffles + 1, **self.top())
            case _:
                super().hear(event)

    def lay(self, event: Laid) -> None:
        opened = self.view.opened
        if not opened[event.seat]:
            self.put(opened=(*opened[: event.seat], True, *opened[event.seat + 1 :]), entered=True)

    def swap(self, event: Swapped) -> None:
        self.play(event.seat, [event.card])

    def pass_on(self, seat: int) -> None:
        self.put(entered=False)

    def by_discard(self, event: HandEnded) -> bool:
        """A draw may end the hand as well, where no stock can be built."""
        return event.result.ending == "out"

    def end(self, event: HandEnded) -> None:
        super().end(event)
        self.put(entered=False)
