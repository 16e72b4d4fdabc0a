"""What a seat that has paid attention knows of a hand beyond what it sees: from what happened, as it saw it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from server.rules.cards import Card
from server.rules.events import AnyEvent, Dealt, Died, Discarded, Reshuffled, Took

Buried = Counter[Card]


def dead(seen: Sequence[AnyEvent]) -> tuple[Card, ...]:
    """Conquian: the cards that nobody wanted."""
    return tuple(event.card for event in seen if isinstance(event, Died))


def buried(seen: Sequence[AnyEvent]) -> Buried:
    """Konken and Conker: what lies in the discard pile below its top. Nothing that nobody has seen thrown."""
    pile: list[Card] = []
    for event in seen:
        match event:
            case Dealt(card=card):
                pile = [] if card is None else [card]
            case Discarded(card=card):
                pile.append(card)
            case Took() if pile:
                pile.pop()
            case Reshuffled():
                pile = pile[-1:]
            case _:
                pass
    return Counter(pile[:-1])
