"""Konken for the property tests: its options, its cards, what a client might send and what a viewer cannot see."""

from __future__ import annotations

from random import Random

import msgspec
from hypothesis import strategies as st

from server.rules.actions import Add, AnyAction, Discard, Draw, Lay, Swap, Take
from server.rules.cards import JOKER, RANKS, SUITS, Card, pack
from server.rules.konken import KonkenHand, KonkenOptions, check_options
from server.rules.konken_choices import most_actions
from server.rules.refusal import Refused
from tests.rules.mirror import Mirror
from tests.rules.play import Step, switches

FACES = [rank + suit for suit in SUITS for rank in RANKS] + [JOKER]


def go_together(options: KonkenOptions) -> bool:
    try:
        check_options(options)
    except Refused:
        return False
    return True


all_options = st.builds(
    KonkenOptions,
    players=st.sampled_from((2, 3, 4)),
    packs=st.sampled_from((1, 2)),
    jokers=st.sampled_from((2, 4)),
    hand_size=st.sampled_from((10, 13, 14)),
    opening_points=st.sampled_from((0, 40, 51)),
    must_open_before_layoff=switches,
    finish_on_opening_turn=switches,
    must_discard_to_finish=switches,
    return_taken_discard=switches,
    reclaimed_joker=st.sampled_from(("any_meld", "new_meld_only")),
    ace_penalty=st.sampled_from((1, 11)),
    joker_penalty=st.sampled_from((15, 20, 25, 50)),
    unopened_penalty=st.sampled_from((0, 100)),
    tie=st.sampled_from(("split", "turn_order", "void")),
).filter(go_together)


class KonkenSubject:
    """See `Subject`."""

    options = all_options

    def pack(self, options: KonkenOptions) -> list[Card]:
        return sorted(pack(options.packs, options.jokers))

    def everywhere(self, hand: KonkenHand) -> list[Card]:
        cards = [card for own in hand.hands for card in own] + list(hand.stock) + list(hand.pile)
        cards += [card[:2] for meld in hand.table for card in meld.cards]
        return sorted(cards + ["JK"] * (hand.pending is not None))

    def most_actions(self, options: KonkenOptions) -> int:
        return most_actions(options)

    def any_action(self, hand: KonkenHand, seat: int, chance: Random) -> AnyAction:
        """Mostly cards of the hand, sometimes none of them."""
        cards = [*hand.own, *chance.choices(FACES, k=2)]
        meld, some = (
            chance.randint(0, len(hand.table) + 1),
            tuple(chance.choices(cards, k=chance.randint(0, 4))),
        )
        lay, add = Lay((some,)), Add(meld, some, chance.choice((None, "low", "high")))
        swap = Swap(meld, chance.choice(cards), some[:1], chance.choice((None, lay, add)))
        return chance.choice((Draw(), Take(), lay, add, swap, Discard(chance.choice(cards))))

    def is_always_listed(self, action: AnyAction) -> bool:
        return isinstance(action, Draw | Take | Discard)

    def with_other_hidden_cards(self, hand: KonkenHand, viewer: int | None, chance: Random) -> KonkenHand:
        """Other hands and stock dealt anew. A taken card was seen and stays."""
        public = [seat == hand.turn and hand.taken is not None for seat in range(len(hand.hands))]
        hidden = list(hand.stock)
        for seat, own in enumerate(hand.hands):
            if seat != viewer:
                hidden += without_one(own, hand.taken) if public[seat] else own
        chance.shuffle(hidden)
        hands = []
        for seat, own in enumerate(hand.hands):
            if seat == viewer:
                hands.append(own)
                continue
            kept = [hand.taken] if public[seat] and hand.taken is not None else []
            new = [hidden.pop() for _ in range(len(own) - len(kept))]
            hands.append((*new, *kept))
        drawn = hand.drawn
        if drawn is not None and hand.turn != viewer:
            drawn = hands[hand.turn][-1] if hands[hand.turn] else None
        return msgspec.structs.replace(hand, hands=tuple(hands), stock=tuple(hidden), drawn=drawn)

    def unseen(self, step: Step, other: KonkenHand, viewer: int | None) -> AnyAction | None:
        """A draw shows nothing, unless it ends the hand."""
        ends = step.after.phase == "over"
        return step.action if isinstance(step.action, Draw) and viewer != step.seat and not ends else None

    def mirror(self, viewer: int | None, options: KonkenOptions) -> Mirror:
        return Mirror(viewer, options.players)


def without_one(cards: tuple[str, ...], gone: str | None) -> list[str]:
    left = list(cards)
    if gone in left:
        left.remove(gone)
    return left


KONKEN_SUBJECT = KonkenSubject()
