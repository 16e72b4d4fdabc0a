"""The arrows between the rooms of the house: who may know whom. A wrong import fails here at once."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

SERVER = Path(__file__).parent.parent / "server"

ORDER = (
    ("rules",),
    ("bots",),
    ("tables.events", "tables.finished"),
    ("protocol",),
    ("bodies", "sight", "tables.ids", "tables.commands"),
    ("brief", "tables.answered", "tables.keys", "tables.logbook"),
    ("tables.forms",),
    ("tables.table",),
    ("tables.keeping",),
    ("tables.match",),
    ("tables.seats", "tables.manners"),
    ("tables.timers",),
    ("tables.decide", "tables.opening", "tables.checking", "tables.missed"),
    ("tables.views", "tables.recovery", "tables.showcase"),
    ("judging",),
    ("arena", "zoo"),
    (
        "config",
        "clock",
        "telemetry",
        "lifeline",
        "readiness",
        "names",
        "buckets",
        "doors",
        "players",
        "shares",
    ),
    ("embedded", "client", "doorway", "leaving"),
    ("tables.redis_link",),
    ("tables.redis_cluster", "tables.redis_news"),
    ("tables.news",),
    ("tables.store",),
    ("tables.service", "tables.archiver", "tables.lobby"),
    ("tables.thinking",),
    ("tables.leases", "tables.whereabouts"),
    ("tables.hub", "tables.ticker"),
    ("tables.quick",),
    ("archive",),
    ("gateway", "api", "pulse"),
    ("app",),
    ("launcher",),
    ("wire", "bench"),
    ("__main__",),
)
"""From the bottom up: each may import what stands in rows above its own, and its own package's files."""

PURE = [
    name
    for row in ORDER[: ORDER.index(("tables.views", "tables.recovery", "tables.showcase")) + 1]
    for name in row
]
OUTSIDE_OF_PURE = {"msgspec"}
"""What the pure part may import beside the standard library."""
NO_IO = {"asyncio", "socket", "threading", "subprocess", "time", "datetime", "secrets", "redis", "sqlalchemy"}
"""Parts of the standard library that bring in time, chance or the world."""


def room_of(module: str) -> str:
    """The row entry that a module below `server` belongs to."""
    names = {name for row in ORDER for name in row}
    parts = module.split(".")
    for length in (2, 1):
        if ".".join(parts[:length]) in names:
            return ".".join(parts[:length])
    raise AssertionError(f"server.{module} has no place in the order")


def imports_of(path: Path) -> set[str]:
    """Every module that a file imports, inside functions too."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def module_of(path: Path) -> str:
    """A file's module name below `server`."""
    return ".".join(path.relative_to(SERVER).with_suffix("").parts)


def own_modules() -> list[Path]:
    return [path for path in SERVER.rglob("*.py") if path.name != "__init__.py"]


def rank(room: str) -> int:
    return next(i for i, row in enumerate(ORDER) if room in row)


def test_imports_point_downwards_only() -> None:
    known = {module_of(path) for path in own_modules()}
    for path in own_modules():
        module = module_of(path)
        room = room_of(module)
        for name in imports_of(path):
            target = name.removeprefix("server.")
            if not name.startswith("server.") or target not in known or room_of(target) == room:
                continue
            assert rank(room_of(target)) < rank(room), f"server.{module} imports server.{target}"


def test_the_pure_part_knows_neither_time_nor_chance_nor_the_world() -> None:
    for path in own_modules():
        module = module_of(path)
        if room_of(module) not in PURE:
            continue
        for name in imports_of(path):
            top = name.partition(".")[0]
            assert top == "server" or top in sys.stdlib_module_names | OUTSIDE_OF_PURE, f"{module}: {name}"
            assert top not in NO_IO, f"{module}: {name}"
        tree = ast.parse(path.read_text())
        assert not any(isinstance(node, ast.AsyncFunctionDef | ast.Await) for node in ast.walk(tree)), module


def test_every_package_says_what_it_is_for() -> None:
    for path in SERVER.rglob("__init__.py"):
        if path.parent != SERVER:
            assert ast.get_docstring(ast.parse(path.read_text())), path


def test_only_the_store_and_the_bench_speak_to_redis() -> None:
    speakers = {
        module_of(path) for path in own_modules() if any(n.startswith("redis") for n in imports_of(path))
    }
    roads = {"tables.redis_link", "tables.redis_cluster", "tables.redis_news"}
    assert speakers == roads | {"bench.tables", "bench.yardsticks"}
    users = {
        module_of(path) for path in own_modules() if imports_of(path) & {f"server.{name}" for name in roads}
    }
    assert users == {"tables.redis_cluster", "tables.redis_news", "tables.store"}
