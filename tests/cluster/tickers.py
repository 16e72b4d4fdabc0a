"""A ticker as a process of its own: `python -m tests.cluster.tickers STORE DATABASE [doomed]`.

It has all that a worker has but sockets. One that is doomed is killed in the moment in which its first claim has been
granted: it has taken tables, and does nothing with them.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys

from server.archive.keeper import Keeper
from server.archive.session import create_engine, create_session_factory
from server.clock import StoreClock
from server.tables.archiver import Archiver
from server.tables.service import Service
from server.tables.store import Store
from server.tables.ticker import Ticker


class Doomed(Store):
    """A store whose user dies of the first claim."""

    async def claim_due(self, now: int) -> list[str]:
        """What is due; whoever gets some does not live to see it."""
        claimed = await super().claim_due(now)
        if claimed:
            print(len(claimed), flush=True)
            os.kill(os.getpid(), signal.SIGKILL)
        return claimed


async def main(store_url: str, database_url: str, doomed: bool) -> None:
    """Run until killed."""
    clock = StoreClock()
    store = (Doomed if doomed else Store)(store_url)
    await store.set_clock(clock)
    keeper = Keeper(create_session_factory(create_engine(database_url)), clock)
    service = Service(store, clock)
    archiver = Archiver(store, keeper.save, clock)
    service.on_finished = archiver.wake
    print("ready", flush=True)
    await asyncio.gather(Ticker(store, service, clock).run(), archiver.run())


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], "doomed" in sys.argv))
