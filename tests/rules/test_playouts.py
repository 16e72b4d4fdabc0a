"""Playouts against the judge: whatever is played, the same moves may be made, and they come to the same."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.judging.fuzz import play_at_random, play_greedily
from server.rules.conquian import CONQUIAN, ConquianOptions
from server.rules.game import AnyAction, Draw
from server.rules.notation import action_text
from server.rules.playout import PLAYOUTS, Playout, playout_of
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
        if not chance.randrange(4):  # from any moment on, not only from the deal
            playout = playout_of(hand)
        hand, _ = rules.apply(hand, playout.seat, action)
        playout.play(move)
    result = rules.result(hand)
    assert result is not None
    for ended in (playout, playout_of(hand)):
        assert ended.over
        assert ended.points == result.points
        assert ended.actions() == []


@every_game
@given(st.data(), seeds)
def test_a_copy_goes_its_own_way(game: str, data: st.DataObject, seed: int) -> None:
    options, chance = data.draw(SUBJECTS[game].options), Random(seed)
    playout = playout_of(game_of(options).deal(options, seed.to_bytes(8, "big"), 0)[0])
    for _ in range(chance.choice((0, 1, 30, 60))):
        if not playout.over:
            playout.play(chance.choice(playout.actions()))
    left = playout.copy()
    before, seat, over = moves(playout), playout.seat, playout.over
    while not left.over:
        left.play(chance.choice(left.actions()))
    assert (moves(playout), playout.seat, playout.over) == (before, seat, over)
    # The same from here: what a copy shares with the first does not change under it.
    one, other, step = playout.copy(), playout, Random(seed)
    while not one.over:
        at = step.randrange(len(one.actions()))
        assert moves(one) == moves(other)
        one.play(move := one.actions()[at])
        other.play(move)
    assert other.over
    assert one.points == other.points


def test_another_games_action_is_no_move() -> None:
    playout = playout_of(CONQUIAN.deal(ConquianOptions(), b"", 0)[0])
    with pytest.raises(ValueError, match="no action of Conquian"):
        playout.move_of(Draw())
