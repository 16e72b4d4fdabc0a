"""What is sent on one socket, and to whom nothing more is sent."""

from __future__ import annotations

import asyncio
import json
from types import SimpleNamespace
from typing import cast
from weakref import ref

import pytest
from msgspec.structs import replace
from starlette.types import Message
from structlog.testing import capture_logs

from server.brief import Reader
from server.clock import FakeClock
from server.gateway import endpoint
from server.gateway.connection import Connection
from server.gateway.outbox import MOST_ANSWERS, Commons, Outbox
from server.protocol import Frame, Gone, Pong
from server.rules.refusal import Code
from server.tables.views import sight_of
from tests.frames import frame_of
from tests.tables.scene import Scene


class Wire:
    """A socket as uvicorn hands it on: a close from our side ends its messages, too."""

    def __init__(self, blocked: bool = False) -> None:
        self.sent: list[Message] = []
        self.heard: asyncio.Queue[Message] = asyncio.Queue()
        self._blocked = blocked

    async def receive(self) -> Message:
        return await self.heard.get()

    async def send(self, message: Message) -> None:
        if self._blocked:
            await asyncio.Event().wait()
        self.sent.append(message)
        if message["type"] == "websocket.close":
            self.heard.put_nowait({"type": "websocket.disconnect", "code": message["code"]})


def talk(wire: Wire, outbox: Outbox) -> asyncio.Task[int | None]:
    connection = cast("Connection", SimpleNamespace(outbox=outbox))
    return asyncio.create_task(endpoint._talk(wire.receive, wire.send, connection))


async def test_what_is_put_is_sent_until_the_other_side_ends_it() -> None:
    wire, outbox = Wire(), Outbox("ada", FakeClock(), Commons())
    talking = talk(wire, outbox)
    outbox.put(Pong(1))
    outbox.put(Pong(2))
    await asyncio.sleep(0.01)
    assert [json.loads(message["text"])["now"] for message in wire.sent] == [1, 2]
    wire.heard.put_nowait({"type": "websocket.disconnect", "code": 1001})
    assert await asyncio.wait_for(talking, 5) is None
    assert len(wire.sent) == 2


async def test_a_socket_ends_while_something_is_being_sent() -> None:
    wire, outbox = Wire(blocked=True), Outbox("ada", FakeClock(), Commons())
    talking = talk(wire, outbox)
    outbox.put(Pong(1))
    await asyncio.sleep(0.01)
    wire.heard.put_nowait({"type": "websocket.disconnect", "code": endpoint.RESTARTING})
    assert await asyncio.wait_for(talking, 5) == endpoint.RESTARTING


class Line:
    """A socket that is written to at once, while it is free."""

    def __init__(self) -> None:
        self.free = True
        self.written: list[str] = []

    def write(self, text: str) -> None:
        self.written.append(text)


async def test_what_need_not_wait_is_written_at_once_and_passes_by_nothing_that_waits() -> None:
    wire, outbox, line = Wire(), Outbox("ada", FakeClock(), Commons()), Line()
    outbox.line = line
    outbox.put(Pong(0))  # nobody writes yet
    talking = talk(wire, outbox)
    await asyncio.sleep(0.01)
    outbox.put(Pong(1))
    assert [json.loads(text)["now"] for text in line.written] == [1]
    line.free = False
    outbox.put(Pong(2))
    line.free = True
    outbox.put(Pong(3))
    assert len(line.written) == 1
    await asyncio.sleep(0.01)
    assert [json.loads(message["text"])["now"] for message in wire.sent] == [0, 2, 3]
    scene = Scene()
    outbox.show(scene.table, (), False)
    assert len(line.written) == 1  # what is shown first waits for what comes with it
    await asyncio.sleep(0.01)
    scene.come("ada")
    outbox.show(scene.table, (), False)
    assert json.loads(line.written[1])["v"] == scene.table.v
    talking.cancel()
    await asyncio.wait([talking])


async def test_who_lets_too_much_wait_is_told_so() -> None:
    wire, outbox = Wire(), Outbox("ada", FakeClock(), Commons())
    for _ in range(MOST_ANSWERS + 1):
        outbox.put(Pong(1))
    assert await asyncio.wait_for(talk(wire, outbox), 5) is None
    assert json.loads(wire.sent[0]["text"])["reason"] == "flood"
    assert wire.sent[1]["code"] == endpoint.FLOODED


async def test_who_is_not_told_that_nothing_more_comes_is_not_listened_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(endpoint, "GOODBYE_SECONDS", 0.01)
    wire, outbox = Wire(blocked=True), Outbox("ada", FakeClock(), Commons())
    for _ in range(MOST_ANSWERS + 1):
        outbox.put(Pong(1))
    talking = talk(wire, outbox)
    await asyncio.sleep(0.1)
    wire.heard.put_nowait({"type": "websocket.receive", "text": "{}"})
    assert await asyncio.wait_for(talking, 5) == endpoint.FAULT


@pytest.mark.parametrize("at_once", [False, True])
async def test_a_fault_leaves_no_socket_without_frames(
    monkeypatch: pytest.MonkeyPatch, at_once: bool
) -> None:
    wire, outbox, scene = Wire(), Outbox("ada", FakeClock(), Commons()), Scene()
    monkeypatch.delattr(outbox, "_commons")
    with capture_logs() as told:
        talking = talk(wire, outbox)
        if at_once:
            outbox.line = Line()
            await asyncio.sleep(0.01)
            outbox._shown[scene.table.id] = sight_of(scene.table, "ada", 0)
        outbox.show(scene.table, (), False)
        assert await asyncio.wait_for(talking, 5) is None
    assert [message["code"] for message in wire.sent] == [endpoint.FAULT]
    assert [entry["event"] for entry in told] == ["fault"]


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


async def test_what_comes_after_a_table_was_forgotten_keeps_its_place() -> None:
    """A table closes to a slow socket, which opens it again at once."""
    scene, outbox = Scene(), Outbox("ada", FakeClock(), Commons())
    outbox.show(scene.table, (), False)
    outbox.forget(scene.table.id)
    outbox.put(Gone(scene.table.id, Code.PRIVATE))
    outbox.expect(scene.table.id, None)
    outbox.show(scene.table, (), False)
    assert [json.loads(await outbox.next())["t"] for _ in range(2)] == ["gone", "frame"]


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
