"""The log of a hand as it lies in a table: one text, with a row for each line.

The whole table is written anew with every move, and late in a hand most of it is the log. As one text it is copied;
a hundred lines that are values of their own took four times as long as all the rest, and half as much room again.
"""

from __future__ import annotations

from collections.abc import Iterable

from server.tables.finished import LogLine

END, BETWEEN = "|", ","
"""Neither is in the notation."""


def rows(lines: Iterable[LogLine]) -> str:
    """Lines as they are added to the text: `2,discard 9H,3120,41|`."""
    return "".join(map(_row, lines))


def lines_of(log: str) -> tuple[LogLine, ...]:
    """The lines, oldest first."""
    return tuple(_line(*row.split(BETWEEN)) for row in log.split(END)[:-1])


def _row(line: LogLine) -> str:
    seat = "" if line.seat is None else line.seat
    return f"{seat},{line.text},{line.ms},{line.v}{BETWEEN * bool(line.note)}{line.note}{END}"


def _line(seat: str, text: str, ms: str, v: str, note: str = "") -> LogLine:
    return LogLine(int(seat) if seat else None, text, int(ms), int(v), note)
