"""What a frame leaves out: all that its socket was shown before. Both sides of the one rule, and no more than that.

A frame, its `view`, the view's `hand` and each of its `seats`, and `legal` are told field by field: a field that is
absent is as it was in the last frame of that table on that socket. Everything else is told whole. Only what belongs to
a single moment, `events`, `missed` and `sync`, is not kept from one frame to the next.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import compress
from operator import ne
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import astuple

from server.protocol import AnyServerMessage, Frame, encode

Json = dict[str, Any]
Parts = Mapping[str, "Parts"]
Structs = tuple[Struct, ...]

FRAME: Parts = {"view": {"hand": {}, "seats": {}}, "legal": {}}
"""What is told field by field, below a frame itself."""
MOMENT: Json = {"events": (), "missed": None, "sync": False}
"""What belongs to one frame, and what it is if absent."""

_encoder = msgspec.json.Encoder()


# ---- who tells


class Teller:
    """Shortens frames. Viewers of one table have the same seats, so what is new of those is worked out once for all."""

    def __init__(self) -> None:
        self._last: tuple[Structs, Structs, list[Json]] = ((), (), [])

    def brief(self, frame: Frame, before: Frame | None) -> str:
        """A frame as it is sent to a socket whose last one of this table was `before`; None: there was none."""
        if before is None:
            return encode(frame)
        told: Json = {"t": "frame", "table": frame.table, "v": frame.v, "now": frame.now}
        told |= self._changes(frame, before, FRAME)
        for name, nothing in MOMENT.items():
            told[name] = getattr(frame, name)
            if told[name] == nothing:
                del told[name]
        return _encoder.encode(told).decode()

    def _changes(self, now: Struct, before: Struct, parts: Parts) -> Json:
        """The fields of two structs of one kind that differ."""
        changed: Json = {}
        # For every frame of everybody, so the many fields that are as they were are passed over without a loop.
        for name in compress(now.__struct_fields__, map(ne, astuple(now), astuple(before))):
            new, old, inner = getattr(now, name), getattr(before, name), parts.get(name)
            if inner is None or type(new) is not type(old):
                changed[name] = new
            elif isinstance(new, tuple):
                changed[name] = self._each(new, old, inner)
            else:
                changed[name] = self._changes(new, old, inner)
        return changed

    def _each(self, now: Structs, before: Structs, parts: Parts) -> list[Json]:
        if self._last[0] is not now or self._last[1] is not before:
            pairs = zip(now, before, strict=True)
            found = [{} if new == old else self._changes(new, old, parts) for new, old in pairs]
            self._last = now, before, found
        return self._last[2]


# ---- who is told


def complete(told: Json, before: Json) -> Json:
    """The whole frame, from one as it was sent and the whole one before it, {} if there was none."""
    return _fill(told, {name: value for name, value in before.items() if name not in MOMENT}, FRAME)


def _fill(told: Json, before: Json, parts: Parts) -> Json:
    whole = before | told
    for name, inner in parts.items():
        match before.get(name), told.get(name):
            case dict(old), dict(new):
                whole[name] = _fill(new, old, inner)
            case list(old), list(new):
                whole[name] = [_fill(*pair, inner) for pair in zip(new, old, strict=True)]
    return whole


class Reader:
    """Reads what one socket is sent, frames made whole. The next socket needs another one."""

    def __init__(self, kind: Any = AnyServerMessage) -> None:
        self._kind = kind
        self._frames: dict[str, Json] = {}

    def read(self, text: str | bytes) -> Any:
        """A message of that kind, by default any of the server's. Raises msgspec.MsgspecError."""
        message = msgspec.json.decode(text)
        if message["t"] == "frame":
            table = message["table"]
            message = self._frames[table] = complete(message, self._frames.get(table, {}))
        return msgspec.convert(message, self._kind, str_keys=True)
