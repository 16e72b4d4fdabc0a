"""The command `arena`: who plays better, and by how much."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command()(arena)


def arena(
    game: Annotated[str, typer.Argument(help="Which game: konken, conker or conquian.")],
    players: Annotated[
        list[str],
        typer.Argument(help="Levels of bots, random or greedy; listed again until all seats are filled."),
    ],
    deals: Annotated[int, typer.Option(min=1, help="Deals, each played from every seat.")] = 100,
    seed: Annotated[str, typer.Option(help="Where chance begins; the same seed gives the same deals.")] = "1",
    options: Annotated[list[str] | None, typer.Option(help="Game options as NAME=VALUE.")] = None,
    width: Annotated[
        float, typer.Option(min=0, help="Stop once the first score is known to so many per cent; 0: never.")
    ] = 0.0,
    processes: Annotated[int, typer.Option(min=0, help="Processes; 0: one for each core.")] = 0,
    json: Annotated[Path | None, typer.Option("--json", help="Write the figures here.")] = None,
) -> None:
    """Play bots against each other over mirrored deals: every deal from every seat."""
    import msgspec

    from server.arena.run import Plan, run
    from server.judging.cli import parse_options

    plan = Plan(
        game=game,
        options=parse_options(game, options or []),
        players=tuple(players),
        deals=deals,
        seed=seed,
        width=width,
        processes=processes or os.cpu_count() or 1,
        command=f"upcard {shlex.join(sys.argv[1:])}",
    )
    try:
        standing = run(plan)
    except ValueError as wrong:
        raise typer.BadParameter(str(wrong), param_hint="players") from None
    typer.echo(str(standing))
    if json is not None:
        json.write_bytes(msgspec.json.format(msgspec.json.encode(standing)))
