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

from server.protocol import AnyServerMessage, TableView, encode
from server.rules.game import Legal
from server.sight import Sight

Json = dict[str, Any]
Parts = Mapping[str, "Parts"]

VIEW: Parts = {"hand": {}, "seats": {}}
FRAME: Parts = {"view": VIEW, "legal": {}}
"""What is told field by field, below a frame itself."""
WHOLE = ("you", "decision", "about")
"""What is told whole, or not at all."""
MOMENT: Json = {"events": (), "missed": None, "sync": False}
"""What belongs to one frame, and what it is if absent."""

_encoder = msgspec.json.Encoder()


# ---- who tells


class Teller:
    """Shortens frames. What is new of that which all viewers of a table see alike is worked out once for all."""

    def __init__(self) -> None:
        self._last: tuple[TableView | None, TableView | None, Json] = (None, None, {})

    def brief(self, now: Sight, before: Sight | None) -> str:
        """A frame as it is sent to a socket whose last one of this table was `before`; None: there was none."""
        if before is None:
            return encode(now.frame)
        told: Json = {"t": "frame", "table": now.table, "v": now.v, "now": now.now}
        if view := self._view(now, before):
            told["view"] = view
        if now.legal is not before.legal and now.legal != before.legal:
            told["legal"] = _legal(now.legal, before.legal)
        for name in WHOLE:
            if (value := getattr(now, name)) != getattr(before, name):
                told[name] = value
        for name, nothing in MOMENT.items():
            if (value := getattr(now, name)) != nothing:
                told[name] = value
        return _encoder.encode(told).decode()

    def _view(self, now: Sight, before: Sight) -> Json:
        told, own = self._common(now.common, before.common), now.own
        if own.keys() != before.own.keys():
            return told | {"hand": now.view.hand}  # dealt, or over, or the viewer has sat down or left
        hand = told.get("hand", {})
        # Where a spectator sees something new in a field that is the viewer's own, the viewer's is told all the same.
        changed = {name: value for name, value in own.items() if name in hand or value != before.own[name]}
        return told | {"hand": hand | changed} if changed else told

    def _common(self, now: TableView, before: TableView) -> Json:
        if self._last[0] is not now or self._last[1] is not before:
            self._last = now, before, _changes(now, before, VIEW)
        return self._last[2]


def _legal(now: Legal | None, before: Legal | None) -> Legal | Json | None:
    return now if now is None or before is None else _changes(now, before, {})


def _changes(now: Struct, before: Struct, parts: Parts) -> Json:
    """The fields of two structs of one kind that differ."""
    changed: Json = {}
    # For every frame of everybody, so the many fields that are as they were are passed over without a loop.
    for name in compress(now.__struct_fields__, map(ne, astuple(now), astuple(before))):
        new, old, inner = getattr(now, name), getattr(before, name), parts.get(name)
        if inner is None or type(new) is not type(old):
            changed[name] = new
        elif isinstance(new, tuple):
            pairs = zip(new, old, strict=True)
            changed[name] = [{} if one == other else _changes(one, other, inner) for one, other in pairs]
        else:
            changed[name] = _changes(new, old, inner)
    return changed


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
