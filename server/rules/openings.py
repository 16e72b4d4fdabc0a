"""Finding lays that reach an opening minimum (option `opening_points` of Konken, the 41 of Conker): only then do
several melds have to go together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from server.rules.cards import JOKER, Card, is_joker
from server.rules.melds import SMALLEST, Cards

Most = dict[int, int]
"""For a number of cards the most points that melds of exactly so many cards are worth."""


class Openings:
    """The melds of some cards, given with their points, and how they go together. Asked several times."""

    def __init__(self, cards: Iterable[Card], worth: Mapping[Cards, int]) -> None:
        # Jokers last: no meld is without a natural, so each is found under its first one.
        self.cards = tuple(sorted(cards, key=lambda card: (is_joker(card), card)))
        self.worth = worth
        self.melds = sorted(self.worth, key=lambda meld: (len(meld), meld))
        self._with: dict[Card, list[Cards]] = {
            card: [meld for meld in self.melds if card in meld] for card in set(self.cards)
        }
        self._most: dict[tuple[Card, ...], Most] = {}

    def most(self, cards: tuple[Card, ...]) -> Most:
        """What melds of these cards are worth at most, by number of cards; exact.

        Either the first card stays, or it goes with one of its melds; what follows from the same rest is
        found once.
        """
        if cards not in self._most:
            self._most[cards] = self._work_out(cards)
        return self._most[cards]

    def _work_out(self, cards: tuple[Card, ...]) -> Most:
        if len(cards) < SMALLEST or is_joker(cards[0]):
            return {0: 0}
        best = dict(self.most(cards[1:]))
        for meld in self._with[cards[0]]:
            rest = cards_less(cards, meld)
            for count, worth in self.most(rest).items() if rest is not None else ():
                total = worth + self.worth[meld]
                if total > best.get(count + len(meld), -1):
                    best[count + len(meld)] = total
        return best

    def most_of(self, room: int) -> int:
        """What melds of at most `room` cards are worth at most."""
        return max(worth for count, worth in self.most(self.cards).items() if count <= room)

    def fewest(self, needed: int) -> int | None:
        """The fewest cards, a Joker among them, that reach `needed` points; None if nothing does."""
        fewest: int | None = None
        for meld in self._with.get(JOKER, ()):
            rest = cards_less(self.cards, meld)
            for count, worth in self.most(rest).items() if rest is not None else ():
                cards = len(meld) + count
                if worth + self.worth[meld] >= needed and (fewest is None or cards < fewest):
                    fewest = cards
        return fewest

    def reaching(self, needed: int, room: int, joker: bool = False) -> Iterator[tuple[Cards, ...]]:
        """Lays of at most `room` cards worth `needed` or more, of which no meld could be spared.

        With `joker` one of the melds must hold a Joker.
        """
        yield from self._grow((), self.cards, 0, needed, room, joker)

    def _grow(
        self,
        chosen: tuple[Cards, ...],
        cards: tuple[Card, ...],
        start: int,
        needed: int,
        room: int,
        joker: bool,
    ) -> Iterator[tuple[Cards, ...]]:
        for index in range(start, len(self.melds)):
            meld = self.melds[index]
            if len(meld) > room:
                break
            rest = cards_less(cards, meld)
            if rest is None:
                continue
            lay = (*chosen, meld)
            if self._enough(lay, needed, joker):
                if not any(self._enough(_less_one(lay, spare), needed, joker) for spare in range(len(lay))):
                    yield lay
            elif self._can_become_enough(lay, rest, needed, room - len(meld), joker):
                yield from self._grow(lay, rest, index, needed, room - len(meld), joker)

    def _enough(self, lay: tuple[Cards, ...], needed: int, joker: bool) -> bool:
        worth = sum(self.worth[meld] for meld in lay)
        return worth >= needed and (not joker or any(JOKER in meld for meld in lay))

    def _can_become_enough(
        self, lay: tuple[Cards, ...], rest: tuple[Card, ...], needed: int, room: int, joker: bool
    ) -> bool:
        more = max(worth for count, worth in self.most(rest).items() if count <= room)
        joker_left = not joker or JOKER in rest or any(JOKER in meld for meld in lay)
        return joker_left and sum(self.worth[meld] for meld in lay) + more >= needed


def _less_one(lay: tuple[Cards, ...], index: int) -> tuple[Cards, ...]:
    return (*lay[:index], *lay[index + 1 :])


def cards_less(cards: tuple[Card, ...], meld: Cards) -> tuple[Card, ...] | None:
    """The cards without the meld's, or None if they are not all there."""
    rest = list(cards)
    try:
        for card in meld:
            rest.remove(card)
    except ValueError:
        return None
    return tuple(rest)
