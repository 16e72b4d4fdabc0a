"""A client that keeps its view by listening to events alone: what it cannot know, an event must have told."""

from __future__ import annotations

from typing import Any

import msgspec

from server.rules.game import (
    Added,
    AnyEvent,
    Discarded,
    Drew,
    HandEnded,
    Laid,
    MeldView,
    Swapped,
    Took,
)
from server.rules.konken import KonkenView


class Mirror:
    """One viewer's picture of a hand. It knows no rules but whose turn follows and what a meld looks like."""

    def __init__(self, viewer: int | None, players: int) -> None:
        self.viewer, self.players = viewer, players
        self.view: KonkenView | None = None
        self.pile: list[str] = []

    def begin(self, view: KonkenView) -> None:
        """The first view of a hand."""
        self.view = view
        self.pile = [view.discard] if view.discard else []

    def hear(self, event: AnyEvent) -> None:
        """Change the view as an event tells."""
        match event:
            case Drew():
                self.put(phase="act", stock=self.now.stock - 1, drawn=event.card)
                self.gain(event.seat, event.card)
            case Took():
                assert self.pile.pop() == event.card
                self.put(phase="act", taken=event.card, **self.top())
                self.gain(event.seat, event.card)
            case Laid():
                kind: Any = "run" if len({card[-1] for card in event.cards if card != "JK"}) == 1 else "group"
                self.put(table=(*self.now.table, MeldView(event.meld, kind, event.cards)))
                laid = self.now.laid
                self.put(laid=(*laid[: event.seat], True, *laid[event.seat + 1 :]))
                self.play(event.seat, [card[:2] for card in event.cards])
            case Added():
                self.change(event.meld, event.meld_cards)
                self.play(event.seat, list(event.cards))
            case Swapped():
                self.change(event.meld, event.meld_cards)
                self.play(event.seat, [event.card, *event.extend])
                self.put(pending=event.meld)
            case Discarded():
                self.throw(event)
            case HandEnded():
                if self.now.phase == "draw":  # by a discard: the turn did not pass on
                    self.put(turn=self.last, opened=self.opened)
                self.put(phase="over", drawn=None, taken=None, result=event.result)

    @property
    def now(self) -> KonkenView:
        assert self.view is not None
        return self.view

    def put(self, **changes: Any) -> None:
        self.view = msgspec.structs.replace(self.now, **changes)

    def top(self) -> dict[str, Any]:
        return {"discard": self.pile[-1] if self.pile else None, "discards": len(self.pile)}

    def change(self, number: int, cards: tuple[str, ...]) -> None:
        table = [m if m.id != number else MeldView(m.id, m.kind, cards) for m in self.now.table]
        self.put(table=tuple(table))

    def gain(self, seat: int, card: str | None) -> None:
        self.count(seat, 1)
        if seat == self.viewer:
            assert card is not None
            assert self.now.hand is not None
            self.put(hand=(*self.now.hand, card))

    def count(self, seat: int, by: int) -> None:
        counts = list(self.now.counts)
        counts[seat] += by
        self.put(counts=tuple(counts))

    def play(self, seat: int, faces: list[str]) -> None:
        """Cards left a hand for the table; a Joker that waited goes first and came from no hand."""
        if self.now.pending is not None and "JK" in faces:
            faces.remove("JK")
            self.put(pending=None)
        self.count(seat, -len(faces))
        for face in faces:
            self.lose(seat, face, newest=True)
        self.put(
            drawn=None if self.now.drawn in faces else self.now.drawn,
            taken=None if self.now.taken in faces else self.now.taken,
        )

    def lose(self, seat: int, face: str, newest: bool) -> None:
        if seat == self.viewer and self.now.hand is not None:
            hand = list(self.now.hand)
            at = len(hand) - 1 - hand[::-1].index(face) if newest else hand.index(face)
            del hand[at]
            self.put(hand=tuple(hand))

    def throw(self, event: Discarded) -> None:
        """A discard ends the turn; the card just taken stays while its twin goes."""
        self.last, self.opened = event.seat, self.now.opened
        self.pile.append(event.card)
        self.count(event.seat, -1)
        self.lose(event.seat, event.card, newest=event.card != self.now.taken)
        opened = self.now.opened
        opened = (*opened[: event.seat], self.now.laid[event.seat], *opened[event.seat + 1 :])
        turn = (event.seat + 1) % self.players
        self.put(phase="draw", turn=turn, opened=opened, drawn=None, taken=None, **self.top())
