"""The pages that code and pages refer to are here, and lead on to others that are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
ROOMS = ("server", "web/src", "tests", "migrations", "docs")
CODE = {".py", ".ts", ".svelte", ".css", ".lua", ".mjs"}
NAMED = re.compile(r"\b([a-z][a-z-]*\.md)\b")
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


def code() -> list[Path]:
    """Every file of ours that is no page, but this one."""
    files = [file for room in ROOMS for file in (ROOT / room).rglob("*") if file.suffix in CODE]
    return [file for file in files if "static" not in file.parts and file != Path(__file__)]


def test_every_page_that_code_names_is_here() -> None:
    pages = {page.name for page in DOCS.rglob("*.md")}
    named = {
        (file.relative_to(ROOT), name)
        for file in code()
        for comment in re.findall(r"(?:\"\"\"|#|//|/\*).*", file.read_text())
        for name in NAMED.findall(comment)
    }
    assert len(named) > 10
    assert {(file, name) for file, name in named if name not in pages} == set()


def test_every_chapter_of_the_life_of_a_table_that_code_names_is_there() -> None:
    page = (DOCS / "table-life.md").read_text().lower()
    named = {
        chapter
        for file in code()
        for chapter in re.findall(r"\(table-life: ([A-Z][\w ]+)\)", file.read_text())
    }
    assert len(named) > 4
    assert {chapter for chapter in named if chapter.lower() not in page} == set()


@pytest.mark.parametrize(
    "page", [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))], ids=lambda page: page.name
)
def test_links_lead_somewhere(page: Path) -> None:
    links = LINK.findall(page.read_text())
    assert [link for link in links if not (page.parent / link).exists()] == []
