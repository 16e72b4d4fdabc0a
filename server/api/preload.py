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
from server.rules.registry import GAMES

MANIFEST = Path(".vite") / "manifest.json"
TEXTS = "src/i18n/table/{}.ts"
OTHERS = "src/i18n/{}.ts"
"""What every page says, and what a table says only beside its hands."""
GAME = "src/games/{}/index.ts"
Stage = tuple[str, str]
"""The phase of a table, and its game."""
REPLAY = ("src/pages/Replay.svelte", OTHERS, "src/i18n/extra/{}.ts")
BOARD = ("src/pages/Leaderboard.svelte", OTHERS, "src/i18n/extra/{}.ts")
RULES = ("src/pages/RulesPage.svelte", OTHERS, "src/rules/{}.ts")
TABLE = "/t/{table}"
WAITING = ("src/pages/Table.svelte", "src/table/Waiting.svelte", OTHERS)
"""What is there before a match; and where nothing is known of a table, as most links to one lead to such."""
FIRST: Mapping[str, tuple[str, ...]] = {
    "/": ("src/pages/Lobby.svelte", OTHERS),
    TABLE: WAITING,
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
STAGES: Mapping[str, tuple[str, ...]] = {
    "playing": ("src/pages/Table.svelte", "src/table/Playing.svelte"),
    "between": ("src/pages/Table.svelte", "src/table/Between.svelte", OTHERS),
    "over": ("src/pages/Table.svelte", "src/table/MatchResult.svelte", OTHERS),
}
"""What a table is shown with once its match has begun, beside what it plays."""
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
        pages: dict[str | Stage, tuple[str, ...]] = dict(FIRST.items())
        for game in GAMES:
            pages |= {(phase, game): (*first, GAME.format(game)) for phase, first in STAGES.items()}
        self._links = {
            (page, language): ", ".join(
                f"</{file}>; {PRELOAD[Path(file).suffix]}"
                for file in files_of(parts, [name.format(language) for name in (TEXTS, *first)])
                if file not in known
            )
            for page, first in pages.items()
            for language in self.languages
        }

    def header(self, path: str, wanted: str, stage: Stage | None = None) -> dict[str, str]:
        """What to add to the answer: for a path of FIRST, and what the request says under `Accept-Language`.

        `stage` is how a table stands, as far as the reader may know it.
        """
        language = preferred(wanted, self.languages)
        link = self._links.get((stage, language)) if stage is not None else None
        link = link or self._links.get((path, language))
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
