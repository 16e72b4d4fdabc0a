"""What must hold in every hand of Konken beside what holds in every game."""

from __future__ import annotations

from random import Random

from hypothesis import given

from server.rules.actions import Add, Swap
from server.rules.cards import JOKER
from server.rules.events import Drew, redact
from server.rules.konken import KONKEN, KonkenHand, KonkenOptions
from tests.rules.konken_subject import all_options
from tests.rules.play import refusal, seeds, steps


@given(all_options, seeds)
def test_the_menu_tells_which_cards_may_go_where(options: KonkenOptions, seed: int) -> None:
    chance = Random(seed)
    for step in steps(options, seed):
        if chance.randrange(4):
            continue
        hand, seat = step.before, step.seat
        menu = KONKEN.menu(hand, seat)
        waiting = [JOKER] if hand.pending is not None else []
        for card in dict.fromkeys([*hand.own, *waiting]):
            melds = [meld.id for meld in hand.table]
            assert list(menu.add.get(card, ())) == [n for n in melds if joins(hand, n, card)]
            assert list(menu.swap.get(card, ())) == [n for n in melds if swaps(hand, n, card)]


def joins(hand: KonkenHand, meld: int, card: str) -> bool:
    return refusal(hand, hand.turn, Add(meld, (card,))) is None


def swaps(hand: KonkenHand, meld: int, card: str) -> bool:
    """With the extension that a run of three needs, whichever card of the hand it is."""
    extensions = [(), *((extra,) for extra in set(hand.own))]
    return any(refusal(hand, hand.turn, Swap(meld, card, extend)) is None for extend in extensions)


@given(all_options, seeds)
def test_a_face_drawn_is_told_to_its_owner_only(options: KonkenOptions, seed: int) -> None:
    for step in steps(options, seed):
        for event in step.events:
            if isinstance(event, Drew):
                assert redact(event, step.seat) == event
                assert redact(event, (step.seat + 1) % options.players) == Drew(step.seat)
                assert redact(event, None) == Drew(step.seat)
