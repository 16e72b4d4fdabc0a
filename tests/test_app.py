"""The application: what comes in at which door, and that a worker goes down when it is told to."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import subprocess
import sys
from pathlib import Path

import pytest
from fastapi import FastAPI, WebSocket
from starlette.types import Message

from server.app import create_app, end_all
from server.config import Settings
from server.gateway import endpoint


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


def test_a_worker_collects_what_a_start_did_not(store_url: str, tmp_path: Path) -> None:
    code = f"""
import asyncio, gc
from server.app import create_app
from server.config import Settings
app = create_app(Settings({store_url!r}, "sqlite+aiosqlite:///{tmp_path / "a.db"}", b"x" * 32, log_level="error"))
async def start():
    gc.disable()
    async with app.router.lifespan_context(app):
        print(gc.isenabled())
asyncio.run(start())
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout == "True\n"


async def test_a_socket_goes_straight_to_its_endpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    """It waits for hours, and would in every call between."""
    opened: list[tuple[FastAPI, int]] = []

    async def socket(websocket: WebSocket, *ways: object) -> None:
        assert ways == (receive, send)
        opened.append((websocket.app, len(inspect.stack())))

    async def receive() -> Message:
        raise AssertionError

    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    monkeypatch.setattr(endpoint, "socket", socket)
    app = create_app(Settings(redis_url="", database_url="", secret=b"x" * 32))
    scope = {"type": "websocket", "path": "/ws", "headers": [], "query_string": b"", "root_path": ""}
    await app(scope, receive, send)
    assert opened == [(app, len(inspect.stack()) + 2)]  # its own call, and the application's
    await app(scope | {"path": "/elsewhere"}, receive, send)
    assert [message["type"] for message in sent] == ["websocket.close"]
    assert len(opened) == 1
