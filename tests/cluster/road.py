"""A player's way to the workers: a proxy that chooses the worker, and can go silent or break.

What is silent is not closed: neither side is told, the half-open case that real networks make.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from typing import Self


class Lane:
    """One connection through the road, to one worker."""

    def __init__(self, worker: int) -> None:
        self.worker = worker
        self.open = asyncio.Event()
        self.open.set()
        self.writers: list[asyncio.StreamWriter] = []


class Road:
    """Listens on a port of its own. `worker` is where the next connection goes; `ports` is by worker.

    A path in the place of a port is a socket in the file system.
    """

    def __init__(self, ports: Sequence[int | str]) -> None:
        self.worker = 0
        self.lanes: set[Lane] = set()
        self.port = 0
        self._ports = ports
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connect, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._server is not None:
            self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def silence(self) -> None:
        """Nothing passes any more on the connections that there are, and nobody is told. New ones are open."""
        for lane in self.lanes:
            lane.open.clear()

    def cut(self) -> None:
        """Break every connection."""
        for lane in self.lanes:
            for writer in lane.writers:
                writer.transport.abort()

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        lane = Lane(self.worker)
        lane.writers.append(writer)
        try:
            there_reader, there_writer = await self._there(self._ports[lane.worker])
            lane.writers.append(there_writer)
            self.lanes.add(lane)
            await asyncio.gather(
                self._pump(lane, reader, there_writer), self._pump(lane, there_reader, writer)
            )
        except (OSError, asyncio.CancelledError):
            pass  # nobody listens there now, or the road is closed
        finally:
            self.lanes.discard(lane)
            self._tasks.discard(task)
            for each in lane.writers:
                each.close()

    async def _there(self, port: int | str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if isinstance(port, str):
            return await asyncio.open_unix_connection(port)
        return await asyncio.open_connection("127.0.0.1", port)

    async def _pump(self, lane: Lane, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                await lane.open.wait()
                writer.write(data)
                await writer.drain()
            await lane.open.wait()
        writer.close()
