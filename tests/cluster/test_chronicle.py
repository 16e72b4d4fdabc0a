"""The append-only file as a chronicle: whole commands, whole transactions, every commit in order."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from server.tables.store import Store
from server.tables.table import Decision, Table
from tests.cluster.chronicle import commands, read_lineage, whole_commands
from tests.cluster.houses import LiveStore
from tests.tables.scene import dealt

WRITTEN = (
    b"*1\r\n$5\r\nMULTI\r\n*2\r\n$3\r\nDEL\r\n$1\r\na\r\n*1\r\n$4\r\nEXEC\r\n*2\r\n$3\r\ndel\r\n$1\r\nb\r\n"
)


@pytest.fixture
def live(tmp_path: Path) -> Iterator[LiveStore]:
    live = LiveStore(tmp_path / "store")
    live.start()
    yield live
    live.stop()


def test_every_length_of_a_file_gives_what_is_whole() -> None:
    assert list(commands(WRITTEN)) == [[b"MULTI"], [b"DEL", b"a"], [b"EXEC"], [b"del", b"b"]]
    for length in range(len(WRITTEN)):
        found = [words[1] for words in whole_commands(WRITTEN[:length])]
        assert found == ([b"a"] if length >= WRITTEN.index(b"*2\r\n$3\r\ndel") else [])
    assert list(whole_commands(b"#TS:1\r\n" + WRITTEN)) == [[b"DEL", b"a"], [b"DEL", b"b"]]


async def test_what_a_real_store_writes_is_read_again(live: LiveStore) -> None:
    scene = dealt("ben", bots=2)
    store = Store(live.url)
    first = scene.table
    held = await store.commit(None, Decision(first, finished=tuple(scene.finished)))
    second = replace(first, v=first.v + 1)
    held = await store.commit(held, Decision(second))
    await store.commit(held, Decision(replace(second, v=second.v + 1), closed=True))
    await store.close()
    lineage = read_lineage(live.appended)
    assert [commit.state for commit in lineage.commits] == [first, second, None]
    assert {commit.table for commit in lineage.commits} == {first.id}
    assert list(lineage.finished.values()) == scene.finished


async def stored(live: LiveStore, table: Table) -> Table | None:
    """What lies in the store now, as a connection of its own finds it."""
    store = Store(live.url)
    held = await store.load(table.id)
    await store.close()
    return None if held is None else held.table


async def test_a_power_cut_keeps_what_was_lost_aside(live: LiveStore) -> None:
    """With nothing lost all is there again, with a second what was written before it; with everything, nothing."""
    table = dealt("ben", bots=2).table
    store = Store(live.url)
    await store.commit(None, Decision(table))
    await store.close()
    live.power_cut(0)
    assert await stored(live, table) == table
    live.power_cut(None)
    assert await stored(live, table) is None
    assert [commit.state for commit in read_lineage(live.copies[-1]).commits] == [table]
    assert read_lineage(live.appended).commits == []
