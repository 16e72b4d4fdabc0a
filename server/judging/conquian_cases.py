"""Conquian positions for rule cases (notation.md, positions and cases)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from server.judging import cases
from server.judging.cases import CaseError, Deck, Facts, Positions
from server.rules.actions import AnyAction
from server.rules.cards import Card
from server.rules.conquian_covers import BIT, PACK, RANKS
from server.rules.conquian_hand import Centre, ConquianHand, ConquianOptions, Melds, Phase, other
from server.rules.conquian_meld import shaped
from server.rules.game import MeldView
from server.rules.refusal import Refused

SWITCHES = {"exchange", "show_dead", "forcing"}
"""Options of which `off`, and where there is one `on`, may stand without quotes."""
GIVEN = "hands table stock burned turn phase centre scores dealer drawn_games hand_no"
SCORED = "legal illegal over match counts"
PHASES: dict[object, Phase] = {
    "exchange": "exchange",
    "own": "own",
    "offered": "offered",
    "window": "window",
    "forced": "forced",
    "discard": "discard",
}
WITH_CENTRE = ("own", "offered", "window", "forced")
UNNAMED_HAND = 5
"""Cards of a hand that a position does not speak of (notation.md)."""


class ConquianPositions(Positions):
    """Positions in, facts out."""

    given = frozenset(GIVEN.split())
    scored = frozenset(SCORED.split())

    def options(self, said: Mapping[str, Any], given: Mapping[str, Any]) -> ConquianOptions:
        """Two play, whatever the options are."""
        return cases.options(said, ConquianOptions, SWITCHES)

    def position(self, options: ConquianOptions, given: Mapping[str, Any], fill: str) -> ConquianHand:
        """The hand that is given; what it does not name is filled in from the rest of the pack."""
        dealer = cases.number(given.get("dealer", 0), "dealer", below=2)
        phase = _phase(given.get("phase", "own"))
        turn = cases.number(given.get("turn", other(dealer) if phase == "exchange" else 0), "turn", below=2)
        hands = cases.Hands(_both(given.get("hands", [UNNAMED_HAND] * 2)))
        tables = _tables(given.get("table"))
        burned = cases.pile(given.get("burned", ""), "burned")[0]
        stock, rest_is_stock = cases.pile(given.get("stock", "…"), "stock")
        centre = _centre(given.get("centre"), phase, turn)
        on_table = [card for melds in tables for meld in melds for card in meld]
        named = [*hands.named(), *on_table, *([centre.card] if centre else [])]
        named += [*cases.named(burned), *cases.named(stock)]
        _check_pack(named)
        deck = Deck(PACK, named, fill)
        dealt = tuple(cases.filled(hand, deck) for hand in hands.by_seat)
        dead = cases.filled(burned, deck)
        stock_cards = (*cases.filled(stock, deck), *(deck.rest() if rest_is_stock else ()))
        if centre is None and phase in WITH_CENTRE:
            if not stock_cards:
                raise CaseError("no centre card, and no stock to turn one up")
            by = turn if phase == "own" else other(turn)
            centre, stock_cards = Centre(stock_cards[0], by, "turned"), stock_cards[1:]
        return ConquianHand(
            options=options,
            dealer=dealer,
            turn=turn,
            phase=phase,
            hands=dealt,
            stock=stock_cards,
            melds=tables,
            centre=centre,
            dead=dead,
            drawn=cases.number(given.get("drawn_games", 0), "drawn_games"),
        )

    def facts(self, hand: ConquianHand) -> Facts:
        """What may be asked about a hand."""
        melds = [meld for table in hand.melds for meld in table]
        return Facts(
            hands=hand.hands,
            table=tuple(MeldView(at, _kind(meld), meld) for at, meld in enumerate(melds, start=1)),
            stock=hand.stock,
            discard=(),
            turn=hand.turn,
            phase=hand.phase,
            opened=(),
            taken=None,
            pending=None,
            dealer=hand.dealer,
            burned=hand.dead,
            tables=hand.melds,
            centre=None
            if hand.centre is None
            else {"card": hand.centre.card, "by": hand.centre.by, "how": hand.centre.how},
            drawn_games=_drawn_after(hand),
        )

    def opens(self, hand: ConquianHand, seat: int, action: AnyAction) -> bool:
        """There is no opening."""
        return False

    def winners(
        self, hand: ConquianHand, scores: tuple[int, ...], counted: int
    ) -> tuple[tuple[int, ...], ...]:
        """The earlier winners as far as the totals tell: a stake for each game that was not drawn."""
        ahead = scores[0] // hand.options.stake
        decided = counted - 1 - hand.drawn
        even = max(0, (decided - abs(ahead)) // 2)
        leader = (0,) if ahead > 0 else (1,)
        before = ((0,), (1,)) * even + (leader,) * abs(ahead)
        return before if hand.result is None else (*before, hand.result.winners)


def _both(value: object) -> list[Any]:
    both = cases.sequence(value, "hands")
    if len(both) != 2:
        raise CaseError(f"hands for {len(both)} seats")
    return both


def _check_pack(named: list[Card]) -> None:
    for card in named:
        if card not in BIT:
            raise CaseError(f"{card} is not in the pack")


def tables_of(value: object) -> dict[int, Melds]:
    """The melds of the players that are spoken of; an empty list is both players' empty table."""
    by_seat = cases.by_seat([[], []] if value == [] else value or {}, 2, "table")
    return {
        seat: tuple(_meld(one) for one in cases.sequence(melds, "table")) for seat, melds in by_seat.items()
    }


def _tables(value: object) -> tuple[Melds, ...]:
    found = tables_of(value)
    return found.get(0, ()), found.get(1, ())


def _meld(value: object) -> tuple[Card, ...]:
    cards = cases.cards(value, "table")
    _check_pack([*cards])
    try:
        return shaped(cards, len(RANKS))
    except Refused as refused:
        raise CaseError(f"table: {value!r} is no meld ({refused.code})") from None


def _kind(meld: tuple[Card, ...]) -> Any:
    return "group" if len({card[0] for card in meld}) == 1 else "run"


def _phase(value: object) -> Phase:
    if not isinstance(value, str) or value not in PHASES:
        raise CaseError(f"no phase of Conquian: {value!r}")
    return PHASES[value]


def _centre(value: object, phase: Phase, turn: int) -> Centre | None:
    if value is None:
        return None
    said = cases.mapping(value, "centre")
    cases.only_keys(said, ("card", "by", "how"), "centre")
    card = cases.card(said.get("card"), "centre")
    if card is None:
        raise CaseError("centre has no card")
    how = said.get("how", "turned")
    if how not in ("turned", "discarded"):
        raise CaseError(f"a centre card is turned or discarded, not {how!r}")
    by = cases.number(said.get("by", turn if phase == "own" else other(turn)), "centre", below=2)
    return Centre(card, by, "turned" if how == "turned" else "discarded")


def _drawn_after(hand: ConquianHand) -> int:
    """Drawn games in a row, this one included once it is drawn; a win ends the row."""
    if hand.result is None:
        return hand.drawn
    return hand.drawn + 1 if hand.result.ending == "draw" else 0


CONQUIAN_POSITIONS = ConquianPositions()
