"""Conquian played on by two quick players, the same way every time: what a search asks how a world ends.

Both play as the regular does, by the tables that still win (conquian_columns.py), each from its own cards and what
lies on the tables. What a player would do with its cards and the one in the centre is remembered: in a search the same
questions come back a hundred times.
"""

from __future__ import annotations

from msgspec import Struct

from server.bots.conquian_columns import Columns
from server.bots.conquian_outlook import pairs_with
from server.rules.conquian_covers import can_lie, usable

PRICE_OF_FIT = 10
"""One part in so many of its chances is what a throw costs that the opponent's table can take."""
SHORT = 2
"""A hand of so few cards waits for one: a forced card breaks it."""

Choice = tuple[int, tuple[tuple[int, int], ...]]
"""What goes down with the centre card (-1: it is refused), and the throws after it, best first, with their worths."""
REFUSE: Choice = (-1, ())


class World(Struct):
    """All the cards at one moment: hands and tables by seat as sets, the stock with its top last."""

    hands: list[int]
    tables: list[int]
    stock: list[int]

    def copy(self) -> World:
        """A world that goes on from here by itself."""
        return World(self.hands[:], self.tables[:], self.stock[:])


class Mind:
    """How one seat decides in playing on."""

    def __init__(self, columns: Columns, live: int) -> None:
        self._columns = columns
        self._live = live
        self._known: dict[tuple[int, int, int], Choice] = {}
        self._forced: dict[tuple[int, int, int], Choice] = {}

    def choice(self, table: int, hand: int, centre: int, forced: bool = False) -> Choice:
        """What to do with a centre card."""
        memory = self._forced if forced else self._known
        key = (table, hand, centre)
        if (found := memory.get(key)) is None:
            found = memory[key] = self._decide(table, hand, centre, forced)
        return found

    def _decide(self, table: int, hand: int, centre: int, forced: bool) -> Choice:
        if not forced and not meldable(centre, table | hand):
            return REFUSE
        best, least = REFUSE, 0
        if not forced:
            least = self._columns.worths(table, hand, self._live, 0)[0]
        for used in usable(table | centre, hand):
            laid, left = table | centre | used, hand & ~used
            if not left or laid.bit_count() >= self._columns.goal:
                return used, ()
            throws = self.throws(laid, left)
            if throws[0][0] > least or (forced and best is REFUSE):
                best, least = (used, throws), throws[0][0]
        return best

    def throws(self, table: int, hand: int) -> tuple[tuple[int, int], ...]:
        """Each card of the hand after what is left without it, best first."""
        worths = self._columns.worths(table, hand, self._live, hand)
        return tuple(sorted(((worth, card) for card, worth in worths.items() if card), reverse=True))


def meldable(card: int, cards: int) -> bool:
    """Whether two of some cards make a meld with this one: without them it cannot be laid."""
    return any(pair & cards == pair for pair in pairs_with(card))


def fits(card: int, table: int) -> bool:
    """Whether a card can lie with a player's table and nothing else."""
    return meldable(card, table) and can_lie(table | card)


def best_throw(throws: tuple[tuple[int, int], ...], table: int, opponents_hand: int) -> tuple[int, bool]:
    """Which card to throw before an opponent with this table and so many cards in hand, and whether to force it."""
    best, most, force = 0, -1, False
    for worth, card in throws:
        if worth <= most:
            break
        if not fits(card, table):
            return card, False
        if opponents_hand:
            hurts = opponents_hand.bit_count() <= SHORT
            left = worth if hurts else worth - worth // PRICE_OF_FIT
            if left > most:
                best, most, force = card, left, hurts
    return (best, force) if best else (throws[0][1], False)


class Rollout:
    """Worlds played to their end by two minds, one for each seat.

    What a world comes to is told for seat 0: 1 if it wins, 0 if the other does, a half if nobody.
    """

    def __init__(self, minds: tuple[Mind, Mind], goal: int, forcing: str) -> None:
        self._minds = minds
        self._goal = goal
        self._optional, self._auto = forcing == "optional", forcing == "auto"

    def next_card(self, world: World, seat: int) -> float:
        """From where a seat turns the next card."""
        if not world.stock:
            return 0.5
        return self.asked(world, seat, world.stock.pop(), seat, turned=True)

    def melded(self, world: World, seat: int, centre: int, used: int) -> float:
        """From where a seat melds the centre card with these cards of its hand."""
        world.tables[seat] |= used | centre
        world.hands[seat] ^= used
        if self._has_won(world, seat):
            return 1.0 - seat
        throws = self._minds[seat].throws(world.tables[seat], world.hands[seat])
        card, force = best_throw(throws, world.tables[1 - seat], world.hands[1 - seat])
        return self.thrown(world, seat, card, force and self._optional)

    def thrown(self, world: World, seat: int, card: int, force: bool) -> float:
        """From where a seat throws a card, and perhaps forces it."""
        world.hands[seat] ^= card
        return self.asked(world, seat, card, 1 - seat, turned=False, forced=force)

    def refused(self, world: World, seat: int, centre: int, asked: int, turned: bool) -> float:
        """From where the seat that is asked refuses the card of `seat`."""
        if turned and asked == seat:
            return self.asked(world, seat, centre, 1 - seat, turned)
        if self._optional and world.hands[asked] and fits(centre, world.tables[asked]):
            return self.asked(world, seat, centre, asked, turned, forced=True)
        return self.next_card(world, asked)

    def _has_won(self, world: World, seat: int) -> bool:
        return not world.hands[seat] or world.tables[seat].bit_count() >= self._goal

    def asked(
        self, world: World, seat: int, centre: int, asked: int, turned: bool, forced: bool = False
    ) -> float:
        """From where one is asked about the card that `seat` has turned or thrown, and may have to meld it."""
        hands, tables, stock, minds = world.hands, world.tables, world.stock, self._minds
        while True:
            must = forced or (self._auto and fits(centre, tables[asked]))
            used, throws = minds[asked].choice(tables[asked], hands[asked], centre, must)
            if used >= 0:
                tables[asked] |= used | centre
                hands[asked] ^= used
                if self._has_won(world, asked):
                    return 1.0 - asked
                other = 1 - asked
                centre, forced = best_throw(throws, tables[other], hands[other])
                forced = forced and self._optional
                hands[asked] ^= centre
                seat, turned, asked = asked, False, other
            elif turned and asked == seat:
                asked = 1 - seat
                forced = False
                could_force = self._optional and hands[seat] and fits(centre, tables[seat])
                # Who is offered it forces it back where it has no use for it.
                if could_force and minds[asked].choice(tables[asked], hands[asked], centre)[0] < 0:
                    asked, forced = seat, True
            elif self._optional and hands[asked] and fits(centre, tables[asked]):
                forced = True
            elif stock:
                seat = asked
                centre, turned, forced = stock.pop(), True, False
            else:
                return 0.5
