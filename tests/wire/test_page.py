"""The page about the protocol is that of the wire."""

from pathlib import Path

import pytest

from server import protocol
from server.rules.refusal import Code
from server.wire import page
from server.wire.page import PARTS, TARGET
from server.wire.shapes import HTTP, OPTIONS, UNIONS, option_specs, structs_of
from server.wire.words import meaning, told

PAGE = TARGET.read_text(encoding="utf-8")


def test_the_committed_page_is_fresh() -> None:
    assert page.main(["--check"]) == 0, "run `python -m server.wire.page`"


def test_a_stale_page_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stale = tmp_path / "protocol.md"
    stale.write_text(PAGE.replace("`stale_decision`", "`old_decision`"), encoding="utf-8")
    monkeypatch.setattr(page, "TARGET", stale)
    assert page.main(["--check"]) == 1
    assert "is stale" in capsys.readouterr().err
    stale.write_text(PAGE.replace("`malformed` |", "`unreadable` |"), encoding="utf-8")
    assert page.main([]) == 0
    assert stale.read_text(encoding="utf-8") == PAGE


def test_every_part_is_on_the_page_once() -> None:
    assert all(PAGE.count(f"<!-- generated: {name} -->") == 1 for name in PARTS)


def test_every_message_struct_code_and_option_is_there() -> None:
    options = {cls.__name__ for cls in OPTIONS.values()}
    for struct in structs_of((*UNIONS.values(), *HTTP)).values():
        if struct.tag_field in {"a", "e"}:
            assert f"| `{struct.tag}` | {told(struct.cls)} |" in PAGE
        else:
            name = f"`{struct.tag}`" if struct.tag_field == "t" else struct.cls.__name__
            assert f"### {name}\n\n{told(struct.cls)}\n" in PAGE or struct.cls.__name__ in options
    assert all(f"| `{code.value}` | " in PAGE for code in Code)
    for cls in OPTIONS.values():
        assert all(f"| `{name}` | " in PAGE for name in option_specs(cls))


def test_every_field_of_a_message_is_explained() -> None:
    for struct in structs_of((*UNIONS.values(), *HTTP)).values():
        if struct.cls.__module__ == protocol.__name__:
            for field in struct.fields:
                explained = meaning(struct.cls, field.name) or f"`{field.name}`" in told(struct.cls)
                assert explained, f"{struct.cls.__name__}.{field.name}"
