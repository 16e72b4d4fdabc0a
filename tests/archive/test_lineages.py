"""The store has lost its last second, and the match went on from before it: the archive follows what happened later."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from sqlalchemy import select

from server.archive.history import detail
from server.archive.matches import save
from server.archive.models import DepartureRow, MatchRow, SeatRow
from server.archive.session import SessionFactory, reading
from server.bodies import HistoryDetail
from server.tables.finished import AnyFinished
from tests.archive.finished import SEATS, START, WON, a_hand, a_state, an_ending, ended_at, gone, with_totals

MINUTE = 60_000
BEGAN = a_state()
FIRST = ended_at(a_hand(1), 20)
WON_SECOND = ended_at(a_hand(2, outcome=WON, seats=with_totals(200, 0, 0, 0)), 50)
"""The end of the match, and what the store forgot of it."""
PLAYED_ON = ended_at(a_hand(2, ended=START + 2 * MINUTE + 900, seats=with_totals(120, 7, 0, 0)), 48)
"""The same hand, after the store had gone back: another end, a little later, at a lower version."""


async def kept(archive: SessionFactory) -> HistoryDetail:
    async with reading(archive) as session:
        found = await detail(session, "north", FIRST.match)
    assert found is not None
    return found


async def test_the_later_end_of_a_hand_holds(archive: SessionFactory) -> None:
    for item in (BEGAN, FIRST, WON_SECOND):
        await save(archive, item)
    assert await save(archive, PLAYED_ON)
    found = await kept(archive)
    assert [hand.ended for hand in found.hands] == [FIRST.ended, PLAYED_ON.ended]
    assert [seat.total for seat in found.match.seats] == [120, 7, 0, 0]
    assert (found.match.ended, found.match.by, found.match.winners) == (None, None, ())


async def test_what_was_forgotten_comes_too_late(archive: SessionFactory) -> None:
    """The other way round: it had waited in the store of another worker, say."""
    for item in (BEGAN, FIRST, PLAYED_ON):
        await save(archive, item)
    before = await kept(archive)
    assert not await save(archive, WON_SECOND)
    assert await kept(archive) == before


async def test_twice_is_once_all_the_same(archive: SessionFactory) -> None:
    for item in (BEGAN, FIRST, WON_SECOND, PLAYED_ON):
        await save(archive, item)
    before = await kept(archive)
    assert not await save(archive, PLAYED_ON)
    assert not await save(archive, FIRST)
    assert await kept(archive) == before


async def test_a_hand_after_the_forgotten_one_goes_with_it(archive: SessionFactory) -> None:
    third = ended_at(a_hand(3, ended=START + 2 * MINUTE + 400), 60)
    for item in (BEGAN, FIRST, ended_at(a_hand(2), 50), third, PLAYED_ON):
        await save(archive, item)
    assert [hand.hand_no for hand in (await kept(archive)).hands] == [1, 2]


async def test_a_hand_that_is_only_late_stays_beside_later_ones(archive: SessionFactory) -> None:
    for item in (BEGAN, a_hand(2), a_hand(3), FIRST):
        assert await save(archive, item)
    assert [hand.hand_no for hand in (await kept(archive)).hands] == [1, 2, 3]


async def test_a_claimed_match_that_goes_on_has_not_ended(archive: SessionFactory) -> None:
    claimed = an_ending(ended=START + 2 * MINUTE)
    for item in (BEGAN, FIRST, claimed, PLAYED_ON):
        await save(archive, item)
    assert (await kept(archive)).match.ended is None
    again = an_ending(ended=START + 3 * MINUTE)
    assert await save(archive, again)
    assert (await kept(archive)).match.ended == again.ended
    assert not await save(archive, claimed)
    assert (await kept(archive)).match.ended == again.ended


async def test_the_later_seats_hold(archive: SessionFactory) -> None:
    """Somebody's leaving was forgotten; the state after it has a higher version, and is older."""
    empty = (*SEATS[:2], a_state().seats[1], SEATS[3])
    left = a_state(30, 2, ended=START + 90_000, seats=empty, departure=gone(2, "south", 2, START + 90_000))
    later = a_state(28, 2, ended=START + 91_000, seats=with_totals(5, 5, 5, 5))
    for item in (BEGAN, FIRST, left, later):
        await save(archive, item)
    async with reading(archive) as session:
        assert (await session.get_one(MatchRow, BEGAN.match)).state_v == 28
        assert (await session.get_one(SeatRow, (BEGAN.match, 2))).player == "south"


LEFT = a_state(
    30,
    2,
    ended=START + 90_000,
    seats=(*SEATS[:2], a_state().seats[1], SEATS[3]),
    departure=gone(2, "south", 2, START + 90_000),
)


async def departures(archive: SessionFactory) -> list[str]:
    async with reading(archive) as session:
        return list(await session.scalars(select(DepartureRow.player)))


@pytest.mark.parametrize("later", [PLAYED_ON, a_state(28, 2, ended=START + 91_000, seats=SEATS), an_ending()])
async def test_who_plays_on_has_not_left(archive: SessionFactory, later: AnyFinished) -> None:
    for item in (BEGAN, FIRST, LEFT):
        await save(archive, item)
    assert await departures(archive) == ["south"]
    await save(archive, later)
    assert await departures(archive) == []


async def test_a_leaving_that_was_forgotten_may_come_late(archive: SessionFactory) -> None:
    """After what was played on."""
    for item in (BEGAN, FIRST, PLAYED_ON):
        await save(archive, item)
    await save(archive, LEFT)
    assert await departures(archive) == []


async def test_who_leaves_and_ends_the_match_by_that_has_left(archive: SessionFactory) -> None:
    """The last that is told of the match, in the same instant, still has them in their seat."""
    at = START + 90_000
    for item in (
        BEGAN,
        FIRST,
        a_state(30, 2, ended=at, departure=gone(2, "south", 2, at)),
        an_ending(ended=at),
    ):
        await save(archive, item)
    assert await departures(archive) == ["south"]


BROKEN_OFF = an_ending(ended=START + 2 * MINUTE + 900, hands=1)
"""The match was broken off in the second hand, after the store had gone back to it."""


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize(
    "later", [BROKEN_OFF, a_state(28, 2, ended=START + 2 * MINUTE + 900, hands=1, departure=None)]
)
async def test_a_hand_that_had_not_ended_at_a_later_moment_has_not(
    archive: SessionFactory, later: AnyFinished, late: bool
) -> None:
    for item in (BEGAN, FIRST, *((later, WON_SECOND) if late else (WON_SECOND, later))):
        await save(archive, item)
    found = await kept(archive)
    assert [hand.hand_no for hand in found.hands] == [1]
    assert (found.match.by, found.match.ended) == (
        ("forfeit", later.ended) if later is BROKEN_OFF else (None, None)
    )


async def test_who_does_not_say_how_many_hands_there_were_strikes_none(archive: SessionFactory) -> None:
    """A worker of the release before."""
    for item in (BEGAN, FIRST, ended_at(a_hand(2), 50), replace(BROKEN_OFF, hands=None)):
        await save(archive, item)
    assert [hand.hand_no for hand in (await kept(archive)).hands] == [1, 2]
