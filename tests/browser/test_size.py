"""The first load stays small: script and style together, packed as browsers get them (interface.md, Look)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from server.config import STATIC

MOST = 70 * 1024
"""Bytes; a second on a slow phone line."""
MAIN, TEXTS = "index.html", "src/i18n/{}.ts"
TABLE = (MAIN, "src/pages/Table.svelte", TEXTS)
FIRST = {
    "lobby": (MAIN, "src/pages/Lobby.svelte", TEXTS),
    "a table that waits": (*TABLE, "src/table/Waiting.svelte"),
    **{
        f"a hand of {game}": (*TABLE, "src/table/Playing.svelte", f"src/games/{game}/index.ts")
        for game in ("konken", "conker", "conquian")
    },
}
"""What each way into the house needs before anything can be done there."""


def files_of(entries: tuple[str, ...]) -> set[str]:
    """Every file that these modules need, as the build has noted it."""
    manifest = json.loads((STATIC / ".vite" / "manifest.json").read_text())
    files: set[str] = set()
    todo = list(entries)
    seen: set[str] = set()
    while todo:
        if (name := todo.pop()) in seen:
            continue
        seen.add(name)
        part = manifest[name]
        files |= {part["file"], *part.get("css", ())}
        todo += part.get("imports", ())
    return files


def packed_size(file: Path) -> int:
    """As the server sends it to a browser of today."""
    packed = file.with_name(f"{file.name}.br")
    return (packed if packed.exists() else file).stat().st_size


@pytest.mark.parametrize("language", ["en", "tr", "id", "es"])
@pytest.mark.parametrize("page", FIRST)
def test_the_first_load_is_small(page: str, language: str) -> None:
    files = files_of(tuple(entry.format(language) for entry in FIRST[page]))
    size = sum(packed_size(STATIC / file) for file in files)
    assert size <= MOST, f"{page} in {language}: {size} bytes"
    assert size > MOST // 3, "what is measured is the client"
