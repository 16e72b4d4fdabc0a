"""Replay record files: tell each step, or only what is wrong with them, with the line where it is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from server.judging.narration import narrated
from server.rules.notation import NotationError
from server.rules.record_reader import Located, parse_records
from server.rules.replay import retrace_match

Say = Callable[[str], None]


def replay_files(paths: Iterable[Path], say: Say, told: bool = True, proven: bool = True) -> bool:
    """Replay record files, and those in folders; say what is wrong and the sum. True if nothing is.

    `told`: say each step, too. `proven`: the seeds have to give the deals. A file that is wrong does not end the run.
    """
    hands = refused = 0
    for file in files_in(paths):
        if told:
            say(str(file))
        try:
            hands += _replay_hands(read_records(file), say, told, proven)
        except OSError as problem:
            refused += 1
            say(f"{file}: cannot be read: {problem.strerror}")
        except NotationError as problem:
            refused += 1
            say(f"{file}: {problem}")
    say(f"{hands} hands replayed, {refused} records refused")
    return not refused


def files_in(paths: Iterable[Path]) -> Iterator[Path]:
    """Files as they are named, and of a folder its `.txt` files; one without any is left for the reader to refuse."""
    for path in paths:
        files = sorted(path.glob("*.txt")) if path.is_dir() else []
        yield from files or [path]


def read_records(file: Path) -> list[Located]:
    """The hands of a file. Raises OSError, or NotationError with the line that is wrong."""
    if file.is_dir():
        raise NotationError("no records in this folder (*.txt)")
    data = file.read_bytes()
    try:
        return parse_records(data.decode("utf-8"))
    except UnicodeDecodeError as wrong:
        before = data[: wrong.start].decode("utf-8")
        raise NotationError("this is no UTF-8", len(f"{before}.".splitlines())) from None


def _replay_hands(hands: list[Located], say: Say, told: bool, proven: bool) -> int:
    """How many hands were replayed. Raises NotationError with the line that is wrong, once all before it is told."""
    for found in retrace_match(hands, proven):
        if told:
            say("\n".join(narrated(found)))
        if found.problem is not None:
            raise found.problem
    return len(hands)
