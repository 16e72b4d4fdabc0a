"""Which commands were answered: the last 64 of a player, however its clients name them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from server.tables.answered import REMEMBERED, Ids, knows, remember, remembered

NAMES = st.lists(st.text("ab, é\x00", min_size=1, max_size=3) | st.text(min_size=1, max_size=40), unique=True)


def told(ids: Ids) -> list[str]:
    return [run.head + tail for run in ids for tail in run.tails]


@given(NAMES)
def test_each_is_known_and_no_other(names: list[str]) -> None:
    ids: Ids = ()
    for at, name in enumerate(names):
        assert not knows(ids, name)
        ids = remember(ids, name)
        assert told(ids) == names[: at + 1][-REMEMBERED:]
        assert all(knows(ids, one) for one in told(ids))


def test_the_oldest_are_forgotten_one_by_one() -> None:
    names = [f"{page}{number}" for number in range(50) for page in ("first-", "second-")]
    ids = remembered(names)
    assert told(ids) == names[-REMEMBERED:]
    for older in names[:-REMEMBERED]:
        assert not knows(ids, older)


def test_what_a_client_counts_takes_little_room() -> None:
    ids = remembered(f"K3v+x0aP{number}" for number in range(200))
    assert len(told(ids)) == REMEMBERED
    assert sum(len(run.head) + len(run.tails) for run in ids) < 3 * REMEMBERED
