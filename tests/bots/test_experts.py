"""What the experts know and do beyond the regulars."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from statistics import fmean
from typing import Any

import pytest

from server.bench.questions import common
from server.bots.conquian_columns import WHOLE, bits
from server.bots.conquian_expert import conquian_expert
from server.bots.conquian_reading import Moved, Reading, watched
from server.bots.conquian_worlds import Imagination
from server.bots.memory import buried
from server.bots.policy import choose
from server.bots.sampling import Budget
from server.judging.fuzz import play_at_random
from server.rules.conker_hand import ConkerOptions
from server.rules.conquian_covers import set_of
from server.rules.events import AnyEvent, Discarded, ExchangeMade, Melded, Passed, redact
from server.rules.notation import action_text
from server.rules.registry import GAMES, rules_of
from tests.bots.position import choice, conker_position, position
from tests.rules.play import game_of


def seen_by(game: str, seat: int, seed: int, moves: int = 200, **options: Any) -> tuple[Any, list[AnyEvent]]:
    """A hand played at random for so many moves, and what a seat has seen of it."""
    rules, chance = rules_of(game), Random(seed)
    said = rules.options(**options)
    hand, events = rules.deal(said, f"seen {seed}".encode(), 0)
    seen = [redact(event, seat) for event in events]
    for _ in range(moves):
        asked = rules.deciders(hand)
        if not asked:
            break
        action = play_at_random(None, rules.legal(hand, asked[0]), said, chance)
        hand, events = rules.apply(hand, asked[0], action)
        seen += [redact(event, seat) for event in events]
    return hand, seen


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("game", ["konken", "conker"])
def test_remembers_the_discard_pile(game: str, seed: int) -> None:
    hand, seen = seen_by(game, seed % 4, seed, 20 + 15 * seed)
    assert buried(seen) == Counter(hand.pile[1:])


@pytest.mark.parametrize("seed", range(12))
def test_remembers_what_has_died(seed: int) -> None:
    hand, seen = seen_by("conquian", seed % 2, seed, 5 + 4 * seed)
    assert watched(seen, seed % 2).dead == set_of(hand.dead)


def test_knows_what_it_gave_away_until_it_is_thrown() -> None:
    given = [ExchangeMade(("3S", "4H"))]
    assert watched(given, 0).known == set_of(["3S"])
    assert watched(given, 1).known == set_of(["4H"])
    assert watched([*given, Discarded(1, "3S")], 0).known == 0
    assert watched([*given, Discarded(0, "3S")], 0).known == set_of(["3S"])


def test_keeps_what_the_other_did_with_what_it_held_then() -> None:
    seen: list[AnyEvent] = [
        Passed(1, "5H"),
        Passed(0, "6H"),
        Melded(0, "AD", ("2D", "3D"), (("AD", "2D", "3D"),)),
        Discarded(0, "KH"),
        Melded(1, "7S", ("5S", "6S"), (("5S", "6S", "7S"),)),
        Discarded(1, "KC"),
        Passed(1, "2C"),
    ]
    refused, thrown, last = watched(seen, 0).moves
    first, second = set_of(["AD", "2D", "3D"]), set_of(["5S", "6S", "7S"])
    assert refused == Moved(set_of(["5H"]), False, 0, 0, set_of(["5S", "6S", "KC"]))
    assert thrown == Moved(set_of(["KC"]), True, second, first, set_of(["KC"]))
    assert last == Moved(set_of(["2C"]), False, second, first)


def test_reads_a_regular_as_it_plays() -> None:
    """Nearly all that a regular did is explained by the hand that it has, and not by most others."""
    questions = [one for one in common("conquian", 30) if len(watched(one.seen, one.seat).moves) > 3]
    chance = Random(1)
    own: list[float] = []
    others: list[float] = []
    for question in questions[:100]:
        hand = set_of(question.hand.hands[1 - question.seat])
        reading = Reading(watched(question.seen, question.seat).moves, question.hand.options.goal)
        hidden = list(bits(hand | set_of(question.hand.stock)))
        own.append(reading.likelihood(hand))
        others.append(reading.likelihood(sum(chance.sample(hidden, hand.bit_count()))))
    assert len(own) == 100
    assert fmean(own) > 0.97
    assert fmean(others) < 0.6


def test_a_throw_is_read_by_what_was_kept_instead() -> None:
    """Who throws a King with nothing beside it says little; who kept that King and threw from three says more."""
    table = set_of(["5S", "6S", "7S"])
    thrown = Moved(set_of(["QH"]), True, table, 0, set_of(["QH"]))
    reading = Reading([thrown], 11)
    rest = ["4S", "3S", "AD", "2D", "3D", "AC"]
    assert reading.likelihood(set_of(rest)) == 1
    assert reading.likelihood(set_of(["JH", "KH", "3S", "AC", "7D", "4C"])) < 1


def test_imagines_hands_that_explain_what_was_done() -> None:
    """Who refused a Five of Hearts seldom holds the Six and the Seven."""
    pair = set_of(["6H", "7H"])

    def with_pair(likelihood: Callable[[int], float]) -> int:
        unseen = WHOLE & ~set_of(["5H", "AS", "AC"])
        worlds = Imagination(unseen, 0, 10, 20, likelihood, Random(4), lambda: False)
        return sum(worlds.world()[0] & pair == pair for _ in range(400))

    reading = Reading(watched([Passed(1, "5H")], 0).moves, 11)
    assert with_pair(reading.likelihood) < 0.6 * with_pair(lambda _: 1.0)


def test_a_world_has_every_card_once() -> None:
    given = set_of(["KS"])
    worlds = Imagination(WHOLE & ~set_of(["AS"]), given, 10, 20, lambda _: 1.0, Random(1), lambda: False)
    for _ in range(20):
        hand, stock = worlds.world()
        assert hand.bit_count() == 10
        assert hand & given
        assert len(stock) == len(set(stock)) == 20
        assert not hand & sum(stock)
        assert not (hand | sum(stock)) & set_of(["AS"])


@pytest.mark.parametrize("game", GAMES)
def test_an_expert_can_be_repeated(game: str) -> None:
    hand, seen = seen_by(game, 0, 7, 12)
    (seat, *_) = rules_of(game).deciders(hand)
    view, legal = rules_of(game).view(hand, seat), rules_of(game).legal(hand, seat)
    choices = {
        action_text(choose(game, view, legal, hand.options, Random(5), seen, "expert", Budget(worlds=24)))
        for _ in range(3)
    }
    assert len(choices) == 1


def test_without_time_an_expert_still_chooses() -> None:
    hand, seen = seen_by("conquian", 0, 7, 12)
    (seat, *_) = rules_of("conquian").deciders(hand)
    view, legal = rules_of("conquian").view(hand, seat), rules_of("conquian").legal(hand, seat)
    assert conquian_expert(view, legal, hand.options, Random(5), seen, Budget(late=lambda: True)) in legal


def expert(hand: Any) -> str:
    rules = game_of(hand)
    legal = rules.legal(hand, hand.turn)
    view = rules.view(hand, hand.turn)
    return action_text(choose(rules.name, view, legal, hand.options, Random(1), level="expert"))


def test_konken_keeps_a_meld_while_nobody_can_go_out() -> None:
    own = "4H 5H 6H 8C KS 2D JC TD 3S"
    assert expert(position(own, opened=True, others_opened=True)).startswith("discard")
    assert expert(position(own, opened=True, others_opened=True, counts=(13, 1, 13))).startswith("lay")
    assert expert(position(own, opened=True, stock=9)).startswith("lay")
    assert expert(position(own)).startswith("lay")


def test_konken_does_not_hold_a_dear_hand_for_long() -> None:
    dear, cheap = "TH JH QH KS JC TD", "2H 3H 4H AS AC"
    assert expert(position(dear, opened=True, others_opened=True, counts=(3, 9, 9))).startswith("lay")
    assert expert(position(cheap, opened=True, others_opened=True, counts=(3, 9, 9))).startswith("discard")


def test_konken_goes_out_with_what_it_kept() -> None:
    assert expert(position("4H 5H 6H KS", opened=True)).startswith("lay")


def test_conker_keeps_a_meld_while_nobody_can_close() -> None:
    own = "4H 5H 6H 8C KS 2D JC TD 3S"
    short = (13, 1, 13)
    dear = ConkerOptions(scoring="penalty")
    assert expert(conker_position(own, is_in=True, others_in=True)).startswith("discard")
    assert expert(conker_position(own, is_in=True, others_in=True, counts=short)).startswith("discard")
    assert expert(conker_position(own, is_in=True, others_in=True, counts=(1,))).startswith("lay")
    assert expert(conker_position(own, is_in=True, others_in=True, counts=short, options=dear)).startswith(
        "lay"
    )
    assert expert(conker_position("4H 5H 6H KS", is_in=True, others_in=True)).startswith("lay")


def test_a_dear_card_that_waits_is_kept_before_a_cheap_one_that_does_not() -> None:
    """The regular would throw the King: what is left costs its points. Who goes out first does not pay them."""
    hand = position("KS QS 2C 5D", opened=True, others_opened=True)
    assert choice(hand) == "discard KS"
    assert expert(hand) == "discard 5D"


def test_conker_minds_points_only_where_they_are_paid() -> None:
    own = "5C 7D 7S 9S JS"
    for scoring, thrown in ("winner_takes", "5C"), ("flat", "5C"), ("penalty", "JS"):
        options = ConkerOptions(scoring=scoring, target=100)  # type: ignore[arg-type]
        assert (
            expert(conker_position(own, is_in=True, others_in=True, options=options)) == f"discard {thrown}"
        )
    assert choice(conker_position(own, is_in=True, others_in=True)) == "discard JS"


def test_conker_gets_in_with_no_more_than_it_needs() -> None:
    hand = conker_position("KS KH KD TH JH QH AH 4C 5C 6C 2D 8S 3H 9H")
    assert len(choice(hand).split(" / ")) == 3
    assert expert(hand) == "lay KH KS KD / 4C 5C 6C"
