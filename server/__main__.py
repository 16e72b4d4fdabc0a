"""The command `upcard`.

Every command imports what it needs when it runs, so that the small ones start at once.
"""

import gc
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from server.arena import cli as arena
from server.bench import cli as bench
from server.judging import cli as judging


def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on.", show_default="127.0.0.1")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on.", show_default="8000")] = None,
    workers: Annotated[int | None, typer.Option(help="Server processes.", show_default="1")] = None,
    data: Annotated[Path | None, typer.Option(help="Folder to keep data in.", show_default="data")] = None,
) -> None:
    """Open the house: run the server, with stores of its own unless others are configured."""
    # What is imported from here on stays: to look through it for garbage is in vain. A worker turns the collector on
    # again once all is there (server/app.py).
    gc.disable()
    from server.launcher import serve

    serve(host=host, port=port, workers=workers, data=data)


def migrate() -> None:
    """Bring the database at UPCARD_DATABASE_URL up to date."""
    from server.launcher import migrate

    migrate()


def bots_of(game: str) -> Mapping[str, Any]:
    """The bots of a game by level: they can sit in all seats of `fuzz`."""
    from server.bots.policy import POLICIES

    return POLICIES.get(game, {})


def build_app() -> typer.Typer:
    """Gather the commands; each room of the house registers its own."""
    app = typer.Typer(
        help="Upcard: Konken and its cousins.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,  # they print local variables, the secret among them
    )
    app.command()(serve)
    app.command()(migrate)
    judging.register(app, bots_of)
    arena.register(app)
    bench.register(app)
    return app


def main() -> None:
    """Run the command line."""
    build_app()()


if __name__ == "__main__":
    main()
