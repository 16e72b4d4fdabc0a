"""New stocks in records: they are the seed's, and a record can do without it."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from server.rules.actions import Draw
from server.rules.conker import CONKER, ConkerOptions
from server.rules.events import Reshuffled, redact
from server.rules.notation import NotationError
from server.rules.record_reader import parse_records
from server.rules.replay import replay

TEXT = (Path(__file__).parent / "golden" / "conker-new-stocks.txt").read_text(encoding="utf-8")
LINES = TEXT.splitlines()
AT = next(number for number, line in enumerate(LINES) if line.startswith("reshuffle"))
ENTROPY = b"some entropy"


def played(lines: list[str], verify: bool = True) -> object:
    return replay(parse_records("\n".join(lines))[0], verify)


def refused(lines: list[str], verify: bool = True) -> NotationError:
    with pytest.raises(NotationError) as wrong:
        played(lines, verify)
    return wrong.value


def test_a_record_replays_with_its_seed_and_without() -> None:
    proven, taken_as_written = played(LINES), played(LINES, verify=False)
    assert proven.reshuffles == 2  # type: ignore[attr-defined]
    assert msgspec.structs.replace(proven, key="") == taken_as_written  # type: ignore[type-var]


def test_another_order_is_not_the_seeds() -> None:
    words = LINES[AT].split()
    other = " ".join([words[0], *reversed(words[1:])])
    wrong = refused([*LINES[:AT], other, *LINES[AT + 1 :]])
    assert (wrong.message, wrong.line) == ("the seed does not give this stock", AT + 1)


@pytest.mark.parametrize("verify", [True, False])
def test_other_cards_are_no_new_stock(verify: bool) -> None:
    words = LINES[AT].split()
    for cards in (words[1:-1], [*words[1:], "KS"], ["JK", *words[2:]], []):
        wrong = refused([*LINES[:AT], " ".join(["reshuffle", *cards]), *LINES[AT + 1 :]], verify)
        assert wrong.line == AT + 1


@pytest.mark.parametrize("verify", [True, False])
def test_the_line_must_not_be_missing(verify: bool) -> None:
    wrong = refused([*LINES[:AT], *LINES[AT + 1 :]], verify)
    assert (wrong.message, wrong.line) == ("`reshuffle …` is missing", AT + 1)


def test_the_line_stands_where_it_is_due_and_before_a_draw() -> None:
    early = refused([*LINES[: AT - 2], LINES[AT], *LINES[AT - 2 :]])
    assert early.message == "there is no reshuffle here"
    no_draw = refused([*LINES[: AT + 1], LINES[AT + 2], *LINES[AT + 2 :]], verify=False)
    assert no_draw.message == "nobody draws from the new stock"
    end = next(number for number, line in enumerate(LINES) if line.startswith("result"))
    nothing = refused([*LINES[: AT + 1], *LINES[end:]], verify=False)
    assert nothing.message == "nobody draws from the new stock"


def test_no_cards_no_line() -> None:
    wrong = refused([*LINES[:AT], "reshuffle 3X", *LINES[AT + 1 :]])
    assert wrong.line == AT + 1


def test_a_game_without_new_stocks_knows_no_such_line() -> None:
    text = (Path(__file__).parent / "golden" / "konken-source.txt").read_text(encoding="utf-8").splitlines()
    first = next(number for number, line in enumerate(text) if line.startswith("stock")) + 1
    wrong = refused([*text[:first], "reshuffle 4S 5S", *text[first:]])
    assert wrong.message == "this game has no reshuffle"


def test_the_order_follows_from_the_entropy_and_the_count_and_nobody_sees_it() -> None:
    options = ConkerOptions(players=2)
    first, again = (CONKER.deal(options, ENTROPY, 0)[0] for _ in range(2))
    other, _ = CONKER.deal(options, ENTROPY + b"!", 0)
    assert first.key == again.key != other.key
    assert first.key.encode() not in msgspec.json.encode([CONKER.view(first, seat) for seat in (None, 0, 1)])
    empty = msgspec.structs.replace(first, stock=(), pile=(*first.pile, *first.stock))
    stocks = []
    for count in range(3):
        before = msgspec.structs.replace(empty, reshuffles=count)
        after, (event, _) = CONKER.apply(before, before.turn, Draw())
        assert isinstance(event, Reshuffled)
        assert event.stock is not None
        assert (event.stock[0], *after.stock) == (after.hands[before.turn][-1], *event.stock[1:])
        assert sorted(event.stock) == sorted(empty.pile[1:])
        assert redact(event, before.turn) == Reshuffled(event.count) == redact(event, None)
        stocks.append(event.stock)
    assert len(set(stocks)) == 3
