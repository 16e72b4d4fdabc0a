"""What the lobby shows of more tables than fit a page."""

from __future__ import annotations

import random

from msgspec.structs import replace

from server.protocol import LobbyRow, LobbySeat
from server.tables.quick import waiting
from server.tables.showcase import MOST, Change, Showcase, has_room

ADA = LobbySeat("Ada", False)


def roomy(table: str, v: int = 1) -> LobbyRow:
    return LobbyRow(table, v, "konken", {}, "open", 0, (ADA, None))


def full(table: str, v: int = 1) -> LobbyRow:
    return LobbyRow(table, v, "konken", {}, "playing", 1, (ADA, ADA))


def tables(rows: list[LobbyRow]) -> list[str]:
    return [row.table for row in rows]


def test_all_are_shown_while_they_fit_a_page() -> None:
    case = Showcase()
    assert case.put(full("a")) == ([full("a")], [])
    assert case.put(roomy("b")) == ([roomy("b")], [])
    assert case.put(full("b", 2)) == ([full("b", 2)], [])
    assert tables(case.shown) == ["a", "b"]
    assert case.drop("a") == ([], ["a"])
    assert case.drop("a") == ([], [])
    assert (tables(case.shown), case.hidden) == (["b"], 0)


def test_a_table_with_room_takes_the_place_of_one_without() -> None:
    case = Showcase()
    for number in range(MOST):
        case.put(full(f"full {number}"))
    assert case.put(full("one more")) == ([], [])
    assert case.put(roomy("free")) == ([roomy("free")], ["full 0"])
    assert case.hidden == 2


def test_a_table_that_fills_up_makes_room_for_one_that_has_some() -> None:
    case = Showcase()
    for number in range(MOST + 1):
        case.put(roomy(f"free {number}"))
    last = f"free {MOST}"
    assert case.put(full("free 3", 2)) == ([roomy(last)], ["free 3"])
    assert tables(case.shown)[-1] == last
    assert case.get("free 3") == full("free 3", 2)


def test_a_seat_that_somebody_left_may_be_taken_between_two_hands_but_not_by_who_only_wants_to_play() -> None:
    left = replace(roomy("left"), phase="between", hand_no=2, quick=True)
    fresh = replace(roomy("fresh"), quick=True)
    assert has_room(left)
    assert not has_room(replace(left, phase="playing"))
    assert waiting([left, fresh]) == [fresh]


def test_what_is_hidden_comes_up_when_a_place_is_free() -> None:
    case = Showcase()
    for number in range(MOST):
        case.put(full(f"full {number}"))
    case.put(full("hidden"))
    assert case.drop("full 5") == ([full("hidden")], ["full 5"])


def test_who_only_hears_the_changes_sees_the_same() -> None:
    rng = random.Random("showcase")
    case, told, truth = Showcase(), dict[str, LobbyRow](), dict[str, LobbyRow]()
    for v in range(4000):
        table = f"table {rng.randrange(MOST * 3)}"
        if rng.random() < 0.3:
            truth.pop(table, None)
            change = case.drop(table)
        else:
            truth[table] = rng.choice((roomy, full))(table, v)
            change = case.put(truth[table])
        hear(told, change)
        assert list(told.values()) == case.shown
        assert case.rows == truth
        assert (len(case), case.hidden) == (len(truth), len(truth) - len(told))
        assert len(told) == min(MOST, len(truth))
        open_tables = [row for row in truth.values() if has_room(row)]
        assert sorted(tables(case.roomy)) == sorted(tables(open_tables))
        assert sum(map(has_room, told.values())) == min(MOST, len(open_tables))


def hear(told: dict[str, LobbyRow], change: Change) -> None:
    """As a client does: what is gone is gone, what is new comes last, what changes keeps its place."""
    for table in change.gone:
        told.pop(table)
    for row in change.rows:
        told[row.table] = row
