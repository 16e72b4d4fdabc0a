"""The commands `bench rules`, `bench bots`, `bench tables`, `bench idle` and `bench client`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from server.bench.report import Report

Json = Annotated[Path | None, typer.Option("--json", help="Write the figures here.")]
Compare = Annotated[Path | None, typer.Option(help="Figures of an earlier run, to print ratios to.")]


def register(app: typer.Typer) -> None:
    """Add the commands to the command line."""
    bench = typer.Typer(help="Measure, with yardsticks in the same run.", no_args_is_help=True)
    bench.command()(rules)
    bench.command()(bots)
    bench.command()(tables)
    bench.command()(idle)
    bench.command()(client)
    app.add_typer(bench, name="bench")


def rules(
    hands: Annotated[int, typer.Option(min=1, max=10_000, help="Hands played to gather positions.")] = 20,
    json: Json = None,
    compare: Compare = None,
) -> None:
    """CPU time of what every game has to do, and moves a second; beside rivals, where that extra is installed."""
    from server.bench.rules import measure

    _tell(measure(hands), json, compare)


def bots(
    decisions: Annotated[
        int, typer.Option(min=1, max=100_000, help="Choices of each level, common ones and seldom ones.")
    ] = 300,
    count: Annotated[
        int, typer.Option("--tables", min=0, max=5_000, help="Tables of regulars; 0: leave that out.")
    ] = 200,
    seconds: Annotated[float, typer.Option(min=0, max=3_600, help="So long bots play at tables.")] = 20.0,
    json: Json = None,
    compare: Compare = None,
) -> None:
    """CPU time of a choice by game and level; the event loop's lag while experts think; tables of regulars."""
    from server.bench.bots import measure

    _tell(measure(decisions, count, seconds), json, compare)


def tables(
    counts: Annotated[
        list[int] | None,
        typer.Option("--tables", min=1, max=5_000, help="Tables of four; give several to see growth. [10]"),
    ] = None,
    moves: Annotated[int, typer.Option(min=1, max=10_000, help="Moves at each table, in each loop.")] = 40,
    rate: Annotated[
        float | None,
        typer.Option(min=0.01, max=100, help="Open loop: moves a second at each table. [half of closed]"),
    ] = None,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Processes that serve.")] = 1,
    gathered: Annotated[
        bool, typer.Option("--gathered", help="All of a table are at one of them, as behind our proxy.")
    ] = False,
    json: Json = None,
    compare: Compare = None,
) -> None:
    """CPU time, latency, bytes and memory of moves on a server of its own: embedded stores, loopback."""
    from server.bench.tables import measure

    _tell(measure(counts or [10], moves, rate, workers, gathered=gathered), json, compare)


def idle(
    sockets: Annotated[int, typer.Option(min=1, max=20_000, help="Sockets that do nothing.")] = 1000,
    count: Annotated[int, typer.Option("--tables", min=1, max=5_000, help="Tables of four players.")] = 100,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Processes that serve.")] = 1,
    json: Json = None,
    compare: Compare = None,
) -> None:
    """Memory of a server, of a socket that does nothing, and of a table, here and in the store."""
    from server.bench.idle import measure

    _tell(measure(sockets, count, workers), json, compare)


def client(
    moves: Annotated[
        int, typer.Option(min=8, max=10_000, help="Moves at the table that is looked at.")
    ] = 160,
    json: Json = None,
    compare: Compare = None,
) -> None:
    """Bytes of the first load, and what a frame takes a Chromium with its CPU slowed down fourfold: script until it
    is drawn and after that by kind of frame, script, style and layout in all."""
    from server.bench.client import measure

    _tell(measure(moves), json, compare)


def _tell(report: Report, json: Path | None, compare: Path | None) -> None:
    from server.bench.report import read, text, write

    typer.echo(text(report, read(compare) if compare else None))
    if json:
        write(report, json)
