"""What an operator sees: gauges of what grows, counters of what is refused, and how late things are."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from server.client import Client, new_session
from server.clock import FakeClock
from server.rules.refusal import Refused
from server.tables.archiver import Archiver, Away
from server.tables.finished import encode
from tests.conftest import FULL
from tests.gateway.players import play_on, two_and_two
from tests.house import House, running_house
from tests.tables.scene import dealt

Sample = dict[str, float]


async def measured(house: House) -> Sample:
    """Every sample, its labels behind the name: `upcard_tables konken`."""
    async with httpx.AsyncClient() as http:
        text = (await http.get(f"{house.url}/metrics")).text
    return {
        " ".join([sample.name, *(value for _, value in sorted(sample.labels.items()))]): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


async def until(house: House, holds: Callable[[Sample], bool]) -> Sample:
    """Wait for the pulse to tell."""
    async with asyncio.timeout(20):
        while not holds(found := await measured(house)):  # noqa: ASYNC110 - the server is another process
            await asyncio.sleep(0.1)
    return found


@pytest.mark.parametrize("workers", [1, 2] if FULL else [2])
async def test_a_house_in_play_is_measured(tmp_path: Path, workers: int) -> None:
    with running_house(tmp_path, workers) as house:
        cookies = [await asyncio.to_thread(new_session, house.url, name) for name in ("Ada", "Ben")]
        async with Client(house.url, cookies[0]) as ada, Client(house.url, cookies[1]) as ben:
            table = await two_and_two(ada, ben, grace_seconds=2)
            await ada.create(private=True, game="conquian")
            await asyncio.gather(play_on(ada, table, 1), play_on(ben, table, 1))
            with pytest.raises(Refused):
                await ada.sit(table)
            found = await until(
                house, lambda m: m.get("upcard_tables konken") == 1 == m.get("upcard_tables conquian")
            )
            assert found["upcard_tables conker"] == 0
            assert found["upcard_sockets"] == 2
            assert found["upcard_refusals_total already_seated"] == 1
            tallies = {"commits": 10, "frames_sent": 20, "messages": 10}  # another worker tells with its beat
            await until(
                house, lambda m: all(m[f"upcard_{name}_total"] > least for name, least in tallies.items())
            )
            found = await until(house, lambda m: m["upcard_archive_waiting"] == 0)
            assert found["upcard_bot_seconds_count konken"] > 1
            assert found["upcard_ticker_lag_seconds_count bot"] > 1
            assert found["upcard_archived_hands_total"] == 1
            assert found["upcard_archive_waiting"] == 0
            assert found["upcard_archive_lag_seconds"] == 0
            found = await until(house, lambda m: m.get("upcard_kept watchers", 0) == 3)
            assert found["upcard_kept connections"] == found["upcard_kept sockets"] == 2
            assert found["upcard_kept addresses"] <= workers
            assert found["upcard_kept timers"] >= 1
            assert found["upcard_kept locks"] <= 2
            assert found["upcard_kept tasks"] < 60
            await ben.close()
            found = await until(house, lambda m: m.get("upcard_ticker_lag_seconds_count clock", 0) >= 1)
            assert found["upcard_ticker_lag_seconds_sum clock"] < 5, "the end of a grace was on time"
        found = await until(house, lambda m: m.get("upcard_kept watches", 1) == 0)
        assert found["upcard_sockets"] == 0
        assert found["upcard_kept connections"] == found["upcard_kept watchers"] == 0


# ---- what waits for the archive


class Waiting:
    """A store in which so many items wait."""

    def __init__(self, count: int) -> None:
        scene = dealt("ben", bots=2)
        scene.play_out()
        self.items = {f"item {n}": encode(scene.finished[0]) for n in range(count)}

    async def done(self, page: int) -> AsyncIterator[tuple[str, str, bytes]]:
        for name, payload in list(self.items.items()):
            yield "0", name, payload

    async def forget_done(self, shard: str, name: str) -> None:
        del self.items[name]


async def kept(_: object) -> bool:
    return True


async def away(_: object) -> bool:
    raise Away


async def broken(_: object) -> bool:
    raise ValueError


async def test_lag_is_since_the_last_round_that_left_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    monkeypatch.setattr("server.tables.archiver.time.monotonic", lambda: clock[0])
    store = Waiting(3)
    archiver = Archiver(store, kept, FakeClock())  # type: ignore[arg-type]
    clock[0] += 7
    assert archiver.lag_seconds == 7
    await archiver.drain()
    assert archiver.lag_seconds == 0
    for save in (away, broken):
        archiver._save = save
        store.items.update(Waiting(2).items)
        clock[0] += 5
        with contextlib.suppress(Away):
            await archiver.drain()
        assert archiver.lag_seconds >= 5
    archiver._save = kept
    await archiver.drain()
    assert archiver.lag_seconds == 0
