"""What a page of the client needs first, told in the head of the answer: the browser need not read one script to
learn of the next.

The build's manifest knows which file needs which others; this page knows where each path begins.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from server.api.languages import preferred

MANIFEST = Path(".vite") / "manifest.json"
TEXTS = "src/i18n/table/{}.ts"
OTHERS = "src/i18n/{}.ts"
"""What every page says, and what a table says only beside its hands."""
REPLAY = ("src/pages/Replay.svelte", OTHERS, "src/i18n/extra/{}.ts")
BOARD = ("src/pages/Leaderboard.svelte", OTHERS, "src/i18n/extra/{}.ts")
RULES = ("src/pages/RulesPage.svelte", OTHERS, "src/rules/{}.ts")
FIRST: Mapping[str, tuple[str, ...]] = {
    "/": ("src/pages/Lobby.svelte", OTHERS),
    "/t/{table}": ("src/pages/Table.svelte", "src/table/Waiting.svelte", OTHERS),
    "/handover": ("src/pages/Handover.svelte", OTHERS, "src/i18n/extra/{}.ts"),
    "/history": ("src/pages/History.svelte", OTHERS),
    "/history/{match}": ("src/pages/Match.svelte", OTHERS),
    "/history/{match}/{hand}": REPLAY,
    "/replay": REPLAY,
    "/leaderboard": BOARD,
    "/leaderboard/{game}": BOARD,
    "/rules": RULES,
    "/rules/{game}": RULES,
}
"""The parts of the client that each path begins with (web/src/pages/load.ts); `{}` is the language."""
PRELOAD = {".js": "rel=modulepreload", ".css": "rel=preload; as=style; crossorigin"}


class Preloads:
    """The `Link` header of each page in each language, made once from a build."""

    def __init__(self, folder: Path) -> None:
        """`folder` has the built client; without one nothing is told."""
        manifest = folder / MANIFEST
        parts: dict[str, Any] = json.loads(manifest.read_text()) if manifest.exists() else {}
        start, end = TEXTS.split("{}")
        self.languages = frozenset(
            name.removeprefix(start).removesuffix(end)
            for name in parts
            if name.startswith(start) and name.count("/") == start.count("/")
        )
        known = files_of(parts, ["index.html"])  # those are in the page itself
        self._links = {
            (path, language): ", ".join(
                f"</{file}>; {PRELOAD[Path(file).suffix]}"
                for file in files_of(parts, [name.format(language) for name in (TEXTS, *first)])
                if file not in known
            )
            for path, first in FIRST.items()
            for language in self.languages
        }

    def header(self, path: str, wanted: str) -> dict[str, str]:
        """What to add to the answer: for a path of FIRST, and what the request says under `Accept-Language`."""
        link = self._links.get((path, preferred(wanted, self.languages)))
        return {"link": link, "vary": "accept-language"} if link else {}


def files_of(parts: Mapping[str, Any], names: Iterable[str]) -> list[str]:
    """Every file that these modules need, each once, what is asked for first."""
    files: dict[str, None] = {}
    todo = list(names)
    seen: set[str] = set()
    while todo:
        name = todo.pop(0)
        if name in seen or name not in parts:
            continue
        seen.add(name)
        part = parts[name]
        files |= dict.fromkeys((part["file"], *part.get("css", ())))
        todo += part.get("imports", ())
    return list(files)
