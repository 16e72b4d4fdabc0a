"""What holds for every bot: it chooses from `legal`, by what its seat sees and nothing else, and repeatably."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.bots.policy import LEVEL, POLICIES, choose
from server.bots.sampling import FEWEST, Budget
from server.rules.actions import AnyAction
from server.rules.registry import GAMES
from tests.conftest import FULL
from tests.rules.play import Subject, game_of, seeds, steps
from tests.rules.test_properties import every_game

every_level = pytest.mark.parametrize("level", ["novice", "regular", "expert"])
HANDS = settings(max_examples=1000 if FULL else 15)
"""Each with all its positions, hundreds of them: an expert is asked at every one."""
FEW = Budget(worlds=FEWEST)
"""Worlds for an expert that is asked at thousands of positions: with fewer, a search does not decide."""


def chosen(hand: Any, seat: int, level: str, legal: Sequence[AnyAction] | None = None) -> AnyAction:
    """What the bot plays for a seat; `legal` as the rules give it, or in another order."""
    rules = game_of(hand)
    legal = rules.legal(hand, seat) if legal is None else legal
    action = choose(
        rules.name, rules.view(hand, seat), legal, hand.options, Random(3), level=level, budget=FEW
    )
    assert action in legal
    return action


def test_every_game_has_a_bot() -> None:
    assert all(list(POLICIES[game]) == ["novice", LEVEL, "expert"] for game in GAMES)


@every_level
@every_game
@HANDS
@given(st.data(), seeds)
def test_a_bot_chooses_from_what_is_legal_wherever_others_have_led(
    subject: Subject, level: str, data: st.DataObject, seed: int
) -> None:
    """At every position of a hand played at random: a bot may take over a seat at any moment."""
    for step in steps(data.draw(subject.options), seed):
        chosen(step.before, step.seat, level)


@every_level
@every_game
@HANDS
@given(st.data(), seeds)
def test_bots_alone_play_every_hand_to_its_end(
    subject: Subject, level: str, data: st.DataObject, seed: int
) -> None:
    options, count = data.draw(subject.options), 0
    rules = game_of(options)
    hand, _ = rules.deal(options, seed.to_bytes(8, "big"), 0)
    while deciders := rules.deciders(hand):
        hand, _ = rules.apply(hand, deciders[0], chosen(hand, deciders[0], level))
        count += 1
    assert hand.result is not None
    assert count <= subject.most_actions(options)


@every_level
@every_game
@HANDS
@given(st.data(), seeds)
def test_a_bot_does_not_know_what_is_hidden(
    subject: Subject, level: str, data: st.DataObject, seed: int
) -> None:
    chance = Random(seed)
    for step in steps(data.draw(subject.options), seed):
        if chance.randrange(4) == 0:
            other = subject.with_other_hidden_cards(step.before, step.seat, chance)
            assert chosen(other, step.seat, level) == chosen(step.before, step.seat, level)


@every_level
@every_game
@HANDS
@given(st.data(), seeds)
def test_the_order_of_the_legal_actions_does_not_matter(
    subject: Subject, level: str, data: st.DataObject, seed: int
) -> None:
    chance = Random(seed)
    for step in steps(data.draw(subject.options), seed):
        if chance.randrange(4) == 0:
            shuffled = list(step.legal)
            chance.shuffle(shuffled)
            assert chosen(step.before, step.seat, level, shuffled) == chosen(step.before, step.seat, level)


@every_level
@every_game
@HANDS
@given(st.data(), seeds)
def test_a_spectator_has_nothing_to_choose(
    subject: Subject, level: str, data: st.DataObject, seed: int
) -> None:
    options = data.draw(subject.options)
    rules = game_of(options)
    for step in steps(options, seed):
        if len(step.legal) > 1:
            with pytest.raises(ValueError, match="spectator"):
                choose(rules.name, rules.view(step.before, None), step.legal, options, Random(1), level=level)
