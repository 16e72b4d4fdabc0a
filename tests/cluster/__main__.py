"""`python -m tests.cluster --seed N [--runs K] [--games konken,conquian] [--postgres]`: live through seeds, one by one.

Whatever goes wrong is printed with its seed. What the plan of a seed is does not change from run to run; the moment at
which a fault meets the play does, so that a rare meeting may need some runs of the same seed (`--again`).
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import cast

from server.rules.registry import GameName
from tests.cluster.archives import Archive, PostgresArchive, SqliteArchive, migrated_template
from tests.cluster.faults import KINDS
from tests.cluster.run import GAMES, Verdict, run
from tests.postgres import running_postgres


def main() -> None:
    """Run what is asked for; the exit code tells whether all was well."""
    parser = argparse.ArgumentParser(prog="python -m tests.cluster")
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("--runs", type=int, default=1, help="how many seeds")
    parser.add_argument("--again", type=int, default=1, help="how often each")
    parser.add_argument("--games", default=",".join(GAMES))
    parser.add_argument("--faults", default="", help=f"only of these kinds: {', '.join(sorted(KINDS))}")
    parser.add_argument("--postgres", action="store_true", help="with a real Postgres instead of SQLite")
    parser.add_argument("--keep", type=Path, help="keep the logs and stores of runs that went wrong here")
    given = parser.parse_args()
    games = tuple(cast(GameName, game) for game in given.games.split(","))
    kinds = tuple(given.faults.split(",")) if given.faults else ()
    seeds = [seed for seed in range(given.seed, given.seed + given.runs) for _ in range(given.again)]
    wrong = 0
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="upcard-chaos-")))
        server = stack.enter_context(running_postgres()) if given.postgres else None
        for number, seed in enumerate(seeds):
            place = folder / str(number)
            verdict = asyncio.run(one(seed, place, server, games, kinds))
            print(verdict, flush=True)
            wrong += bool(verdict.wrong)
            if verdict.wrong and given.keep:
                kept = given.keep / f"{seed}-{time.time():.0f}"
                shutil.copytree(place, kept, ignore=shutil.ignore_patterns("*.sock"))
            shutil.rmtree(place)
    print(f"{len(seeds)} runs, {wrong} with something wrong")
    sys.exit(wrong > 0)


async def one(
    seed: int, folder: Path, server: str | None, games: tuple[GameName, ...], kinds: tuple[str, ...]
) -> Verdict:
    """One seed, with an archive of its own."""
    if server is None:
        archive: Archive = SqliteArchive(folder, migrated_template(folder.parent))
        return await run(seed, folder, archive, games, kinds)
    fresh = await PostgresArchive.create(server)
    try:
        return await run(seed, folder, fresh, games, kinds)
    finally:
        await fresh.drop()


if __name__ == "__main__":
    main()
