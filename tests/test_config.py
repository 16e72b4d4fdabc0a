"""Settings: complete or refused, with a message that helps."""

import dataclasses
from pathlib import Path

import pytest

from server.config import ConfigError, Settings, async_driver

COMPLETE = {
    "UPCARD_REDIS_URL": "redis://store/0",
    "UPCARD_DATABASE_URL": "postgres://user:word@host/upcard",
    "UPCARD_SECRET": "x" * 32,
}


def settings(**changes: str) -> Settings:
    return Settings.from_environment(COMPLETE | {f"UPCARD_{name}": value for name, value in changes.items()})


def test_what_is_not_set_has_its_default() -> None:
    found = settings()
    assert (found.host, found.port, found.workers, found.ping_seconds) == ("127.0.0.1", 8000, 1, 4)
    assert found.lease_seconds == 15
    assert found.data_dir == Path.cwd() / "data"
    assert found.origins == found.trusted_proxies == ()


def test_the_environment_decides() -> None:
    found = settings(
        PORT="9000",
        ORIGINS="https://a.example/, https://b.example",
        TRUSTED_PROXIES="10.0.0.0/8 ::1",
        SECURE_COOKIES="yes",
        PING_SECONDS="0.5",
        LOG_LEVEL="DEBUG",
        BUILD="abc",
    )
    assert found.port == 9000
    assert found.origins == ("https://a.example", "https://b.example")
    assert found.trusted_proxies == ("10.0.0.0/8", "::1")
    assert found.secure_cookies is True
    assert found.ping_seconds == 0.5
    assert (found.log_level, found.build) == ("debug", "abc")


@pytest.mark.parametrize("name", sorted(COMPLETE))
@pytest.mark.parametrize("value", ["", "  "])
def test_stores_and_secret_are_required(name: str, value: str) -> None:
    with pytest.raises(ConfigError, match=f"{name} is not set"):
        Settings.from_environment(COMPLETE | {name: value})


@pytest.mark.parametrize("scheme", ["redis", "rediss", "redis+cluster", "rediss+cluster"])
def test_a_store_is_one_server_or_a_cluster(scheme: str) -> None:
    url = f"{scheme}://user:word@one:6379"
    assert settings(REDIS_URL=url).redis_url == url


@pytest.mark.parametrize(
    "url", ["user:word@host", "valkey://user:word@host", "redis+cluster://:word@one,two/3"]
)
def test_an_address_that_is_no_store_is_refused_and_not_shown(url: str) -> None:
    with pytest.raises(ConfigError, match="UPCARD_REDIS_URL") as refused:
        settings(REDIS_URL=url)
    assert "word" not in str(refused.value)


def test_a_short_secret_is_refused_and_not_shown() -> None:
    with pytest.raises(ConfigError, match="at least 32 characters, it has 31") as refused:
        settings(SECRET="y" * 31)
    assert "yyy" not in str(refused.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "70000"),
        ("PORT", "http"),
        ("WORKERS", "0"),
        ("LOG_LEVEL", "loud"),
        ("SECURE_COOKIES", "maybe"),
        ("PING_SECONDS", "nan"),
        ("TRUSTED_PROXIES", "*"),
        ("TRUSTED_PROXIES", "10.0.0.1/8"),
        ("PLAYERS_PER_ADDRESS", "0"),
        ("MAX_SOCKETS", "-1"),
        ("DATABASE_URL", "mysql://host/upcard"),
        ("DATABASE_URL", "upcard.db"),
    ],
)
def test_a_wrong_value_is_named(name: str, value: str) -> None:
    with pytest.raises(ConfigError, match=f"UPCARD_{name} should be"):
        settings(**{name: value})


@pytest.mark.parametrize(
    ("given", "used"),
    [
        ("postgres://h/d", "postgresql+asyncpg://h/d"),
        ("postgresql://h/d?a=b", "postgresql+asyncpg://h/d?a=b"),
        ("postgresql+asyncpg://h/d", "postgresql+asyncpg://h/d"),
        ("sqlite:////tmp/x.db", "sqlite+aiosqlite:////tmp/x.db"),
    ],
)
def test_databases_are_spoken_to_by_asyncio_drivers(given: str, used: str) -> None:
    assert async_driver(given) == used


def test_settings_cannot_change_and_do_not_tell_secrets() -> None:
    found = settings()
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.port = 1  # type: ignore[misc]
    assert "xxx" not in repr(found)
    assert "word" not in repr(found)
