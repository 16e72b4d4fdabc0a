"""Records: what is written of a hand and of a match, to the letter."""

from msgspec.structs import replace

from server.archive.record import hand_record, match_record
from server.bodies import HistoryDetail, HistoryHand, HistoryMatch, HistorySeat
from server.rules.record_reader import parse_record, parse_records
from server.tables.finished import FinishedHand, FinishedSeat, Outcome
from tests.archive.finished import RESULT, SEATS, WON, a_hand

HAND = f"""\
upcard-record 1
game konken
options target=200 tie=void turn_seconds=15
players North | Bot 1 (regular) | South | Bot 2 (regular)
hand 1 dealer 3
commit {"9f" * 32}
deal 0 4H 5H
deal 1 KS KH
deal 2 JK 6C
deal 3 7D TC
turned KC
stock 7C 8D 2S
0: draw  # 1.2s
0: discard KC  # timeout
bot 2
1: take  # 0.9s
result 0 +81 -23 -41 -17
seed {"4b" * 96}  nonces a1 - b2 -
"""


def a_match(*hands: FinishedHand, outcome: Outcome | None = None) -> HistoryDetail:
    match = HistoryMatch(
        id="0-k3n-1",
        game="konken",
        options={},
        started=1,
        ended=None if outcome is None else 2,
        by=None if outcome is None else outcome.by,
        winners=() if outcome is None else outcome.winners,
        seats=tuple(HistorySeat(seat.name, False, False, seat.total, 0) for seat in SEATS),
        hands=len(hands),
    )
    return HistoryDetail(
        match, tuple(HistoryHand(hand.hand_no, hand.ended, hand.result, hand_record(hand)) for hand in hands)
    )


def test_a_hand() -> None:
    assert hand_record(a_hand()) == HAND


def test_the_hand_that_ends_the_match() -> None:
    assert hand_record(a_hand(outcome=WON)) == f"{HAND}match 0 81 -23 -41 -17\n"


def test_joint_winners_and_void_hands() -> None:
    joint = replace(RESULT, ending="stock", winners=(0, 2), points=(5, -10, 5, 0))
    assert "\nresult 0,2 +5 -10 +5 +0\n" in hand_record(a_hand(result=joint))
    void = replace(RESULT, ending="void", winners=(), points=(0, 0, 0, 0))
    assert "\nresult - +0 +0 +0 +0\n" in hand_record(a_hand(result=void))


def test_names_are_no_notation() -> None:
    names = ("a | b", "# 1", "back\\slash", "result 0 +1\nmatch 0", "")
    for name in names:
        text = hand_record(a_hand(seats=(FinishedSeat("north", name), *SEATS[1:])))
        assert parse_record(text).players[0] == " ".join(name.split())
        assert len(text.splitlines()) == len(HAND.splitlines())


def test_a_match_has_one_head() -> None:
    body = HAND[HAND.index("hand 1") :]
    second = body.replace("hand 1 dealer 3", "hand 2 dealer 0")
    text = match_record(a_match(a_hand(1), a_hand(2, outcome=WON), outcome=WON))
    assert text == f"{HAND}{second}match 0 81 -23 -41 -17\n"
    assert len(parse_records(text)) == 2


def test_a_claimed_match_names_its_winner() -> None:
    claimed = Outcome("forfeit", (2,), (2, 0, 3, 1))
    text = match_record(a_match(a_hand(1), outcome=claimed))
    assert text == f"{HAND}match 2 81 -23 -41 -17\n"


def test_an_unfinished_match_has_no_last_line() -> None:
    assert match_record(a_match(a_hand(1))) == HAND


def test_a_match_without_hands_has_no_record() -> None:
    assert match_record(a_match()) == ""
