"""The client's types are those of the wire."""

from pathlib import Path

import pytest

from server.protocol import House
from server.rules.refusal import Code
from server.wire import typescript
from server.wire.shapes import option_specs


def test_the_committed_types_are_fresh() -> None:
    assert typescript.main(["--check"]) == 0, "run `python -m server.wire.typescript`"


def test_a_stale_file_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stale = tmp_path / "protocol.ts"
    stale.write_text("// old\n", encoding="utf-8")
    monkeypatch.setattr(typescript, "TARGET", stale)
    assert typescript.main(["--check"]) == 1
    assert "is stale" in capsys.readouterr().err
    assert typescript.main([]) == 0
    assert typescript.main(["--check"]) == 0


def test_unions_are_told_apart_by_their_tags() -> None:
    text = typescript.generate()
    assert 'export interface Play {\n  t: "play";' in text
    assert 'export interface Lay {\n  a: "lay";' in text
    assert 'export interface Laid {\n  e: "laid";' in text


def test_what_may_be_omitted_is_optional_and_the_rest_is_not() -> None:
    text = typescript.generate()
    assert "  about?: About | null;" in text
    assert "  legal: Legal | null;" in text


def test_every_refusal_and_every_choice_is_there() -> None:
    text = typescript.generate()
    assert all(f'"{code.value}"' in text for code in Code)
    assert option_specs(House)["absent"] == {
        "default": "claim",
        "choices": ("claim", "bot", "wait"),
    }
