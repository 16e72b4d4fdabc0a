"""What the files for production promise, checked as far as that goes without an engine."""

import os
import re
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from redis import Redis
from redis.exceptions import ConnectionError as StoreAway

from server.config import Settings
from server.embedded import find_binary

ROOT = Path(__file__).parent.parent
GIVEN = {"UPCARD_SECRET": "s" * 64, "POSTGRES_PASSWORD": "p" * 32}
SERVERS = {"server-a", "server-b"}


def filled_in(text: str) -> str:
    """Compose's `${NAME:-default}` and `${NAME:?message}`, for the values above."""

    def value(match: re.Match[str]) -> str:
        name, operator, rest = match.groups()
        if name in GIVEN:
            return GIVEN[name]
        assert operator == ":-", f"{name} has no default and nobody is told to set it"
        return str(rest)

    return re.sub(r"\$\{(\w+)(?:(:[-?])([^}]*))?\}", value, text)


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    return dict(yaml.safe_load(filled_in((ROOT / "docker-compose.yml").read_text())))


def test_a_secret_is_asked_for_and_none_is_kept_here() -> None:
    text = (ROOT / "docker-compose.yml").read_text()
    assert "${UPCARD_SECRET:?" in text
    assert "${POSTGRES_PASSWORD:?" in text
    assert not re.search(r"(SECRET|PASSWORD): +[^$\s]", text)


def test_two_servers_run_one_image_with_settings_the_server_accepts(compose: dict[str, Any]) -> None:
    first, second = (compose["services"][name] for name in sorted(SERVERS))
    assert first == second
    assert first["image"] == compose["services"]["migrate"]["image"]
    settings = Settings.from_environment(first["environment"])
    assert (
        settings.database_url == f"postgresql+asyncpg://upcard:{GIVEN['POSTGRES_PASSWORD']}@postgres/upcard"
    )
    assert settings.redis_url.startswith("redis://redis:")


def test_only_the_proxy_is_trusted_and_only_it_is_open(compose: dict[str, Any]) -> None:
    settings = Settings.from_environment(compose["services"]["server-a"]["environment"])
    assert settings.trusted_proxies == (compose["networks"]["front"]["ipam"]["config"][0]["subnet"],)
    assert [name for name, service in compose["services"].items() if "ports" in service] == ["proxy"]
    assert compose["networks"]["back"]["internal"] is True
    for name in ("redis", "postgres", "migrate"):
        assert compose["services"][name]["networks"] == ["back"]


def test_everything_that_stays_up_tells_how_it_is(compose: dict[str, Any]) -> None:
    for name, service in compose["services"].items():
        if name == "migrate":
            assert service["restart"] == "no"
        else:
            assert service["restart"] == "unless-stopped", name
            assert service["healthcheck"]["test"], name


def test_servers_wait_for_the_migration_and_the_stores(compose: dict[str, Any]) -> None:
    for name in SERVERS:
        waits = {on: how["condition"] for on, how in compose["services"][name]["depends_on"].items()}
        assert waits == {
            "migrate": "service_completed_successfully",
            "redis": "service_healthy",
            "postgres": "service_healthy",
        }
    assert compose["services"]["migrate"]["command"] == ["upcard", "migrate"]


def test_what_must_outlive_a_container_has_a_volume(compose: dict[str, Any]) -> None:
    kept = {
        volume.split(":")[0]
        for service in compose["services"].values()
        for volume in service.get("volumes", [])
        if not volume.startswith(".")
    }
    assert kept == set(compose["volumes"]) == {"certificates", "redis", "postgres"}


def test_redis_understands_its_command(compose: dict[str, Any], tmp_path: Path) -> None:
    program, *options = compose["services"]["redis"]["command"]
    assert program == "redis-server"
    path = tmp_path / "redis.sock"
    place = ["--port", "0", "--unixsocket", str(path), "--dir", str(tmp_path)]
    with subprocess.Popen([find_binary(), *options, *place], stdout=subprocess.DEVNULL) as process:
        try:
            with Redis(unix_socket_path=str(path), decode_responses=True) as store:
                wait_for(store)
                assert store.config_get("appendonly")["appendonly"] == "yes"
                assert store.config_get("appendfsync")["appendfsync"] == "everysec"
                assert store.config_get("maxmemory-policy")["maxmemory-policy"] == "noeviction"
                assert store.config_get("latency-tracking")["latency-tracking"] == "no"
        finally:
            process.terminate()


def wait_for(store: Redis) -> None:
    for _ in range(200):
        try:
            store.ping()
            return
        except StoreAway:
            time.sleep(0.02)
    pytest.fail("Redis did not take these options.")


def test_the_proxy_knows_every_server_and_asks_whether_it_is_ready() -> None:
    caddyfile = (ROOT / "deploy" / "Caddyfile").read_text()
    line = re.search(r"reverse_proxy (.*) \{", caddyfile)
    assert line
    assert set(line[1].split()) == {f"{name}:8000" for name in SERVERS}
    assert "health_uri /ready" in caddyfile


def test_the_proxy_goes_by_the_table_that_a_page_names(compose: dict[str, Any]) -> None:
    policy = re.search(r"lb_policy query (\w+) \{", (ROOT / "deploy" / "Caddyfile").read_text())
    named = re.search(r"`\?(\w+)=\$\{this\.table\.id\}`", (ROOT / "web/src/state/app.svelte.ts").read_text())
    assert policy
    assert named
    assert policy[1] == named[1]
    assert Settings.from_environment(compose["services"]["server-a"]["environment"]).gathered


def test_the_last_stage_has_no_tools_and_no_root() -> None:
    last = (ROOT / "Dockerfile").read_text().rpartition("\nFROM ")[2]
    assert not re.search(r"\b(pip|apt-get|npm|gcc)\b", last.partition("\n")[2])
    user = re.findall(r"^USER (\w+)", last, re.MULTILINE)
    assert user == ["upcard"]
    assert last.index("USER ") < last.index("CMD [")
    assert "HEALTHCHECK" in last
    assert "/health" in last


def test_the_image_copies_files_that_exist() -> None:
    ignored = (ROOT / ".dockerignore").read_text().split()
    for line in re.findall(r"^COPY (?!--from)(.*)$", (ROOT / "Dockerfile").read_text(), re.MULTILINE):
        for name in line.split()[:-1]:
            assert (ROOT / name).exists(), name
            assert name not in ignored


def test_continuous_integration_runs_what_a_developer_runs() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert script.read_text().strip().endswith("exec ./dev test")
    subprocess.run(["bash", "-n", script], check=True)
