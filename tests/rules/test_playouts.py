"""Playouts against the judge: whatever is played, the same moves may be made, and they come to the same."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.judging.fuzz import play_at_random, play_greedily
from server.rules.actions import AnyAction, Discard, Draw, Take
from server.rules.conquian import CONQUIAN, ConquianOptions
from server.rules.notation import action_text
from server.rules.playout import PLAYOUTS, Playout, playout_of
from server.rules.registry import rules_of
from tests.rules.play import game_of, seeds
from tests.rules.subjects import SUBJECTS

every_game = pytest.mark.parametrize("game", PLAYOUTS)
HANDS = 3
"""Played with the same options: what is rare in a hand is met all the same."""

policies = st.sampled_from((play_at_random, play_greedily))


def texts(actions: list[AnyAction]) -> list[str]:
    return sorted(map(action_text, actions))


def moves(playout: Playout[Any]) -> list[str]:
    return texts([playout.action_of(move) for move in playout.actions()])


@every_game
@given(st.data(), policies, seeds)
def test_a_playout_goes_the_way_of_the_hand(game: str, data: st.DataObject, policy: Any, seed: int) -> None:
    options, chance = data.draw(SUBJECTS[game].options), Random(seed)
    for _ in range(HANDS):
        go_along(options, policy, chance)


def go_along(options: Any, policy: Any, chance: Random) -> None:
    rules = game_of(options)
    hand, _ = rules.deal(
        options, chance.randbytes(8), chance.randrange(rules.seats(options)), chance.randrange(9)
    )
    playout = playout_of(hand)
    while deciders := rules.deciders(hand):
        assert not playout.over
        assert playout.seat == deciders[0]
        legal = rules.legal(hand, playout.seat)
        assert moves(playout) == texts(legal) == moves(playout_of(hand))
        action = policy(rules.view(hand, playout.seat), legal, options, chance)
        move = playout.move_of(action)
        assert playout.action_of(move) == action
        if not chance.randrange(40):  # from any moment on, not only from the deal
            playout = playout_of(hand)
        hand, _ = rules.apply(hand, playout.seat, action)
        playout.play(move)
    result = rules.result(hand)
    assert result is not None
    for ended in (playout, playout_of(hand)):
        assert ended.over
        assert ended.points == result.points
        assert ended.actions() == []


@pytest.mark.parametrize("game", sorted({"konken", "conker"} & set(PLAYOUTS)))
@given(seeds)
def test_a_playout_knows_the_stall_guard(game: str, seed: int) -> None:
    """Cards go from the discard pile and back again, until the rules want a draw."""
    rules, chance = rules_of(game), Random(seed)
    options = rules.options(players=2)
    hand, _ = rules.deal(options, seed.to_bytes(8, "big"), 0)
    playout = playout_of(hand)
    for step in range(200):
        if playout.over:
            break
        legal = rules.legal(hand, playout.seat)
        assert moves(playout) == texts(legal)
        idle = [action for action in legal if isinstance(action, Take | Discard)] if step > 60 else []
        action = chance.choice(idle) if idle else play_greedily(None, legal, options, chance)
        hand, _ = rules.apply(hand, playout.seat, action)
        playout.play(playout.move_of(action))


@every_game
@given(st.data(), seeds)
def test_a_copy_changes_nothing_in_what_it_came_from(game: str, data: st.DataObject, seed: int) -> None:
    options, chance = data.draw(SUBJECTS[game].options), Random(seed)
    hand, _ = game_of(options).deal(options, seed.to_bytes(8, "big"), 0)
    copied, untouched = playout_of(hand), playout_of(hand)
    for _ in range(chance.choice((0, 1, 30, 60))):
        if not copied.over:
            copied.play(move := chance.choice(copied.actions()))
            untouched.play(move)
    twin = copied.copy()
    while not twin.over:
        twin.play(chance.choice(twin.actions()))
    while not untouched.over:
        assert moves(copied) == moves(untouched)
        assert copied.seat == untouched.seat
        move = chance.choice(untouched.actions())
        copied.play(move)
        untouched.play(move)
    assert copied.over
    assert copied.points == untouched.points


def test_another_games_action_is_no_move() -> None:
    playout = playout_of(CONQUIAN.deal(ConquianOptions(), b"", 0)[0])
    with pytest.raises(ValueError, match="no action of Conquian"):
        playout.move_of(Draw())
