"""Random legal play for the property tests, whatever the game: hands move by move, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NamedTuple, Protocol

from hypothesis import strategies as st

from server.judging.fuzz import play_at_random
from server.rules.actions import AnyAction
from server.rules.cards import Card
from server.rules.events import AnyEvent
from server.rules.refusal import Code, Refused
from server.rules.registry import AnyRules, rules_of

seeds = st.integers(0, 2**32)
switches = st.sampled_from(("off", "on"))


class Step(NamedTuple):
    """One move of a hand."""

    before: Any
    seat: int
    legal: Sequence[AnyAction]
    action: AnyAction
    after: Any
    events: tuple[AnyEvent, ...]


class Mirror(Protocol):
    """One viewer's picture of a hand, kept by listening to events alone."""

    view: Any

    def begin(self, view: Any) -> None:
        """The first view of a hand."""

    def hear(self, event: AnyEvent) -> None:
        """Change the view as an event tells."""


class Subject(Protocol):
    """What the property tests have to know of a game beside its rules, none of it taken from them."""

    options: st.SearchStrategy[Any]
    """All options that go together."""

    def pack(self, options: Any) -> list[Card]:
        """Every card there is, sorted."""
        ...

    def everywhere(self, hand: Any) -> list[Card]:
        """Every card of a hand wherever it lies, sorted."""
        ...

    def most_actions(self, options: Any) -> int:
        """The stated bound on a hand's length."""
        ...

    def any_action(self, hand: Any, seat: int, chance: Random) -> AnyAction:
        """Anything a client might send, legal or not."""
        ...

    def is_always_listed(self, action: AnyAction) -> bool:
        """Whether `legal` has to name an action of this kind if it is accepted: it lists not all lays."""
        ...

    def with_other_hidden_cards(self, hand: Any, viewer: int | None, chance: Random) -> Any:
        """The same hand to this viewer, all that it cannot see exchanged."""
        ...

    def unseen(self, step: Step, other: Any, viewer: int | None) -> AnyAction | None:
        """A step's action in that other hand, if the viewer must not be able to tell the two apart; else None."""
        ...

    def mirror(self, viewer: int | None, options: Any) -> Mirror:
        """A listener."""
        ...


def game_of(value: Any) -> AnyRules:
    """The rules that options or a hand belong to; both carry their game's name as their tag."""
    return rules_of(str(value.__struct_config__.tag))


def steps(options: Any, seed: int) -> Iterator[Step]:
    """A hand played at random to its end, move by move."""
    chance, rules = Random(seed), game_of(options)
    hand, _ = rules.deal(options, seed.to_bytes(8, "big"), chance.randrange(rules.seats(options)))
    while deciders := rules.deciders(hand):
        seat = chance.choice(deciders)
        legal = rules.legal(hand, seat)
        action = play_at_random(rules.view(hand, seat), legal, options, chance)
        after, events = rules.apply(hand, seat, action)
        yield Step(hand, seat, legal, action, after, events)
        hand = after


def refusal(hand: Any, seat: int, action: AnyAction) -> Code | None:
    """Why an action is refused; None if it is accepted."""
    try:
        game_of(hand).apply(hand, seat, action)
    except Refused as refused:
        return refused.code
    return None
