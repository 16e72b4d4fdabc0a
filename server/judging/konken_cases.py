"""Konken positions for rule cases (notation.md, positions and cases)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from server.judging import cases
from server.judging.cases import CaseError, Deck, Facts, Positions
from server.rules.actions import AnyAction, Lay, Swap
from server.rules.cards import JOKER, pack
from server.rules.konken import check_options
from server.rules.konken_hand import KonkenHand, KonkenOptions, Phase
from server.rules.refusal import Refused

SWITCHES = {
    "must_open_before_layoff",
    "finish_on_opening_turn",
    "must_discard_to_finish",
    "return_taken_discard",
}
GIVEN = "hands table stock discard turn phase opened taken pending scores dealer hand_no"
SCORED = "legal illegal points over match counts"
UNNAMED_HAND = 5
"""Cards of a hand that a position does not speak of (notation.md)."""


class KonkenPositions(Positions):
    """Positions in, facts out."""

    given = frozenset(GIVEN.split())
    scored = frozenset(SCORED.split())

    def options(self, said: Mapping[str, Any], given: Mapping[str, Any]) -> KonkenOptions:
        """As many play as hands are given."""
        options = cases.options(said, KonkenOptions, SWITCHES)
        if "hands" in given:
            players = len(cases.sequence(given["hands"], "hands"))
            if players not in {2, 3, 4} or ("players" in said and players != options.players):
                raise CaseError(f"hands for {players} seats")
            options = msgspec.structs.replace(options, players=players)
        try:
            check_options(options)
        except Refused as refused:
            raise CaseError(f"bad option: {refused.detail['option']}") from None
        return options

    def position(self, options: KonkenOptions, given: Mapping[str, Any], fill: str) -> KonkenHand:
        """The hand that is given; what it does not name is filled in from the rest of the pack."""
        count = options.players
        turn = cases.number(given.get("turn", 0), "turn", below=count)
        hands = cases.Hands(given.get("hands", [UNNAMED_HAND] * count))
        taken = cases.card(given.get("taken"), "taken")
        if taken is not None:
            hands.hold(turn, taken)
        table = cases.melds(given.get("table"), "table")
        stock, rest_is_stock = cases.pile(given.get("stock", "…"), "stock")
        discard, rest_is_discard = cases.pile(given.get("discard", 1), "discard")
        pending = given.get("pending")
        if pending is not None:
            cases.number(pending, "pending", 1, len(table) + 1)
        on_table = [card for meld in table for card in cases.faces(meld.cards)]
        waiting = [] if pending is None else [JOKER]
        named = [*hands.named(), *on_table, *cases.named(stock), *cases.named(discard), *waiting]
        deck = Deck(pack(options.packs, options.jokers), named, fill)
        dealt = tuple(cases.filled(hand, deck) for hand in hands.by_seat)
        pile = cases.filled(discard, deck)
        opened = cases.seats(given.get("opened"), count, "opened")
        return KonkenHand(
            options=options,
            first=(cases.number(given.get("dealer", 0), "dealer", below=count) + 1) % count,
            turn=turn,
            phase=_phase(given.get("phase", "act")),
            hands=dealt,
            stock=(*cases.filled(stock, deck), *(deck.rest() if rest_is_stock else ())),
            pile=(*pile, *(deck.rest() if rest_is_discard else ())),
            opened=tuple(seat in opened for seat in range(count)),
            laid=tuple(seat in opened for seat in range(count)),
            table=table,
            taken=taken,
            pending=pending,
        )

    def facts(self, hand: KonkenHand) -> Facts:
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
            pending=hand.pending,
            dealer=(hand.first - 1) % len(hand.hands),
        )

    def opens(self, hand: KonkenHand, seat: int, action: AnyAction) -> bool:
        """The first lay of a hand is the opening, also as the use of a Joker."""
        lays = isinstance(action, Lay) or (isinstance(action, Swap) and isinstance(action.then, Lay))
        return lays and not hand.laid[seat]


def _phase(value: object) -> Phase:
    if value == "draw":
        return "draw"
    if value == "act":
        return "act"
    raise CaseError(f"no phase of Konken: {value!r}")


KONKEN_POSITIONS = KonkenPositions()
