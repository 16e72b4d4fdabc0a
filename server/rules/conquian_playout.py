"""Conquian played on without a judge, by the thousand; what a playout promises is in playout.py.

    playout = ConquianPlayout(hand)
    while not playout.over:
        playout.play(chance.choice(playout.actions()))
    playout.points

Cards are sets of bits as in conquian_covers.py. Neither the order of cards nor how a table is divided is kept, since
they limit nothing that comes later.

A move is a number: a set of cards of the hand, with a flag. In `own`, `offered` and `forced` a set without flag is a
meld of those cards, perhaps of none, with the centre card. In `discard` one card is thrown, and with FORCE forced on
the opponent; in `exchange` one card is chosen. PASS, WAIVE and FORCE by themselves are the words.
"""

from __future__ import annotations

from functools import cache

from server.rules.actions import AnyAction, Discard, Exchange, Force, Meld, Pass, Waive
from server.rules.conquian_choices import meld_of
from server.rules.conquian_covers import BIT, PACK, cards_of, set_of
from server.rules.conquian_hand import ConquianHand
from server.rules.conquian_parts import SUIT, fits, parts
from server.rules.conquian_scoring import payment

PASS, FORCE, WAIVE = (1 << len(PACK) + place for place in range(3))
WORDS: dict[int, AnyAction] = {PASS: Pass(), FORCE: Force(), WAIVE: Waive()}

SUITS = tuple(SUIT << shift for shift in (0, 10, 20, 30))


@cache
def _singles(of_suit: int) -> tuple[int, ...]:
    return tuple(bit for bit in BIT.values() if bit & of_suit)


def singles(cards: int) -> list[int]:
    """The single cards of a set."""
    return [card for suit in SUITS if cards & suit for card in _singles(cards & suit)]


class ConquianPlayout:
    """A hand being played out. `seat` is asked; in the exchange the lower seat first, though both may choose."""

    __slots__ = (
        "_centre", "_chosen", "_first", "_hands", "_options", "_paid", "_phase", "_stock", "_tables", "_turned",
        "_upcard", "over", "points", "seat",
    )  # fmt: skip

    def __init__(self, hand: ConquianHand) -> None:
        """From a hand all of whose cards are known."""
        centre, options = hand.centre, hand.options
        self.seat, self._phase = hand.turn, str(hand.phase)
        self.over = hand.phase == "over"
        self.points = hand.result.points if hand.result is not None else (0, 0)
        self._options, self._paid = options, payment(options, hand.drawn, loser=1)[0]
        self._hands = [set_of(cards) for cards in hand.hands]
        self._tables = [set_of(card for meld in melds for card in meld) for melds in hand.melds]
        self._stock = [BIT[card] for card in reversed(hand.stock)]
        self._chosen = [BIT[card] if card else 0 for card in hand.chosen]
        # The card in the centre, whether it came from the stock, and whether as the dealer's upcard.
        self._centre = BIT[centre.card] if centre is not None else 0
        self._turned = centre is not None and centre.how == "turned"
        self._upcard = hand.is_upcard
        self._first = hand.dealer if options.first_card == "upcard" else hand.pone
        if hand.phase == "exchange":
            self.seat = 1 if self._chosen[0] else 0

    def copy(self) -> ConquianPlayout:
        """A playout that goes on from here by itself."""
        twin = ConquianPlayout.__new__(ConquianPlayout)
        twin.seat, twin.over, twin.points = self.seat, self.over, self.points
        twin._options, twin._paid, twin._phase = self._options, self._paid, self._phase
        twin._hands, twin._tables, twin._stock = self._hands[:], self._tables[:], self._stock[:]
        twin._chosen, twin._centre, twin._first = self._chosen[:], self._centre, self._first
        twin._turned, twin._upcard = self._turned, self._upcard
        return twin

    # ---- what may be done

    def actions(self) -> list[int]:
        """The moves of `seat`."""
        seat, phase = self.seat, self._phase
        if phase in ("own", "offered"):
            table = self._tables[seat]
            moves = parts(self._centre, table, self._hands[seat])
            if self._options.forcing != "auto" or not fits(self._centre, table):
                moves.append(PASS)
            if phase == "offered" and self._turned and self._may_force_back():
                moves.append(FORCE)
            return moves
        if phase == "discard":
            moves = singles(self._hands[seat])
            table = self._tables[1 - seat]
            if table and self._options.forcing == "optional":
                moves += [card | FORCE for card in moves if fits(card, table)]
            return moves
        if phase == "forced":
            return parts(self._centre, self._tables[seat], self._hands[seat])
        if phase == "window":
            return [FORCE, WAIVE]
        return singles(self._hands[seat]) if phase == "exchange" else []

    def _may_force_back(self) -> bool:
        """Whether who is offered a card just turned may force it on the player who refused it.

        An upcard is offered while all tables are empty, so it fits none.
        """
        return self._options.forcing != "off" and fits(self._centre, self._tables[1 - self.seat])

    # ---- doing it

    def play(self, move: int) -> None:
        """Make one of the moves of `actions()`."""
        if move == PASS:
            self._refuse()
        elif self._phase == "discard":
            self._discard(move)
        elif move == FORCE:
            self._phase, self.seat = "forced", 1 - self.seat
        elif move == WAIVE:
            self._next_card(1 - self.seat)
        elif self._phase == "exchange":
            self._exchange(move)
        else:
            self._meld(move)

    def _refuse(self) -> None:
        seat, phase = self.seat, self._phase
        if self._upcard:
            if phase == "offered":
                self._phase, self.seat = "own", 1 - seat
            else:
                self._next_card(1 - seat)
        elif phase == "own":
            self._phase, self.seat = "offered", 1 - seat
        elif self._options.forcing == "optional" and fits(self._centre, self._tables[seat]):
            self._phase, self.seat = "window", 1 - seat
        else:
            self._next_card(seat)

    def _next_card(self, seat: int) -> None:
        """The centre card is dead, and `seat` turns the next one; without one nobody has won."""
        self._upcard = False
        if not self._stock:
            self._centre, self._phase, self.over = 0, "over", True
            return
        self._centre = self._stock.pop()
        self._phase, self.seat, self._turned = "own", seat, True

    def _meld(self, used: int) -> None:
        seat = self.seat
        left = self._hands[seat] ^ used
        table = self._tables[seat] | used | self._centre
        self._hands[seat], self._tables[seat] = left, table
        self._centre, self._upcard, self._phase = 0, False, "discard"
        if not left:  # hand and table were all that was dealt, and there is one card more now
            self._phase, self.over = "over", True
            self.points = (self._paid, -self._paid) if seat == 0 else (-self._paid, self._paid)

    def _discard(self, move: int) -> None:
        seat = self.seat
        card = move & ~FORCE
        self._hands[seat] ^= card
        self._centre, self._turned = card, False
        self._phase, self.seat = "offered" if card == move else "forced", 1 - seat

    def _exchange(self, card: int) -> None:
        self._chosen[self.seat] = card
        self.seat = 1 - self.seat
        first, second = self._chosen
        if first and second:
            self._hands[0] ^= first | second
            self._hands[1] ^= first | second
            self._chosen = [0, 0]
            self._turn_first_card()

    def _turn_first_card(self) -> None:
        """With an upcard it is the dealer's, and the other decides on it first."""
        self._next_card(self._first)
        if self._options.first_card == "upcard":
            self._upcard, self._phase, self.seat = True, "offered", 1 - self._first

    # ---- translating

    def action_of(self, move: int) -> AnyAction:
        """The action of `legal` for a move."""
        if move in WORDS:
            return WORDS[move]
        if self._phase == "discard":
            (card,) = cards_of(move & ~FORCE)
            return Discard(card, force=move > FORCE)
        if self._phase == "exchange":
            (card,) = cards_of(move)
            return Exchange(card)
        laid = self._tables[self.seat] | self._centre | move
        return meld_of(laid, self._options.longest_run)

    def move_of(self, action: AnyAction) -> int:
        """The move for an action of `legal`. A meld may be divided in any way."""
        match action:
            case Pass():
                return PASS
            case Force():
                return FORCE
            case Waive():
                return WAIVE
            case Discard():
                return BIT[action.card] | (FORCE if action.force else 0)
            case Exchange():
                return BIT[action.card]
            case Meld():
                return set_of(card for meld in action.melds for card in meld) & self._hands[self.seat]
            case _:
                raise ValueError(f"{action} is no action of Conquian")
