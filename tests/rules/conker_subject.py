"""Conker for the property tests: its options, its cards, what a client might send and what a viewer cannot see."""

from __future__ import annotations

from random import Random

import msgspec
from hypothesis import strategies as st

from server.rules.actions import Add, AnyAction, Discard, Draw, Lay, Swap, Take
from server.rules.cards import JOKER, RANKS, SUITS, Card
from server.rules.conker import ConkerHand, ConkerOptions, check_options
from server.rules.conker_choices import most_actions
from server.rules.refusal import Refused
from tests.rules.konken_subject import without_one
from tests.rules.mirror import ConkerMirror
from tests.rules.play import Step, switches

FACES = [rank + suit for suit in SUITS for rank in RANKS]
PACK = sorted(FACES * 2 + [JOKER] * 4)


def go_together(options: ConkerOptions) -> bool:
    try:
        check_options(options)
    except Refused:
        return False
    return True


all_options = st.builds(
    ConkerOptions,
    players=st.sampled_from((2, 3, 4, 5, 6)),
    opening_points=st.sampled_from((31, 41, 51)),
    joker_close_double=switches,
    quatris_alternation=switches,
    max_jokers_per_group=st.sampled_from((1, 2)),
    joker_layoff=switches,
    act_on_entry_turn=switches,
    long_lay=switches,
    return_taken_discard=switches,
    locked_penalty=st.sampled_from((0, 100)),
    scoring=st.sampled_from(("winner_takes", "penalty", "flat")),
    target=st.integers(1, 1000),
    max_hands=st.integers(0, 20),
    stock_out=st.sampled_from(("reshuffle", "void")),
    max_reshuffles=st.integers(0, 5),
).filter(go_together)


class ConkerSubject:
    """See `Subject`."""

    options = all_options

    def pack(self, options: ConkerOptions) -> list[Card]:
        return PACK

    def everywhere(self, hand: ConkerHand) -> list[Card]:
        cards = [card for own in hand.hands for card in own] + list(hand.stock) + list(hand.pile)
        return sorted(cards + list(hand.burned) + [card[:2] for meld in hand.table for card in meld.cards])

    def most_actions(self, options: ConkerOptions) -> int:
        return most_actions(options)

    def any_action(self, hand: ConkerHand, seat: int, chance: Random) -> AnyAction:
        """Mostly cards of the hand, sometimes none of them, sometimes with a role."""
        cards = [*hand.own, *chance.choices([*FACES, JOKER, f"JK={chance.choice(FACES)}"], k=2)]
        some = tuple(chance.choices(cards, k=chance.randint(0, 4)))
        meld = chance.randint(0, hand.melds + 1)
        lay, add = Lay((some,)), Add(meld, some, chance.choice((None, "low", "high")))
        face = chance.choice(cards)[:2]
        swap = Swap(meld, face, (face,) * chance.randint(0, 1), chance.choice((None, None, lay, add)))
        discard = Discard(face, force=chance.random() < 0.1)
        return chance.choice((Draw(), Take(), lay, add, swap, discard))

    def is_always_listed(self, action: AnyAction) -> bool:
        return isinstance(action, Draw | Take | Discard | Swap)

    def with_other_hidden_cards(self, hand: ConkerHand, viewer: int | None, chance: Random) -> ConkerHand:
        """Other hands and stock dealt anew, and the stocks to come. A taken card was seen and stays."""
        hidden = list(hand.stock)
        for seat, own in enumerate(hand.hands):
            if seat != viewer:
                hidden += without_one(own, hand.taken) if seat == hand.turn else own
        chance.shuffle(hidden)
        hands = []
        for seat, own in enumerate(hand.hands):
            kept = [hand.taken] if seat == hand.turn and hand.taken is not None else []
            new = own if seat == viewer else (*(hidden.pop() for _ in range(len(own) - len(kept))), *kept)
            hands.append(new)
        drawn = hand.drawn
        if drawn is not None and hand.turn != viewer:
            drawn = hands[hand.turn][-1]
        key = chance.randbytes(8).hex()
        return msgspec.structs.replace(hand, hands=tuple(hands), stock=tuple(hidden), drawn=drawn, key=key)

    def unseen(self, step: Step, other: ConkerHand, viewer: int | None) -> AnyAction | None:
        """A draw shows nothing, unless it ends the hand."""
        ends = step.after.phase == "over"
        return step.action if isinstance(step.action, Draw) and viewer != step.seat and not ends else None

    def mirror(self, viewer: int | None, options: ConkerOptions) -> ConkerMirror:
        return ConkerMirror(viewer, options.players)


CONKER_SUBJECT = ConkerSubject()
