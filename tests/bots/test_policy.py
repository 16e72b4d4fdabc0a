"""What holds for every bot: it chooses from `legal`, by what its seat sees and nothing else, and repeatably."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given

from server.bots.policy import LEVEL, POLICIES, choose, policy_of
from server.rules.konken import KONKEN, KonkenHand, KonkenOptions
from server.rules.registry import GAMES
from tests.bots.position import position
from tests.rules.play import all_options, seeds, steps
from tests.rules.test_konken_properties import with_other_hidden_cards


def chosen(hand: KonkenHand) -> object:
    legal = KONKEN.legal(hand, hand.turn)
    action = choose("konken", KONKEN.view(hand, hand.turn), legal, hand.options, Random(3))
    assert action in legal
    return action


def test_every_game_has_a_bot() -> None:
    assert all(LEVEL in POLICIES[game] for game in GAMES)
    with pytest.raises(KeyError):
        policy_of("konken", "cheat")


@given(all_options, seeds)
def test_a_bot_chooses_from_what_is_legal_wherever_others_have_led(options: KonkenOptions, seed: int) -> None:
    """At every position of a hand played at random: a bot may take over a seat at any moment."""
    for step in steps(options, seed):
        chosen(step.before)


@given(all_options, seeds)
def test_bots_alone_play_every_hand_to_its_end(options: KonkenOptions, seed: int) -> None:
    chance = Random(seed)
    hand, _ = KONKEN.deal(options, seed.to_bytes(8, "big"), 0)
    while KONKEN.deciders(hand):
        legal, view = KONKEN.legal(hand, hand.turn), KONKEN.view(hand, hand.turn)
        hand, _ = KONKEN.apply(hand, hand.turn, choose("konken", view, legal, options, chance))
    assert hand.result is not None


@given(all_options, seeds)
def test_a_bot_does_not_know_what_is_hidden(options: KonkenOptions, seed: int) -> None:
    chance = Random(seed)
    for step in steps(options, seed):
        if chance.randrange(4) == 0:
            other = with_other_hidden_cards(step.before, step.seat, chance)
            assert chosen(other) == chosen(step.before)


@given(seeds)
def test_the_order_of_the_legal_actions_does_not_matter(seed: int) -> None:
    options, chance = KonkenOptions(), Random(seed)
    for step in steps(options, seed):
        if chance.randrange(4) == 0:
            shuffled = list(step.legal)
            chance.shuffle(shuffled)
            view = KONKEN.view(step.before, step.seat)
            assert choose("konken", view, shuffled, options, Random(3)) == chosen(step.before)


def test_a_spectator_has_nothing_to_choose() -> None:
    hand = position("4H 5H KC")
    with pytest.raises(ValueError, match="spectator"):
        choose("konken", KONKEN.view(hand, None), KONKEN.legal(hand, 0), hand.options, Random(1))
