"""What the regular Conker bot plays, position by position."""

from __future__ import annotations

from time import perf_counter

import pytest

from server.rules.conker import ConkerOptions
from tests.bots.position import chosen, conker_position, goes_out, turn

# ---- drawing -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("top", ["6H", "3H", "8S", "8D"])
def test_takes_the_discard_that_completes_a_meld(top: str) -> None:
    own = "4H 5H 8H 8C KS 2D JC TD 6S AS 3C QH 9D"
    assert turn(conker_position(own, top=top, phase="draw", is_in=True))[0] == "take"


def test_takes_a_joker_that_somebody_threw() -> None:
    own = "4H 5H 8H 8C KS 2D JC TD 6S AS 3C QH 9D"
    assert turn(conker_position(own, top="JK", phase="draw", is_in=True))[0] == "take"


def test_leaves_a_discard_that_helps_nothing() -> None:
    own = "4H 5H 8H 8C AS 2D 3C 6C 7D 6S 9S 9D TD"
    assert turn(conker_position(own, top="KC", phase="draw", is_in=True))[0] == "draw"


def test_takes_the_last_card_that_closes_the_hand() -> None:
    hand = conker_position("KC", top="7H", table=["4H 5H 6H"], phase="draw", is_in=True)
    assert turn(hand) == ["take", "add 7H to 1", "discard KC"]


def test_draws_while_it_is_locked() -> None:
    own = "4H 5H 8H 8C KS 2D JC TD 6S AS 3C QH 9D"
    assert turn(conker_position(own, top="6H", phase="draw"))[0] == "draw"


# ---- getting in ----------------------------------------------------------------------------------------------


def test_gets_in_as_soon_as_it_can() -> None:
    played = turn(conker_position("QS KS AS TD JD QD 2C 5H 7D 9S 3C 8H 4S 6D"))
    assert played[0] in {"lay QS KS AS / TD JD QD", "lay TD JD QD / QS KS AS"}


def test_does_not_break_its_melds_while_it_waits() -> None:
    own = "2S 3S 4S 9D TD JD KC 5H 7C 8H QS 6C AH 4D"
    thrown = turn(conker_position(own))
    assert len(thrown) == 1
    assert thrown[0].split()[1] not in ["2S", "3S", "4S", "9D", "TD", "JD"]


def test_lays_on_once_it_is_in() -> None:
    played = turn(conker_position("QS KS AS TD JD QD 2C 3C 4C 9S 8H 5D 7S KH"))
    assert sum(action.count("/") + 1 for action in played if action.startswith("lay")) == 3


def test_lays_all_at_once_where_the_turn_ends_with_getting_in() -> None:
    options = ConkerOptions(act_on_entry_turn="off")
    played = turn(conker_position("QS KS AS TD JD QD 2C 3C 4C 9S 8H 5D 7S KH", options=options))
    assert played[0].count("/") == 2
    assert played[1].startswith("discard")


def test_closes_in_the_turn_of_getting_in() -> None:
    assert goes_out(conker_position("JH QH KH AH 2C 3C 4C 9S 9H 9C 5D 6D 7D 8S"))


# ---- the table -----------------------------------------------------------------------------------------------


def test_adds_to_the_table() -> None:
    hand = conker_position("7H 8H KC 2S 4D TC JD 3S", table=["4H 5H 6H"], is_in=True)
    assert turn(hand)[:2] == ["add 7H to 1", "add 8H to 1"]


def test_burns_three_of_a_rank_with_the_fourth() -> None:
    hand = conker_position("9C KC 2S 4D TC", table=["9D 9S 9H"], is_in=True)
    assert turn(hand)[0] == "add 9C to 1"


def test_lays_four_and_lets_the_fifth_follow() -> None:
    hand = conker_position("3D 4D 5D 6D 7D KC 2S QH", is_in=True)
    assert turn(hand)[:2] in (
        ["lay 3D 4D 5D 6D", "add 7D to 1"],
        ["lay 4D 5D 6D 7D", "add 3D to 1"],
    )


def test_lays_colours_in_turn() -> None:
    hand = conker_position("9D 9H 9S KC 2S QH", is_in=True)
    assert turn(hand)[0] in {"lay 9D 9S 9H", "lay 9H 9S 9D"}


def test_takes_a_joker_off_the_table() -> None:
    hand = conker_position("6C KC 2S 4D TH", table=["5C JK 7C"], is_in=True)
    assert turn(hand)[0] == "swap 6C in 1"


def test_keeps_a_spare_joker_while_there_is_time() -> None:
    hand = conker_position("7C 8C 9C JK 2D KH 5S JD", table=["4H 5H 6H"], is_in=True)
    assert turn(hand)[0] == "lay 7C 8C 9C"
    assert not any("JK" in action for action in turn(hand))


def test_does_not_keep_a_joker_when_others_are_about_to_close() -> None:
    hand = conker_position(
        "JK KH 9S 4D", table=["4H 5H 6H"], is_in=True, others_in=True, counts=(1, 1, 1), top="2C"
    )
    assert "JK" in " ".join(turn(hand))


def test_puts_a_joker_where_its_card_is_gone() -> None:
    """Beside both black Sevens a Joker may be either red one, beside Six and Eight it is the Seven of Spades."""
    table = ["4S 5S JK", "7H 7S 7D"]
    hand = conker_position("JS JK KC QC 9C 8C 2H 3D", table=table, is_in=True)
    assert turn(hand)[0].startswith("lay")


# ---- closing -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "own",
    [
        "7H KC",
        "7H 8H KC",
        "2S 3S 4S KC",
        "2S 3S JK KC",
        "7H JK KC",
        "3H 7H 9H TH JH KC",
        "7H 7D 7S 7C KC",
        "3D 4D 5D 6D 7D KC",
        "2S 3S 4S 8C 9C TC JK KC",
        "JK KC",
        "JK JK 2S 3S 4S KC",
        "KC",
        "JK",
    ],
)
def test_closes_when_it_can(own: str) -> None:
    assert goes_out(conker_position(own, table=["4H 5H 6H"], is_in=True))


def test_closes_by_a_swap() -> None:
    assert goes_out(conker_position("6C 8H 9H KC", table=["5C JK 7C"], is_in=True))


def test_closes_with_a_joker_where_that_doubles() -> None:
    hand = conker_position("2S 3S 4S JK", is_in=True, options=ConkerOptions(joker_close_double="on"))
    assert turn(hand) == ["lay 2S 3S 4S", "discard JK"]


def test_keeps_one_card() -> None:
    hand = conker_position("7H", top="8H", table=["4H 5H 6H"], is_in=True, phase="draw")
    assert turn(hand)[-1].startswith("discard")


# ---- throwing ------------------------------------------------------------------------------------------------


def test_throws_a_high_card_that_goes_with_nothing() -> None:
    assert turn(conker_position("4H 5H 8H 8C KS 2D 2C 6S 6D 3S 3C QD TH 9D")) == ["discard KS"]


def test_does_not_throw_a_joker() -> None:
    assert turn(conker_position("JK 2H 4S 6D 8C TH QS AC 3D 5C 7H 9S JD"))[-1] != "discard JK"


def test_keeps_from_the_next_player_what_would_close_the_hand() -> None:
    options = ConkerOptions(joker_layoff="off")
    hand = conker_position(
        "TH KD QD", table=["4H 5H 6H", "TC TS TD"], others_in=True, counts=(1, 9, 9), options=options
    )
    assert turn(hand)[-1] != "discard TH"


# ---- speed ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "own",
    [
        "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JK JK JK JK",
        "4S 5S 6S 7S 8S 4H 5H 6H 7H 8H JK JK JK JK",
        "AS AH AD AC KS KH KD KC QS QH JK JK JK JK",
    ],
)
@pytest.mark.parametrize("is_in", [False, True])
def test_the_worst_hands_take_no_time(own: str, is_in: bool) -> None:
    hand = conker_position(own, is_in=is_in, options=ConkerOptions(max_jokers_per_group=2), top="2D")
    begun = perf_counter()
    chosen(hand)
    assert perf_counter() - begun < 1
