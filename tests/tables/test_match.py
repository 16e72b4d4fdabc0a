"""Hands and the match: starters, points, proof, and what the archive gets."""

import msgspec
from msgspec.structs import replace

from server.rules import shuffle
from server.tables.finished import FinishedHand, decode, encode
from tests.frames import view_of
from tests.tables.scene import dealt, rules


def test_the_first_dealer_comes_from_the_shuffle_and_then_moves_on() -> None:
    scene = dealt("ben", bots=2)
    first = scene.table.dealer
    assert first is not None
    scene.play_out()
    scene.ready("ada", "ben")
    assert scene.table.dealer == (first + 1) % 4


def test_points_add_up_to_the_sheet() -> None:
    scene = dealt("ben", bots=2)
    for _ in range(3):
        scene.play_out()
        scene.ready("ada", "ben")
    sheet = scene.table.sheet
    assert len(sheet) == 3
    assert scene.table.totals == tuple(sum(row.points[i] for row in sheet) for i in range(4))
    assert sum(scene.table.totals) == 0


def test_the_commitment_is_shown_before_and_the_seed_proves_the_deal_afterwards() -> None:
    scene = dealt("ben", bots=2)
    promised = view_of(scene.table, 0).commitment
    scene.play_out()
    proof = scene.table.proof
    assert proof is not None
    assert proof.commitment == promised == shuffle.commitment(bytes.fromhex(proof.seed))
    assert proof.nonces.count("0a") == 2
    assert view_of(scene.table, 0).commitment != promised
    hand = scene.finished[-1]
    assert isinstance(hand, FinishedHand)
    entropy = shuffle.entropy(bytes.fromhex(proof.seed), proof.nonces)
    layout = rules().layout(scene.table.options, entropy, hand.dealer)
    assert (layout.hands, layout.upcard, layout.stock) == (hand.deal, hand.upcard, hand.stock)


def test_the_archived_hand_replays_to_its_result() -> None:
    scene = dealt("ben", bots=2)
    scene.play_out()
    hand = scene.finished[-1]
    assert isinstance(hand, FinishedHand)
    assert decode(encode(hand)) == hand
    assert hand.result == scene.table.hand.result if scene.table.hand else False
    assert [line.seat for line in hand.log if line.seat is not None]
    assert hand.seats[0].player == "ada"
    assert tuple(seat.total for seat in hand.seats) == scene.table.totals


def test_max_hands_ends_the_match_with_a_ranking() -> None:
    scene = dealt("ben", bots=2, max_hands=1)
    scene.play_out()
    outcome = scene.table.outcome
    assert scene.table.phase == "over"
    assert outcome is not None
    assert outcome.by == "points"
    totals = [scene.table.totals[i] for i in outcome.ranking]
    assert totals == sorted(totals, reverse=True)
    hand = scene.finished[-1]
    assert isinstance(hand, FinishedHand)
    assert msgspec.to_builtins(hand.outcome) == msgspec.to_builtins(outcome)


def test_a_new_seed_for_every_hand() -> None:
    scene = dealt("ben", bots=2)
    seeds = {scene.table.seed}
    scene.play_out()
    seeds.add(scene.table.seed)
    assert len(seeds) == 2


def test_after_a_hand_that_is_void_by_the_rules_the_deal_moves_on() -> None:
    scene = dealt("ben", bots=2, tie="void", hand_size=10)
    hand = scene.table.hand
    assert hand is not None
    dealer = scene.table.dealer
    assert dealer is not None
    equal = tuple(("9S",) for _ in range(4))
    last = replace(hand, hands=equal, stock=("2C",))
    scene.table = replace(scene.table, hand=last)
    scene.plain_turn()
    assert scene.table.phase == "between"
    assert scene.table.sheet == ()
    scene.ready("ada", "ben")
    assert scene.table.dealer == (dealer + 1) % 4
