"""The house's time: set by the store, and hurried as a whole where the settings say so."""

from __future__ import annotations

import time

import pytest

from server.clock import StoreClock
from server.config import ConfigError, Settings
from server.launcher import uvicorn_config

GIVEN = {
    "UPCARD_REDIS_URL": "redis://store/0",
    "UPCARD_DATABASE_URL": "sqlite:///archive.db",
    "UPCARD_SECRET": "x" * 32,
}


@pytest.mark.parametrize("rate", [1, 10])
def test_workers_that_hear_the_same_time_tell_the_same_time(
    rate: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each has a monotonic clock of its own; what the store says makes one time line of them, hurried or not."""
    told = []
    for started in (5.0, 70_000.0):
        monkeypatch.setattr(time, "monotonic", lambda started=started: started)
        clock = StoreClock(rate)
        clock.set(1_700_000_000_000, started, started)
        monkeypatch.setattr(time, "monotonic", lambda started=started: started + 2)
        told.append(clock.now())
    assert told == [int(1_700_000_002_000 * rate)] * 2


def test_an_answer_that_took_long_does_not_spoil_a_clock_that_is_right(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Half a second between question and answer, all of it before the store looked: a clock set by it is late."""
    monkeypatch.setattr(time, "monotonic", lambda: 10.0)
    clock = StoreClock()
    clock.set(1_000_500, 10.0, 10.5)
    assert clock.doubt(10.5) == 250
    assert clock.now() == 1_000_250
    clock.set(1_000_601, 10.6, 10.602)
    assert clock.now() == 1_000_000
    clock.set(1_003_000, 12.0, 13.0)
    assert clock.now() == 1_000_000
    clock.set(1_070_050, 80.0, 80.06)
    assert clock.now() == 1_000_020, "after a minute, thirty milliseconds are as good as what it was set by"


def test_a_hurried_clock_has_shorter_seconds() -> None:
    assert StoreClock().seconds(15_000) == 15
    assert StoreClock(10).seconds(15_000) == 1.5


def test_the_settings_hurry_everything_or_nothing() -> None:
    usual = Settings.from_environment(GIVEN)
    assert usual.time_rate == 1
    assert uvicorn_config(usual).ws_ping_interval == 4
    hurried = Settings.from_environment(GIVEN | {"UPCARD_TIME_RATE": "10"})
    assert hurried.time_rate == 10
    assert (uvicorn_config(hurried).ws_ping_interval, uvicorn_config(hurried).ws_ping_timeout) == (0.4, 0.4)
    for wrong in ("0", "0.5", "21", "fast"):
        with pytest.raises(ConfigError, match="UPCARD_TIME_RATE"):
            Settings.from_environment(GIVEN | {"UPCARD_TIME_RATE": wrong})
