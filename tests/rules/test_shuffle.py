"""Shuffling: the same everywhere, fair, and provable."""

from collections import Counter
from collections.abc import Callable, Sequence
from math import sqrt

import pytest

from server.rules.cards import JOKER, is_joker, pack
from server.rules.konken import KONKEN, KonkenOptions
from server.rules.shuffle import Dice, commitment, entropy

SEED = bytes(range(96))
Shuffle = Callable[[Dice, Sequence[int]], Sequence[int]]


def test_known_answers_on_every_python_version() -> None:
    assert commitment(SEED) == "8c2d2d757c967c8aa5efceba3e2d4b6e409f6a63997a98835d5e8c05cac621a5"
    assert Dice(entropy(SEED, ("a1", "", "b2"))).shuffled(range(12)) == (4, 2, 0, 10, 7, 1, 11, 3, 6, 9, 5, 8)
    dice = Dice(b"dice")
    assert [dice.below(sides) for sides in (6, 106, 1000, 2, 1)] == [1, 27, 267, 1, 0]
    hand, _ = KONKEN.deal(KonkenOptions(), entropy(SEED, ("", "", "", "")), dealer=1)
    assert " ".join(hand.hands[2]) == "9S KC AS QS TS 4H AH KS 5S KD 8C 7H 5H"
    assert hand.pile == ("KH",)


def test_nonces_of_different_seats_never_mix() -> None:
    lists = [("ab", ""), ("a", "b"), ("", "ab"), ("ab",), ("ab", "", "")]
    assert len({entropy(SEED, nonces) for nonces in lists}) == len(lists)
    assert entropy(SEED + b"a", ("",)) != entropy(SEED, ("a",))


def test_every_nonce_and_seed_changes_the_deal() -> None:
    deals = {
        KONKEN.deal(KonkenOptions(), entropy(seed, nonces), 0)[0].stock
        for seed in (SEED, SEED[::-1])
        for nonces in (("", "", "", ""), ("a", "", "", ""), ("", "", "", "a"))
    }
    assert len(deals) == 6


def test_a_shuffle_keeps_every_card() -> None:
    cards = pack(2, 4)
    assert Counter(Dice(b"x").shuffled(cards)) == Counter(cards)
    assert Dice(b"x").shuffled(()) == ()


def test_below_needs_a_possibility() -> None:
    assert Dice(b"x").below(1) == 0
    with pytest.raises(ValueError, match="possibility"):
        Dice(b"x").below(0)


def far_from_even(counts: Counter[object], outcomes: int) -> bool:
    """Chi-square, five standard deviations above its mean: chance does that once in millions of times."""
    expected = counts.total() / outcomes
    chi = sum((count - expected) ** 2 / expected for count in counts.values())
    chi += expected * (outcomes - len(counts))
    degrees = outcomes - 1
    return chi > degrees + 5 * sqrt(2 * degrees)


@pytest.mark.parametrize("sides", [2, 3, 6, 7, 100, 257, 300])
def test_dice_are_even(sides: int) -> None:
    dice = Dice(b"even")
    assert not far_from_even(Counter(dice.below(sides) for _ in range(40 * sides)), sides)


def a_remainder(dice: Dice, sides: int) -> int:
    """A throw as it should not be: 256 is no multiple of the sides."""
    return dice.below(256) % sides


def test_a_remainder_would_be_found_out() -> None:
    dice = Dice(b"even")
    assert far_from_even(Counter(a_remainder(dice, 100) for _ in range(20_000)), 100)


def shuffled(dice: Dice, cards: Sequence[int]) -> Sequence[int]:
    return dice.shuffled(cards)


def throw_by_throw(dice: Dice, cards: Sequence[int]) -> Sequence[int]:
    """As it is written in the books."""
    order = list(cards)
    for last in range(len(order) - 1, 0, -1):
        other = dice.below(last + 1)
        order[last], order[other] = order[other], order[last]
    return order


@pytest.mark.parametrize("count", [0, 1, 2, 40, 108, 256])
def test_a_shuffle_is_fisher_and_yates_by_the_same_throws(count: int) -> None:
    dice, other = Dice(b"throws"), Dice(b"throws")
    for _ in range(3):
        assert list(dice.shuffled(range(count))) == list(throw_by_throw(other, range(count)))
        assert dice.below(1000) == other.below(1000)


def test_more_than_256_cards_are_not_shuffled() -> None:
    with pytest.raises(ValueError, match="256"):
        Dice(b"x").shuffled(range(257))


def with_any_card(dice: Dice, cards: Sequence[int]) -> Sequence[int]:
    """The customary mistake: every place swaps with any other, so that some orders are likelier."""
    order = list(cards)
    for place in range(len(order)):
        other = dice.below(len(order))
        order[place], order[other] = order[other], order[place]
    return order


def off_by_one(dice: Dice, cards: Sequence[int]) -> Sequence[int]:
    """The other one: no card can stay where it is."""
    order = list(cards)
    for last in range(len(order) - 1, 0, -1):
        other = dice.below(last)
        order[last], order[other] = order[other], order[last]
    return order


@pytest.mark.parametrize(("shuffle", "fair"), [(shuffled, True), (with_any_card, False), (off_by_one, False)])
def test_every_order_is_as_likely(shuffle: Shuffle, fair: bool) -> None:
    dice = Dice(b"orders")
    orders: Counter[object] = Counter(tuple(shuffle(dice, range(4))) for _ in range(12_000))
    assert far_from_even(orders, 24) is not fair


def test_ten_thousand_deals_hold_every_card_and_turn_no_joker() -> None:
    options = KonkenOptions()
    cards = Counter(pack(2, 2))
    for number in range(10_000):
        layout = KONKEN.layout(options, b"deal %d" % number, dealer=number % 4)
        assert layout.upcard is not None
        assert not is_joker(layout.upcard)
        assert Counter([*(c for hand in layout.hands for c in hand), layout.upcard, *layout.stock]) == cards


def test_a_joker_that_was_turned_up_may_lie_anywhere_in_the_stock() -> None:
    """With so few cards a Joker is turned up often; its place must not show it."""
    options = KonkenOptions(players=3, packs=1, jokers=4, hand_size=10)
    places: Counter[object] = Counter()
    for number in range(4000):
        stock = KONKEN.layout(options, b"turn %d" % number, dealer=0).stock
        places.update(place for place, card in enumerate(stock) if card == JOKER)
    assert not far_from_even(places, 25)


def test_cards_are_dealt_one_at_a_time_from_the_seat_after_the_dealer() -> None:
    options = KonkenOptions()
    order = Dice(b"order").shuffled(pack(2, 2))
    hands = KONKEN.layout(options, b"order", dealer=2).hands
    assert [hands[3][0], hands[0][0], hands[1][0], hands[2][0], hands[3][1]] == list(order[:5])
