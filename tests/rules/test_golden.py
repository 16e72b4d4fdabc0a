"""Games once played, move for move: deal, rules and notation still give the same results.

Each file begins with comments that say which rule it walks and how the result adds up, worked out by hand from the
rules pages. What they claim is checked against the game, in these forms (the rest are words):

    Line 14: 0: lay JS JK KS                that line of the file; what follows, indented, is about it:
      refused: 0: lay JS JK 9S -> run_gap     and so is this, in its place
      events: laid laid                       all that it does
      table: 1: JS JK=QS KS                   a meld afterwards; in Conquian all of a seat's: `table 0: … / …`
      gone: 1                                 a meld that does not lie there afterwards
      hand 0: 4H 4S                           a hand afterwards, or `nothing`
      stock: 29                               cards in the stock afterwards
    Hand 2                                  what follows is about the second hand of the file, no more the first
    Seat 1 keeps 2S 3H: 2 + 3 = 5           the hand at the end, and what it counts
    Seat 0 scores 5 + 63 + 61: +129         points in the result
    Seat 0 totals 134 + 69: 203             points in the match
    Turned first: JK                        the card that was put back for the upcard
    1 + 2 x 3 = 7                           any sum, anywhere
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from msgspec import Struct

from server.judging.judge import POSITIONS
from server.rules.actions import AnyAction
from server.rules.cards import pack
from server.rules.notation import cards_text, parse_action, parse_line
from server.rules.record_reader import parse_records
from server.rules.records import match_record
from server.rules.refusal import Refused
from server.rules.registry import AnyRules, rules_of
from server.rules.replay import Move, Replayed, replay_match, retrace_match
from server.rules.shuffle import Dice, entropy

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.txt"))
FEWEST = 10
"""Golden games of each game."""
SUM = re.compile(r"(-?\d+(?: [+x-] \d+)+) = ([+-]?\d+)")

every_file = pytest.mark.parametrize("file", [pytest.param(file, id=file.stem) for file in GOLDEN])


@every_file
def test_a_golden_game_replays(file: Path) -> None:
    hands = parse_records(file.read_text(encoding="utf-8"))
    assert len(replay_match(hands)) == len(hands) > 0
    assert match_record(hand.record for hand in hands) == "".join(played_of(file))


@pytest.mark.parametrize("game", ["konken", "conker", "conquian"])
def test_there_are_golden_games(game: str) -> None:
    assert sum(file.stem.startswith(f"{game}-") for file in GOLDEN) >= FEWEST


@every_file
def test_what_a_golden_game_claims_is_so(file: Path) -> None:
    golden = golden_of(file)
    kinds = [claim.kind for claim in golden.claims]
    for claim in golden.claims:
        CLAIMS[claim.kind](golden, claim)
    assert "Line" in kinds
    assert set(kinds) & {"refused", "events", "table", "gone", "hand", "stock"}
    assert any(comment.startswith("Rule: ") for comment in comments_of(file))


@every_file
def test_every_point_of_a_golden_game_is_accounted_for(file: Path) -> None:
    """Who has points has a claim that says which, and in Konken and Conker so has each hand that they come from."""
    golden = golden_of(file)
    for hand, found in enumerate(golden.hands):
        told = {(claim.kind, claim.seat) for claim in golden.claims if claim.hand == hand}
        record, result = found.hand.record, found.result
        assert {seat for seat, points in enumerate(record.points) if points} <= seats(told, "scores")
        if result is None or not record.winners or not any(result.penalties):
            continue
        losers = {
            seat for seat, penalty in enumerate(result.penalties) if penalty and seat not in record.winners
        }
        assert record.options.get("scoring") == "flat" or losers <= seats(told, "keeps")
        if record.match is not None:
            assert {seat for seat, total in enumerate(record.match[1]) if total} <= seats(told, "totals")


def seats(told: set[tuple[str, int]], kind: str) -> set[int]:
    return {seat for said, seat in told if said == kind}


# ---- reading -------------------------------------------------------------------------------------------------


class Claim(Struct, frozen=True):
    """One claim of a file's comments: its kind, what it says, and the hand, the line and the seat it is about."""

    kind: str
    text: str
    hand: int
    line: int
    seat: int = -1


class Golden(Struct, frozen=True):
    """A golden file, replayed."""

    lines: tuple[str, ...]
    hands: tuple[Replayed, ...]
    claims: tuple[Claim, ...]

    def move(self, claim: Claim) -> tuple[AnyRules, object, Move]:
        """The rules, the hand before the line that a claim is about, and what the line did."""
        for found in self.hands:
            before = found.begun
            for move in found.moves:
                if move.line == claim.line:
                    return rules_of(found.hand.record.game), before, move
                before = move.hand
        raise AssertionError(f"line {claim.line} is no move")


def comments_of(file: Path) -> list[str]:
    """The comments that a file begins with."""
    lines = file.read_text(encoding="utf-8").splitlines()
    return [line.removeprefix("#").removeprefix(" ") for line in lines if line.startswith("#")]


def played_of(file: Path) -> list[str]:
    """The lines after them, which are the record as the archive would write it."""
    return file.read_text(encoding="utf-8").splitlines(keepends=True)[len(comments_of(file)) :]


@cache
def golden_of(file: Path) -> Golden:
    text = file.read_text(encoding="utf-8")
    hands = tuple(retrace_match(parse_records(text)))
    return Golden(tuple(text.splitlines()), hands, tuple(claims_of(comments_of(file))))


FORMS = (
    r"(?P<kind>Line) (?P<line>\d+): (?P<text>.+)",
    r"(?P<kind>Hand) (?P<number>\d+)",
    r"  (?P<kind>refused|events|table|gone|stock): (?P<text>.+)",
    r"  (?P<kind>hand|table) (?P<seat>\d): (?P<text>.+)",
    r"Seat (?P<seat>\d) (?P<kind>keeps|scores|totals) (?P<text>.+)",
    r"(?P<kind>Turned first): (?P<text>.+)",
)


def claims_of(comments: list[str]) -> Iterator[Claim]:
    hand, line = 0, 0
    for comment in comments:
        yield from (Claim("sum", found[0], hand, line) for found in SUM.finditer(comment))
        found = next(filter(None, (re.fullmatch(form, comment) for form in FORMS)), None)
        if found is None:
            # Words are words: nothing that looks like a claim is passed over.
            assert not re.match(r" |Line |Hand |Seat |Turned ", comment), comment
            continue
        parts = found.groupdict()
        line = int(parts.get("line") or line)
        if parts["kind"] == "Hand":
            hand = int(parts["number"]) - 1
        else:
            yield Claim(parts["kind"], parts["text"], hand, line, int(parts.get("seat") or -1))


# ---- judging -------------------------------------------------------------------------------------------------


def check_line(golden: Golden, claim: Claim) -> None:
    assert golden.lines[claim.line - 1].partition("  #")[0] == claim.text


def check_refused(golden: Golden, claim: Claim) -> None:
    rules, before, _ = golden.move(claim)
    line, _, code = claim.text.partition(" -> ")
    seat, action = parse_line(line)
    assert refusal(rules, before, seat, parse_action(action)) == code


def refusal(rules: AnyRules, hand: object, seat: int, action: AnyAction) -> str | None:
    try:
        rules.apply(hand, seat, action)
    except Refused as refused:
        return refused.code.value
    return None


def check_events(golden: Golden, claim: Claim) -> None:
    _, _, move = golden.move(claim)
    assert [str(event.__struct_config__.tag) for event in move.events] == claim.text.split()


def check_table(golden: Golden, claim: Claim) -> None:
    rules, _, move = golden.move(claim)
    facts = POSITIONS[rules.name].facts(move.hand)
    if facts.tables is not None:
        assert " / ".join(map(cards_text, facts.tables[claim.seat])) == claim.text
    else:
        assert claim.text in [f"{meld.id}: {cards_text(meld.cards)}" for meld in facts.table]


def check_gone(golden: Golden, claim: Claim) -> None:
    rules, _, move = golden.move(claim)
    assert int(claim.text) not in {meld.id for meld in POSITIONS[rules.name].facts(move.hand).table}


def check_hand(golden: Golden, claim: Claim) -> None:
    _, _, move = golden.move(claim)
    assert same_cards(claim.text, move.hand.hands[claim.seat])


def check_stock(golden: Golden, claim: Claim) -> None:
    _, _, move = golden.move(claim)
    assert len(move.hand.stock) == int(claim.text)


def check_keeps(golden: Golden, claim: Claim) -> None:
    """The cards are those left, each has its number, and the numbers come to what the hand counts."""
    result = golden.hands[claim.hand].result
    assert result is not None
    cards, _, worth = claim.text.partition(": ")
    cards = cards.partition(",")[0]
    assert same_cards(cards, result.hands[claim.seat])
    terms, _, total = worth.rpartition(" = ")
    assert int(total) == result.penalties[claim.seat]
    assert len((terms or total).split(" + ")) >= len(cards.split())


def check_scores(golden: Golden, claim: Claim) -> None:
    terms, _, points = claim.text.rpartition(": ")
    assert int(points) == golden.hands[claim.hand].hand.record.points[claim.seat]
    check_terms(terms, int(points))


def check_totals(golden: Golden, claim: Claim) -> None:
    terms, _, total = claim.text.rpartition(": ")
    match = golden.hands[claim.hand].hand.record.match
    assert match is not None
    assert int(total) == match[1][claim.seat]
    check_terms(terms, int(total))


def check_terms(terms: str, total: int) -> None:
    """`5 + 63 + 61` comes to the total; words may say it instead."""
    if re.fullmatch(r"-?\d+(?: [+x-] \d+)+", terms):
        assert value_of(terms) == total


def check_sum(golden: Golden, claim: Claim) -> None:
    terms, _, total = claim.text.rpartition(" = ")
    assert value_of(terms) == int(total)


def value_of(terms: str) -> int:
    """`1 + 2 x 3 - 4` -> 3."""
    signed = re.findall(r"(?:^|[+-] )?-?\d+(?: x \d+)*", terms)
    assert " ".join(signed) == terms
    total = 0
    for term in signed:
        product = 1
        for factor in re.findall(r"\d+", term):
            product *= int(factor)
        total += -product if term.startswith("-") else product
    return total


def check_turned_first(golden: Golden, claim: Claim) -> None:
    record = golden.hands[claim.hand].hand.record
    rules = rules_of(record.game)
    options = golden.hands[claim.hand].begun.options
    shuffled = Dice(entropy(bytes.fromhex(record.seed), record.nonces)).shuffled(
        pack(options.packs, options.jokers)
    )
    assert shuffled[rules.seats(options) * options.hand_size] == claim.text != record.turned


def same_cards(text: str, cards: tuple[str, ...]) -> bool:
    return sorted([] if text == "nothing" else text.split()) == sorted(cards)


CLAIMS: dict[str, Callable[[Golden, Claim], None]] = {
    "Line": check_line,
    "refused": check_refused,
    "events": check_events,
    "table": check_table,
    "gone": check_gone,
    "hand": check_hand,
    "stock": check_stock,
    "keeps": check_keeps,
    "scores": check_scores,
    "totals": check_totals,
    "sum": check_sum,
    "Turned first": check_turned_first,
}
