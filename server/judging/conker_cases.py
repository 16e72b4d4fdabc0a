"""Conker positions for rule cases (notation.md, positions and cases)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from server.judging import cases
from server.judging.cases import CaseError, Deck, Facts, Positions
from server.rules.actions import AnyAction, Lay
from server.rules.cards import Placed
from server.rules.conker_choices import PACK
from server.rules.conker_hand import ConkerHand, ConkerOptions, Phase
from server.rules.conker_melds import lying_meld
from server.rules.melds import Kind
from server.rules.shuffle import derived

SWITCHES = {
    "joker_close_double",
    "quatris_alternation",
    "joker_layoff",
    "act_on_entry_turn",
    "long_lay",
    "return_taken_discard",
}
GIVEN = "hands table stock discard burned turn phase opened taken scores dealer hand_no"
SCORED = "legal illegal points over match counts"
UNNAMED_HAND = 5
"""Cards of a hand that a position does not speak of (notation.md)."""


class ConkerPositions(Positions):
    """Positions in, facts out."""

    given = frozenset(GIVEN.split())
    scored = frozenset(SCORED.split())

    def options(self, said: Mapping[str, Any], given: Mapping[str, Any]) -> ConkerOptions:
        """As many play as hands are given. What options need of each other is about a match, and a case is a hand."""
        options = cases.options(said, ConkerOptions, SWITCHES)
        if "hands" in given:
            players = len(cases.sequence(given["hands"], "hands"))
            if players not in {2, 3, 4, 5, 6} or ("players" in said and players != options.players):
                raise CaseError(f"hands for {players} seats")
            options = msgspec.structs.replace(options, players=players)
        return options

    def position(self, options: ConkerOptions, given: Mapping[str, Any], fill: str) -> ConkerHand:
        """The hand that is given; what it does not name is filled in from the rest of the pack."""
        count = options.players
        turn = cases.number(given.get("turn", 0), "turn", below=count)
        hands = cases.Hands(given.get("hands", [UNNAMED_HAND] * count))
        taken = cases.card(given.get("taken"), "taken")
        if taken is not None:
            hands.hold(turn, taken)
        table = cases.melds(given.get("table"), "table", self.meld)
        stock, rest_is_stock = cases.pile(given.get("stock", "…"), "stock")
        discard, rest_is_discard = cases.pile(given.get("discard", 1), "discard")
        burned, rest_is_burned = cases.pile(given.get("burned", ""), "burned")
        named = [*hands.named(), *(card for meld in table for card in cases.faces(meld.cards))]
        for some in (stock, discard, burned):
            named += cases.named(some)
        deck = Deck(PACK, named, fill)
        dealt = tuple(cases.filled(hand, deck) for hand in hands.by_seat)
        pile, ashes = cases.filled(discard, deck), cases.filled(burned, deck)
        opened = cases.seats(given.get("opened"), count, "opened")
        return ConkerHand(
            options=options,
            first=(cases.number(given.get("dealer", 0), "dealer", below=count) + 1) % count,
            turn=turn,
            phase=_phase(given.get("phase", "act")),
            hands=dealt,
            stock=(*cases.filled(stock, deck), *(deck.rest() if rest_is_stock else ())),
            pile=(*pile, *(deck.rest() if rest_is_discard else ())),
            burned=(*ashes, *(deck.rest() if rest_is_burned else ())),
            opened=tuple(seat in opened for seat in range(count)),
            table=table,
            melds=len(table),
            taken=taken,
            key=derived(fill.encode(), "reshuffle"),
        )

    def facts(self, hand: ConkerHand) -> Facts:
        """What may be asked about a hand."""
        return Facts(
            hands=hand.hands,
            table=hand.table,
            stock=hand.stock,
            discard=hand.pile,
            turn=hand.turn,
            phase=hand.phase,
            opened=tuple(seat for seat, opened in enumerate(hand.opened) if opened),
            taken=hand.taken,
            pending=None,
            dealer=(hand.first - 1) % len(hand.hands),
            burned=hand.burned,
        )

    def meld(self, cards: tuple[Placed, ...]) -> tuple[Kind, tuple[Placed, ...]]:
        """A meld of any length, since runs grow; the order of a group tells at most what its Joker may be."""
        return lying_meld(cards)

    def opens(self, hand: ConkerHand, seat: int, action: AnyAction) -> bool:
        """The lay that gets a seat in."""
        return isinstance(action, Lay) and not hand.opened[seat]


def _phase(value: object) -> Phase:
    if value == "draw":
        return "draw"
    if value == "act":
        return "act"
    raise CaseError(f"no phase of Conker: {value!r}")


CONKER_POSITIONS = ConkerPositions()
