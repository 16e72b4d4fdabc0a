"""What a server holds while nobody does anything: by itself, for a socket, and for a table with four of them."""

from __future__ import annotations

import asyncio
import contextlib

from server.bench.parties import SEATS, arrive, seated
from server.bench.report import Report, Row, machine
from server.bench.tables import COME_TOGETHER, House, house

SETTLE_SECONDS = 1.0
"""After the last has come: sockets' buffers and finished tasks are gone by then."""


def measure(sockets: int, tables: int, workers: int = 1, settle: float = SETTLE_SECONDS) -> Report:
    """Start a server, and let sockets and tables come to it."""
    with house(workers) as there:
        rows = asyncio.run(_measure(there, sockets, tables, settle))
    what = f"bench idle: {sockets} sockets, {tables} tables, {workers} workers"
    return Report(what, machine(), tuple(rows))


async def _measure(there: House, sockets: int, tables: int, settle: float) -> list[Row]:
    rows = [Row("idle server", "MiB", 1, there.memory() / 2**20)]
    room = asyncio.Semaphore(COME_TOGETHER)
    async with contextlib.AsyncExitStack() as stack:

        async def open_socket() -> None:
            async with room:
                await arrive(stack, there.url, there.secret)

        async def open_table() -> None:
            async with room:
                party = await seated(stack, there.url, there.secret)
                await party.play(1)

        before = there.memory()
        await asyncio.gather(*(open_socket() for _ in range(sockets)))
        await asyncio.sleep(settle)
        with_sockets = there.memory()
        rows.append(
            Row("a socket that does nothing", "KiB", sockets, (with_sockets - before) / sockets / 1024)
        )
        stored = await there.store_memory()
        await asyncio.gather(*(open_table() for _ in range(tables)))
        await asyncio.sleep(settle)
        kib = (there.memory() - with_sockets) / tables / 1024
        rows.append(Row(f"a table with {SEATS} sockets", "KiB", tables, kib))
        kib = (await there.store_memory() - stored) / tables / 1024
        rows.append(Row("a table in the store", "KiB", tables, kib))
    return rows
