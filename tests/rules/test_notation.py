"""Text to values and back; records that are wrong are refused with their line."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.judging.fuzz import fuzz, play_greedily
from server.rules.actions import (
    Add,
    AnyAction,
    Discard,
    Draw,
    Exchange,
    Force,
    Lay,
    Meld,
    Pass,
    Swap,
    Take,
    Waive,
)
from server.rules.cards import RANKS, SUITS
from server.rules.konken import KonkenOptions
from server.rules.notation import NotationError, action_text, parse_action, parse_line
from server.rules.record_reader import parse_record, parse_records
from server.rules.records import Entry, HandRecord, comment, match_record, record
from server.rules.replay import replay, replay_match
from server.rules.shuffle import commitment, entropy

naturals = st.builds(str.__add__, st.sampled_from(RANKS), st.sampled_from(SUITS))
cards = st.one_of(naturals, st.just("JK"))
placed = st.one_of(cards, naturals.map("JK={}".format))
melds = st.lists(placed, min_size=1, max_size=5).map(tuple)
numbers = st.integers(0, 99)
lays = st.builds(Lay, st.lists(melds, min_size=1, max_size=4).map(tuple))
adds = st.builds(Add, numbers, melds, st.sampled_from((None, "low", "high")))
swaps = st.builds(Swap, numbers, cards, st.lists(cards, max_size=3).map(tuple), st.none() | lays | adds)
words = st.sampled_from((Draw(), Take(), Pass(), Force(), Waive()))
tables = st.builds(Meld, st.lists(st.lists(cards, min_size=1).map(tuple), min_size=1, max_size=4).map(tuple))
throws = st.builds(Discard, cards, st.booleans())
actions = st.one_of(words, lays, adds, swaps, tables, throws, st.builds(Exchange, cards))


@given(actions)
def test_an_action_comes_back_from_its_text(action: AnyAction) -> None:
    assert parse_action(action_text(action)) == action


@pytest.mark.parametrize(
    "text",
    [
        "draw",
        "take",
        "lay AS AH AC / 2D 3D 4D",
        "lay JS JK=QS KS",
        "add 7H 8H to 2",
        "add JK to 2 low",
        "swap QS in 1",
        "swap 6H in 1 with 4H",
        "swap 6H in 1 then lay 9S TS JK",
        "swap 6H in 1 with 4H then add JK to 2 high",
        "discard 5C",
        "meld 5D 6D 7D / JS JH JD",
        "pass",
        "force",
        "waive",
        "discard 5C force",
        "exchange 4S",
    ],
)
def test_the_notation_page_reads_as_written(text: str) -> None:
    assert action_text(parse_action(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Draw",
        "draw 5C",
        "take it",
        "lay",
        "lay 10H 9H 8H",
        "lay 5H 6H 7X",
        "lay 5h 6h 7h",
        "lay JK=JK 6H 7H",
        "add 7H",
        "add 7H to",
        "add 7H to two",
        "add 7H to -1",
        "add to 2",
        "add 7H to 2 middle",
        "swap QS",
        "swap QS in 1 with",
        "swap QS in 1 then",
        "swap QS in 1 then discard 5C",
        "swap JK=QS in 1",
        "swap QS in 1 then swap KS in 2",
        "discard",
        "discard JK=5C",
        "discard 5C 6C",
        "discard force",
        "meld",
        "meld 5D 6D JK=7D",
        "pass 5D",
        "force 1",
        "exchange",
        "exchange 4S 5S",
        "lay 5H 6H 7H -> run_gap",
    ],
)
def test_what_is_no_action_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        parse_action(text)


@pytest.mark.parametrize("text", ["draw", "0 draw", "0:draw", "x: draw", "10: draw", "0:  ", "-1: draw"])
def test_what_is_no_line_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        parse_line(text)


# ---- records -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> HandRecord:
    folder = tmp_path_factory.mktemp("records")
    assert not fuzz("konken", 1, "golden", KonkenOptions(target=200), play_greedily, folder).faults
    (file,) = folder.iterdir()
    return parse_record(file.read_text())


def test_a_record_comes_back_from_its_text(played: HandRecord) -> None:
    assert parse_record(record(played)) == played
    replay(parse_records(record(played))[0])


names = st.text(min_size=1, max_size=24).map(lambda name: " ".join(name.split())).filter(bool)


@given(names, names, st.sampled_from(("", "timeout", "3.2s")))
def test_names_are_anybodys_words_and_break_nothing(one: str, other: str, said: str) -> None:
    hand = HandRecord(
        game="konken",
        options={"players": 2, "target": 200, "tie": "void"},
        players=(one, other),
        hand=3,
        dealer=1,
        commit="9f",
        deal=(("4H", "JK"), ("5S", "6S")),
        turned="KC",
        stock=("7C",),
        log=(
            Entry(0, "draw", said),
            Entry(None, "bot 1"),
            Entry(1, "discard 5S", "1.5s"),
            Entry(None, "left 1"),
        ),
        winners=(),
        points=(),
        seed="4b11",
        nonces=("a1", ""),
        void="1 left",
    )
    assert parse_record(record(hand)) == hand


def test_comments_tell_the_clock_or_the_time_taken() -> None:
    assert (comment(3240), comment(0), comment(30_000, timed_out=True)) == ("3.2s", "", "timeout")


def test_the_example_of_the_page_is_read() -> None:
    text = """upcard-record 1
game konken
options target=200 turn_seconds=30        # only what differs from the defaults
players North | Bot 1 (regular) | South | Bot 2 (expert)
hand 1 dealer 1                           # the seat after the dealer begins
commit 9f2c
deal 0 4H 5H JK 9S
deal 1 2S
deal 2 3S
deal 3 4S
turned KC                                 # the first card of the discard pile
stock 7C 8D 2S
2: draw
2: discard KC # timeout
bot 1
sit 3 A new one
3: take                                   # 3.2s
forfeit 1
void 1 left
seed 4b11  nonces a1 - b2 -
match - 210 -12 -96 -102
"""
    read = parse_record(text)
    assert read.options == {"target": 200, "turn_seconds": 30}
    assert read.players == ("North", "Bot 1 (regular)", "South", "Bot 2 (expert)")
    assert [entry.comment for entry in read.log] == ["", "timeout", "", "", "3.2s", ""]
    assert read.log[3] == Entry(None, "sit 3 A new one")
    assert (read.void, read.nonces) == ("1 left", ("a1", "", "b2", ""))
    assert read.match == ((), (210, -12, -96, -102))


Change = Callable[[list[str]], int]
"""Spoils the lines of a record; gives the number of the line that is to be named."""


def line_with(lines: list[str], start: str) -> int:
    return next(at for at, line in enumerate(lines) if line.startswith(start))


def replaced(start: str, old: str, new: str) -> Change:
    def change(lines: list[str]) -> int:
        at = line_with(lines, start)
        assert old in lines[at]
        lines[at] = lines[at].replace(old, new, 1)
        return at + 1

    return change


def removed(start: str) -> Change:
    def change(lines: list[str]) -> int:
        at = line_with(lines, start)
        del lines[at]
        return at + 1

    return change


def another_card(start: str) -> Change:
    def change(lines: list[str]) -> int:
        at = line_with(lines, start)
        *head, last = lines[at].split(" ")
        lines[at] = " ".join([*head, "AS" if last != "AS" else "AH"])
        return at + 1

    return change


@pytest.mark.parametrize(
    "change",
    [
        replaced("upcard", "1", "2"),
        replaced("game", "konken", "whist"),
        replaced("options", "target=200", "target=201"),
        replaced("options", "target=200", "aim=200"),
        replaced("options", "target=200", "target"),
        replaced("players", " | Seat 3", ""),
        replaced("hand", "dealer", "by"),
        replaced("deal 1", "deal 1", "deal 2"),
        replaced("turned", "turned ", "turned 1"),
        replaced("result", "-", "+"),
        replaced("result", "result ", "result 7,"),
        replaced("seed", "a", "b"),
        replaced("seed", "nonces", "nonsense"),
        removed("game"),
        removed("players"),
        removed("hand"),
        removed("commit"),
        removed("deal 2"),
        removed("turned"),
        removed("stock"),
        removed("result"),
        removed("seed"),
        another_card("deal 0"),
        another_card("stock"),
    ],
)
def test_a_spoilt_record_is_refused_with_its_line(played: HandRecord, change: Change) -> None:
    lines = record(played).splitlines()
    at = change(lines)
    with pytest.raises(NotationError) as refused:
        replay(parse_records("\n".join(lines))[0])
    assert refused.value.line is not None
    # A card that is one too many may show only where the pack has run out of it.
    assert refused.value.line == at or (at <= refused.value.line <= line_with(lines, "stock") + 1)


def test_an_action_that_was_not_legal_is_refused_with_its_line(played: HandRecord) -> None:
    lines = record(played).splitlines()
    at = next(number for number, line in enumerate(lines) if ": draw" in line)
    lines[at] = lines[at].replace("draw", "lay 2S 2H 2D")
    with pytest.raises(NotationError, match=rf"line {at + 1}: .*wrong_phase"):
        replay(parse_records("\n".join(lines))[0])
    lines[at] = "0: lay 2S 2H 2X"
    with pytest.raises(NotationError, match=rf"line {at + 1}: no card"):
        parse_records("\n".join(lines))


def test_a_seed_of_another_deal_is_refused(played: HandRecord) -> None:
    other = bytes(96)
    lines = record(played).splitlines()
    lines[line_with(lines, "seed")] = f"seed {other.hex()}  nonces - - - -"
    lines[line_with(lines, "commit")] = f"commit {commitment(other)}"
    text = "\n".join(lines)
    with pytest.raises(NotationError, match=r"line 7: the seed does not give this deal"):
        replay(parse_records(text)[0])
    replay(parse_records(text)[0], verify=False)
    assert entropy(other, ("",)) != entropy(bytes(95), ("",))


def test_a_hand_that_goes_on_or_stops_short_is_refused(played: HandRecord) -> None:
    for log in (played.log[:-1], (*played.log, Entry(0, "draw"))):
        text = record(replace_log(played, log))
        with pytest.raises(NotationError):
            replay(parse_records(text)[0])


def replace_log(hand: HandRecord, log: tuple[Entry, ...]) -> HandRecord:
    fields = {name: getattr(hand, name) for name in HandRecord.__struct_fields__}
    return HandRecord(**{**fields, "log": log})


def with_match(hand: HandRecord, number: int, totals: tuple[int, ...] | None) -> HandRecord:
    fields = {name: getattr(hand, name) for name in HandRecord.__struct_fields__}
    return HandRecord(**{**fields, "hand": number, "match": totals and ((0,), totals)})


def test_a_match_is_its_hands_one_after_the_other(played: HandRecord) -> None:
    twice = tuple(2 * points for points in played.points)
    hands = [with_match(played, 1, None), with_match(played, 2, twice)]
    text = match_record(hands)
    assert text.count("upcard-record") == 1
    found = parse_records(text)
    assert [located.record for located in found] == hands
    assert len(replay_match(found)) == 2
    wrong = match_record([hands[0], with_match(played, 2, played.points)])
    with pytest.raises(NotationError, match="the totals are"):
        replay_match(parse_records(wrong))


@pytest.mark.parametrize(
    "text", ["", "\n\n", "# nothing here\n", "upcard-record 1", "hello", "hand 1 dealer 0"]
)
def test_no_record_at_all(text: str) -> None:
    with pytest.raises(NotationError) as refused:
        parse_records(text)
    assert refused.value.line is not None


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    for spoilt in (text, f"upcard-record 1\n{text}", f"upcard-record 1\ngame konken\nplayers A | B\n{text}"):
        with pytest.raises(NotationError):
            parse_records(spoilt)
