"""The types on the wire, walked: what the client's types and the written protocol are both generated from."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, get_args, get_type_hints

import msgspec
import msgspec.inspect as mi

from server import bodies, protocol
from server.protocol import House
from server.rules.actions import AnyAction
from server.rules.cards import Card, Placed
from server.rules.events import AnyEvent
from server.rules.registry import GAMES
from server.tables.events import AnyTableEvent

UNIONS: dict[str, Any] = {
    "AnyClientMessage": protocol.AnyClientMessage,
    "AnyServerMessage": protocol.AnyServerMessage,
    "AnyAction": AnyAction,
    "AnyEvent": AnyEvent | AnyTableEvent,
}
HTTP = (
    bodies.SessionRequest,
    bodies.Session,
    bodies.HandoverRequest,
    bodies.Handover,
    bodies.HandoverToken,
    bodies.History,
    bodies.HistoryDetail,
    bodies.HandReplay,
    bodies.ReplayToken,
    bodies.Leaderboard,
    bodies.Problem,
)
OPTIONS: dict[str, type[msgspec.Struct]] = {
    **{f"{name.upper()}_OPTIONS": rules.options for name, rules in GAMES.items()},
    "HOUSE_OPTIONS": House,
}
# A pattern is how msgspec remembers an alias; these two deserve their names everywhere.
ALIASES = {str(get_args(alias)[1].pattern): name for name, alias in {"Card": Card, "Placed": Placed}.items()}


def structs_of(roots: Iterable[Any]) -> dict[str, mi.StructType]:
    """Every struct inside these types by its name, inner ones first. Raises TypeError if two share a name."""
    found: dict[str, mi.StructType] = {}
    for root in roots:
        for struct in _inside(mi.type_info(root)):
            known = found.setdefault(struct.cls.__name__, struct)
            if known.cls is not struct.cls:
                raise TypeError(f"two structs are called {struct.cls.__name__}")
    return found


def _inside(kind: mi.Type) -> Iterator[mi.StructType]:
    match kind:
        case mi.StructType(fields=fields):
            for field in fields:
                yield from _inside(field.type)
            yield kind
        case mi.UnionType(types=types):
            for one in types:
                yield from _inside(one)
        case mi.VarTupleType(item_type=item):
            yield from _inside(item)
        case mi.DictType(value_type=value):
            yield from _inside(value)


def may_be_absent(struct: mi.StructType, field: mi.Field) -> bool:
    """Whether a field is left out where it has its default."""
    return bool(struct.cls.__struct_config__.omit_defaults) and not field.required


def option_specs(cls: type[msgspec.Struct]) -> dict[str, dict[str, Any]]:
    """Each option's default with its choices, in the order in which they are written, or its bounds."""
    hints = get_type_hints(cls)
    specs: dict[str, dict[str, Any]] = {}
    for field in mi.type_info(cls).fields:  # type: ignore[attr-defined]
        spec: dict[str, Any] = {"default": field.default}
        if isinstance(field.type, mi.IntType):
            spec |= {"min": field.type.ge or 0, "max": field.type.le}
        else:
            spec["choices"] = get_args(hints[field.name])
        specs[field.name] = spec
    return specs


def write_or_check(target: Path, text: str, module: str, arguments: list[str]) -> int:
    """Write a generated file, or with `--check` tell whether it is as it would be written; returns the exit code."""
    if "--check" not in arguments:
        target.write_text(text, encoding="utf-8")
        return 0
    if target.exists() and target.read_text(encoding="utf-8") == text:
        return 0
    print(f"{target} is stale: run `python -m {module}`.", file=sys.stderr)
    return 1
