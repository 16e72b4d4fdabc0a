"""A worker goes down when it is told to, whatever its loops make of it."""

from __future__ import annotations

import asyncio
import contextlib

from server.app import end_all


async def swallowing_loop(swallows: int) -> None:
    """A loop in which some call loses that many cancellations."""
    while True:
        if not swallows:
            await asyncio.sleep(3600)
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(3600)
        swallows -= 1


async def test_a_cancellation_that_a_library_swallows_is_sent_again() -> None:
    loops = [asyncio.create_task(swallowing_loop(swallows)) for swallows in (0, 1, 2)]
    await asyncio.sleep(0)
    await asyncio.wait_for(end_all(loops), 10)
    assert all(loop.cancelled() for loop in loops)
