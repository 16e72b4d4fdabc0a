"""Conquian for the property tests: its options, its cards, what a client might send and what a viewer cannot see."""

from __future__ import annotations

from random import Random

import msgspec
from hypothesis import strategies as st

from server.rules.actions import AnyAction, Discard, Exchange, Force, Meld, Pass, Waive
from server.rules.cards import Card
from server.rules.conquian import ConquianHand, ConquianOptions
from server.rules.conquian_choices import most_actions
from tests.rules.conquian_mirror import ConquianMirror
from tests.rules.play import Step, switches

PACK = [rank + suit for rank in "A234567JQK" for suit in "SHDC"]

all_options = st.builds(
    ConquianOptions,
    deal=st.sampled_from((8, 9, 10)),
    forcing=st.sampled_from(("optional", "auto", "off")),
    exchange=switches,
    first_card=st.sampled_from(("pone_turns", "upcard")),
    short_deal_run_cap=st.sampled_from(("formula", "none")),
    stake=st.integers(1, 1000),
    draw_carry=st.sampled_from(("double", "pool", "none")),
    carry_cap=st.integers(1, 64),
    show_dead=switches,
    wins=st.integers(1, 20),
)


class ConquianSubject:
    """See `Subject`."""

    options = all_options

    def pack(self, options: ConquianOptions) -> list[Card]:
        return sorted(PACK)

    def everywhere(self, hand: ConquianHand) -> list[Card]:
        cards = [card for own in hand.hands for card in own] + list(hand.stock) + list(hand.dead)
        cards += [card for melds in hand.melds for meld in melds for card in meld]
        return sorted(cards + ([hand.centre.card] if hand.centre else []))

    def most_actions(self, options: ConquianOptions) -> int:
        return most_actions(options)

    def any_action(self, hand: ConquianHand, seat: int, chance: Random) -> AnyAction:
        """Words, cards of the hand and of none, and tables that are mostly those of a player."""
        cards = [*hand.hands[seat], *chance.choices(PACK, k=2)]
        centre = [hand.centre.card] if hand.centre else []
        melds = list(hand.melds[chance.choice((seat, seat, seat, 1 - seat))])
        some = (*centre, *chance.choices(cards, k=chance.randint(0, 3)))
        table = chance.choice(((*melds, some), (*melds[1:], (*melds[0], *some)) if melds else (some,), ()))
        return chance.choice(
            (
                Pass(),
                Force(),
                Waive(),
                Exchange(chance.choice(cards)),
                Discard(chance.choice(cards), force=chance.random() < 0.5),
                Meld(table),
                Meld(table),
            )
        )

    def is_always_listed(self, action: AnyAction) -> bool:
        """Melds are listed once however they are divided, and needless words not at all (forcing=auto)."""
        return not isinstance(action, Meld) and not (isinstance(action, Discard) and action.force)

    def with_other_hidden_cards(self, hand: ConquianHand, viewer: int | None, chance: Random) -> ConquianHand:
        """Other hands, the stock and dead cards that lie face down, dealt anew."""
        face_down = hand.options.show_dead == "off"
        hidden = [*hand.stock, *(hand.dead if face_down else ())]
        for seat, own in enumerate(hand.hands):
            hidden += own if seat != viewer else ()
        chance.shuffle(hidden)
        hands = tuple(
            own if seat == viewer else tuple(hidden.pop() for _ in own) for seat, own in enumerate(hand.hands)
        )
        dead = tuple(hidden.pop() for _ in hand.dead) if face_down else hand.dead
        chosen = tuple(
            card if card is None or seat == viewer else chance.choice(hands[seat])
            for seat, card in enumerate(hand.chosen)
        )
        return msgspec.structs.replace(hand, hands=hands, dead=dead, chosen=chosen, stock=tuple(hidden))

    def unseen(self, step: Step, other: ConquianHand, viewer: int | None) -> AnyAction | None:
        """The first choice of the exchange: any card may be behind it."""
        if isinstance(step.action, Exchange) and viewer != step.seat and step.after.phase == "exchange":
            return Exchange(other.hands[step.seat][-1])
        return None

    def mirror(self, viewer: int | None, options: ConquianOptions) -> ConquianMirror:
        return ConquianMirror(viewer, options)


CONQUIAN_SUBJECT = ConquianSubject()
