"""What is published of tables and of the lobby (commit.lua), and how it is read."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from server.protocol import LobbyRow
from server.tables.forms import SCHEMA
from server.tables.table import Event, Table

REV = b'{"rev":"'
"""How commit.lua begins the news of a commit."""


class News(Struct, frozen=True):
    """What a commit publishes."""

    rev: str
    events: tuple[Event, ...]
    table: Table


class Unread(Struct, frozen=True):
    """News of another release, in a form not known here: the table itself has to be looked at."""


class Phrase(Struct, frozen=True):
    """Somebody at the table says something; published, and never stored."""

    seat: int
    phrase: int

    def payload(self) -> bytes:
        """As it is published."""
        return b"!" + msgspec.json.encode(self)


_phrase = msgspec.json.Decoder(Phrase)
_news = msgspec.json.Decoder(News)
_row = msgspec.json.Decoder(LobbyRow)


def read_news(payload: bytes) -> News | Phrase | Unread | None:
    """A table's news; None: the table is gone."""
    if not payload:
        return None
    if payload[:1] == b"!":
        return _phrase.decode(payload[1:])
    try:
        news = _news.decode(payload)
    except msgspec.ValidationError:
        return Unread()
    # What a later form has more would be lost by whoever wrote that table again.
    return news if news.table.schema == SCHEMA else Unread()


def rev_of(payload: bytes) -> str | None:
    """The revision that news tell of, without reading them; None for all else that is published for a table."""
    start = len(REV)
    return payload[start : payload.index(b'"', start)].decode() if payload.startswith(REV) else None


def read_lobby(payload: bytes) -> LobbyRow | str:
    """A change of the lobby: a row, or the id of a table that is no longer there."""
    return payload[1:].decode() if payload[:1] == b"-" else _row.decode(payload[1:])
