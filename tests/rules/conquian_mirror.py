"""A Conquian client that keeps its view by listening to events alone: what it cannot know, an event must have told."""

from __future__ import annotations

from typing import Any

import msgspec

from server.rules.conquian import ConquianOptions, ConquianView
from server.rules.conquian_hand import Centre, ExchangeView
from server.rules.events import (
    AnyEvent,
    Died,
    Discarded,
    ExchangeChosen,
    ExchangeMade,
    Forced,
    HandEnded,
    Melded,
    Passed,
    TurnedUp,
    Waived,
)
from tests.rules.conquian_oracle import fits


class ConquianMirror:
    """One viewer's picture of a hand. It knows whose turn follows, and which cards fit a table."""

    def __init__(self, viewer: int | None, options: ConquianOptions) -> None:
        self.viewer, self.options = viewer, options
        self.view: Any = None
        self.turned_up = 0

    def begin(self, view: ConquianView) -> None:
        self.view = view
        self.turned_up = 0 if view.centre is None else 1

    @property
    def now(self) -> ConquianView:
        assert isinstance(self.view, ConquianView)
        return self.view

    def put(self, **changes: Any) -> None:
        self.view = msgspec.structs.replace(self.now, **changes)

    def hear(self, event: AnyEvent) -> None:
        self.put(forced=None)
        match event:
            case ExchangeChosen():
                self.choose(event)
            case ExchangeMade():
                self.swap(event)
            case TurnedUp():
                self.turned_up += 1
                offered = self.turned_up == 1 and self.options.first_card == "upcard"
                turn = 1 - event.seat if offered else event.seat
                self.put(stock=self.now.stock - 1, phase="offered" if offered else "own", turn=turn)
                self.put(centre=Centre(event.card, event.seat, "turned"))
            case Melded():
                self.put(
                    table=replaced(self.now.table, event.seat, event.melds), centre=None, phase="discard"
                )
                self.lose(event.seat, event.from_hand)
            case Discarded():
                self.lose(event.seat, (event.card,))
                centre = Centre(event.card, event.seat, "discarded")
                self.put(phase="offered", turn=1 - event.seat, centre=centre)
            case Passed():
                self.passed(event)
            case Waived():
                self.put(turn=1 - event.seat)
            case Forced():
                self.put(turn=event.seat, forced=event.seat)
                if self.options.forcing != "auto" or self.now.phase not in ("own", "offered"):
                    self.put(phase="forced")
            case Died():
                shown = self.now.dead_cards
                self.put(dead=self.now.dead + 1, centre=None)
                self.put(dead_cards=None if shown is None else (*shown, event.card))
            case HandEnded():
                # The last to refuse keeps the turn, the winner never gave it away.
                turn = self.last if event.result.ending == "draw" else self.now.turn
                self.put(phase="over", result=event.result, turn=turn)
        self.derive()

    last = 0
    """Whose turn it was when the card in the centre died."""

    def choose(self, event: ExchangeChosen) -> None:
        before = self.now.exchange
        assert before is not None
        own = event.card if event.seat == self.viewer else before.own
        chosen = replaced(before.chosen, event.seat, True)
        self.put(exchange=ExchangeView(chosen, own), turn=1 - event.seat)

    def swap(self, event: ExchangeMade) -> None:
        if self.viewer is not None:
            assert event.gave is not None
            self.lose(self.viewer, (event.gave[self.viewer],))
            got = event.gave[1 - self.viewer]
            self.put(hand=(*(self.now.hand or ()), got))
            self.put(counts=replaced(self.now.counts, self.viewer, len(self.now.hand or ())))
        self.put(exchange=None)

    def passed(self, event: Passed) -> None:
        turned = self.now.centre is not None and self.now.centre.how == "turned"
        upcard = turned and self.turned_up == 1 and self.options.first_card == "upcard"
        first = "offered" if upcard else "own"
        self.last = event.seat
        if self.now.phase == first:
            self.put(phase="own" if upcard else "offered", turn=1 - event.seat)
        elif not upcard and self.options.forcing == "optional" and self.now.fits[event.seat]:
            self.put(phase="window", turn=1 - event.seat)
            self.last = 1 - event.seat

    def lose(self, seat: int, cards: tuple[str, ...]) -> None:
        self.put(counts=replaced(self.now.counts, seat, self.now.counts[seat] - len(cards)))
        if seat == self.viewer and self.now.hand is not None:
            self.put(hand=tuple(card for card in self.now.hand if card not in cards))

    def derive(self) -> None:
        """What follows from the cards that lie open and one's own."""
        now = self.now
        card = None if now.centre is None else now.centre.card
        able = tuple(card is not None and fits(table, card) for table in now.table)
        throws = now.phase == "discard" and now.turn == self.viewer and self.options.forcing == "optional"
        own = now.hand or () if throws else ()
        self.put(fits=able, forceable=tuple(c for c in own if fits(now.table[1 - now.turn], c)))


def replaced(values: tuple[Any, ...], seat: int, value: Any) -> tuple[Any, ...]:
    return (value, values[1]) if seat == 0 else (values[0], value)
