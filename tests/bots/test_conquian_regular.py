"""What the regular Conquian bot plays, position by position."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from server.bots.policy import choose
from server.judging.conquian_cases import CONQUIAN_POSITIONS
from server.rules.conquian import CONQUIAN, ConquianHand, ConquianOptions
from server.rules.notation import action_text

SOURCE = ConquianOptions()


def position(own: str, table: Sequence[str] = (), **more: Any) -> ConquianHand:
    """A hand in which seat 0 holds `own`; `opposite` is the other table, `others` how many cards are held there."""
    options = more.pop("options", SOURCE)
    opposite = more.pop("opposite", [])
    others = more.pop("others", options.deal - sum(len(meld.split()) for meld in opposite))
    given = {"hands": [own, others], "table": {0: list(table), 1: opposite}, **more}
    return CONQUIAN_POSITIONS.position(options, given, "a position")


def centre(card: str, by: int = 0, how: str = "turned") -> dict[str, Any]:
    """The centre card, by default just turned up by the seat that decides."""
    return {"card": card, "by": by, "how": how}


def choice(hand: ConquianHand, seat: int = 0) -> str:
    """What the bot plays, in the notation."""
    legal = CONQUIAN.legal(hand, seat)
    return action_text(choose("conquian", CONQUIAN.view(hand, seat), legal, hand.options, Random(1)))


# ---- melding -----------------------------------------------------------------------------------------------


def test_melds_the_eleventh() -> None:
    hand = position("2C 3C", ["4D 5D 6D 7D JD", "KS KH KC"], centre=centre("AC"))
    assert choice(hand) == "meld 4D 5D 6D 7D JD / AC 2C 3C / KC KH KS"


def test_melds_with_an_empty_hand() -> None:
    hand = position("", ["4D 5D 6D 7D", "KS KH KC", "AS 2S 3S"], centre=centre("4S", 1), phase="offered")
    assert choice(hand).startswith("meld")


def test_goes_out_by_re_arranging() -> None:
    """Only with the Jack out of its run is there a place for all: 5-6-7 and Jacks."""
    hand = position("JS JH", ["6D 7D JD", "2C 3C 4C 5C 6C"], centre=centre("5D"))
    assert set(choice(hand).removeprefix("meld ").split(" / ")) == {"2C 3C 4C 5C 6C", "5D 6D 7D", "JD JH JS"}


def test_melds_what_brings_it_nearer() -> None:
    assert choice(position("5D 6D KS KH 2C 3H QC JH 4S 7C", centre=centre("7D"))) == "meld 5D 6D 7D"


def test_passes_what_would_break_the_pair_it_waits_with() -> None:
    """Eight melded and a pair: the third Ace ends it. A ninth on the table and one Ace left would wait for two more."""
    hand = position("AS AH", ["KD KC KH KS", "2S 3S 4S 5S"], centre=centre("6S"))
    assert choice(hand) == "pass"


def test_melds_the_same_card_where_the_rest_waits_for_nothing() -> None:
    hand = position("AS 7H", ["KD KC KH KS", "2S 3S 4S 5S"], centre=centre("6S"))
    assert choice(hand) == "meld 2S 3S 4S 5S 6S / KC KD KH KS"


# ---- throwing ----------------------------------------------------------------------------------------------


def test_throws_what_belongs_to_nothing() -> None:
    hand = position("5D 6D KS KH 2C QC QS", ["3H 4H 5H"], phase="discard")
    assert choice(hand) == "discard 2C"


def test_keeps_the_pair_that_can_still_become_three() -> None:
    """Both other Aces lie on the opponent's table, so that the pair of Aces is dead."""
    hand = position(
        "KS KH AS AH", ["3H 4H 5H", "4D 5D 6D"], opposite=["AC 2C 3C", "AD 2D 3D"], phase="discard"
    )
    assert choice(hand) in {"discard AS", "discard AH"}


def test_never_throws_what_ends_the_game_for_the_other() -> None:
    """The King of clubs is of no use, and ten cards opposite wait for just that."""
    hand = position(
        "KC QH 3S",
        ["4H 5H 6H 7H", "2H 2D 2S"],
        opposite=["5C 6C 7C JC QC", "AS AH AD"],
        phase="discard",
    )
    empty = position(
        "KC QH 3S",
        ["4H 5H 6H 7H", "2H 2D 2S"],
        opposite=["4C 5C 6C 7C JC QC", "AS AH AD AC"],
        phase="discard",
    )
    assert choice(empty) != "discard KC"
    assert choice(hand) == "discard KC force", "and against a pair it is just the card"


# ---- forcing -----------------------------------------------------------------------------------------------


def test_forces_what_the_other_declined() -> None:
    hand = position("KD QH", opposite=["AC 2C 3C"], centre=centre("4C", 0, "discarded"), phase="window")
    assert choice(hand) == "force"


def test_forces_back_what_the_other_turned_and_refused() -> None:
    hand = position("KD QH 2S", opposite=["AC 2C 3C", "7H 7S 7D"], centre=centre("4C", 1), phase="offered")
    assert choice(hand) == "force"


def test_does_not_force_a_win() -> None:
    hand = position(
        "KD QH",
        opposite=["AC 2C 3C 4C", "AS 2S 3S", "QS QD QC"],
        centre=centre("4S", 0, "discarded"),
        phase="window",
    )
    assert choice(hand) == "waive"


def test_rather_goes_out_than_forces() -> None:
    hand = position(
        "4H 4S",
        ["KD KC KH KS", "2D 3D 4D 5D"],
        opposite=["AC 2C 3C"],
        centre=centre("4C", 1),
        phase="offered",
    )
    assert choice(hand).startswith("meld")


# ---- before play -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1])
def test_gives_away_what_belongs_to_nothing(seat: int) -> None:
    hands = ["4S 5S 6S KD KH KC 7C JC QC 2H"] * 2
    hands[1 - seat] = "AH AD 3D 5D 7D 2C 4C 6C QH JS"
    given = {"hands": hands, "phase": "exchange"}
    hand = CONQUIAN_POSITIONS.position(ConquianOptions(exchange="on"), given, "x")
    assert choice(hand, seat) == "exchange 2H"


# ---- what it reckons with ----------------------------------------------------------------------------------
