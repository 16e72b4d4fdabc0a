"""The two commands: what they say, what they skip, and that the lock files cover the project."""

import importlib.util
import os
import re
import subprocess
import sys
import tomllib
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement

import build_client

ROOT = Path(__file__).parent.parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


@pytest.fixture(scope="module")
def dev() -> ModuleType:
    loader = SourceFileLoader("dev", str(ROOT / "dev"))
    spec = importlib.util.spec_from_loader("dev", loader)
    assert spec
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def run_dev(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """`./dev` with nothing but the standard library: no site-packages, nearly no environment."""
    environment = {"PATH": "/usr/bin:/bin"}
    return subprocess.run(
        [sys.executable, "-S", ROOT / "dev", *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_it_needs_nothing_but_python_and_explains_itself() -> None:
    told = run_dev("--help")
    assert told.returncode == 0
    for command in ("run", "test", "lint", "build", "bench", "lock"):
        assert f"./dev {command} " in told.stdout


@pytest.mark.parametrize("arguments", [[], ["dance"]])
def test_an_unknown_command_gets_the_same_explanation(arguments: list[str]) -> None:
    told = run_dev(*arguments)
    assert told.returncode == 2
    assert "./dev run" in told.stdout


def test_an_unknown_option_is_refused_before_anything_is_installed() -> None:
    told = run_dev("run", "--port", "8080")
    assert told.returncode == 1
    assert "Unknown: --port 8080. What is meant for the program behind comes after `--`." in told.stderr
    assert "installing" not in told.stdout


def test_what_follows_the_dashes_is_handed_on(dev: ModuleType) -> None:
    assert dev.split(["--full", "--", "-k", "lobby", "--", "x"]) == (["--full"], ["-k", "lobby", "--", "x"])
    assert dev.split(["--full"]) == (["--full"], [])


def test_a_current_environment_is_left_alone(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "pyproject.toml").write_text("one")
    (tmp_path / "requirements.lock").write_text("a==1")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(dev, "VENV", tmp_path)
    installed: list[tuple[str, ...]] = []
    monkeypatch.setattr(dev, "PYTHON", Path(sys.executable))
    monkeypatch.setattr(dev, "client", lambda: None)
    monkeypatch.setattr(dev, "pip_install", lambda *what: installed.append(what))
    everything = [("--require-hashes", "-r", "requirements.lock"), ("--editable", ".")]

    dev.install("requirements.lock")
    assert installed == everything
    dev.install("requirements.lock")
    assert installed == everything
    (tmp_path / "requirements.lock").write_text("a==2")
    dev.install("requirements.lock")
    assert installed == everything * 2


def test_a_failed_installation_is_tried_again(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "requirements.lock").touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(dev, "VENV", tmp_path)
    monkeypatch.setattr(dev, "PYTHON", Path(sys.executable))

    def fail(*what: str) -> None:
        raise subprocess.CalledProcessError(1, ["pip", *what])

    monkeypatch.setattr(dev, "pip_install", fail)
    with pytest.raises(subprocess.CalledProcessError):
        dev.install("requirements.lock")
    assert not list(tmp_path.glob("stamp-*"))


def test_without_the_right_to_install_it_says_what_to_type(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dev, "find_postgres", lambda: False)
    monkeypatch.setattr(dev, "may_install", lambda: False)
    monkeypatch.setattr(dev.sys, "platform", "linux")
    with pytest.raises(SystemExit, match="sudo apt-get install postgresql"):
        dev.need_postgres()


def test_a_missing_venv_module_is_named(dev: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    monkeypatch.setattr(dev, "may_install", lambda: False)
    package = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
    with pytest.raises(SystemExit, match=f"apt-get install {package}"):
        dev.need_venv_module()


# ---- the client ------------------------------------------------------------------------------------------


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A small client in a place of its own."""
    folder = tmp_path / "web"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "main.ts").write_text("export {};")
    monkeypatch.setattr(build_client, "WEB", folder)
    monkeypatch.setattr(build_client, "BUILD_FILE", tmp_path / "build.txt")
    return folder


def test_the_client_is_built_when_its_sources_changed(web: Path) -> None:
    assert not build_client.up_to_date()
    build_client.BUILD_FILE.write_text(build_client.source_id() + "\n")
    assert build_client.up_to_date()
    (web / "src" / "main.ts").write_text("export {}; ")
    assert not build_client.up_to_date()


def test_installed_packages_are_no_sources(web: Path) -> None:
    before = build_client.source_id()
    (web / "node_modules").mkdir()
    (web / "node_modules" / "vite.js").touch()
    assert build_client.source_id() == before
    (web / "src" / "main.ts").rename(web / "src" / "start.ts")
    assert build_client.source_id() != before


@pytest.mark.parametrize(
    ("version", "enough"),
    [
        ("v18.20.0", False),
        ("v20.18.3", False),
        ("v20.19.0", True),
        ("v21.7.0", False),
        ("v22.11.0", False),
        ("v22.12.0", True),
        ("v24.1.0", True),
        ("", False),
    ],
)
def test_an_old_node_is_not_used(version: str, enough: bool, tmp_path: Path) -> None:
    node = tmp_path / "node"
    node.write_text(f"#!/bin/sh\necho {version}\n")
    node.chmod(0o755)
    assert build_client.new_enough(str(node)) is enough


def test_no_node_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    with pytest.raises(build_client.NoNode, match=r"20\.19"):
        build_client.find_node()


# ---- the lock files --------------------------------------------------------------------------------------


def locked(name: str) -> dict[str, str]:
    """Package and version, by normal name."""
    text = (ROOT / name).read_text()
    found = dict(re.findall(r"^([A-Za-z0-9._-]+)==(\S+)", text, re.MULTILINE))
    return {re.sub(r"[-_.]+", "-", package).lower(): version for package, version in found.items()}


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("requirements.lock", PYPROJECT["project"]["dependencies"]),
        (
            "requirements-test.lock",
            PYPROJECT["project"]["dependencies"] + PYPROJECT["project"]["optional-dependencies"]["test"],
        ),
    ],
)
def test_the_lock_covers_what_the_project_asks_for(name: str, wanted: list[str]) -> None:
    versions = locked(name)
    for requirement in map(Requirement, wanted):
        package = re.sub(r"[-_.]+", "-", requirement.name).lower()
        assert package in versions, f"{package} is not locked: run ./dev lock"
        assert requirement.specifier.contains(versions[package], prereleases=True), (
            f"{package}: run ./dev lock"
        )


def test_tests_run_with_the_versions_that_are_served() -> None:
    assert locked("requirements.lock").items() <= locked("requirements-test.lock").items()


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-test.lock"])
def test_every_locked_package_has_hashes_and_no_address(name: str) -> None:
    text = (ROOT / name).read_text()
    entries = re.split(r"^(?=[A-Za-z0-9])", text, flags=re.MULTILINE)[1:]
    assert len(entries) > 20
    assert all("--hash=sha256:" in entry for entry in entries)
    assert "://" not in text
    assert not re.search(r"^(-i|--(extra-)?index-url|--find-links|--trusted-host)", text, re.MULTILINE)


def test_the_file_is_a_program() -> None:
    assert os.access(ROOT / "dev", os.X_OK)
