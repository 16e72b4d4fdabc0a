"""Questions for bots to answer: those of hands as the house plays them, and positions that hands seldom come to.

The seldom ones are hands with none to four Jokers, with both copies of cards, with a stock that is out or nearly, at
any options, led on at random: so Jokers come to wait for their use, and cards to be forced.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from random import Random
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from server.bots.policy import REGULARS
from server.judging.fuzz import play_at_random
from server.judging.varied import varied
from server.rules.actions import AnyAction, Discard, Force, Swap
from server.rules.cards import JOKER, Card
from server.rules.events import AnyEvent, redact
from server.rules.registry import rules_of

MOST_JOKERS = 4
HELD: dict[str, dict[str, int | str]] = {"konken": {"packs": 2, "jokers": MOST_JOKERS}}
"""Options without which there are too few Jokers or no copies; the other games have no such option."""
JOKER_WAITS, FORCED, STOCK_OUT, COPIES = "a pending Joker", "a forced card", "an empty stock", "both copies"
SELDOM = {JOKER_WAITS, FORCED, STOCK_OUT, *(f"{jokers} Jokers" for jokers in range(2, MOST_JOKERS + 1))}
"""Kinds of questions of which every one is asked."""
ONE_IN = 8
"""Of the others one in so many is asked: those of one hand are much alike."""
SHORT_STOCK = 12
"""Cards that are left at most where the stock is short."""

Decide = Callable[[Any, Sequence[AnyAction], Any, Random], AnyAction]


class Question(Struct, frozen=True):
    """A seat is asked: the hand, what the seat may do, and what it has seen happen."""

    hand: Any
    seat: int
    legal: Sequence[AnyAction]
    seen: tuple[AnyEvent, ...]

    @property
    def view(self) -> Any:
        """What the seat sees."""
        return rules_of(str(self.hand.__struct_config__.tag)).view(self.hand, self.seat)

    @property
    def kinds(self) -> set[str]:
        """What is seldom about it; there is always how many Jokers are in hand."""
        own = Counter(self.hand.hands[self.seat])
        told = {
            JOKER_WAITS: getattr(self.hand, "pending", None) is not None,
            FORCED: self.hand.phase == "forced",
            STOCK_OUT: not self.hand.stock,
            COPIES: any(copies > 1 for card, copies in own.items() if card != JOKER),
        }
        return {f"{own[JOKER]} Jokers", *(kind for kind, holds in told.items() if holds)}


def common(game: str, hands: int) -> Iterator[Question]:
    """All that is asked in so many hands that regulars play with the game's own options."""
    rules = rules_of(game)
    for number in range(hands):
        dealt = rules.deal(rules.options(), b"asked %d" % number, number % 2)
        yield from _asked(dealt, REGULARS[game], Random(number))  # noqa: S311 - it has to be repeatable


def seldom(game: str, seed: int = 0) -> Iterator[Question]:
    """Questions from positions that hands seldom come to, without end."""
    rules = rules_of(game)
    for number in count():
        chance = Random(f"{seed}/{number}")  # noqa: S311 - it has to be repeatable
        options = varied(game, HELD.get(game, {}), chance)
        hand, events = rules.deal(options, f"{seed}/{number}".encode(), chance.randrange(2))
        for question in _asked((_other_deal(hand, chance), events), _press, chance):
            if question.kinds & SELDOM or chance.randrange(ONE_IN) == 0:
                yield question


def _press(view: Any, legal: Sequence[AnyAction], options: Any, chance: Random) -> AnyAction:
    """Anything; but mostly Jokers are swapped out, in Konken without saying for what, and cards forced."""
    rare = [action for action in legal if isinstance(action, Swap | Force) or _forces(action)]
    if not rare or chance.randrange(4) == 0:
        return play_at_random(view, legal, options, chance)
    action = chance.choice(rare)
    return replace(action, then=None) if isinstance(action, Swap) else action


def _forces(action: AnyAction) -> bool:
    return isinstance(action, Discard) and action.force


def _asked(dealt: tuple[Any, Sequence[AnyEvent]], policy: Decide, chance: Random) -> Iterator[Question]:
    """The questions of a hand that have more than one answer, as a policy plays it."""
    hand, events = dealt
    rules = rules_of(str(hand.__struct_config__.tag))
    seats = range(rules.seats(hand.options))
    seen: list[tuple[AnyEvent, ...]] = [() for _ in seats]
    while True:
        for seat in seats:
            seen[seat] += tuple(redact(event, seat) for event in events)
        asked = rules.deciders(hand)
        if not asked:
            return
        seat = asked[0]
        legal = rules.legal(hand, seat)
        if len(legal) > 1:
            yield Question(hand, seat, legal, seen[seat])
        action = policy(rules.view(hand, seat), legal, hand.options, chance)
        hand, events = rules.apply(hand, seat, action)


def _other_deal(hand: Any, chance: Random) -> Any:
    """The same deal with Jokers and copies exchanged for other cards of one seat, and often with a short stock."""
    seat = hand.turn
    own, others = list(hand.hands[seat]), [at for at in range(len(hand.hands)) if at != seat]
    pool = [card for at in others for card in hand.hands[at]] + list(hand.stock)
    jokers = chance.randint(0, MOST_JOKERS)
    for _ in range(MOST_JOKERS):
        if own.count(JOKER) != jokers:
            gives, takes = (own, pool) if own.count(JOKER) > jokers else (pool, own)
            _exchange(gives, JOKER, takes, chance)
    for card in chance.sample(own, chance.randint(0, len(own) // 2)):
        _exchange(pool, card, own, chance, keep=card)
    hands = {at: tuple(pool.pop() for _ in hand.hands[at]) for at in others} | {seat: tuple(own)}
    left = chance.choice((len(pool), chance.randint(1, SHORT_STOCK)))
    return replace(
        hand,
        hands=tuple(hands[at] for at in range(len(hand.hands))),
        stock=tuple(pool[: min(left, len(pool))]),
    )


def _exchange(gives: list[Card], card: Card, takes: list[Card], chance: Random, keep: Card = JOKER) -> None:
    """A card changes sides with any other that is no Joker, and not the last copy of one to `keep`."""
    places = [at for at, other in enumerate(takes) if other not in (JOKER, keep)]
    if card in gives and places:
        at, there = chance.choice(places), gives.index(card)
        takes[at], gives[there] = gives[there], takes[at]
