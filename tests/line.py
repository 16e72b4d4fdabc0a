"""A line to the house that can go silent without closing: the half-open case that real networks make."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Iterator

from tests.house import House


class Line:
    """A proxy in front of a house. Use as `async with`, or from plain code through `running_line`."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._open = asyncio.Event()
        self._open.set()
        self._writers: list[asyncio.StreamWriter] = []
        self._server: asyncio.Server | None = None
        self.loop: asyncio.AbstractEventLoop | None = None
        self.url = ""

    async def __aenter__(self) -> Line:
        self.loop = asyncio.get_running_loop()
        self._server = await asyncio.start_server(self._connect, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._open.set()
        for writer in self._writers:
            writer.close()
        if self._server is not None:
            self._server.close()

    def silence(self) -> None:
        """Nothing passes any more, in either direction, and nobody is told."""
        assert self.loop is not None
        self.loop.call_soon_threadsafe(self._open.clear)

    def restore(self) -> None:
        """What was held up arrives in a burst."""
        assert self.loop is not None
        self.loop.call_soon_threadsafe(self._open.set)

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._open.wait()
        there_reader, there_writer = await asyncio.open_connection("127.0.0.1", self._house.port)
        self._writers += [writer, there_writer]
        await asyncio.gather(self._pump(reader, there_writer), self._pump(there_reader, writer))

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                await self._open.wait()
                writer.write(data)
                await writer.drain()
        writer.close()


@contextlib.contextmanager
def running_line(house: House) -> Iterator[Line]:
    """A line whose loop runs in a thread, for tests that do not."""
    line = Line(house)
    started, ended = threading.Event(), asyncio.Event()

    async def run() -> None:
        async with line:
            started.set()
            await ended.wait()

    thread = threading.Thread(target=asyncio.run, args=(run(),), daemon=True)
    thread.start()
    started.wait(10)
    try:
        yield line
    finally:
        assert line.loop is not None
        line.loop.call_soon_threadsafe(ended.set)
        thread.join(10)
