"""Results against a scorer that counts point by point."""

from __future__ import annotations

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from server.rules.cards import pack
from server.rules.konken import KONKEN, KonkenOptions
from server.rules.konken_scoring import go_out, in_turn_order, match_winner, stock_out
from tests.rules import oracle
from tests.rules.konken_subject import all_options
from tests.rules.play import seeds, steps

PACK = sorted(pack(2, 4))


@given(all_options, st.data())
def test_a_hand_is_settled_as_counting_by_hand_has_it(options: KonkenOptions, data: st.DataObject) -> None:
    some = st.lists(st.sampled_from(PACK), max_size=3).map(tuple)
    hands = tuple(data.draw(some) for _ in range(options.players))
    flags = st.lists(st.booleans(), min_size=options.players, max_size=options.players).map(tuple)
    start, _ = KONKEN.deal(options, b"", data.draw(st.integers(0, options.players - 1)))
    turn = data.draw(st.integers(0, options.players - 1))
    hand = msgspec.structs.replace(start, hands=hands, laid=data.draw(flags), turn=turn)
    outs = [turn] if not hands[turn] and hand.laid[turn] else []
    penalties = [
        oracle.hand_points(cards, options.ace_penalty, options.joker_penalty)
        + (0 if laid else options.unopened_penalty)
        for cards, laid in zip(hands, hand.laid, strict=True)
    ]
    over, _ = go_out(hand) if outs else stock_out(hand)
    winners, points = oracle.settle(penalties, in_turn_order(hand), outs[0] if outs else None, options.tie)
    assert over.result is not None
    assert set(over.result.winners) == winners
    assert list(over.result.points) == points
    assert list(over.result.penalties) == penalties
    assert sum(over.result.points) == 0
    assert over.result.ending == ("out" if outs else "stock" if winners else "void")


@given(all_options, seeds)
def test_played_hands_end_as_their_cards_say(options: KonkenOptions, seed: int) -> None:
    *_, last = steps(options, seed)
    result = last.after.result
    assert result is not None
    if result.ending == "out":
        assert result.winners == (last.seat,)
        assert last.after.hands[last.seat] == ()
        assert last.before.opened[last.seat] or options.finish_on_opening_turn == "on"
    else:
        assert not last.after.stock
        assert all(last.after.hands)


@given(st.lists(st.integers(-900, 900), min_size=2, max_size=4), st.integers(0, 25), st.integers(0, 20))
def test_the_match_goes_to_the_one_on_top(totals: list[int], hands: int, most: int) -> None:
    options = KonkenOptions(target=300, max_hands=most)
    best = [seat for seat, total in enumerate(totals) if total == max(totals)]
    due = max(totals) >= 300 or (most > 0 and hands >= most)
    expected = best[0] if due and len(best) == 1 else None
    assert match_winner(options, tuple(totals), hands) == expected
