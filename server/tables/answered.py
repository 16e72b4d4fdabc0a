"""The ids of the commands that were answered, so that a re-send is known: kept in little room, as a table has hundreds.

A client counts, so an id mostly differs from the one before it in its last character alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

from msgspec import Struct

REMEMBERED = 64
"""Command ids kept per player: more than a client can have unanswered (table-life: Commands and answers)."""


class Series(Struct, frozen=True, array_like=True, gc=False):
    """Ids that came one after the other and begin alike: what they begin with, and the last character of each."""

    head: str
    tails: str


Ids = tuple[Series, ...]
"""One player's ids, the oldest first; none is empty."""


def knows(ids: Ids, new: str) -> bool:
    """Whether an id is among them."""
    return any(series.head == new[:-1] and new[-1] in series.tails for series in ids)


def remember(ids: Ids, new: str) -> Ids:
    """The same with one more, and without the oldest beyond REMEMBERED."""
    head, tail = new[:-1], new[-1]
    *before, last = ids or (Series(head, ""),)
    ids = (*before, Series(head, last.tails + tail)) if last.head == head else (*ids, Series(head, tail))
    if sum(len(series.tails) for series in ids) <= REMEMBERED:
        return ids
    first = ids[0]
    return (Series(first.head, first.tails[1:]), *ids[1:]) if len(first.tails) > 1 else ids[1:]


def remembered(ids: Iterable[str]) -> Ids:
    """Ids as they are kept, given the oldest first."""
    return reduce(remember, ids, ())
