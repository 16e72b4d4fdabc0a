"""The commands about rules: `judge` case files, `fuzz` games, `replay` records."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from server.judging.fuzz import Policy


def register(app: typer.Typer, bots_of: Callable[[str], Mapping[str, Policy]] | None = None) -> None:
    """Add the commands to the command line. `bots_of` gives a game's bots by level, for `fuzz --policy`."""
    app.command()(judge)
    app.command()(replay)

    @app.command()
    def fuzz(
        game: Annotated[str, typer.Argument(help="Which game: konken, conker or conquian.")],
        hands: Annotated[int, typer.Option(min=1, help="How many hands.")] = 1000,
        seed: Annotated[
            str, typer.Option(help="Where chance begins; the same seed gives the same hands.")
        ] = "1",
        options: Annotated[list[str] | None, typer.Option(help="Game options as NAME=VALUE.")] = None,
        records: Annotated[Path | None, typer.Option(help="Folder for a record of every hand.")] = None,
        policy: Annotated[str, typer.Option(help="Who plays: random, greedy, or a bot's level.")] = "random",
        vary: Annotated[
            bool, typer.Option("--vary", help="Every hand by a preset or random options, beside those given.")
        ] = False,
    ) -> None:
        """Play random legal hands and check every rule's promise at every step."""
        from server.judging.fuzz import POLICIES

        known = {**POLICIES, **(bots_of(game) if bots_of else {})}
        if policy not in known:
            raise typer.BadParameter(f"one of {', '.join(known)}", param_hint="--policy")
        _fuzz(game, hands, seed, options or [], records, known[policy], vary)


def judge(files: Annotated[list[Path], typer.Argument(help="Case files, or folders of them.")]) -> None:
    """Judge case files: positions, the actions tried from them, and what must hold."""
    from server.judging.judge import judge

    if not judge(files, typer.echo):
        raise typer.Exit(1)


def replay(
    paths: Annotated[list[Path], typer.Argument(help="Records of hands or matches, or folders of them.")],
    verify: Annotated[bool, typer.Option("--verify", help="Only say whether they are right.")] = False,
    without_seed: Annotated[
        bool, typer.Option("--without-seed", help="Take the deal as written; no seed has to give it.")
    ] = False,
) -> None:
    """Replay records step by step: every action legal, the same result, and a seed that gives the deal."""
    from server.judging.replays import replay_files

    if not replay_files(paths, typer.echo, told=not verify, proven=not without_seed):
        raise typer.Exit(1)


def _fuzz(
    game: str, hands: int, seed: str, said: list[str], records: Path | None, policy: Policy, vary: bool
) -> None:
    from server.judging.fuzz import fuzz

    report = fuzz(game, hands, seed, parse_options(game, said), policy, records, vary=vary)
    for fault in report.faults:
        typer.echo(fault)
    typer.echo(str(report))
    if report.faults:
        raise typer.Exit(1)


def parse_options(game: str, said: list[str]) -> Any:
    """Options as NAME=VALUE. Raises typer.BadParameter for what the game does not know."""
    import msgspec

    from server.rules.refusal import Refused
    from server.rules.registry import GAMES

    if game not in GAMES:
        raise typer.BadParameter(f"one of {', '.join(GAMES)}", param_hint="game")
    values: dict[str, int | str] = {}
    for word in said:
        name, _, value = word.partition("=")
        values[name] = int(value) if value.isdecimal() else value
    rules = GAMES[game]
    try:
        options = msgspec.convert(values, rules.options)
        rules.check_options(options)
    except msgspec.ValidationError as wrong:
        raise typer.BadParameter(str(wrong), param_hint="--options") from None
    except Refused as refused:
        raise typer.BadParameter(f"{refused.detail['option']} does not go with the rest") from None
    return options
