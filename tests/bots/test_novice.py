"""The beginner: its slips are a beginner's, and it keeps to what it has noticed."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from server.bots.policy import choose
from server.rules.notation import action_text
from tests.bots.position import conker_position, position
from tests.rules.play import game_of


def choices(hand: Any, times: int = 200) -> Counter[str]:
    """What a beginner plays from here, over so many throws of its dice."""
    rules = game_of(hand)
    legal = rules.legal(hand, hand.turn)
    view = rules.view(hand, hand.turn)
    return Counter(
        action_text(choose(rules.name, view, legal, hand.options, Random(seed), level="novice"))
        for seed in range(times)
    )


@pytest.mark.parametrize("place", [position, conker_position])
def test_keeps_a_joker(place: Any) -> None:
    played = choices(place("2H 4S 6D 8C TH QS AC 3D 5C 7H 9S JD JK"))
    assert not any(text == "discard JK" for text in played)


def test_sometimes_misses_a_meld_and_mostly_sees_it() -> None:
    played = choices(position("4H 5H 6H 8C KS 2D JC TD 6S AS 3C QH 9D 7S"))
    laid = sum(count for text, count in played.items() if text.startswith("lay"))
    assert 100 < laid < 200


def test_throws_what_stands_alone() -> None:
    """By a glance the King, or as the regular would; a pair and neighbours stay."""
    played = choices(position("4H 5H 8H 8C KS 2D 2C 6S 6D AS 3S QD QH 9D"))
    assert played["discard KS"] == max(played.values())
    assert not {"discard 8H", "discard 8C", "discard QD", "discard QH"} & played.keys()


def test_sometimes_leaves_the_card_it_needs() -> None:
    played = choices(position("4H 5H 8H 8C KS 2D JC TD 6S AS 3C QH 9D", top="6H", phase="draw"))
    assert set(played) == {"take", "draw"}
