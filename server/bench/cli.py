"""The commands `bench rules` and `bench tables`."""

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
    bench.command()(tables)
    app.add_typer(bench, name="bench")


def rules(
    hands: Annotated[int, typer.Option(min=1, max=10_000, help="Hands played to gather positions.")] = 20,
    json: Json = None,
    compare: Compare = None,
) -> None:
    """CPU time of what every game has to do, and moves a second; beside rivals, where that extra is installed."""
    from server.bench.rules import measure

    _tell(measure(hands), json, compare)


def tables(
    count: Annotated[int, typer.Option("--tables", min=1, max=100, help="Tables of four players.")] = 10,
    moves: Annotated[int, typer.Option(min=1, max=10_000, help="Moves at each table.")] = 200,
    rate: Annotated[float, typer.Option(min=0.1, max=100, help="Moves a second at each table.")] = 10,
    json: Json = None,
    compare: Compare = None,
) -> None:
    """CPU time and latency of a move on a server of its own: one worker, embedded stores, loopback."""
    from server.bench.tables import measure

    _tell(measure(count, moves, rate), json, compare)


def _tell(report: Report, json: Path | None, compare: Path | None) -> None:
    from server.bench.report import read, text, write

    typer.echo(text(report, read(compare) if compare else None))
    if json:
        write(report, json)
