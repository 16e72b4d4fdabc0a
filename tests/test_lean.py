"""Those who wait, in little room."""

from __future__ import annotations

import asyncio

import pytest

from server.lean import Event, Queue


async def soon() -> None:
    """Let everybody who can go on do so."""
    for _ in range(3):
        await asyncio.sleep(0)


async def test_all_who_wait_go_on_and_whoever_comes_does_not_wait() -> None:
    event = Event()
    waiting = [asyncio.create_task(event.wait()) for _ in range(3)]
    await soon()
    assert not any(task.done() for task in waiting)
    waiting[0].cancel()
    await soon()
    event.set()
    await asyncio.gather(*waiting[1:])
    await event.wait()
    event.clear()
    later = asyncio.create_task(event.wait())
    await soon()
    assert not later.done()
    event.set()
    await later


async def test_what_is_put_is_taken_in_order_by_whoever_waits_or_comes() -> None:
    queue: Queue[int] = Queue()
    assert queue.empty()
    waiting = asyncio.create_task(queue.get())
    await soon()
    for item in (1, 2, 3):
        queue.put_nowait(item)
    assert await waiting == 1
    assert [await queue.get(), await queue.get()] == [2, 3]
    assert queue.empty()


async def test_who_gives_up_takes_nothing_along() -> None:
    queue: Queue[int] = Queue()
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(queue.get(), 0.01)
    queue.put_nowait(1)
    assert await queue.get() == 1
    waiting = asyncio.create_task(queue.get())
    await soon()
    queue.put_nowait(2)
    waiting.cancel()  # woken, and cancelled before it could take anything
    await soon()
    assert await queue.get() == 2
