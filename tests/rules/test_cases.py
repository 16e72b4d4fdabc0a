"""The rule cases, one test each. Which cards fill the unnamed places must not matter."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from server.judging.judge import judge_case

CASES = [
    pytest.param(case, id=case["id"])
    for file in sorted((Path(__file__).parent / "cases").glob("*.yaml"))
    for case in yaml.safe_load(file.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize("case", CASES)
def test_case(case: dict[str, Any]) -> None:
    for fill in ("", "other cards", "and others"):
        judge_case(case, fill)
