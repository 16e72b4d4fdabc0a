"""What the regular Konken bot plays, position by position."""

from __future__ import annotations

import pytest

from server.rules.actions import Swap
from server.rules.konken import KONKEN, KonkenOptions
from server.rules.konken_hand import Switch
from tests.bots.position import choice, goes_out, position, turn

# ---- drawing -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("top", ["6H", "3H", "8S", "8D"])
def test_takes_the_discard_that_completes_a_meld(top: str) -> None:
    own = "4H 5H 8H 8C KS 2D JC TD 6S AS 3C QH 9D"
    assert choice(position(own, top=top, phase="draw")) == "take"


def test_takes_the_discard_that_fills_a_gap() -> None:
    assert choice(position("4H 6H 8S KC KS 2D JC TD QS AS 3C QH 9D", top="5H", phase="draw")) == "take"


def test_takes_a_joker_that_somebody_threw() -> None:
    assert choice(position("4H 5H 8H 8C KS 2D JC TD 6S AS 3C QH 9D", top="JK", phase="draw")) == "take"


def test_leaves_a_discard_that_helps_nothing() -> None:
    assert choice(position("4H 5H 8H 8C AS 2D 3C 6C 7D 6S 9S 9D TD", top="KC", phase="draw")) == "draw"


def test_takes_the_last_card_that_ends_the_hand() -> None:
    hand = position("KC", top="7H", table=["4H 5H 6H"], opened=True, phase="draw")
    assert turn(hand) == ["take", "add 7H to 1", "discard KC"]


def test_takes_a_low_card_against_a_high_one_in_its_last_turn() -> None:
    hand = position("KC 9S 7D", top="AD", opened=True, others_opened=True, stock=2, phase="draw")
    assert turn(hand) == ["take", "discard KC"]


# ---- laying --------------------------------------------------------------------------------------------------


def test_opens_as_soon_as_it_can() -> None:
    assert turn(position("4H 5H 6H 8C KS 2D JC TD 6S AS 3C QH 9D 7S"))[0] == "lay 4H 5H 6H"


def test_lays_the_melds_that_leave_the_least() -> None:
    """Three Sevens leave eleven points of the run, the run would leave two Sevens."""
    played = turn(position("5H 6H 7H 7S 7D KS 2D JC TD 9C AS QC 3C KH"))
    assert played[0] == "lay 7S 7H 7D"


def test_shares_a_card_where_two_melds_want_it() -> None:
    """7-7-7 and 4-5-6-7 both want the Seven of Hearts; the run can spare it."""
    played = turn(position("4H 5H 6H 7H 7S 7D KS 2D JC TD 9C AS QC 3C"))
    assert sorted(played[:2]) == ["lay 4H 5H 6H", "lay 7S 7H 7D"]


def test_adds_to_the_table() -> None:
    hand = position("7H 8H KC 2S 4D TC JD 3S", table=["4H 5H 6H"], opened=True)
    assert turn(hand)[:2] == ["add 7H to 1", "add 8H to 1"]


def test_uses_a_joker_to_lay_two_high_cards() -> None:
    assert turn(position("KS KH JK 2D 5C 9D 7S 3H TC AC 8H 4S 6H"))[0].startswith("lay K")


def test_does_not_spend_a_joker_where_naturals_do() -> None:
    options = KonkenOptions(jokers=4)
    played = turn(position("4S 5S 6S 7S 8S 9S QS KS 2D TC JK JK", options=options))
    assert not any("JK" in action and "4S" in action for action in played)
    assert "lay JK QS KS" in played or "lay QS KS JK" in played


def test_keeps_a_spare_joker_while_there_is_time() -> None:
    hand = position("7C 8C 9C JK 2D KH 5S JD", opened=True, table=["4H 5H 6H"])
    assert turn(hand)[0] == "lay 7C 8C 9C"
    assert not any("JK" in action for action in turn(hand))


def test_seats_a_spare_joker_when_the_stock_runs_out() -> None:
    hand = position("JK 2D KH 9S", opened=True, others_opened=True, table=["4H 5H 6H"], stock=3)
    assert turn(hand) == ["add JK to 1 high", "discard KH"]


def test_swaps_a_joker_out_for_a_meld_of_its_own() -> None:
    hand = position("6H KC KS 2D 9S JD 4C", opened=True, table=["4H 5H JK=6H 7H"])
    assert turn(hand)[0] == "swap 6H in 1 then lay KS KC JK"


def test_puts_a_joker_where_its_card_is_gone() -> None:
    """Both Tens of Hearts lie on the table, so J-Q-K keeps its Joker; the other end would invite a swap."""
    table = ["TH TS TD", "TH TC TS", "9C TC JC"]
    hand = position("8H 9H JK 2D KC 4S QD 6C", opened=True, table=table, top="7H")
    assert turn(hand)[0] in {"lay 8H 9H JK", "lay 8H 9H JK=TH"}


# ---- rule F --------------------------------------------------------------------------------------------------


def test_does_not_lay_itself_into_the_trap_of_rule_f() -> None:
    """With five cards it may still open next turn; with one less it never could."""
    table = ["4H 5H 6H", "9S TS JS"]
    hand = position("7H QS 2D 2C KD", table=table)
    assert turn(hand) == ["discard KD"]


def test_adds_before_opening_while_enough_cards_stay() -> None:
    hand = position("7H 2D 2C KD 9C 5S", table=["4H 5H 6H"])
    assert turn(hand)[0] == "add 7H to 1"


def test_once_trapped_it_gets_rid_of_what_it_can() -> None:
    hand = position("7H QS KD 2C", table=["4H 5H 6H", "9S TS JS"])
    assert turn(hand)[:2] == ["add QS to 2", "add 7H to 1"] or turn(hand)[:2] == [
        "add 7H to 1",
        "add QS to 2",
    ]


def test_a_swap_before_opening_minds_the_trap_too() -> None:
    hand = position("6H QS 2D 2C KD", table=["4H 5H JK=6H 7H", "9S TS JS"])
    assert all(not action.startswith(("add", "swap 6H in 1 then add")) for action in turn(hand))


# ---- ending the hand -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "own",
    [
        "7H KC",
        "7H 8H KC",
        "2S 3S 4S KC",
        "2S 3S JK KC",
        "7H JK KC",
        "3H 7H 9H TH JH KC",
        "7H 7D 7S 7C 8H KC",
    ],
)
@pytest.mark.parametrize("must_discard", ["off", "on"])
def test_goes_out_when_it_can(own: str, must_discard: Switch) -> None:
    options = KonkenOptions(must_discard_to_finish=must_discard)
    assert goes_out(position(own, table=["4H 5H 6H"], opened=True, options=options))


def test_goes_out_by_laying_all_it_has() -> None:
    assert goes_out(position("2S 3S 4S", opened=True))


def test_goes_out_by_a_swap() -> None:
    assert goes_out(position("6H KC", opened=True, table=["4H 5H JK=6H 7H", "9S TS JS"]))


def test_goes_out_with_a_high_card_rather_than_keep_two_low_ones() -> None:
    """The Seven may join the run or make three of them; only the second leaves one card."""
    assert goes_out(position("7H 7D 7C AS", opened=True, table=["4H 5H 6H"]))


# ---- throwing ------------------------------------------------------------------------------------------------


def test_throws_a_high_card_that_goes_with_nothing() -> None:
    assert turn(position("4H 5H 8H 8C KS 2D 2C 6S 6D AS 3S QD QH 9D")) == ["discard KS"]


def test_does_not_throw_a_joker() -> None:
    options = KonkenOptions(opening_points=51)
    assert "JK" not in turn(position("JK 2H 4S 6D 8C TH QS AC 3D 5C 7H 9S JD", options=options))[-1]


def test_does_not_break_a_pair_whose_others_are_alive() -> None:
    assert turn(position("KS KH 2D 5C 9D 7S 3H 6C TD AS QC 4D JH 8H"))[-1] not in {"discard KS", "discard KH"}


def test_breaks_a_pair_whose_others_are_gone() -> None:
    table = ["JD QD KD", "JC QC KC", "TC JC QC KC", "TD JD QD KD"]
    hand = position("KS KH 2D 3D 5S 6S 8H 9H", table=table, opened=True, top="QS")
    assert turn(hand)[-1] in {"discard KS", "discard KH"}


def test_keeps_from_the_next_player_what_would_end_the_hand() -> None:
    """The Seven fits the table; under the trap of rule F it cannot be added, and must not be thrown either."""
    hand = position(
        "7H 2D 2C 5S KD", table=["4H 5H 6H"], others_opened=True, counts=(1, 9, 9), top="QC", stock=20
    )
    assert turn(hand)[-1] != "discard 7H"


def test_throws_its_dearest_card_in_the_last_turn() -> None:
    hand = position("KS KH 3D 5C", opened=True, others_opened=True, stock=2)
    assert turn(hand) == ["discard KH"]


# ---- options -------------------------------------------------------------------------------------------------


def test_waits_for_the_opening_points() -> None:
    options = KonkenOptions(opening_points=51)
    few = position("2H 3H 4H KS QD 9C 7D 5S 8C TD JC AS 6C 3S", options=options)
    assert turn(few)[0].startswith("discard")
    enough = position("KH KD KS QS QH QD 2D AS 3C 4H 6C 8D TC 9C", options=options)
    assert turn(enough)[0].startswith("lay ")


def test_keeps_its_melds_while_it_waits() -> None:
    options = KonkenOptions(opening_points=51)
    thrown = turn(position("2H 3H 4H KS QD 9C 7D 5S 8C TD JC AS 6C 3S", options=options))[-1]
    assert thrown not in {"discard 2H", "discard 3H", "discard 4H"}


def test_does_not_add_before_opening_where_that_is_locked() -> None:
    options = KonkenOptions(must_open_before_layoff="on")
    hand = position("7H 2D KC 9S 4D JD TC 5C 6D 3S", table=["4H 5H 6H"], options=options)
    assert turn(hand)[0].startswith("discard")


def test_a_hand_left_in_the_middle_of_a_swap_goes_on() -> None:
    hand = position("6H KC KS 2D 9S JD 4C", opened=True, table=["4H 5H JK=6H 7H"])
    waiting, _ = KONKEN.apply(hand, 0, Swap(1, "6H"))
    assert turn(waiting)[0] == "lay KS KC JK"
