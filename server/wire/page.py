"""Writes docs/protocol.md anew from the wire: `python -m server.wire.page`; with `--check` it only compares.

The prose there is written by hand. What stands between `<!-- generated: NAME -->` and `<!-- end -->` comes from the
types and from the words beside them in the sources.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec.inspect as mi
from fastapi.routing import APIRoute

from server import doorway
from server.api import gate, handover, health, history, leaderboard, replay, session
from server.buckets import Rate
from server.config import Settings
from server.gateway import endpoint, limits
from server.launcher import MAX_MESSAGE
from server.rules import refusal
from server.rules.refusal import Code
from server.tables.table import MAX_BARRED
from server.wire.shapes import HTTP, OPTIONS, UNIONS, option_specs, structs_of, write_or_check
from server.wire.words import beside, fields_cell, fields_table, meaning, table, told

TARGET = Path(__file__).parents[2] / "docs" / "protocol.md"
BLOCK = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
PARTS_OF_HTTP = (session, handover, history, replay, leaderboard, health)
CLOSE_CODES = ("NO_SESSION", "TOO_OLD", "CROWDED", "BINARY", "FLOODED", "FAULT", "RESTARTING", "FULL")


def generate(page: str) -> str:
    """The page with all its generated parts written anew."""
    return BLOCK.sub(lambda found: f"{found[1]}\n{PARTS[found[2]]()}\n{found[3]}", page)


def sections(structs: Iterable[mi.StructType]) -> str:
    """Messages or what they are made of: docstring and fields under a heading each."""
    parts = []
    for struct in structs:
        name = f"`{struct.tag}`" if struct.tag_field == "t" else struct.cls.__name__
        parts.append(f"### {name}\n\n{told(struct.cls)}\n\n{fields_table(struct)}")
    return "\n".join(parts)


def members(union: str) -> list[mi.StructType]:
    """The structs of a union, in its order."""
    return list(mi.type_info(UNIONS[union]).types)  # type: ignore[attr-defined]


def made_of(*roots: Any) -> list[mi.StructType]:
    """What messages and answers are made of, outer ones first: neither with a part of their own, nor options."""
    inside = reversed(structs_of(roots).values())
    return [s for s in inside if s.tag_field not in {"t", "a", "e"} and s.cls not in OPTIONS.values()]


def facts(union: str) -> str:
    """Actions or events, a row each."""
    rows = [(f"`{struct.tag}`", told(struct.cls), fields_cell(struct)) for struct in members(union)]
    return table(("tag", "meaning", "fields"), rows)


def options() -> str:
    """The options of each game and of the house."""
    parts = []
    for cls in OPTIONS.values():
        rows = []
        for name, spec in option_specs(cls).items():
            choices = [f"`{json.dumps(choice)}`" for choice in spec.get("choices", ())]
            choices = choices or [f"{spec['min']}–{spec['max']}"]
            default = f"`{json.dumps(spec['default'])}`"
            rows.append((f"`{name}`", ", ".join(choices), default, meaning(cls, name)))
        head = ("option", "choices", "default", "meaning")
        parts.append(f"### {cls.__name__}\n\n{told(cls)}\n\n{table(head, rows)}")
    return "\n".join(parts)


def routes() -> str:
    """HTTP, but for the client's pages and assets."""
    found = [route for part in PARTS_OF_HTTP for route in part.router.routes]
    apis = [route for route in found if isinstance(route, APIRoute)]
    rows = [(f"`{' '.join(sorted(api.methods or ()))} {api.path}`", told(api.endpoint)) for api in apis]
    return table(("route", "answers"), rows)


def bounds() -> str:
    """What one socket or request may ask for."""

    def rate(limit: Rate) -> str:
        return f"{limit.per_second:.10g} a second, {limit.burst:.10g} at once"

    asking = ", ".join(f"`{method} {path}`" for method, path in sorted(gate.ASKING))
    rows = [(rate(limits.RATES["message"]), "messages of a socket, of whatever kind")]
    for kind, limit in limits.RATES.items():
        tags = [f"`{mi.type_info(cls).tag}`" for cls, its in limits.KIND.items() if its == kind]  # type: ignore[attr-defined]
        if kind not in {"message", "connect"}:
            rows.append((rate(limit), f"{', '.join(tags)} of a socket, together"))
    players = f"{Settings.players_per_address:g}"
    rows += [
        (f"{players} times as much", "all sockets of one address together (a setting)"),
        (rate(limits.RATES["connect"].times(Settings.players_per_address)), "new sockets of an address"),
        (
            rate(gate.WRITES.times(Settings.players_per_address)),
            "HTTP writes of an address: new guests, new names, other devices",
        ),
        (
            rate(gate.READS.times(Settings.players_per_address)),
            f"HTTP reads below `/api` of an address, {asking} among them",
        ),
        (f"{limits.FLOOD}", "messages refused for their rate in a row, then the socket is closed"),
        (rate(doorway.LINE_BYTES), "bytes of a socket, pings and all; beyond it the socket is closed"),
        (f"{limits.SOCKETS_PER_PLAYER} times {players}", "open sockets of an address"),
        (f"{doorway.REQUESTS_PER_PLAYER} times {players}", "other open connections of an address"),
        (f"{Settings.max_sockets}", "open sockets of a server (a setting)"),
        (f"{limits.MOST_TABLES}", "seats of a player"),
        (f"{limits.MOST_WATCHED}", "watched tables of a socket"),
        (f"{MAX_BARRED}", "people who left a table or were sent away, then it takes nobody new"),
        (f"{Settings.max_tables}", "tables in the house (a setting)"),
        (f"{MAX_MESSAGE} bytes", "one message"),
        (f"{gate.MAX_BODY} bytes", "the body of a request"),
        (f"{gate.MAX_URL} bytes", "the address of a request"),
        (f"{doorway.REQUEST_BYTES} bytes, {doorway.REQUEST_SECONDS:g} s", "a whole request"),
        (f"{doorway.SEND_SECONDS:g} s", "for a client to take what was sent, then the line is cut"),
        (f"{Settings.ping_seconds:g} s", "between the server's WebSocket pings (a setting)"),
        (f"{Settings.ping_timeout:g} s", "for a client's WebSocket to answer one (a setting)"),
    ]
    return table(("limit", "on"), rows)


def close_codes() -> str:
    """Why the server closes a socket."""
    words = beside(endpoint.__name__)
    rows = [(str(vars(endpoint)[name]), words[name].removeprefix("Close code: ")) for name in CLOSE_CODES]
    return table(("code", "meaning"), rows)


def refusals() -> str:
    """Every refusal."""
    words = beside(refusal.__name__)
    return table(("code", "meaning"), [(f"`{code.value}`", words[f"Code.{code.name}"]) for code in Code])


PARTS: dict[str, Callable[[], str]] = {
    "limits": bounds,
    "close_codes": close_codes,
    "client": lambda: sections(members("AnyClientMessage")),
    "server": lambda: sections(members("AnyServerMessage")),
    "structs": lambda: sections(made_of(*UNIONS.values())),
    "actions": lambda: facts("AnyAction"),
    "events": lambda: facts("AnyEvent"),
    "refusals": refusals,
    "options": options,
    "routes": routes,
    "http": lambda: sections(s for s in made_of(*HTTP) if s not in made_of(*UNIONS.values())),
}


def main(arguments: list[str]) -> int:
    """Write the page, or with `--check` tell whether it is as it would be written."""
    return write_or_check(TARGET, generate(TARGET.read_text(encoding="utf-8")), "server.wire.page", arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
