"""States of a match: who sits there now, who has left, whatever comes first."""

import asyncio
import random
from collections.abc import Sequence

import pytest
from msgspec.structs import replace
from sqlalchemy import inspect, select

from server.archive.history import detail, history, record_of
from server.archive.matches import save
from server.archive.models import DepartureRow, HandRow, MatchRow, PlayerRow, SeatRow
from server.archive.session import SessionFactory, create_engine, create_session_factory, reading
from server.bodies import HistoryMatch
from server.rules.record_reader import parse_records
from server.tables.finished import AnyFinished, FinishedSeat, MatchState, Outcome
from tests.archive.finished import (
    EMPTY,
    NOTHING,
    SEATS,
    START,
    VOID,
    WON,
    a_hand,
    a_state,
    an_ending,
    ended_at,
    gone,
    with_totals,
)

MATCH = a_hand().match
MINUTE = 60_000


def seats(third: FinishedSeat, *totals: int, stand_in: tuple[int, ...] = ()) -> tuple[FinishedSeat, ...]:
    """The seats with somebody else in the third."""
    others = with_totals(*totals, stand_in=stand_in)
    return (*others[:2], replace(third, total=totals[2], stand_in=2 in stand_in), others[3])


WEST = FinishedSeat("west", "West")
BOT = FinishedSeat(None, "Bot 3", bot="regular")

BEGAN = a_state(v=5)
FIRST = ended_at(a_hand(1, seats=with_totals(10, 20, -30, 0, stand_in=(0, 2))), 40)
SOUTH_LEFT_IT = ended_at(a_hand(2, seats=with_totals(10, 20, -30, 0, stand_in=(2,))), 60, left=2)
SOUTH_LEFT = a_state(
    60,
    2,
    ended=START + 2 * MINUTE,
    seats=seats(EMPTY, 10, 20, 0, 0),
    departure=gone(2, "south", 2, START + 120_000),
)
WEST_SAT = a_state(63, 2, ended=START + 2 * MINUTE + 500, seats=seats(WEST, 10, 20, 0, 0), barred=("south",))
THIRD = ended_at(a_hand(3, seats=seats(WEST, 60, 0, -50, 20, stand_in=(2,))), 90)
WEST_WAS_KICKED = a_state(
    92,
    3,
    ended=START + 3 * MINUTE + 500,
    seats=seats(EMPTY, 60, 0, 0, 20),
    departure=gone(2, "west", 3, START + 3 * MINUTE + 500, kind="kicked", total=-50),
)
A_BOT_SAT = a_state(
    95, 3, ended=START + 3 * MINUTE + 900, seats=seats(BOT, 60, 0, 0, 20), barred=("south", "west")
)
LAST = ended_at(a_hand(4, seats=seats(BOT, 220, -90, -100, -30, stand_in=(0,)), outcome=WON), 130)
STORY = (BEGAN, FIRST, SOUTH_LEFT_IT, SOUTH_LEFT, WEST_SAT, THIRD, WEST_WAS_KICKED, A_BOT_SAT, LAST)
"""A match in which South leaves a hand for good, West comes, is sent away after the next, and a bot ends it."""

KEPT = {
    MatchRow: ("ended", "by", "winners", "totals", "dealer", "table_id", "seen", "state_v"),
    SeatRow: ("seat", "player", "name", "bot", "total", "stood_in"),
    HandRow: ("hand_no", "ended", "ending", "result", "record", "dealer", "v"),
    DepartureRow: ("player", "seat", "name", "total", "hand_no", "at", "kind"),
}


async def all_of(archive: SessionFactory, match: str) -> dict[str, list[tuple[object, ...]]]:
    """Everything that is kept of a match."""
    found: dict[str, list[tuple[object, ...]]] = {}
    async with reading(archive) as session:
        for table, names in KEPT.items():
            key = inspect(table).primary_key[0]  # of all of them the match's id
            rows = await session.scalars(select(table).where(key == match))
            found[table.__tablename__] = sorted(
                (tuple(getattr(row, name) for name in names) for row in rows), key=str
            )
    return found


async def save_all(archive: SessionFactory, match: str, items: Sequence[AnyFinished]) -> None:
    for item in items:
        await save(archive, replace(item, match=match))


async def match_of(archive: SessionFactory, player: str, match: str = MATCH) -> HistoryMatch | None:
    async with reading(archive) as session:
        found = await detail(session, player, match)
    return None if found is None else found.match


async def test_a_match_is_known_from_its_beginning(archive: SessionFactory) -> None:
    assert await save(archive, BEGAN)
    assert not await save(archive, BEGAN)
    async with reading(archive) as session:
        (match,) = (await history(session, "south")).matches
    assert (match.started, match.ended, match.hands, match.left) == (START, None, 0, None)
    assert [seat.you for seat in match.seats] == [False, False, True, False]
    assert [seat.total for seat in match.seats] == [0, 0, 0, 0]
    assert (await all_of(archive, MATCH))["matches"] == [
        (None, None, [], [0, 0, 0, 0], BEGAN.dealer, "0-k3n", START, 5)
    ]


async def test_a_newcomer_takes_seat_and_total(archive: SessionFactory) -> None:
    await save_all(archive, MATCH, STORY[:5])
    found = await match_of(archive, "west")
    assert found is not None
    assert [seat.name for seat in found.seats] == ["North", "Bot 1", "West", "Bot 2"]
    assert [seat.total for seat in found.seats] == [10, 20, 0, 0]
    assert [seat.stood_in for seat in found.seats] == [1, 0, 0, 0]  # what a bot did for South is not West's
    async with reading(archive) as session:
        assert (await session.get_one(MatchRow, MATCH)).totals == [10, 20, 0, 0]
        state = (await session.get_one(MatchRow, MATCH)).state
    assert state is not None
    assert '"t0k3n"' in state
    assert '"south"' in state  # barred


async def test_any_order_comes_to_the_same(archive: SessionFactory) -> None:
    """All of the story, or what has come of it so far, in any order and some of it twice."""
    chance = random.Random(1)
    for number in range(24):
        some = [item for item in STORY if number % 3 == 0 or chance.random() < 0.7] or [BEGAN]
        shuffled = chance.sample(some, len(some))
        await save_all(archive, f"told-{number}", some)
        await save_all(archive, f"mixed-{number}", [*shuffled, *chance.choices(shuffled, k=2)])
        mixed = await all_of(archive, f"mixed-{number}")
        assert mixed == await all_of(archive, f"told-{number}"), [type(item).__name__ for item in shuffled]


@pytest.mark.parametrize("late", [FIRST, SOUTH_LEFT_IT], ids=["counted", "void"])
async def test_a_late_hand_puts_nobody_back(archive: SessionFactory, late: AnyFinished) -> None:
    await save(archive, WEST_SAT)
    assert await save(archive, late)
    found = await match_of(archive, "west")
    assert found is not None
    assert [(seat.name, seat.total) for seat in found.seats][2] == ("West", 0)
    assert [seat.stood_in for seat in found.seats][2] == 0
    assert found.hands == 1
    assert await match_of(archive, "south") is None  # until it is known that South left


async def test_the_state_that_came_with_a_void_hand_is_the_later(archive: SessionFactory) -> None:
    orders: list[list[AnyFinished]] = [[SOUTH_LEFT_IT, SOUTH_LEFT], [SOUTH_LEFT, SOUTH_LEFT_IT]]
    for number, items in enumerate(orders):
        await save_all(archive, f"m{number}", items)
        found = await match_of(archive, "south", f"m{number}")
        assert found is not None
        assert [(seat.name, seat.total, seat.you) for seat in found.seats][2] == ("", 0, False)
        assert found.left == "left"


async def test_the_first_hand_ends_later_than_the_match_began(archive: SessionFactory) -> None:
    """Both have number 1, and may be of the same millisecond."""
    began = replace(BEGAN, ended=FIRST.ended)
    orders: list[list[AnyFinished]] = [[began, FIRST], [FIRST, began]]
    for number, items in enumerate(orders):
        await save_all(archive, f"m{number}", items)
        found = await match_of(archive, "north", f"m{number}")
        assert found is not None
        assert [seat.total for seat in found.seats] == [10, 20, -30, 0]


async def test_a_state_later_than_the_end_keeps_the_end(archive: SessionFactory) -> None:
    """The last person leaves: void hand, state and end are of one moment and may come in any order."""
    end = an_ending(
        seats=(*SEATS[:2], EMPTY, SEATS[3]),
        ended=START + 2 * MINUTE,
        outcome=Outcome("forfeit", (0,), (0, 3, 1, 2)),
    )
    await save_all(archive, MATCH, (end, SOUTH_LEFT, SOUTH_LEFT_IT))
    found = await match_of(archive, "south")
    assert found is not None
    assert (found.by, found.winners, found.left, found.hands) == ("forfeit", (0,), "left", 1)
    assert [seat.total for seat in found.seats] == [81, -23, 0, -17]


async def test_an_older_state_is_not_kept(archive: SessionFactory) -> None:
    assert await save(archive, A_BOT_SAT)
    before = await all_of(archive, MATCH)
    assert not await save(archive, WEST_SAT)
    assert not await save(archive, replace(A_BOT_SAT, seats=WEST_SAT.seats))  # the same version
    assert await all_of(archive, MATCH) == before


async def test_who_left_is_noted_once_from_an_older_state_too(archive: SessionFactory) -> None:
    await save(archive, A_BOT_SAT)
    assert await save(archive, SOUTH_LEFT)
    assert not await save(archive, SOUTH_LEFT)
    assert (await all_of(archive, MATCH))["departures"] == [
        ("south", 2, "South", -41, 2, START + 120_000, "left")
    ]
    async with reading(archive) as session:
        assert (await session.get_one(PlayerRow, "south")).name == "South"
        assert (await session.get_one(MatchRow, MATCH)).state_v == A_BOT_SAT.v


async def test_leavers_find_the_match_among_their_own(archive: SessionFactory) -> None:
    await save_all(archive, MATCH, STORY)
    await save(archive, a_hand(match="later", started=START + 1))
    for player, left in (("north", None), ("south", "left"), ("west", "kicked")):
        found = await match_of(archive, player)
        assert found is not None
        assert found.left == left
        assert [seat.you for seat in found.seats] == [player == "north", False, False, False]
        assert (found.by, found.winners, found.hands) == ("points", (0,), 4)
        async with reading(archive) as session:
            own = (await history(session, player)).matches
        assert own[-1] == found
        assert [match.id for match in own] == ([MATCH] if player == "west" else ["later", MATCH])
    async with reading(archive) as session:
        assert (await history(session, "stranger")).matches == ()
        assert await record_of(session, "stranger", MATCH) is None


async def test_a_void_hand_is_kept_like_others(archive: SessionFactory) -> None:
    await save_all(archive, MATCH, STORY)
    async with reading(archive) as session:
        found = await detail(session, "south", MATCH)
    assert found is not None
    assert [hand.result.ending for hand in found.hands] == ["out", "void", "out", "out"]
    assert found.hands[1].result == VOID
    assert "\nleft 2\nvoid 2 left\nseed " in found.hands[1].record


async def test_the_record_tells_who_left_and_who_came(archive: SessionFactory) -> None:
    await save_all(archive, MATCH, STORY)
    async with reading(archive) as session:
        text = await record_of(session, "north", MATCH)
    assert text is not None
    hands = [located.record for located in parse_records(text)]
    notes = [[entry.text for entry in hand.log if entry.seat is None] for hand in hands]
    assert notes == [
        ["bot 2"],
        ["bot 2", "left 2"],
        ["sit 2 West", "bot 2", "left 2"],
        ["sit 2 Bot 3 (regular)", "bot 2"],
    ]
    assert hands[-1].match == ((0,), (220, -90, -100, -30))


async def test_a_state_at_once_from_many_workers(archive_url: str) -> None:
    engines = [create_engine(archive_url) for _ in range(4)]
    factories = [create_session_factory(engine) for engine in engines]
    new = await asyncio.gather(*(save(factory, SOUTH_LEFT) for factory in factories * 2))
    assert sorted(new) == [False] * 7 + [True]
    rounds = [item for item in STORY for _ in range(2)]
    random.Random(2).shuffle(rounds)
    await asyncio.gather(*(save(factories[i % 4], item) for i, item in enumerate(rounds)))
    await save_all(factories[0], "told", STORY)
    assert await all_of(factories[0], MATCH) == await all_of(factories[0], "told")
    for engine in engines:
        await engine.dispose()


def test_the_story_is_in_order() -> None:
    moments = [item.v for item in STORY if isinstance(item, MatchState)]
    assert moments == sorted(moments)
    assert [seat.total for seat in BEGAN.seats] == list(NOTHING)
