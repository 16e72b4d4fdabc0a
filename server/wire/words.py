"""What the sources say of the types on the wire, in words for a page: meanings, types, tables."""

from __future__ import annotations

import ast
import inspect
import json
import re
import sys
from collections.abc import Iterable
from functools import cache
from itertools import pairwise
from typing import Any

import msgspec
import msgspec.inspect as mi

from server import protocol
from server.rules import cards
from server.wire.shapes import ALIASES, UNIONS, may_be_absent

COMMON = {
    "action": "What to do.",
    "bot": "Whether a bot sits there.",
    "by": "How it ended.",
    "cards": "Left to right.",
    "code": "Why.",
    "commitment": "SHA-256 of the shuffle's seed, shown before the deal.",
    "dealer": "The seat that deals.",
    "decision": "Number of the question.",
    "detail": "What the code speaks of.",
    "first": "The seat that begins.",
    "game": "Which game.",
    "hand_no": "Number of the hand in its match, from 1; 0 before the first.",
    "level": "A bot's level.",
    "meld": "Number of a meld on the table.",
    "name": "A player's name.",
    "now": "The server's time in ms.",
    "options": "Options that differ from the defaults, by name.",
    "phase": "How far the match, or in a hand the turn, has come.",
    "points": "By seat, where there are several.",
    "private": "In no lobby, and only for its seats and its token.",
    "result": "How the hand ended.",
    "seat": "A seat's number, from 0 in turn order.",
    "seats": "By seat, in turn order.",
    "table": "A table's id.",
    "total": "Match points.",
    "turn": "The seat that plays.",
    "v": "The table's version.",
    "view": "All that the viewer may see.",
    "winners": "Seats.",
}
"""Fields that mean the same wherever they stand; what is peculiar to a struct its docstring tells."""


@cache
def beside(module: str) -> dict[str, str]:
    """The strings below the assignments of a module and its classes, by `NAME` or `Class.name`."""
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    found: dict[str, str] = {}
    for prefix, body in [("", tree.body), *((f"{node.name}.", node.body) for node in classes)]:
        for statement, below in pairwise(body):
            if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
                if isinstance(statement, ast.Assign):
                    found[prefix + ast.unparse(statement.targets[0])] = _on_one_line(str(below.value.value))
                elif isinstance(statement, ast.AnnAssign):
                    found[prefix + ast.unparse(statement.target)] = _on_one_line(str(below.value.value))
    return found


def told(thing: Any) -> str:
    """A docstring, each paragraph on one line, in the words of JSON."""
    text = re.sub(r"\bNone\b", "null", inspect.getdoc(thing) or "")
    return "\n\n".join(map(_on_one_line, text.split("\n\n")))


def meaning(cls: type[msgspec.Struct], field: str) -> str:
    """What a field means: its own words, else its type's, else what it means everywhere.

    Nothing where the docstring of its struct tells.
    """
    own = beside(cls.__module__).get(f"{cls.__name__}.{field}")
    alias = str(cls.__annotations__[field]).removesuffix(" | None")
    aliases = beside(protocol.__name__) | beside(cards.__name__) | beside(cls.__module__)
    common = "" if f"`{field}`" in told(cls) else COMMON.get(field, "")
    return own or aliases.get(alias) or common


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


# ---- types ---------------------------------------------------------------------------------------------------


def type_words(kind: mi.Type) -> str:
    """A type in the words of JSON."""
    match kind:
        case mi.UnionType(types=types):
            return _either([type_words(one) for one in types])
        case mi.StructType(tag_field="a" | "e", tag=tag):
            return f"`{tag}`"
        case mi.StructType(cls=cls):
            return f"[{cls.__name__}](#{cls.__name__.lower()})"
        case mi.EnumType():
            return "[code](#refusals)"
        case mi.LiteralType(values=values):
            return " or ".join(f"`{json.dumps(value)}`" for value in values)
        case mi.VarTupleType(item_type=item):
            words = type_words(item)
            return f"list of ({words})" if " or " in words else f"list of {words}"
        case mi.DictType(key_type=key, value_type=value):
            return f"object: {type_words(key)} → {type_words(value)}"
        case mi.StrType(pattern=pattern, min_length=least, max_length=most):
            return ALIASES.get(pattern or "", "string" + _within(least, most, " characters"))
        case mi.IntType(ge=least, le=most, lt=beyond):
            return "integer" + _within(least, most if beyond is None else beyond - 1)
        case mi.FloatType():
            return "number"
        case mi.BoolType():
            return "boolean"
        case mi.NoneType():
            return "null"
    raise TypeError(f"no words for {kind}")


def _either(texts: list[str]) -> str:
    """Several types; all actions or all events together have a name."""
    for union, link in {"AnyAction": "[an action](#actions)", "AnyEvent": "[an event](#events)"}.items():
        members = [type_words(one) for one in mi.type_info(UNIONS[union]).types]  # type: ignore[attr-defined]
        if set(members) <= set(texts):
            texts = [link, *(text for text in texts if text not in members)]
    return " or ".join(texts)


def _within(least: float | None, most: float | None, of: str = "") -> str:
    return "" if most is None else f", {least or 0}–{most}{of}"


# ---- tables --------------------------------------------------------------------------------------------------


def fields_table(struct: mi.StructType) -> str:
    """The fields of a struct, a row each; a tag that the heading does not say comes first."""
    rows = []
    if struct.tag_field not in {None, "t", "a", "e"}:
        rows.append(
            (
                f"`{struct.tag_field}`",
                f"`{json.dumps(struct.tag)}`",
                "",
                COMMON.get(struct.tag_field or "", ""),
            )
        )
    for field in struct.fields:
        absent = f"`{_default(field)}`" if may_be_absent(struct, field) else ""
        rows.append(
            (f"`{field.encode_name}`", type_words(field.type), absent, meaning(struct.cls, field.name))
        )
    return table(("field", "type", "if absent", "meaning"), rows) if rows else "No fields.\n"


def fields_cell(struct: mi.StructType) -> str:
    """The fields of a struct in one cell of a table."""
    lines = []
    for field in struct.fields:
        absent = f"; if absent `{_default(field)}`" if may_be_absent(struct, field) else ""
        lines.append(f"`{field.encode_name}`: {type_words(field.type)}{absent}")
    return "<br>".join(lines)


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """A table in Markdown, without columns that would be empty."""
    columns = [column for column in zip(head, *rows, strict=True) if any(column[1:])]
    first, *rest = zip(*columns, strict=True)
    return "".join(f"| {' | '.join(cells)} |\n" for cells in (first, ["---"] * len(columns), *rest))


def _default(field: mi.Field) -> str:
    return json.dumps(field.default_factory() if field.default is msgspec.NODEFAULT else field.default)
