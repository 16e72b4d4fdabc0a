"""The tables of the archive. Alike on Postgres and SQLite; times are milliseconds, points may be negative."""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, BigInteger, ForeignKey, Index, MetaData, String, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

ZERO = "0"
"""What a column has that is younger than its row. The database puts it in: while a new release rolls out, workers
of the old one still write rows without that column."""


class Base(DeclarativeBase):
    """Names every constraint, so that a migration can name it too."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


class PlayerRow(Base):
    """Somebody who has played a hand: the name last used, and when."""

    __tablename__ = "players"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    name: Mapped[str] = mapped_column(Text)
    seen: Mapped[int] = mapped_column(BigInteger)


class MatchRow(Base):
    """A match. `options` is what differs from the defaults, game's and house's together.

    `totals` are the points by seat so far; `ended`, `by` and `winners` are set when it is over. `dealer` is
    that of the first hand, unknown until something tells it. `seen` is the last sign of life; `state` the newest
    encoded MatchState, `state_v` its version. Matches from before there were states have no `table_id` either. `hands`
    is how many had been finished at `hands_at`, the latest moment at which that was told.
    """

    __tablename__ = "matches"
    __table_args__ = (Index(None, "game", "ended"),)

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    game: Mapped[str] = mapped_column(String(20))
    options: Mapped[dict[str, Any]] = mapped_column(JSON)
    private: Mapped[bool]
    started: Mapped[int] = mapped_column(BigInteger)
    ended: Mapped[int | None] = mapped_column(BigInteger)
    by: Mapped[str | None] = mapped_column(String(20))
    winners: Mapped[list[int]] = mapped_column(JSON)
    totals: Mapped[list[int]] = mapped_column(JSON)
    dealer: Mapped[int | None]
    table_id: Mapped[str | None] = mapped_column(String(64), index=True)
    seen: Mapped[int] = mapped_column(BigInteger, server_default=ZERO)
    state: Mapped[str | None] = mapped_column(Text)
    state_v: Mapped[int] = mapped_column(BigInteger, server_default=ZERO)
    hands: Mapped[int] = mapped_column(server_default=ZERO)
    hands_at: Mapped[int] = mapped_column(BigInteger, server_default=ZERO)


class SeatRow(Base):
    """A seat of a match: a person, a bot (a level, no player), or nobody (neither), as it is or was at the end.

    `stood_in` counts hands that a bot finished for this person.
    """

    __tablename__ = "match_seats"

    match: Mapped[str] = mapped_column(ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    player: Mapped[str | None] = mapped_column(ForeignKey("players.id"), index=True)
    name: Mapped[str] = mapped_column(Text)
    bot: Mapped[str | None] = mapped_column(String(20))
    total: Mapped[int]
    stood_in: Mapped[int]


class DepartureRow(Base):
    """Somebody who left a match for good, or was sent away: from which seat, after which hand, with which total."""

    __tablename__ = "departures"

    match: Mapped[str] = mapped_column(ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True)
    player: Mapped[str] = mapped_column(ForeignKey("players.id"), primary_key=True, index=True)
    seat: Mapped[int]
    name: Mapped[str] = mapped_column(Text)
    total: Mapped[int]
    hand_no: Mapped[int]
    at: Mapped[int] = mapped_column(BigInteger)
    kind: Mapped[str] = mapped_column(String(20))


class HandRow(Base):
    """A finished hand: its result, its record in the notation, and the proof of its shuffle.

    `v` is the version of the table that ended it. A hand that was lost with its table is void and proves nothing.
    """

    __tablename__ = "hands"

    match: Mapped[str] = mapped_column(ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True)
    hand_no: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    ended: Mapped[int] = mapped_column(BigInteger)
    ending: Mapped[str] = mapped_column(String(20))
    result: Mapped[dict[str, Any]] = mapped_column(JSON)
    record: Mapped[str] = mapped_column(Text)
    commitment: Mapped[str] = mapped_column(String(128))
    seed: Mapped[str] = mapped_column(Text)
    nonces: Mapped[list[str]] = mapped_column(JSON)
    dealer: Mapped[int] = mapped_column(server_default=ZERO)
    v: Mapped[int] = mapped_column(BigInteger, server_default=ZERO)
