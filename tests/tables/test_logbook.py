"""The log of a hand as one text."""

from __future__ import annotations

from server.tables.finished import LogLine
from server.tables.logbook import lines_of, rows

LINES = (
    LogLine(0, "draw", 1200, 7),
    LogLine(5, "lay 4H JK=5H 6H / 9S 9D 9C", 0, 8),
    LogLine(None, "reshuffle 4H JK 2C", v=9),
    LogLine(2, "discard JK force", 30_000, 100_009, "timeout"),
    LogLine(None, "bot 2", v=10),
)


def test_every_line_is_read_as_it_was_written() -> None:
    assert lines_of(rows(LINES)) == LINES
    assert lines_of("") == ()


def test_a_line_is_added_without_reading_the_others() -> None:
    assert rows(LINES[:2]) + rows(LINES[2:]) == rows(LINES)
