"""Conker played on without a judge, by the thousand; what a playout promises is in playout.py.

A move is an action as `legal` lists it. What can be laid of the cards of one suit or one rank, and what can join a
meld, is found by the judge's own functions and kept, for as long as the options are the same.
"""

from __future__ import annotations

from collections.abc import Iterable

from server.rules.actions import Add, AnyAction, Discard, Draw, Lay, Swap, Take
from server.rules.cards import JOKER, Card, face
from server.rules.conker import may_reshuffle, next_stock
from server.rules.conker_choices import STALL_TURNS
from server.rules.conker_hand import ConkerHand
from server.rules.conker_known import known
from server.rules.conker_melds import added, new_meld, swapped
from server.rules.conker_openings import openings_in
from server.rules.conker_scoring import close, void
from server.rules.game import MeldView
from server.rules.held import BITS, DRAW, FACES, TAKE, Held, discards, singles
from server.rules.melds import LARGEST_GROUP
from server.rules.result import Result


class ConkerPlayout:
    """A hand being played out."""

    __slots__ = (
        "_entered", "_first", "_held", "_idle", "_key", "_known", "_melds", "_opened", "_options", "_phase",
        "_pile", "_reshuffles", "_spots", "_stock", "_table", "_taken", "over", "points", "seat",
    )  # fmt: skip

    def __init__(self, hand: ConkerHand) -> None:
        """From a hand all of whose cards are known."""
        self.seat, self.over, self._phase = hand.turn, hand.phase == "over", str(hand.phase)
        self.points = hand.result.points if hand.result is not None else (0,) * len(hand.hands)
        self._options, self._known, self._key = hand.options, known(hand.options), hand.key
        self._first, self._idle, self._reshuffles = hand.first, hand.idle, hand.reshuffles
        self._opened, self._entered = list(hand.opened), hand.entered
        self._stock, self._pile = list(reversed(hand.stock)), list(reversed(hand.pile))
        self._taken, self._melds = hand.taken, hand.melds
        self._table = {meld.id: meld for meld in hand.table}
        self._spots = {meld.id: self._known.spot_of(meld) for meld in hand.table}
        self._held = Held(hand.hands)

    def copy(self) -> ConkerPlayout:
        """A playout that goes on from here by itself."""
        twin = ConkerPlayout.__new__(ConkerPlayout)
        twin.seat, twin.over, twin.points, twin._phase = self.seat, self.over, self.points, self._phase
        twin._options, twin._known, twin._key = self._options, self._known, self._key
        twin._first, twin._idle, twin._reshuffles = self._first, self._idle, self._reshuffles
        twin._opened, twin._entered = self._opened[:], self._entered
        twin._stock, twin._pile, twin._taken = self._stock[:], self._pile[:], self._taken
        twin._melds, twin._table, twin._spots = self._melds, self._table.copy(), self._spots.copy()
        twin._held = self._held.copy()
        return twin

    # ---- what may be done

    def actions(self) -> list[AnyAction]:
        """The moves of `seat`."""
        seat = self.seat
        if self._phase == "act":
            if not self._opened[seat]:
                return [*self._openings(), *self._discards()]
            if self._entered and self._options.act_on_entry_turn == "off":
                return self._discards()
            return [*self._lays(), *self._adds(), *self._swaps(), *self._discards()]
        if self._phase == "draw":
            may_take = self._pile and self._opened[seat] and self._idle < STALL_TURNS * len(self._opened)
            return [DRAW, TAKE] if may_take else [DRAW]
        return []

    def _openings(self) -> Iterable[Lay]:
        held, seat = self._held, self.seat
        return openings_in(held.once[seat], held.twice[seat], held.jokers[seat], self._options)

    def _lays(self) -> list[Lay]:
        held, seat = self._held, self.seat
        return self._known.lays_of(held.once[seat], held.jokers[seat], room=held.count(seat) - 1)

    def _adds(self) -> list[Add]:
        found: list[Add] = []
        own = self._held.faces(self.seat)
        if self._held.count(self.seat) > 1:
            for joins, adds, _ in self._spots.values():
                if joins & own:
                    found += [add for card, add in adds if card & own]
        return found

    def _swaps(self) -> list[Swap]:
        own = self._held.once[self.seat]
        return [
            Swap(number, FACES[card])
            for number, spot in self._spots.items()
            if spot.takers & own
            for card in singles(spot.takers & own)
        ]

    def _discards(self) -> list[AnyAction]:
        seat, taken = self.seat, self._taken
        cards = self._held.faces(seat)
        if (
            taken is not None
            and self._options.return_taken_discard == "off"
            and self._held.copies(seat, taken) == 1 < self._held.count(seat)
        ):
            cards &= ~BITS[taken]
        return discards(cards)

    # ---- doing it

    def play(self, move: AnyAction) -> None:
        """Make one of the moves of `actions()`."""
        match move:
            case Draw():
                self._draw()
            case Take():
                self._taken = self._pile.pop()
                self._held.give(self.seat, self._taken)
                self._phase = "act"
            case Discard():
                self._discard(move.card)
            case Add():
                meld = self._table[move.meld]
                cards = added(meld.kind, meld.cards, move.cards, move.end, self._options)
                self._put(MeldView(meld.id, meld.kind, cards))
                self._lose(move.cards)
            case Lay():
                self._lay(move)
            case Swap():
                meld = self._table[move.meld]
                self._put(MeldView(meld.id, meld.kind, swapped(meld.kind, meld.cards, move.card)))
                self._lose((move.card,))
                self._held.give(self.seat, JOKER)
            case _:
                raise ValueError(f"{move} is no action of Conker")

    def _draw(self) -> None:
        if not self._stock:
            hand = self.hand()
            if not may_reshuffle(hand):
                self._end(void(hand)[0].result)
                return
            self._stock, self._pile = list(reversed(next_stock(hand))), self._pile[-1:]
            self._reshuffles += 1
        self._held.give(self.seat, self._stock.pop())
        self._phase, self._idle = "act", -1

    def _lose(self, cards: Iterable[Card]) -> None:
        """Cards go from the hand of the seat whose turn it is to the table."""
        self._idle = -1
        for card in cards:
            own = face(card)
            self._held.lose(self.seat, own)
            if own == self._taken:
                self._taken = None

    def _lay(self, move: Lay) -> None:
        for meld in move.melds:
            self._melds += 1
            self._put(MeldView(self._melds, *new_meld(meld, self._options)))
            self._lose(meld)
        if not self._opened[self.seat]:
            self._opened[self.seat] = self._entered = True

    def _put(self, meld: MeldView) -> None:
        """A meld on the table is now this; a complete one of a rank leaves it."""
        if meld.kind == "group" and len(meld.cards) == LARGEST_GROUP:
            self._table.pop(meld.id, None)
            self._spots.pop(meld.id, None)
        else:
            self._table[meld.id] = meld
            self._spots[meld.id] = self._known.spot_of(meld)

    def _discard(self, card: Card) -> None:
        self._held.lose(self.seat, card)
        self._pile.append(card)
        if self._held.count(self.seat):
            self.seat, self._phase = (self.seat + 1) % len(self._opened), "draw"
            self._entered, self._taken = False, None
            self._idle += 1
        else:
            self._end(close(self.hand(), card)[0].result)

    def _end(self, result: Result | None) -> None:
        assert result is not None, "the hand is over"  # noqa: S101
        self._phase, self.over, self.points = "over", True, result.points

    # ---- translating

    def hand(self) -> ConkerHand:
        """The hand as the judge knows it; which card was drawn, the order of hands and what burned is forgotten."""
        return ConkerHand(
            options=self._options,
            first=self._first,
            turn=self.seat,
            phase="act",
            hands=self._held.cards(),
            stock=tuple(reversed(self._stock)),
            pile=tuple(reversed(self._pile)),
            opened=tuple(self._opened),
            entered=self._entered,
            table=tuple(self._table.values()),
            melds=self._melds,
            taken=self._taken,
            idle=self._idle,
            reshuffles=self._reshuffles,
            key=self._key,
        )

    def action_of(self, move: AnyAction) -> AnyAction:
        """Itself."""
        return move

    def move_of(self, action: AnyAction) -> AnyAction:
        """Itself."""
        return action
