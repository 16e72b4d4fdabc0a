"""A table left in each way its life can end leaves no key, no timer and no task behind."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from server.tables import commands
from server.tables.timers import EMPTY_MS, PAUSED_MS
from tests.tables.shop import Shop


async def never_joined(shop: Shop) -> None:
    await shop.open()
    await shop.wait(EMPTY_MS / 1000)


async def stood_up(shop: Shop) -> None:
    await shop.open()
    await shop.come("ada")
    await shop.do(commands.Stand, "ada")
    await shop.go("ada")
    await shop.wait(EMPTY_MS / 1000)


async def all_dropped_before_the_match(shop: Shop) -> None:
    await shop.open()
    await shop.come("ada")
    await shop.go("ada")
    await shop.wait(EMPTY_MS / 1000)


async def match_over(shop: Shop) -> None:
    await shop.deal(max_hands=1, tie="turn_order")
    for _ in range(4):
        await shop.play_out()
        if (await shop.service.read(shop.id)).phase == "over":
            break
        for player in ("ada", "ben"):
            await shop.do(commands.Ready, player, True, "")
    await shop.wait(600)


async def claimed(shop: Shop) -> None:
    await shop.deal(turn_seconds=60)
    await shop.go("ben")
    await shop.wait(30)
    await shop.do(commands.Claim, "ada", 1, "claim")
    assert (await shop.service.read(shop.id)).phase == "over"
    await shop.wait(600)


async def paused_for_a_day(shop: Shop) -> None:
    await shop.deal()
    await shop.go("ada")
    await shop.go("ben")
    await shop.wait(PAUSED_MS / 1000)


async def everybody_left(shop: Shop) -> None:
    await shop.deal()
    for player in ("ada", "ben"):
        await shop.do(commands.Leave, player)


async def everybody_left_between_hands(shop: Shop) -> None:
    await shop.deal()
    await shop.play_out()
    for player in ("ada", "ben"):
        await shop.do(commands.Leave, player)


@pytest.mark.parametrize(
    "ending",
    [
        never_joined,
        stood_up,
        all_dropped_before_the_match,
        match_over,
        claimed,
        paused_for_a_day,
        everybody_left,
        everybody_left_between_hands,
    ],
    ids=lambda ending: ending.__name__,
)
async def test_nothing_is_left_behind(shop: Shop, ending: Callable[[Shop], Awaitable[None]]) -> None:
    await ending(shop)
    await shop.wait(16)  # leases of sockets that watched to the end run out
    async for shard, name, _ in shop.store.done(100):
        await shop.store.forget_done(shard, name)  # the archiver's part
    assert await shop.redis.keys() == []
    assert shop.hub._watches == {}
    assert shop.ticker._timers == {}
    assert shop.ticker._tasks == shop.hub._tasks == set()
    assert shop.service._locks == {}
