"""Hands that do not count, in a record: left by somebody, or lost with their table."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from server.judging.fuzz import fuzz, play_greedily
from server.judging.narration import narrated
from server.rules.konken import KonkenOptions
from server.rules.notation import NotationError
from server.rules.record_reader import parse_record, parse_records
from server.rules.records import LOST, Entry, HandRecord, Value, lost_hand, match_record, record
from server.rules.replay import replay, replay_match, retrace

HEAD = """\
upcard-record 1
game konken
options target=200
players North | Bot 1 (regular) | South | Bot 2 (regular)
"""
TEXT = f"{HEAD}hand 3 dealer 1\nvoid - lost\n"
PLAYERS = ("North", "Bot 1 (regular)", "South", "Bot 2 (regular)")
OPTIONS: dict[str, Value] = {"target": 200}


def a_lost_hand(number: int = 3, dealer: int = 1) -> HandRecord:
    return lost_hand("konken", OPTIONS, PLAYERS, number, dealer)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> HandRecord:
    """A hand really played, as the first of a match."""
    folder = tmp_path_factory.mktemp("records")
    assert not fuzz("konken", 1, "lost", KonkenOptions(target=200), play_greedily, folder).faults
    (file,) = folder.iterdir()
    return replace(parse_record(file.read_text()), hand=1, players=PLAYERS, options=OPTIONS)


def test_a_lost_hand_is_its_number_and_its_dealer() -> None:
    assert record(a_lost_hand()) == TEXT
    assert parse_record(TEXT) == a_lost_hand()


@pytest.mark.parametrize("verify", [True, False])
def test_there_is_nothing_to_verify(verify: bool) -> None:
    assert replay(parse_records(TEXT)[0], verify) is None


def test_a_match_goes_on_after_a_lost_hand(played: HandRecord) -> None:
    first = played
    third = replace(played, hand=3, match=((0,), tuple(2 * points for points in played.points)))
    text = match_record([first, a_lost_hand(2), third])
    assert text.count("upcard-record") == 1
    assert [found.record.void for found in parse_records(text)] == ["", LOST, ""]
    ends = replay_match(parse_records(text))
    assert [end is None for end in ends] == [False, True, False]


def test_a_lost_hand_may_be_the_last_of_its_match(played: HandRecord) -> None:
    lost = replace(a_lost_hand(2), match=((2,), played.points))
    text = match_record([played, lost])
    assert parse_records(text)[1].record == lost
    replay_match(parse_records(text))
    wrong = match_record([played, replace(lost, match=((2,), (0, 0, 0, 0)))])
    with pytest.raises(NotationError, match="the totals are") as refused:
        replay_match(parse_records(wrong))
    assert refused.value.line == len(wrong.splitlines())


@pytest.mark.parametrize(
    ("hand", "line"),
    [
        ("hand 3 dealer 1\nvoid\n", 6),
        ("hand 3 dealer 1\nvoid lost\n", 6),
        ("hand 3 dealer 1\nvoid 1 lost\n", 6),
        ("hand 3 dealer 1\nvoid 1 left\n", 6),
        ("hand 3 dealer 1\nvoid - lost again\n", 6),
        ("hand 3 dealer 1\n", 6),
        ("hand 3\nvoid - lost\n", 5),
        ("void - lost\n", 5),
        ("hand 3 dealer 1\nresult - +0 +0 +0 +0\n", 6),
        ("hand 3 dealer 1\nvoid - lost\nseed 4b11  nonces - - - -\n", 7),
        ("hand 3 dealer 1\nvoid - lost\n0: draw\n", 7),
        ("hand 3 dealer 1\nvoid - lost\nvoid - lost\n", 7),
        ("hand 3 dealer 1\nvoid - lost\nmatch 0 1 2 3\n", 7),
        ("hand 3 dealer 1\ncommit 9f\nvoid - lost\n", 7),
        ("hand 3 dealer 1\nleft 1\n0: draw\nvoid - lost\n", 7),
        ("hand 3 dealer 1\nleft 1\nreshuffle 4C\nvoid - lost\n", 7),
        ("hand 3 dealer 1\nleft 4\nvoid - lost\n", 6),
        ("hand 3 dealer 1\nleft 1\n", 7),
    ],
)
def test_a_lost_hand_with_more_or_less_to_it_is_refused(hand: str, line: int) -> None:
    with pytest.raises(NotationError) as refused:
        parse_records(HEAD + hand)
    assert refused.value.line == line


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("konken", "whist", 2),
        ("target=200", "target=201", 3),
        (" | Bot 2 (regular)", "", 4),
        ("dealer 1", "dealer 4", 5),
    ],
)
def test_the_head_of_a_lost_hand_is_judged(old: str, new: str, line: int) -> None:
    with pytest.raises(NotationError) as refused:
        replay(parse_records(TEXT.replace(old, new))[0])
    assert refused.value.line == line


def test_a_hand_that_was_dealt_is_not_lost(played: HandRecord) -> None:
    lines = record(played).splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("result"))
    for void in (f"void {LOST}", "void 4 left", "void left", "void 1"):
        lines[at] = void
        with pytest.raises(NotationError) as refused:
            parse_records("\n".join(lines))
        assert refused.value.line == at + 1


def test_a_lost_hand_tells_who_left_after_it(played: HandRecord) -> None:
    """Whatever it costs: in Konken the points."""
    lost = replace(a_lost_hand(2), log=(Entry(None, "left 0"), Entry(None, "sit 0 West")))
    assert parse_record(record(lost)) == lost
    third = replace(
        played, hand=3, match=((0,), (played.points[0], *(2 * each for each in played.points[1:])))
    )
    text = match_record([played, lost, third])
    replay_match(parse_records(text))
    with pytest.raises(NotationError, match="the totals are"):
        replay_match(parse_records(text.replace("left 0\nsit 0 West\n", "")))
    assert "North leaves for good" in "\n".join(map(str, narrated(retrace(parse_records(text)[1]))))


def left(hand: HandRecord, seat: int, number: int) -> HandRecord:
    """The hand as it would stand if `seat` had left before its last input."""
    log = (*hand.log[:-1], Entry(None, f"left {seat}"))
    return replace(hand, hand=number, log=log, winners=(), points=(), void=f"{seat} left")


def test_a_hand_that_somebody_left_replays(played: HandRecord) -> None:
    void = left(played, 1, 1)
    (found,) = parse_records(record(void))
    assert found.record == void
    assert replay(found).result is None
    (whole,) = parse_records(record(replace(void, log=played.log)))
    with pytest.raises(NotationError, match="is not void"):
        replay(whole)


def test_a_seat_that_was_left_begins_again_at_nothing(played: HandRecord) -> None:
    points = played.points
    third = replace(played, hand=3, log=(Entry(None, "sit 1 West"), *played.log))
    twice = (2 * points[0], points[1], 2 * points[2], 2 * points[3])
    hands = [played, left(played, 1, 2), replace(third, match=((0,), twice))]
    replay_match(parse_records(match_record(hands)))
    hands[2] = replace(third, match=((0,), tuple(2 * number for number in points)))
    with pytest.raises(NotationError, match="the totals are"):
        replay_match(parse_records(match_record(hands)))


def test_a_seat_left_for_good_ends_at_nothing(played: HandRecord) -> None:
    empty = tuple(0 if seat == 1 else points for seat, points in enumerate(played.points))
    last = replace(played, log=(*played.log, Entry(None, "left 1")), match=((0, 2, 3), empty))
    replay_match(parse_records(record(last)))
    with pytest.raises(NotationError, match="the totals are"):
        replay_match(parse_records(record(replace(last, log=played.log))))
