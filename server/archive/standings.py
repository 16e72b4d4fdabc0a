"""Who stands where in a game: the points that people have taken from each other.

Whoever loses a match gives a point to whoever has won it; several winners share. It counts finished matches at public
tables with two people or more. Bots give and take nothing, and where only bots win, nobody does. Who has left for good
has lost; who was sent away has not played. A seat is its person's, also where a bot stood in.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import (
    CTE,
    BigInteger,
    ColumnElement,
    Select,
    Text,
    bindparam,
    case,
    cast,
    exists,
    func,
    literal,
    or_,
    select,
    union_all,
)
from sqlalchemy.ext.asyncio import AsyncSession

from server.archive.history import is_own
from server.archive.models import DepartureRow, MatchRow, SeatRow
from server.rules.registry import GameName

LEAST = 3
"""Matches before anybody has a place: one lucky evening is none."""
SHOWN = 50
"""Places that are shown; a page one can look through."""
SHARES = 60
"""Parts of a point, so that one, two or up to six winners share it without a rest."""
MOST_MATCHES = 20_000
"""Of a game, the newest: what a question of everybody's may cost. A house that plays more of it looks less far back."""


class Standing(NamedTuple):
    """What somebody has come to: points in SHARES, from so many matches, so many of them won.

    `name` is the one they had in the newest of those: names at private tables are nobody else's business.
    """

    player: str
    name: str
    points: int
    matches: int
    won: int
    place: int | None = None


class Board(NamedTuple):
    """The best of a game, and what tells the place of anybody: the points of each place, best first."""

    best: tuple[Standing, ...]
    steps: tuple[tuple[int, int], ...]
    ranked: int

    def placed(self, standing: Standing) -> Standing:
        """The standing with its place, the same as that of all who have as many points; None before LEAST matches."""
        if standing.matches < LEAST:
            return standing
        below = (place for points, place in self.steps if points <= standing.points)
        return standing._replace(place=next(below, self.ranked + 1))


async def board(session: AsyncSession, game: GameName, since: int) -> Board:
    """The best of a game, in matches that ended at `since` (ms) or later."""
    rows = (await session.execute(BOARD, {"game": game, "since": since})).all()
    return Board(
        best=tuple(
            Standing(row.player, row.name, row.points, row.matches, row.won, row.place)
            for row in rows
            if row.nth <= SHOWN
        ),
        steps=tuple((row.points, row.place) for row in rows if row.nth == row.place),
        ranked=rows[0].ranked if rows else 0,
    )


async def standing_of(session: AsyncSession, game: GameName, since: int, player: str) -> Standing | None:
    """What one player has come to since then, without a place; None without a match that counts."""
    asked = {"game": game, "since": since, "player": player}
    row = (await session.execute(STANDING, asked)).first()
    return None if row is None else Standing(row.player, row.name, row.points, row.matches, row.won)


def _counted(*only: ColumnElement[bool]) -> CTE:
    """The matches that may count, at most MOST_MATCHES."""
    finished = MatchRow.by.in_(("points", "forfeit"))
    return (
        select(MatchRow.id, MatchRow.ended, cast(MatchRow.winners, Text).label("winners"))
        .where(MatchRow.game == bindparam("game"), MatchRow.ended >= bindparam("since"))
        .where(finished, ~MatchRow.private, *only)
        .order_by(MatchRow.ended.desc(), MatchRow.id)
        .limit(MOST_MATCHES)
        .cte("counted")
    )


def _people(matches: CTE) -> CTE:
    """Everybody who played one of the matches to its end or left it for good, and whether they won it."""
    # A list of seats is written alike in both databases, "[0, 2]", and a seat is one digit.
    seat = cast(SeatRow.seat, Text)
    seated = (
        select(
            matches.c.id,
            matches.c.ended,
            SeatRow.player,
            SeatRow.name,
            case((matches.c.winners.contains(seat), 1), else_=0).label("won"),
        )
        .select_from(matches)
        .join(SeatRow, SeatRow.match == matches.c.id)
        .where(SeatRow.player.is_not(None))
    )
    # Whose leaving has ended the match is still in the seat as well.
    sits = exists().where(SeatRow.match == DepartureRow.match, SeatRow.player == DepartureRow.player)
    left = (
        select(matches.c.id, matches.c.ended, DepartureRow.player, DepartureRow.name, literal(0))
        .select_from(matches)
        .join(DepartureRow, DepartureRow.match == matches.c.id)
        .where(DepartureRow.kind == "left", ~sits)
    )
    return union_all(seated, left).cte("people")


def _totals(people: CTE) -> CTE:
    """What everybody has come to in matches with other people."""
    sides = select(
        *people.c,
        func.count().over(partition_by=people.c.id).label("played"),
        func.sum(people.c.won).over(partition_by=people.c.id).label("winners"),
    ).cte("sides")
    newest_first = (sides.c.ended.desc(), sides.c.id)
    age = func.row_number().over(partition_by=sides.c.player, order_by=newest_first).label("age")
    among = select(*sides.c, age).where(sides.c.played >= 2).cte("among_people")
    winners = cast(among.c.winners, BigInteger)
    points = case(
        (winners == 0, 0),
        (among.c.won == 1, SHARES * (among.c.played - winners) // winners),
        else_=-SHARES,
    )
    return (
        select(
            among.c.player,
            func.max(case((among.c.age == 1, among.c.name))).label("name"),
            cast(func.sum(points), BigInteger).label("points"),
            func.count().label("matches"),
            func.sum(among.c.won).label("won"),
        )
        .group_by(among.c.player)
        .cte("totals")
    )


def _places(totals: CTE) -> Select[tuple[object, ...]]:
    """The best, and the first of each place."""
    best_first = totals.c.points.desc()
    ranked = (
        select(
            *totals.c,
            func.rank().over(order_by=best_first).label("place"),
            func.row_number().over(order_by=(best_first, totals.c.matches, totals.c.player)).label("nth"),
            func.count().over().label("ranked"),
        )
        .where(totals.c.matches >= LEAST)
        .cte("ranked")
    )
    return select(ranked).where(or_(ranked.c.nth <= SHOWN, ranked.c.nth == ranked.c.place)).order_by("nth")


# Built once, as those of recovery.py.
BOARD = _places(_totals(_people(_counted())))
_OWN_TOTALS = _totals(_people(_counted(is_own(bindparam("player")))))
STANDING = select(_OWN_TOTALS).where(_OWN_TOTALS.c.player == bindparam("player"))
