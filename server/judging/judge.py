"""Judge case files: a position, the actions tried from it, and what must hold (notation.md).

A failing case says what is otherwise; a malformed one says what is wrong with it. Neither ends the run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from msgspec import Struct

from server.judging import cases
from server.judging.cases import CaseError, Facts, Positions
from server.judging.conker_cases import CONKER_POSITIONS
from server.judging.conquian_cases import CONQUIAN_POSITIONS, tables_of
from server.judging.konken_cases import KONKEN_POSITIONS
from server.rules.actions import AnyAction
from server.rules.game import MeldView
from server.rules.notation import action_text, cards_text, parse_line
from server.rules.refusal import Code, Refused
from server.rules.registry import AnyRules, rules_of

POSITIONS: dict[str, Positions] = {
    "konken": KONKEN_POSITIONS,
    "conker": CONKER_POSITIONS,
    "conquian": CONQUIAN_POSITIONS,
}
CASE_KEYS = ("id", "game", "options", "given", "play", "expect")
FRESH_KEYS = ("fresh", "dealer", "scores", "hand_no")


class CaseFailed(Exception):
    """The rules do otherwise than the case says."""


class Verdict(Struct, frozen=True):
    """What came of one case. `problem` is None for a case that passed."""

    file: str
    case: str
    problem: str | None = None

    def __str__(self) -> str:
        return f"{self.file}: {self.case}: {self.problem or 'passed'}"


class Game(Struct, frozen=True):
    """A case in play: the rules, and what a case says beside the hand."""

    rules: AnyRules
    positions: Positions
    options: Any
    scores: tuple[int, ...]
    hand_no: int


# ---- files -------------------------------------------------------------------------------------------------


def judge(paths: Iterable[Path], say: Callable[[str], None] = print) -> bool:
    """Run case files, and those in folders; tell each problem and the sum. True if all cases passed."""
    verdicts = [verdict for path in paths for verdict in judge_path(path)]
    problems = [verdict for verdict in verdicts if verdict.problem is not None]
    for verdict in problems:
        say(str(verdict))
    say(f"{len(verdicts) - len(problems)} passed, {len(problems)} failed")
    return not problems


def judge_path(path: Path) -> list[Verdict]:
    """The verdicts on a case file, or on all in a folder."""
    files = sorted(path.glob("*.y*ml")) if path.is_dir() else [path]
    if not files:
        return [Verdict(str(path), "-", "no case files here")]
    return [verdict for file in files for verdict in judge_file(file)]


def judge_file(file: Path) -> list[Verdict]:
    """One verdict a case; one on the file if it is no list of cases."""
    try:
        found = yaml.safe_load(file.read_text(encoding="utf-8"))
    except OSError as wrong:
        return [Verdict(str(file), "-", f"cannot be read: {wrong.strerror}")]
    except (yaml.YAMLError, UnicodeDecodeError, ValueError, RecursionError) as wrong:
        return [Verdict(str(file), "-", f"is no YAML: {' '.join(str(wrong).split())}")]
    if not isinstance(found, list):
        return [Verdict(str(file), "-", "is not a list of cases")]
    seen: set[str] = set()
    return [_judge_entry(str(file), place, case, seen) for place, case in enumerate(found, start=1)]


def _judge_entry(file: str, place: int, case: object, seen: set[str]) -> Verdict:
    name = f"case {place}"
    try:
        if not isinstance(case, dict):
            raise CaseError(f"is not a map: {case!r}")
        if "id" not in case:
            raise CaseError("has no id")
        name = cases.text(case["id"], "id")
        if name in seen:
            raise CaseError("has the id of an earlier case")
        seen.add(name)
        judge_case(case)
    except (CaseError, CaseFailed) as problem:
        kind = "malformed case: " if isinstance(problem, CaseError) else ""
        return Verdict(file, name, f"{kind}{problem}")
    return Verdict(file, name)


# ---- a case ------------------------------------------------------------------------------------------------


def judge_case(case: Mapping[str, Any], fill: str = "") -> None:
    """Run one case; `fill` varies the cards that it does not name. Raises CaseError or CaseFailed."""
    cases.only_keys(case, CASE_KEYS, "the case")
    name = cases.text(case.get("game"), "game")
    if name not in POSITIONS:
        raise CaseError(f"unknown game: {name!r}")
    given = cases.mapping(case.get("given"), "given")
    expected = cases.mapping(case.get("expect"), "expect")
    game, hand = _set_up(name, cases.mapping(case.get("options"), "options"), given, f"{case['id']} {fill}")
    cases.only_keys(expected, game.positions.given | game.positions.scored, "expect")
    opening: int | None = None
    for line in cases.sequence(case.get("play"), "play"):
        hand, worth = _play(game, hand, cases.text(line, "play"))
        opening = opening if worth is None else worth
    facts = game.positions.facts(hand)
    for key, wanted in expected.items():
        _check(game, hand, facts, opening, key, wanted)


def _set_up(name: str, said: Mapping[str, Any], given: Mapping[str, Any], fill: str) -> tuple[Game, Any]:
    rules, positions = rules_of(name), POSITIONS[name]
    cases.only_keys(given, positions.given | {"fresh"}, "given")
    fresh = given.get("fresh", False)
    if not isinstance(fresh, bool):
        raise CaseError(f"fresh is neither true nor false: {fresh!r}")
    if fresh:
        given = {key: value for key, value in given.items() if key in FRESH_KEYS}
    options = positions.options(said, given)
    count = rules.seats(options)
    scores = cases.by_seat(given.get("scores", [0] * count), count, "scores")
    game = Game(
        rules,
        positions,
        options,
        tuple(cases.number(scores.get(seat, 0), "scores", least=None) for seat in range(count)),
        cases.number(given.get("hand_no", 0), "hand_no"),
    )
    if fresh:
        dealer = cases.number(given.get("dealer", 0), "dealer", below=count)
        return game, rules.deal(options, fill.encode(), dealer)[0]
    return game, positions.position(options, given, fill)


# ---- play --------------------------------------------------------------------------------------------------


def _play(game: Game, hand: Any, line: str) -> tuple[Any, int | None]:
    """Try one line; the hand afterwards, and what it opened with if it was an opening."""
    said, arrow, wanted = (part.strip() for part in line.partition("->"))
    seat, move = cases.parsed(parse_line, said, "play")
    cases.number(seat, f"seat in {line!r}", below=len(game.scores))
    if arrow and wanted != "refused" and wanted not in set(Code):
        raise CaseError(f"no code of a refusal: {wanted!r}")
    try:
        if move == "timeout":
            after, worth = _time_out(game, hand, seat), None
        else:
            after, worth = _act(game, hand, seat, cases.action(move, "play"))
    except Refused as refused:
        if wanted in {"refused", refused.code.value}:
            return hand, None
        raise CaseFailed(f"{said!r} is refused with {refused.code}{_instead(wanted)}") from None
    if arrow:
        raise CaseFailed(f"{said!r} is accepted{_instead(wanted)}")
    return after, worth


def _instead(wanted: str) -> str:
    return f", not with {wanted}" if wanted else ""


def _act(game: Game, hand: Any, seat: int, action: AnyAction) -> tuple[Any, int | None]:
    worth = game.rules.value(hand, seat, action) if game.positions.opens(hand, seat, action) else None
    return game.rules.apply(hand, seat, action)[0], worth


def _time_out(game: Game, hand: Any, seat: int) -> Any:
    """The turn clock of a seat ran out: its turn is played to the end."""
    deciders = game.rules.deciders(hand)
    if seat not in deciders:
        raise Refused(Code.NOT_YOUR_TURN if deciders else Code.HAND_OVER)
    going_on = True
    while going_on:
        hand, _ = game.rules.apply(hand, seat, game.rules.timeout(hand, seat))
        going_on = game.rules.mid_turn(hand, seat)
    return hand


# ---- what must hold ----------------------------------------------------------------------------------------


def _check(game: Game, hand: Any, facts: Facts, opening: int | None, key: str, wanted: Any) -> None:
    """One key of `expect`."""
    match key:
        case "hands":
            for seat, cards in cases.by_seat(wanted, len(facts.hands), key).items():
                _check_hand(f"hand of {seat}", cards, facts.hands[seat])
        case "table" if facts.tables is not None:
            for seat, melds in tables_of(wanted).items():
                _check_own_table(seat, melds, facts.tables[seat])
        case "centre":
            _check_centre(wanted, facts.centre)
        case "drawn_games":
            _same(key, cases.number(wanted, key), facts.drawn_games)
        case "table":
            _check_table(cases.melds(wanted, key, game.positions.meld), facts.table)
        case "stock":
            _check_pile(key, wanted, facts.stock)
        case "discard":
            _check_pile(key, wanted, facts.discard)
        case "burned":
            _check_hand(key, wanted, facts.burned)
        case "opened":
            _same(key, cases.seats(wanted, len(facts.hands), key), facts.opened)
        case "taken":
            _same(key, cases.card(wanted, key), facts.taken)
        case "turn" | "dealer":
            _same(key, cases.number(wanted, key, below=len(facts.hands)), getattr(facts, key))
        case "pending":
            _same(key, None if wanted is None else cases.number(wanted, key), facts.pending)
        case "phase":
            _same(key, cases.text(wanted, key), facts.phase)
        case "hand_no":
            _same(key, cases.number(wanted, key), game.hand_no)
        case "scores":
            for seat, score in cases.by_seat(wanted, len(facts.hands), key).items():
                _same(f"score of {seat}", cases.number(score, key, least=None), _totals(game, hand)[seat])
        case "points":
            _same(key, cases.number(wanted, key), opening)
        case "counts":
            _check_counts(facts, cases.mapping(wanted, key))
        case "over":
            _check_over(game, hand, wanted)
        case "match":
            _check_match(game, hand, wanted)
        case "legal" | "illegal":
            for seat, actions in cases.by_seat(wanted, len(facts.hands), key).items():
                for action in cases.sequence(actions, key):
                    _check_legal(game, hand, seat, cases.action(action, key), key)
        case _:
            raise CaseError(f"unknown key in expect: {key!r}")


def _same(what: str, wanted: object, found: object) -> None:
    if wanted != found:
        raise CaseFailed(f"{what} is {found!r}, not {wanted!r}")


def _check_hand(what: str, wanted: object, found: tuple[str, ...]) -> None:
    """Cards in any order, or how many."""
    if cases.is_number(wanted):
        _same(f"number of cards in {what}", wanted, len(found))
    elif Counter(cases.cards(wanted, what)) != Counter(found):
        raise CaseFailed(f"{what} is {cards_text(found)!r}, not {wanted!r}")


def _check_pile(what: str, wanted: object, found: tuple[str, ...]) -> None:
    """Cards from the top, all of them unless `…` follows, or how many."""
    if cases.is_number(wanted):
        _same(f"number of cards in {what}", wanted, len(found))
        return
    cards, more = cases.listed(wanted, what)
    if cards != (found[: len(cards)] if more else found):
        raise CaseFailed(f"{what} is {cards_text(found)!r}, not {wanted!r}")


def _check_table(wanted: tuple[MeldView, ...], found: tuple[MeldView, ...]) -> None:
    """Melds in order; a run card by card, a meld of one rank in any order."""
    if [_comparable(meld) for meld in wanted] != [_comparable(meld) for meld in found]:
        texts = [[cards_text(meld.cards) for meld in melds] for melds in (found, wanted)]
        raise CaseFailed(f"table is {texts[0]}, not {texts[1]}")


def _check_own_table(seat: int, wanted: Sequence[tuple[str, ...]], found: Sequence[tuple[str, ...]]) -> None:
    """A player's melds in any order."""
    if sorted(map(sorted, wanted)) != sorted(map(sorted, found)):
        texts = [[cards_text(meld) for meld in melds] for melds in (found, wanted)]
        raise CaseFailed(f"table of {seat} is {texts[0]}, not {texts[1]}")


def _check_centre(wanted: object, found: dict[str, Any] | None) -> None:
    """The centre card, and what is asked of how it came there; `null`: there is none."""
    wish = cases.mapping(wanted, "centre")
    cases.only_keys(wish, ("card", "by", "how"), "centre")
    _same("centre", wish or None, found and {key: found[key] for key in wish or found})


def _comparable(meld: MeldView) -> tuple[str, ...]:
    return meld.cards if meld.kind == "run" else tuple(sorted(meld.cards))


def _check_counts(facts: Facts, wanted: Mapping[str, Any]) -> None:
    cases.only_keys(wanted, ("stock", "discard", "burned", "hands"), "counts")
    for key, count in wanted.items():
        if key == "hands":
            for seat, cards in cases.by_seat(count, len(facts.hands), "counts").items():
                _same(f"number of cards of {seat}", cases.number(cards, "counts"), len(facts.hands[seat]))
        else:
            _same(f"number of cards in {key}", cases.number(count, "counts"), len(getattr(facts, key)))


def _check_over(game: Game, hand: Any, wanted: object) -> None:
    """`null`: still in play; else who won, nobody or several, and the points."""
    result = game.rules.result(hand)
    if wanted is None:
        if result is not None:
            raise CaseFailed(f"the hand is over: {result.winners} with {result.points}")
        return
    wish = cases.mapping(wanted, "over")
    cases.only_keys(wish, ("winner", "points"), "over")
    if result is None:
        raise CaseFailed("the hand is not over")
    if "winner" in wish:
        _same("winner", _winners(wish["winner"], len(game.scores)), result.winners)
    if "points" in wish:
        points = cases.by_seat(wish["points"], len(game.scores), "points")
        for seat, number in points.items():
            _same(f"points of {seat}", cases.number(number, "points", least=None), result.points[seat])


def _winners(wanted: object, count: int) -> tuple[int, ...]:
    if wanted is None:
        return ()
    if isinstance(wanted, list):
        return cases.seats(wanted, count, "winner")
    return (cases.number(wanted, "winner", below=count),)


def _check_match(game: Game, hand: Any, wanted: object) -> None:
    result = game.rules.result(hand)
    counted = game.hand_no if result is not None and result.ending != "void" else max(0, game.hand_no - 1)
    winner = None
    if result is not None:
        winners = game.positions.winners(hand, game.scores, counted)
        winner = game.rules.match_winner(game.options, _totals(game, hand), winners)
    if wanted is None:
        _same("winner of the match", None, winner)
        return
    wish = cases.mapping(wanted, "match")
    cases.only_keys(wish, ("winner",), "match")
    if "winner" in wish:
        found = () if winner is None else (winner,)
        _same("winner of the match", _winners(wish["winner"], len(game.scores)), found)


def _totals(game: Game, hand: Any) -> tuple[int, ...]:
    """The match totals, with this hand's points once it is over."""
    result = game.rules.result(hand)
    points = result.points if result is not None else (0,) * len(game.scores)
    return tuple(score + more for score, more in zip(game.scores, points, strict=True))


def _check_legal(game: Game, hand: Any, seat: int, action: AnyAction, key: str) -> None:
    try:
        game.rules.apply(hand, seat, action)
    except Refused as refused:
        if key == "legal":
            raise CaseFailed(f"{action_text(action)!r} of {seat} is refused with {refused.code}") from None
    else:
        if key == "illegal":
            raise CaseFailed(f"{action_text(action)!r} of {seat} is accepted")
