"""The HTTP part does what its own OpenAPI page says, whatever is asked; and the page says all of it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import httpx
import msgspec
import pytest
from fastapi.routing import iter_route_contexts

from server.api.preload import FIRST
from server.app import create_app
from server.bodies import History, HistoryDetail, Leaderboard, Problem, ReplayToken, Session
from server.config import Settings
from server.players import COOKIE
from tests.house import House

CONFIG = Path(__file__).parent / "schemathesis.toml"
PROGRAM = Path(sys.executable).parent / "schemathesis"
QUICK = ("--max-examples", "30")
LONG = ("--max-time", "300")


@pytest.mark.parametrize("known", [False, True], ids=["a stranger", "a guest"])
def test_nothing_that_can_be_asked_is_answered_otherwise_than_the_page_says(
    house: House, ada: str, known: bool, full: bool, tmp_path: Path
) -> None:
    command = [PROGRAM, "--config-file", CONFIG, "run", f"{house.url}/api/openapi.json", "--warnings", "off"]
    command += [*(LONG if full else QUICK), "--checks", "all"]
    if known:
        # With a cookie on every request nothing is refused for want of one.
        command += [
            "--header",
            f"Cookie: {COOKIE}={ada}",
            "--exclude-checks",
            "negative_data_rejection,ignored_auth",
        ]
    before = house.log
    done = subprocess.run(list(map(str, command)), cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert "Tested: " in done.stdout
    assert house.log == before, "no fault was logged"


def test_the_page_has_every_route_of_the_api(house: House) -> None:
    page = httpx.get(f"{house.url}/api/openapi.json").json()
    app = create_app(Settings(redis_url="", database_url="", secret=b"s" * 32))
    paths = {route.path for route in iter_route_contexts(app.routes)}
    assert set(page["paths"]) == paths - {*FIRST, "/ws", "/assets", "/api/openapi.json"}
    assert {"/api/session", "/api/history/{match}", "/ready"} <= set(page["paths"])
    for name in (Session, History, HistoryDetail, Leaderboard, ReplayToken, Problem):
        assert name.__name__ in page["components"]["schemas"]


def test_errors_are_the_structs_that_the_page_names(house: House, ada: str) -> None:
    answers = [
        httpx.get(f"{house.url}/api/session"),
        httpx.get(f"{house.url}/api/history/none", cookies={COOKIE: ada}),
        httpx.post(f"{house.url}/api/session", content=b"{", headers={"content-type": "application/json"}),
        httpx.get(f"{house.url}/api/session?{'x' * 2000}"),
    ]
    codes = [msgspec.json.decode(answer.content, type=Problem).code.value for answer in answers]
    assert codes == ["no_session", "no_such_match", "malformed", "malformed"]


def test_a_wrong_method_is_told_all_that_there_are(house: House) -> None:
    answer = httpx.request("DELETE", f"{house.url}/api/session")
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, POST")


def test_the_page_says_what_may_stand_in_an_address(house: House) -> None:
    """Without an end to it, what is allowed by the page might be too long for the door."""
    page = httpx.get(f"{house.url}/api/openapi.json").json()
    there = [
        (path, said["name"], said["schema"])
        for path, methods in page["paths"].items()
        for method in methods.values()
        for said in method.get("parameters", ())
        if said["in"] == "path"
    ]
    assert {name for _, name, _ in there} == {"game", "match", "hand"}
    for path, name, schema in there:
        assert "pattern" in schema or "enum" in schema, f"{name} in {path}"
