"""Konken played on without a judge, by the thousand; what a playout promises is in playout.py.

A move is an action as `legal` lists it. What can be laid of the cards of one suit or one rank, and what can join a
meld, is found by the judge's own functions and kept.
"""

from __future__ import annotations

from collections.abc import Iterable

from server.rules import konken_choices as choices
from server.rules.actions import Add, AnyAction, Discard, Draw, Lay, Swap, Take
from server.rules.cards import JOKER, Card, Placed, face
from server.rules.game import MeldView
from server.rules.held import (
    BITS,
    DRAW,
    FACES,
    JOKER_BIT,
    TAKE,
    Held,
    discards,
    singles,
)
from server.rules.konken_choices import STALL_TURNS
from server.rules.konken_hand import KonkenHand
from server.rules.konken_jokers import needs_extension
from server.rules.konken_known import lays_of, spot_of
from server.rules.konken_scoring import go_out, stock_out
from server.rules.melds import LONGEST_RUN, Cards, added, new_meld, swapped
from server.rules.result import Result


class KonkenPlayout:
    """A hand being played out."""

    __slots__ = (
        "_first", "_held", "_idle", "_laid", "_opened", "_options", "_pending", "_phase", "_pile", "_spots",
        "_stock", "_table", "_taken", "over", "points", "seat",
    )  # fmt: skip

    def __init__(self, hand: KonkenHand) -> None:
        """From a hand all of whose cards are known."""
        self.seat, self.over, self._phase = hand.turn, hand.phase == "over", str(hand.phase)
        self.points = hand.result.points if hand.result is not None else (0,) * len(hand.hands)
        self._options, self._first, self._idle, self._pending = (
            hand.options,
            hand.first,
            hand.idle,
            hand.pending,
        )
        self._laid, self._opened = list(hand.laid), list(hand.opened)
        self._stock, self._pile = list(reversed(hand.stock)), list(reversed(hand.pile))
        self._taken, self._table = hand.taken, list(hand.table)
        self._spots = [spot_of(meld) for meld in hand.table]
        self._held = Held(hand.hands)

    def copy(self) -> KonkenPlayout:
        """A playout that goes on from here by itself."""
        twin = KonkenPlayout.__new__(KonkenPlayout)
        twin.seat, twin.over, twin.points, twin._phase = self.seat, self.over, self.points, self._phase
        twin._options, twin._first, twin._idle, twin._pending = (
            self._options,
            self._first,
            self._idle,
            self._pending,
        )
        twin._laid, twin._opened = self._laid[:], self._opened[:]
        twin._stock, twin._pile, twin._taken, twin._table = (
            self._stock[:],
            self._pile[:],
            self._taken,
            self._table[:],
        )
        twin._spots = self._spots[:]
        twin._held = self._held.copy()
        return twin

    # ---- what may be done

    def actions(self) -> list[AnyAction]:
        """The moves of `seat`."""
        if self._phase == "act":
            if self._pending is not None:
                return [*self._uses()]
            return [*self._lays(), *self._adds(), *self._swaps(), *self._discards()]
        moves: list[AnyAction] = []
        if self._phase == "draw":
            if self._stock:
                moves.append(DRAW)
            if self._pile and self._idle < STALL_TURNS * len(self._laid):
                moves.append(TAKE)
        return moves

    def _count(self) -> int:
        """Cards in hand."""
        return self._held.count(self.seat)

    def _may_finish(self) -> bool:
        opened, laid = self._opened[self.seat], self._laid[self.seat]
        return opened or (laid and self._options.finish_on_opening_turn == "on")

    def _may_leave(self, left: int, opening: bool) -> bool:
        """Rule F, as `finish_fault` has it."""
        if left == 0 and self._options.must_discard_to_finish == "on":
            return False
        if left >= 2 or self._may_finish():
            return True
        return left == 1 and opening and self._options.finish_on_opening_turn == "on"

    def _lays(self) -> Iterable[Lay]:
        seat, joker = self.seat, self._pending is not None
        opening = not self._laid[seat]
        if opening and self._options.opening_points:
            return choices.lays(self.hand())
        found = lays_of(self._held.once[seat], self._held.jokers[seat] + joker)
        if not found:
            return found
        room = self._count() + joker - next(left for left in (0, 1, 2) if self._may_leave(left, opening))
        if joker or room < LONGEST_RUN:
            return [
                lay for lay in found if len(lay.melds[0]) <= room and (not joker or JOKER in lay.melds[0])
            ]
        return found

    def _is_locked(self) -> bool:
        return self._options.must_open_before_layoff == "on" and not self._laid[self.seat]

    def _adds(self) -> list[Add]:
        seat, pending = self.seat, self._pending
        own = self._held.faces(seat)
        if pending is not None:
            if self._options.reclaimed_joker == "new_meld_only":
                return []
            own = JOKER_BIT
        if not self._spots or self._is_locked():
            return []
        if not self._may_leave(self._count() - (pending is None), opening=False):
            return []
        found: list[Add] = []
        for joins, adds, _ in self._spots:
            if joins & own:
                found += [add for card, add in adds if card & own and add.meld != pending]
        return found

    def _uses(self) -> list[Add | Lay]:
        return [*self._adds(), *self._lays()]

    def _swaps(self) -> list[Swap]:
        """Swaps with each use of their Joker, as the hand after the swap may make it."""
        found: list[Swap] = []
        own = self._held.once[self.seat]
        if not self._spots or self._is_locked():
            return found
        for meld, spot in zip(self._table, self._spots, strict=True):
            for bit in singles(spot.takers & own) if spot.takers else ():
                card = FACES[bit]
                for extend in self._extensions(meld, card):
                    after = self.copy()
                    after._swap(meld.id, card, extend)
                    found += [Swap(meld.id, card, extend, use) for use in after._uses()]
        return found

    def _extensions(self, meld: MeldView, card: Card) -> list[tuple[Card, ...]]:
        if not needs_extension(meld):
            return [()]
        seat = self.seat
        own = self._held.faces(seat)
        joins = spot_of(MeldView(meld.id, meld.kind, swapped(meld.kind, meld.cards, card))).joins
        return [(FACES[extra],) for extra in singles(joins & own)]

    def _discards(self) -> list[AnyAction]:
        seat = self.seat
        cards = self._held.faces(seat)
        count = self._count()
        if count == 1 and not self._may_finish():
            return []
        taken, returned = self._taken, self._options.return_taken_discard == "on"
        if taken is not None and not returned and self._held.copies(seat, taken) == 1 < count:
            cards &= ~BITS[taken]
        return discards(cards)

    # ---- doing it

    def play(self, move: AnyAction) -> None:
        """Make one of the moves of `actions()`."""
        match move:
            case Draw():
                self._held.give(self.seat, self._stock.pop())
                self._phase, self._idle = "act", -1
            case Take():
                self._taken = self._pile.pop()
                self._held.give(self.seat, self._taken)
                self._phase = "act"
            case Discard():
                self._discard(move.card)
            case Add():
                self._add(move)
            case Lay():
                self._lay(move)
            case Swap():
                self._swap(move.meld, move.card, move.extend)
                if move.then is not None:
                    self.play(move.then)
            case _:
                raise ValueError(f"{move} is no action of Konken")

    def _lose(self, card: Placed) -> None:
        """A card leaves the hand of the seat whose turn it is; the waiting Joker before others."""
        own = face(card)
        if own == JOKER and self._pending is not None:
            self._pending = None
            return
        self._held.lose(self.seat, own)
        if own == self._taken:
            self._taken = None

    def _lay(self, move: Lay) -> None:
        for meld in move.melds:
            lying = MeldView(len(self._table) + 1, *new_meld(meld))
            self._table.append(lying)
            self._spots.append(spot_of(lying))
            for card in meld:
                self._lose(card)
        self._laid[self.seat] = True
        self._on_table()

    def _add(self, move: Add) -> None:
        meld = self._table[move.meld - 1]
        self._put(meld, added(meld.kind, meld.cards, move.cards, move.end))
        for card in move.cards:
            self._lose(card)
        self._on_table()

    def _swap(self, number: int, card: Card, extend: tuple[Card, ...]) -> None:
        meld = self._table[number - 1]
        cards = swapped(meld.kind, meld.cards, card)
        self._put(meld, added(meld.kind, cards, extend) if extend else cards)
        for played in (card, *extend):
            self._lose(played)
        self._idle, self._pending = -1, number

    def _put(self, meld: MeldView, cards: Cards) -> None:
        """A meld on the table has these cards now."""
        changed = MeldView(meld.id, meld.kind, cards)
        self._table[meld.id - 1], self._spots[meld.id - 1] = changed, spot_of(changed)

    def _on_table(self) -> None:
        """After a lay or an addition: "Elini bitiren oyuncu eli kazanır"."""
        self._idle = -1
        if not self._count():
            self._end(go_out(self.hand())[0].result)

    def _discard(self, card: Card) -> None:
        seat = self.seat
        self._lose(card)
        self._pile.append(card)
        if not self._count():
            self._end(go_out(self.hand())[0].result)
        elif not self._stock:
            self._end(stock_out(self.hand())[0].result)
        else:
            self._opened[seat] = self._laid[seat]
            self.seat, self._phase, self._taken = (seat + 1) % len(self._laid), "draw", None
            self._idle += 1

    def _end(self, result: Result | None) -> None:
        assert result is not None, "the hand is over"  # noqa: S101
        self._phase, self.over, self.points = "over", True, result.points

    # ---- translating

    def hand(self) -> KonkenHand:
        """The hand as the judge knows it; which card was drawn, and the order of each hand, is forgotten."""
        return KonkenHand(
            options=self._options,
            first=self._first,
            turn=self.seat,
            phase="act",
            hands=self._held.cards(),
            stock=tuple(reversed(self._stock)),
            pile=tuple(reversed(self._pile)),
            opened=tuple(self._opened),
            laid=tuple(self._laid),
            table=tuple(self._table),
            taken=self._taken,
            pending=self._pending,
            idle=self._idle,
        )

    def action_of(self, move: AnyAction) -> AnyAction:
        """Itself."""
        return move

    def move_of(self, action: AnyAction) -> AnyAction:
        """Itself."""
        return action
