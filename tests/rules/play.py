"""Random legal play for the property tests: options, hands in the middle of play, whole hands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from hypothesis import strategies as st

from server.judging.fuzz import play_at_random
from server.rules.cards import Card
from server.rules.game import AnyAction, AnyEvent
from server.rules.konken import KONKEN, KonkenHand, KonkenOptions, check_options
from server.rules.refusal import Code, Refused


class Step(NamedTuple):
    """One move of a hand."""

    before: KonkenHand
    seat: int
    legal: Sequence[AnyAction]
    action: AnyAction
    after: KonkenHand
    events: tuple[AnyEvent, ...]


def go_together(options: KonkenOptions) -> bool:
    try:
        check_options(options)
    except Refused:
        return False
    return True


switches = st.sampled_from(("off", "on"))
all_options = st.builds(
    KonkenOptions,
    players=st.sampled_from((2, 3, 4)),
    packs=st.sampled_from((1, 2)),
    jokers=st.sampled_from((2, 4)),
    hand_size=st.sampled_from((10, 13, 14)),
    opening_points=st.sampled_from((0, 40, 51)),
    must_open_before_layoff=switches,
    finish_on_opening_turn=switches,
    must_discard_to_finish=switches,
    return_taken_discard=switches,
    reclaimed_joker=st.sampled_from(("any_meld", "new_meld_only")),
    ace_penalty=st.sampled_from((1, 11)),
    joker_penalty=st.sampled_from((15, 20, 25, 50)),
    unopened_penalty=st.sampled_from((0, 100)),
    tie=st.sampled_from(("split", "turn_order", "void")),
).filter(go_together)
seeds = st.integers(0, 2**32)


def steps(options: KonkenOptions, seed: int) -> Iterator[Step]:
    """A hand played at random to its end, move by move; jokers lie low in the stock no more than chance has it."""
    chance = Random(seed)
    hand, _ = KONKEN.deal(options, seed.to_bytes(8, "big"), chance.randrange(options.players))
    while KONKEN.deciders(hand):
        seat = hand.turn
        legal = KONKEN.legal(hand, seat)
        action = play_at_random(KONKEN.view(hand, seat), legal, options, chance)
        after, events = KONKEN.apply(hand, seat, action)
        yield Step(hand, seat, legal, action, after, events)
        hand = after


def refusal(hand: KonkenHand, seat: int, action: AnyAction) -> Code | None:
    """Why an action is refused; None if it is accepted."""
    try:
        KONKEN.apply(hand, seat, action)
    except Refused as refused:
        return refused.code
    return None


def everywhere(hand: KonkenHand) -> list[Card]:
    """Every card of a hand, counted without any help of the rules."""
    cards = [card for own in hand.hands for card in own] + list(hand.stock) + list(hand.pile)
    cards += [card[:2] for meld in hand.table for card in meld.cards]
    return sorted(cards + ["JK"] * (hand.pending is not None))
