"""`upcard replay`: records told step by step, and every kind of wrong record refused with its line."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from random import Random

import pytest
import typer
from hypothesis import given
from typer.testing import CliRunner, Result

from server.judging.cli import register
from server.rules.cards import JOKER, pack
from server.rules.notation import NotationError
from server.rules.record_reader import parse_records
from server.rules.records import HandRecord
from server.rules.replay import replay_match
from server.rules.shuffle import commitment
from tests.rules.play import seeds

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.txt"))
KONKEN, MATCH = "konken-source", "conquian-pool"


@cache
def lines_of(name: str) -> tuple[str, ...]:
    (file,) = (file for file in GOLDEN if file.stem == name)
    return tuple(file.read_text(encoding="utf-8").splitlines())


def line_of(lines: Sequence[str], start: str) -> int:
    """The index of the first line that begins so."""
    return next(at for at, line in enumerate(lines) if re.match(start, line))


def replayed(*arguments: object) -> Result:
    app = typer.Typer()
    register(app)
    return CliRunner().invoke(app, ["replay", *map(str, arguments)])


# ---- telling -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", [pytest.param(file, id=file.stem) for file in GOLDEN])
def test_every_line_of_a_log_is_told(file: Path) -> None:
    told = replayed(file)
    assert told.exit_code == 0, told.output
    said = told.output.splitlines()
    at = 0
    for hand in parse_records(file.read_text(encoding="utf-8")):
        for entry, line in zip(hand.record.log, hand.log_lines, strict=True):
            text = entry.text if entry.seat is None else f"{entry.seat}: {entry.text}"
            start = f"{line:>5}  {text if entry.seat is not None else ''}"
            at = next(index for index in range(at, len(said)) if said[index].startswith(start))
        for seat, points in enumerate(hand.record.points):
            row = rf" +{seat} {re.escape(hand.record.players[seat])} +{re.escape(f'{points:+d}')}\b"
            at = next(index for index in range(at, len(said)) if re.match(row, said[index]))


def test_what_is_told_of_a_hand() -> None:
    (file,) = (file for file in GOLDEN if file.stem == "conker-joker-close-double")
    at = {
        start: line_of(lines_of(file.stem), start) + 1
        for start in ("1: lay TH", "1: swap QD", "1: discard JK")
    }
    said = replayed(file).output
    for expected in (
        "Conker, hand 1, joker_close_double on\n       North deals, East begins\n",
        "       0 North  AS 2S AH 4H 4D 7D 9D JD KD 5C 8C JK JK\n",
        "       7H is turned up, 55 cards in the stock\n",
        f"{at['1: lay TH']:>5}  1: lay TH TS TD / JC JK KC AC\n{' ' * 32}meld 1 is TH TS TD; meld 2 is JC JK=QC",
        "       table  1: TH TS TD   2: JC JK=QC KC AC\n",
        f"{at['1: swap QD']:>5}  1: swap QD in 3          QD takes the Joker's place in meld 3; ",
        "the Joker goes to East's hand\n       table  1: TH TS TD   2: JC JK=QC KC AC   3: JD QD KD   4: JK=AD AS AH\n",
        f"{at['1: discard JK']:>5}  1: discard JK            East throws JK; the hand is over (closed with",
        "       Result: East, went out\n",
        "       1 East    +186    186  no cards (0)\n",
    ):
        assert expected in said, expected


def test_a_match_is_told_with_its_sheet() -> None:
    said = replayed(next(file for file in GOLDEN if file.stem == MATCH)).output
    assert said.count("       Result: ") == 4
    assert re.search(r"Result: drawn, nobody pays\n +0 North +\+0 +10 ", said)
    assert "       The match goes to " in said


def test_all_before_a_wrong_line_is_told(tmp_path: Path) -> None:
    lines = list(lines_of(KONKEN))
    at = line_of(lines, r"0: add QS")
    lines[at] = "0: add 2S to 1"
    said = refused(tmp_path, lines, told=True)
    assert f"{at:>5}  0: add JK to 1 high" in said
    assert "table  1: 8S 9S TS JK=JS" in said
    assert said.splitlines()[-2].endswith(f"line {at + 1}: `0: add 2S to 1` is refused: not_in_hand")
    assert "Result:" not in said


def test_names_steer_no_terminal(tmp_path: Path) -> None:
    lines = list(lines_of(KONKEN))
    at = line_of(lines, "players")
    lines[at] = "players Seat 0 | \x1b[2J\x07 | Seat 2 | \u202eevil"
    file = tmp_path / "record.txt"
    file.write_text("\n".join(lines), encoding="utf-8")
    said = replayed(file)
    assert said.exit_code == 0
    assert not set("\x1b\x07\u202e") & set(said.output)


# ---- files ---------------------------------------------------------------------------------------------------


def test_files_and_folders(tmp_path: Path) -> None:
    for name in (KONKEN, MATCH):
        (tmp_path / f"{name}.txt").write_text("\n".join(lines_of(name)), encoding="utf-8")
    (tmp_path / "notes.md").write_text("no record")
    both = replayed("--verify", tmp_path, tmp_path / f"{KONKEN}.txt")
    assert (both.exit_code, both.output) == (0, "6 hands replayed, 0 records refused\n")
    assert replayed("--verify").exit_code == 2
    (tmp_path / "empty").mkdir()
    nothing = replayed("--verify", tmp_path / "empty", tmp_path / "nowhere", tmp_path)
    assert nothing.exit_code == 1
    assert nothing.output.splitlines() == [
        f"{tmp_path / 'empty'}: no records in this folder (*.txt)",
        f"{tmp_path / 'nowhere'}: cannot be read: No such file or directory",
        "5 hands replayed, 2 records refused",
    ]


def test_bytes_that_are_no_text_are_refused_with_their_line(tmp_path: Path) -> None:
    lines = [line.encode() for line in lines_of(KONKEN)]
    at = line_of(lines_of(KONKEN), "deal 2")
    file = tmp_path / "record.txt"
    for spoilt in (b"\xff", lines[at] + b" \xc3", b"\xed\xa0\x80" + lines[at]):
        file.write_bytes(b"\n".join([*lines[:at], spoilt, *lines[at + 1 :]]))
        told = replayed("--verify", file)
        assert (told.exit_code, told.output.splitlines()[0]) == (
            1,
            f"{file}: line {at + 1}: this is no UTF-8",
        )


def test_a_deal_may_be_taken_as_written(tmp_path: Path) -> None:
    lines = list(lines_of(KONKEN))
    at = line_of(lines, "seed")
    lines[at] = f"seed {'00' * 96}  nonces - - - -"
    file = tmp_path / "record.txt"
    file.write_text("\n".join(lines))
    assert replayed("--verify", "--without-seed", file).exit_code == 0
    assert replayed("--verify", file).exit_code == 1


# ---- what is wrong ---------------------------------------------------------------------------------------------


def refused(folder: Path, lines: Sequence[str], told: bool = False) -> str:
    """What the command says of a record that it has to refuse."""
    file = folder / "record.txt"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    said = replayed(*([] if told else ["--verify"]), file)
    assert said.exit_code == 1
    assert said.exception is None or isinstance(said.exception, SystemExit)
    assert said.output.splitlines()[-1].endswith(" 1 records refused")
    return said.output


Spoil = Callable[[list[str]], int]
"""Spoils the lines of a record, and gives the index of the line that has to be named."""


def instead(start: str, new: str) -> Spoil:
    """Another line in place of the first that begins so."""

    def spoil(lines: list[str]) -> int:
        at = line_of(lines, start)
        lines[at] = new
        return at

    return spoil


def within(start: str, old: str, new: str, named: str = "") -> Spoil:
    """Other words in the first line that begins so; the line to be named is that one, or begins with `named`."""

    def spoil(lines: list[str]) -> int:
        at = line_of(lines, start)
        assert re.search(old, lines[at])
        lines[at] = re.sub(old, new, lines[at], count=1)
        return line_of(lines, named) if named else at

    return spoil


def without(start: str) -> Spoil:
    """A line is missing; the next one is named."""

    def spoil(lines: list[str]) -> int:
        at = line_of(lines, start)
        del lines[at]
        return at

    return spoil


def more(before: str, new: str) -> Spoil:
    """A line too many."""

    def spoil(lines: list[str]) -> int:
        at = line_of(lines, before)
        lines.insert(at, new)
        return at

    return spoil


def at_the_end(new: str) -> Spoil:
    """A line too many after all others."""

    def spoil(lines: list[str]) -> int:
        lines.append(new)
        return len(lines) - 1

    return spoil


def once_more(start: str, new: str) -> Spoil:
    """One of a match's hands comes again at the end, with another number."""

    def spoil(lines: list[str]) -> int:
        first, end = line_of(lines, start), len(lines)
        following = next(at for at in range(first + 1, end) if lines[at].startswith("hand "))
        lines += [lines[first].replace(start, new), *lines[first + 1 : following]]
        return end

    return spoil


def cut(before: str) -> Spoil:
    """The rest of the file is missing; the line after its end is named."""

    def spoil(lines: list[str]) -> int:
        del lines[line_of(lines, before) :]
        return len(lines)

    return spoil


WRONG: dict[str, tuple[str, Spoil, str]] = {
    "an unknown word": (KONKEN, instead("2: draw", "2: fly"), "no action: 'fly'"),
    "an unknown card": (KONKEN, within("3: lay", "8S", "1S"), "no card: '1S'"),
    "an unknown line": (KONKEN, more("turned", "weather fine"), "`stock …` is missing, found 'weather fine'"),
    "an illegal action": (
        KONKEN,
        within("0: add QS", "QS", "QD"),
        "`0: add QD to 1` is refused: does_not_fit",
    ),
    "an action of another game": (
        KONKEN,
        instead("2: draw", "2: force"),
        "`2: force` is refused: wrong_phase",
    ),
    "a wrong seat": (KONKEN, instead("2: draw", "1: draw"), "`1: draw` is refused: not_your_turn"),
    "a seat that is none": (KONKEN, instead("2: draw", "4: draw"), "no such seat: 4"),
    "another winner": (KONKEN, within("result", "0", "1"), "the result is 0 +8 -1 -2 -5"),
    "other points": (KONKEN, within("result", r"\+8", "+9"), "the result is 0 +8 -1 -2 -5"),
    "points of three": (KONKEN, within("result", r" -5", ""), "not a number for each of 4 seats"),
    "a void hand that is not": (KONKEN, instead("result", "void - unfinished"), "and is not void"),
    "a commitment to another seed": (
        KONKEN,
        within("commit", "commit .", "commit ", "seed"),
        "the seed is not the one that was committed to",
    ),
    "another seed": (
        KONKEN,
        within("seed", "seed .", "seed "),
        "the seed is not the one that was committed to",
    ),
    "a seed that is no hex": (KONKEN, within("seed", "seed .", "seed x"), "not understood"),
    "a seed and a commitment of another deal": (
        KONKEN,
        lambda lines: (
            instead("seed", f"seed {bytes(96).hex()}  nonces - - - -")(lines)
            and instead("commit", f"commit {commitment(bytes(96))}")(lines)
            and line_of(lines, "deal 0")
        ),
        "the seed does not give this deal",
    ),
    "a nonce too few": (KONKEN, within("seed", r" [^ ]+$", ""), "not a nonce for each player"),
    "another nonce": (KONKEN, within("seed", r"[^ ]+$", "00", "deal 0"), "the seed does not give this deal"),
    "two cards exchanged": (
        KONKEN,
        within("stock", r"stock (..) (..)", r"stock \2 \1"),
        "the seed does not give this deal",
    ),
    "a card too often": (KONKEN, within("stock", "4H 3H", "JK JK"), "the pack does not hold JK so often"),
    "a card too few": (KONKEN, within("deal 1", " 7C", ""), "12 cards, not 13"),
    "no upcard": (KONKEN, without("turned"), "`turned …` is missing"),
    "no upcard, and a single card in its place": (
        KONKEN,
        lambda lines: without("turned")(lines) and instead("stock", "stock 2S")(lines),
        "`turned …` is missing",
    ),
    "an upcard where none is turned": (MATCH, more("stock", "turned 4C"), "this game turns no card up"),
    "an end too early": (KONKEN, cut("0: swap 3C"), "`result …` is missing"),
    "no end": (KONKEN, cut("result"), "`result …` is missing"),
    "no proof": (KONKEN, cut("seed"), "`seed …` is missing"),
    "the last action missing": (KONKEN, without("0: discard AH"), "the hand has not come to its end"),
    "an action after the end": (KONKEN, more("result", "1: draw"), "`1: draw` is refused: hand_over"),
    "a line after the proof": (KONKEN, at_the_end("1: draw"), "is missing"),
    "an option that is none": (KONKEN, instead("options", "options speed=9"), "unknown field `speed`"),
    "a wrong value": (KONKEN, instead("options", "options tie=never"), "Invalid enum value 'never'"),
    "a value past all bounds": (KONKEN, instead("options", f"options target={'9' * 5000}"), "bad option"),
    "an option twice": (KONKEN, instead("options", "options tie=void tie=void"), "no option: 'tie=void'"),
    "options that do not go together": (
        KONKEN,
        instead("options", "options packs=1 hand_size=14"),
        "hand_size does not go with the rest",
    ),
    "options for fewer players": (
        KONKEN,
        lambda lines: instead("options", "options players=3")(lines) and line_of(lines, "players"),
        "not 3 players",
    ),
    "a game that is none": (KONKEN, instead("game", "game whist"), "unknown game: 'whist'"),
    "another version": (KONKEN, within("upcard-record", "1", "2"), "`upcard-record 1` is missing"),
    "a dealer that is none": (KONKEN, within("hand", "dealer 1", "dealer 7"), "no such dealer"),
    "no such hand": (KONKEN, within("hand", "hand 2", "hand 0"), "not understood"),
    "a hand past all bounds": (KONKEN, within("hand", "hand 2", f"hand {'9' * 5000}"), "not understood"),
    "swaps in swaps": (
        KONKEN,
        instead("2: draw", "2: " + "swap 6H in 1 then " * 3000 + "lay JK 9H TH"),
        "only `lay` or `add` can follow `then`",
    ),
    "a void hand without its reason": (
        "konken-a-seat-left",
        within("void", "void 0", "void 1"),
        "the log does not say `left 1`",
    ),
    "a note about a seat that is none": ("conquian-left", more("result", "left 2"), "not a note"),
    "a hand that goes on without a player": (
        KONKEN,
        lambda lines: more("0: swap 3C", "left 2")(lines) + 1,
        "the hand goes on after somebody left",
    ),
    "other totals": (MATCH, within("match", r"\d+$", "99"), "the totals are"),
    "another winner of the match": (MATCH, within("match", r"match \d", "match -"), "the match is won by"),
    "a match that goes on": (MATCH, once_more("hand 1", "hand 5"), "the match was over before this hand"),
    "a hand twice": (MATCH, within("hand 3", "hand 3", "hand 2"), "hand 2 came before"),
}


@pytest.mark.parametrize("kind", WRONG)
def test_a_wrong_record_is_refused_with_its_line_and_the_reason(kind: str, tmp_path: Path) -> None:
    name, spoil, reason = WRONG[kind]
    lines = list(lines_of(name))
    at = spoil(lines)
    said = refused(tmp_path, lines).splitlines()[0]
    assert said.startswith(f"{tmp_path / 'record.txt'}: line {at + 1}: "), said
    assert reason in said


# ---- any line spoilt -------------------------------------------------------------------------------------------

CARDS = (*pack(1, 0), JOKER, "JK=7H", "1S")
VERBS = ("draw", "take", "pass", "lay", "add", "swap", "discard", "left", "hand", "nonces")
WORDS = (*VERBS, "/", "-", "0", "1", "99", "#", "\u0663")


def other_word(words: list[str], chance: Random) -> list[str]:
    at = chance.randrange(len(words))
    return [*words[:at], chance.choice(WORDS), *words[at + 1 :]]


def other_card(words: list[str], chance: Random) -> list[str]:
    cards = [at for at, word in enumerate(words) if word in CARDS] or [len(words) - 1]
    at = chance.choice(cards)
    return [*words[:at], chance.choice(CARDS), *words[at + 1 :]]


def other_letter(words: list[str], chance: Random) -> list[str]:
    text = " ".join(words)
    at = chance.randrange(len(text))
    return [text[:at] + chance.choice("0123456789abcSHDCJK:=+-,| ") + text[at + 1 :]]


def without_a_word(words: list[str], chance: Random) -> list[str]:
    at = chance.randrange(len(words))
    return [*words[:at], *words[at + 1 :]]


def two_words_exchanged(words: list[str], chance: Random) -> list[str]:
    one, other = (chance.randrange(len(words)) for _ in range(2))
    words[one], words[other] = words[other], words[one]
    return words


SLIPS = (other_word, other_card, other_letter, without_a_word, two_words_exchanged)


def spoilt(lines: list[str], at: int, chance: Random) -> list[str]:
    """The lines with one of them changed, missing, twice, late, elsewhere, or the last one."""
    match chance.randrange(12):
        case 0:
            return [*lines[:at], *lines[at + 1 :]]
        case 1:
            return [*lines[:at], lines[at], *lines[at:]]
        case 2:
            return [*lines[:at], *lines[at + 1 : at + 2], lines[at], *lines[at + 2 :]]
        case 3:
            return lines[: at + 1]
        case 4:
            return [*lines[:at], chance.choice(lines), *lines[at + 1 :]]
        case _:
            words = chance.choice(SLIPS)(lines[at].split(" "), chance)
            return [*lines[:at], " ".join(words), *lines[at + 1 :]]


def said_by(hand: HandRecord) -> tuple[object, ...]:
    """What a record states beside who played and how it came to that."""
    return (
        hand.game,
        hand.dealer,
        hand.commit,
        hand.deal,
        hand.turned,
        hand.stock,
        hand.winners,
        hand.points,
        hand.seed,
    )


@pytest.mark.parametrize("file", [pytest.param(file, id=file.stem) for file in GOLDEN])
@given(seed=seeds)
def test_a_record_with_one_line_spoilt_is_refused_there_or_later_or_says_the_same(
    file: Path, seed: int
) -> None:
    lines, chance = list(lines_of(file.stem)), Random(seed)
    at = chance.choice([index for index, line in enumerate(lines) if not line.startswith("#")])
    changed = spoilt(lines, at, chance)
    if (fault := fault_of(changed)) is not None:
        assert fault.line is not None
        nonces = lines[at].startswith("seed ") and fault.message == "the seed does not give this deal"
        assert nonces or at + 1 <= fault.line <= len(changed) + 1, fault
        return
    whole, found = (parse_records("\n".join(text)) for text in (lines, changed))
    assert len(found) <= len(whole)
    for hand, other in zip(found, whole, strict=False):
        assert said_by(hand.record) == said_by(other.record)
        assert hand.record.match is None or hand.record.match == other.record.match


def fault_of(lines: list[str]) -> NotationError | None:
    """Why a record is refused, if it is; anything else that may go wrong goes on to the test."""
    try:
        replay_match(parse_records("\n".join(lines)))
    except NotationError as wrong:
        return wrong
    return None
