"""What is sent on one socket, and to whom nothing more is sent."""

from __future__ import annotations

import asyncio
import json
from types import SimpleNamespace
from typing import cast
from weakref import ref

import pytest
from fastapi import WebSocket
from msgspec.structs import replace

from server.brief import Reader
from server.clock import FakeClock
from server.gateway import endpoint
from server.gateway.connection import Connection
from server.gateway.outbox import Commons, Outbox
from server.protocol import Frame, Pong
from tests.frames import frame_of
from tests.tables.scene import Scene


class Socket:
    """A socket that says nothing, and takes so many texts."""

    def __init__(self, takes: int) -> None:
        self.taken: list[str] = []
        self._takes = takes

    async def receive_text(self) -> str:
        await asyncio.Event().wait()
        raise AssertionError

    async def send_text(self, text: str) -> None:
        if len(self.taken) == self._takes:
            await asyncio.Event().wait()
        self.taken.append(text)


def talk(socket: Socket, outbox: Outbox) -> asyncio.Task[int | None]:
    connection = cast("Connection", SimpleNamespace(outbox=outbox))
    return asyncio.create_task(endpoint._talk(cast("WebSocket", socket), connection))


async def test_who_does_not_read_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoint, "SEND_SECONDS", 0.02)
    outbox = Outbox("ada", FakeClock(), Commons())
    socket = Socket(takes=1)
    talking = talk(socket, outbox)
    outbox.put(Pong(1))
    outbox.put(Pong(2))
    assert await asyncio.wait_for(talking, 5) == endpoint.FLOODED
    assert len(socket.taken) == 1


async def test_who_has_nothing_to_read_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoint, "SEND_SECONDS", 0.02)
    outbox = Outbox("ada", FakeClock(), Commons())
    socket = Socket(takes=99)
    talking = talk(socket, outbox)
    outbox.put(Pong(1))
    done, _ = await asyncio.wait([talking], timeout=0.2)
    assert not done
    outbox.put(Pong(2))
    await asyncio.wait([talking], timeout=0.05)
    assert [text.count("pong") for text in socket.taken] == [1, 1]
    talking.cancel()
    await asyncio.wait([talking])


async def test_a_table_that_was_shown_is_not_kept() -> None:
    outbox = Outbox("ada", FakeClock(), Commons())
    scene = Scene()
    shown = ref(scene.table)
    outbox.show(scene.table, (), False)
    assert '"frame"' in await outbox.next()
    del scene
    assert shown() is None


@pytest.mark.parametrize("sync", [False, True])
async def test_what_was_seen_before_is_shown_again_only_for_good(sync: bool) -> None:
    """News of a worker that had stopped come one after the other, while the table is being looked up."""
    scene = Scene()
    outbox = Outbox("ada", FakeClock(), Commons())
    outbox.expect(scene.table.id, scene.table.v + 1)
    outbox.show(scene.table, (), sync)
    if sync:
        assert json.loads(await outbox.next())["sync"]
    scene.come("ada")
    scene.sit("ben", 1)
    outbox.show(scene.table, (), False)
    assert json.loads(await outbox.next())["v"] == scene.table.v


async def shown(outbox: Outbox, scene: Scene) -> str:
    """The text of a table's next frame."""
    outbox.show(scene.table, (), False)
    return await outbox.next()


async def test_a_frame_leaves_out_what_was_sent_and_not_what_was_passed_over() -> None:
    scene, outbox, reader = Scene(), Outbox("ada", FakeClock(), Commons()), Reader()
    reader.read(await shown(outbox, scene))
    scene.come("ada")
    outbox.show(scene.table, (), False)  # nobody sends it
    scene.sit("ben", 1)
    text = await shown(outbox, scene)
    assert "about" not in json.loads(text)
    assert reader.read(text) == frame_of(scene.table, "ada", FakeClock().now())


async def test_after_a_watch_a_frame_is_whole() -> None:
    scene, outbox = Scene(), Outbox("ada", FakeClock(), Commons())
    whole = await shown(outbox, scene)
    assert len(await shown(outbox, scene)) < 100
    outbox.expect(scene.table.id, None)
    assert await shown(outbox, scene) == whole
    assert len(await shown(outbox, scene)) < 100


async def test_the_protocol_before_knows_whole_frames_only() -> None:
    scene, outbox = Scene(), Outbox("ada", FakeClock(), Commons())
    outbox.whole = True
    first: Frame = Reader().read(await shown(outbox, scene))
    assert first.about is not None
    scene.come("ada")
    second: Frame = Reader().read(await shown(outbox, scene))
    assert second == replace(frame_of(scene.table, "ada", FakeClock().now()), about=None)
