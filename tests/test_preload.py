"""A page tells what it needs first: its own parts, once each, in the reader's language, and nothing of another page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from server.api.languages import preferred
from server.api.preload import FIRST, MANIFEST, TABLE, Preloads

PARTS = {
    "index.html": {"file": "assets/index-1.js", "css": ["assets/index-1.css"], "imports": ["_parts.js"]},
    "_parts.js": {"file": "assets/parts-1.js"},
    "src/pages/Lobby.svelte": {"file": "assets/Lobby-1.js", "imports": ["index.html", "_bar.js"]},
    "_bar.js": {"file": "assets/bar-1.js", "css": ["assets/bar-1.css"], "imports": ["_parts.js"]},
    "src/pages/Table.svelte": {"file": "assets/Table-1.js", "dynamicImports": ["src/table/Playing.svelte"]},
    "src/table/Playing.svelte": {"file": "assets/Playing-1.js"},
    "src/table/Waiting.svelte": {"file": "assets/Waiting-1.js"},
    "src/table/Between.svelte": {"file": "assets/Between-1.js"},
    "src/games/konken/index.ts": {"file": "assets/konken-1.js", "imports": ["_floor.js"]},
    "src/games/conquian/index.ts": {"file": "assets/conquian-1.js"},
    "_floor.js": {"file": "assets/floor-1.js"},
    "src/i18n/table/en.ts": {"file": "assets/en-1.js"},
    "src/i18n/table/tr.ts": {"file": "assets/tr-1.js"},
    "src/i18n/en.ts": {"file": "assets/en-4.js"},
    "src/i18n/extra/tr.ts": {"file": "assets/tr-2.js"},
    "src/rules/tr.ts": {"file": "assets/tr-3.js"},
}


@pytest.fixture
def preloads(tmp_path: Path) -> Preloads:
    """Those of a small build."""
    (tmp_path / MANIFEST).parent.mkdir()
    (tmp_path / MANIFEST).write_text(json.dumps(PARTS))
    return Preloads(tmp_path)


def test_a_page_names_what_it_needs_beyond_what_its_markup_names(preloads: Preloads) -> None:
    assert preloads.header("/", "en") == {
        "link": "</assets/en-1.js>; rel=modulepreload, </assets/Lobby-1.js>; rel=modulepreload, "
        "</assets/en-4.js>; rel=modulepreload, "
        "</assets/bar-1.js>; rel=modulepreload, </assets/bar-1.css>; rel=preload; as=style; crossorigin",
        "vary": "accept-language",
    }


@pytest.mark.parametrize(
    ("wanted", "language"),
    [
        ("tr", "tr"),
        ("tr-TR,tr;q=0.9,en;q=0.8", "tr"),
        ("de-DE, de;q=0.9, TR;q=0.5, en;q=0.3", "tr"),
        ("extra", "en"),
        ("fr", "en"),
        ("", "en"),
        ("</assets/x>; rel=x\r\n,*", "en"),
    ],
)
def test_the_texts_are_those_of_the_first_language_there_is(
    preloads: Preloads, wanted: str, language: str
) -> None:
    assert preferred(wanted, preloads.languages) == language
    link = preloads.header("/t/{table}", wanted)["link"]
    assert f"/assets/{language}-1.js" in link
    assert "Playing" not in link


def test_what_a_page_has_to_tell_comes_in_the_same_language(preloads: Preloads) -> None:
    assert "/assets/tr-3.js" in preloads.header("/rules/{game}", "tr")["link"]
    assert "/assets/tr-2.js" in preloads.header("/history/{match}/{hand}", "tr")["link"]
    assert "tr-2.js" not in preloads.header("/t/{table}", "tr")["link"]


def scripts(link: dict[str, str]) -> list[str]:
    """The scripts that a header names."""
    return [part.strip().removeprefix("</assets/").partition(".js>")[0] for part in link["link"].split(",")]


def test_a_table_names_what_it_is_shown_with_now_and_nothing_else(preloads: Preloads) -> None:
    waits = scripts(preloads.header(TABLE, "en"))
    assert waits == ["en-1", "Table-1", "Waiting-1", "en-4"]
    assert scripts(preloads.header(TABLE, "en", ("open", "konken"))) == waits
    playing = scripts(preloads.header(TABLE, "en", ("playing", "konken")))
    assert playing == ["en-1", "Table-1", "Playing-1", "konken-1", "floor-1"]
    assert "conquian-1" in scripts(preloads.header(TABLE, "en", ("playing", "conquian")))
    between = scripts(preloads.header(TABLE, "en", ("between", "konken")))
    assert between == ["en-1", "Table-1", "Between-1", "en-4", "konken-1", "floor-1"]


def test_without_a_client_nothing_is_told(tmp_path: Path) -> None:
    preloads = Preloads(tmp_path)
    assert all(preloads.header(path, "en") == {} for path in FIRST)
