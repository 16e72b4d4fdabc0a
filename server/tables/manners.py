"""How a bot behaves at the table: how long it takes over a question, and what it says now and then.

Nothing here is chance: the same table gives the same answer on every worker.
"""

from __future__ import annotations

import zlib

from server.protocol import Level
from server.tables.table import Table

QUICKEST_MS = 600
"""Less could not be followed by eye."""
SPREAD_MS = 300
"""Questions alike are not answered alike."""
LEVEL_MS: dict[Level, int] = {"novice": 200, "regular": 100, "expert": 0}
"""A beginner takes its time over everything."""
HARD_MS: dict[Level, int] = {"novice": 200, "regular": 300, "expert": 500}
"""What the hardest question takes more: a beginner does not see that it is hard. With all of it, 1.5 s."""
MANY_CARDS = 13
"""With so many cards to choose from a question is as hard as it gets."""
EASY = {"draw", "own", "offered", "window"}
"""Phases that ask for yes or no."""

GOOD_LUCK, WELL_PLAYED, THANK_YOU = 1, 2, 3
"""Numbers of phrases; the client words them."""
SELDOM = 3
"""One occasion in so many has a bot say something."""


def pause_ms(table: Table, index: int) -> int:
    """How long the bot of a seat that is asked takes over the question; two seats never take the same time."""
    level = table.seats[index].level
    count = len(table.seats)
    share = SPREAD_MS // count
    # Each seat has a share of the spread for itself, another in every hand.
    spread = (index + table.hand_no) % count * share + _dice(
        table, index, table.seats[index].decision
    ) % share
    return QUICKEST_MS + LEVEL_MS[level] + int(HARD_MS[level] * _hardness(table, index)) + spread


def _hardness(table: Table, index: int) -> float:
    """From 0 for yes or no up to 1 for a whole hand to choose from."""
    hand = table.hand
    if hand is None or hand.phase in EASY:
        return 0.0
    return min(1.0, len(hand.hands[index]) / MANY_CARDS)


def remark(table: Table, index: int) -> int | None:
    """What a bot says after its move, if anything: at its first in a match, and when a hand has just ended."""
    if _dice(table, index, table.hand_no) % SELDOM:
        return None
    if table.phase != "playing":
        won = bool(table.sheet) and index in table.sheet[-1].winners
        return THANK_YOU if won else WELL_PLAYED
    begins = table.hand_no == 1 and sum(line.seat == index for line in table.lines) == 1
    return GOOD_LUCK if begins else None


def _dice(table: Table, index: int, number: int) -> int:
    return zlib.crc32(f"{table.id}:{index}:{number}".encode())
