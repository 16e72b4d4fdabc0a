"""Saving and reading matches: once each, in any order, exactly as they were."""

import asyncio

import pytest
from msgspec.structs import replace
from sqlalchemy import func, select

from server.archive.history import HISTORY_LIMIT, detail, history
from server.archive.matches import save
from server.archive.models import HandRow, MatchRow, PlayerRow, SeatRow
from server.archive.session import SessionFactory, create_engine, create_session_factory, reading, writing
from server.bodies import History, HistoryDetail
from server.rules.result import Result
from server.tables.finished import FinishedSeat, Outcome
from tests.archive.finished import RESULT, SEATS, START, WON, a_hand, an_ending, with_totals

MATCH = a_hand().match


async def history_of(archive: SessionFactory, player: str) -> History:
    async with reading(archive) as session:
        return await history(session, player)


async def detail_of(archive: SessionFactory, player: str = "north", match: str = MATCH) -> HistoryDetail:
    async with reading(archive) as session:
        found = await detail(session, player, match)
    assert found is not None
    return found


async def rows(archive: SessionFactory, table: type[HandRow | MatchRow | PlayerRow | SeatRow]) -> int:
    async with reading(archive) as session:
        return await session.scalar(select(func.count()).select_from(table)) or 0


async def test_a_hand_comes_back_as_it_was(archive: SessionFactory) -> None:
    assert await save(archive, a_hand())

    found = await detail_of(archive)
    match = found.match
    assert (match.id, match.game, match.started, match.hands) == (MATCH, "konken", START, 1)
    assert match.options == {"target": 200, "turn_seconds": 15, "tie": "void"}
    assert (match.ended, match.by, match.winners) == (None, None, ())
    assert [seat.name for seat in match.seats] == ["North", "Bot 1", "South", "Bot 2"]
    assert [seat.bot for seat in match.seats] == [False, True, False, True]
    assert [seat.you for seat in match.seats] == [True, False, False, False]
    assert [seat.total for seat in match.seats] == [81, -23, -41, -17]

    (hand,) = found.hands
    assert (hand.hand_no, hand.ended, hand.result) == (1, START + 60_000, RESULT)
    async with reading(archive) as session:
        row = await session.get_one(HandRow, (MATCH, 1))
        assert (row.ending, row.commitment, row.seed) == ("out", "9f" * 32, "4b" * 96)
        assert row.nonces == ["a1", "", "b2", ""]
        assert (await session.get_one(MatchRow, MATCH)).dealer == 3


async def test_points_round_trip_exactly(archive: SessionFactory) -> None:
    result = Result("stock", (1, 2), (-1000, 0, 500, -1), (2**31, 0, 7, 1), ((), ("JK", "JK"), ("AS",), ()))
    await save(archive, a_hand(result=result, seats=with_totals(-1000, 0, 500, -1)))

    found = await detail_of(archive)
    assert found.hands[0].result == result
    assert [seat.total for seat in found.match.seats] == [-1000, 0, 500, -1]


async def test_the_second_time_is_not_new(archive: SessionFactory) -> None:
    hand = a_hand(seats=with_totals(81, -23, -41, -17, stand_in=(2,)))
    assert await save(archive, hand)
    before = await detail_of(archive)
    assert not await save(archive, hand)
    assert await detail_of(archive) == before


async def test_hands_in_any_order(archive: SessionFactory) -> None:
    first = a_hand(1, seats=with_totals(81, -23, -41, -17, stand_in=(2,)))
    second = a_hand(2, seats=with_totals(100, -50, -20, -30))
    third = a_hand(3, seats=with_totals(220, -90, -80, -50, stand_in=(2,)), outcome=WON)
    orders = {
        "in order": (first, second, third),
        "second first": (second, first, third),
        "end first": (third, second, first),
    }
    for name, order in orders.items():
        for hand in order:
            assert await save(archive, replace(hand, match=name))
    expected = await detail_of(archive, match="in order")
    assert [seat.total for seat in expected.match.seats] == [220, -90, -80, -50]
    assert [seat.stood_in for seat in expected.match.seats] == [0, 0, 2, 0]
    assert (expected.match.by, expected.match.winners) == ("points", (0,))
    assert expected.match.ended == third.ended
    assert [hand.hand_no for hand in expected.hands] == [1, 2, 3]
    for name in orders:
        found = await detail_of(archive, match=name)
        assert replace(found, match=replace(found.match, id="in order")) == expected
    async with reading(archive) as session:
        assert set(await session.scalars(select(MatchRow.dealer))) == {first.dealer}
        assert {tuple(totals) for totals in await session.scalars(select(MatchRow.totals))} == {
            (220, -90, -80, -50)
        }


async def test_totals_are_those_of_the_newest_hand(archive: SessionFactory) -> None:
    await save(archive, a_hand(2, seats=with_totals(100, -50, -20, -30)))
    await save(archive, a_hand(1, seats=with_totals(81, -23, -41, -17)))
    (match,) = (await history_of(archive, "north")).matches
    assert [seat.total for seat in match.seats] == [100, -50, -20, -30]
    assert (match.ended, match.hands) == (None, 2)


async def test_a_claimed_match_ends_once(archive: SessionFactory) -> None:
    await save(archive, a_hand())
    ending = an_ending(seats=with_totals(81, -23, -41, -17, stand_in=(2,)))
    assert await save(archive, ending)
    assert not await save(archive, ending)
    assert not await save(archive, an_ending(outcome=Outcome("void", (), (0, 1, 2, 3)), ended=START))

    (match,) = (await history_of(archive, "south")).matches
    assert (match.by, match.winners, match.ended, match.hands) == ("forfeit", (0,), ending.ended, 1)
    assert [seat.stood_in for seat in match.seats] == [0, 0, 0, 0]  # an unfinished hand does not count


async def test_a_match_may_end_without_any_hand(archive: SessionFactory) -> None:
    assert await save(archive, an_ending(outcome=Outcome("void", (), (0, 1, 2, 3))))
    found = await detail_of(archive)
    assert (found.match.by, found.match.winners, found.hands) == ("void", (), ())


async def test_a_hand_later_than_the_end_keeps_the_end(archive: SessionFactory) -> None:
    await save(archive, an_ending(seats=with_totals(5, 6, 7, 8)))
    assert await save(archive, a_hand())
    found = await detail_of(archive)
    assert [seat.total for seat in found.match.seats] == [5, 6, 7, 8]
    assert found.match.by == "forfeit"
    assert len(found.hands) == 1


@pytest.mark.parametrize("finished", [a_hand(seats=with_totals(1, 2, 3, 4, stand_in=(0,))), an_ending()])
async def test_two_workers_save_the_same(archive_url: str, finished: object) -> None:
    engines = [create_engine(archive_url) for _ in range(4)]
    factories = [create_session_factory(engine) for engine in engines]
    new = await asyncio.gather(*(save(factory, finished) for factory in factories * 2))  # type: ignore[arg-type]
    assert sorted(new) == [False] * 7 + [True]
    found = await detail_of(factories[0])
    assert found.match.seats[0].stood_in == len(found.hands)
    for engine in engines:
        await engine.dispose()


async def test_all_hands_of_a_match_at_once(archive_url: str) -> None:
    engines = [create_engine(archive_url) for _ in range(4)]
    factories = [create_session_factory(engine) for engine in engines]
    assert await save(factories[0], a_hand(1))
    hands = [a_hand(n, seats=with_totals(n, -n, 0, 0, stand_in=(2,))) for n in range(2, 10)] * 2
    new = await asyncio.gather(*(save(factories[i % 4], hand) for i, hand in enumerate(hands)))
    assert sum(new) == 8
    found = await detail_of(factories[0])
    assert [hand.hand_no for hand in found.hands] == list(range(1, 10))
    assert [seat.total for seat in found.match.seats] == [9, -9, 0, 0]
    assert [seat.stood_in for seat in found.match.seats] == [0, 0, 8, 0]
    for engine in engines:
        await engine.dispose()


async def test_who_reads_before_writing_is_a_writer_already(archive: SessionFactory) -> None:
    """SQLite would refuse one of two readers that turn writers, and not wait."""

    async def add(player: str) -> None:
        async with writing(archive) as session:
            known = await session.scalar(select(func.count()).select_from(PlayerRow))
            await asyncio.sleep(0.05)
            session.add(PlayerRow(id=player, name=player, seen=known or 0))

    await asyncio.gather(*(add(player) for player in "abcd"))
    assert await rows(archive, PlayerRow) == 4


async def test_many_matches_of_the_same_players_at_once(archive_url: str) -> None:
    """Matches that share players, seated the other way round, must not wait for each other for ever."""
    engines = [create_engine(archive_url) for _ in range(2)]
    factories = [create_session_factory(engine) for engine in engines]
    there, back = SEATS, SEATS[::-1]
    hands = [a_hand(n, match=f"m{n % 4}", seats=there if n % 2 else back) for n in range(1, 25)]
    new = await asyncio.gather(*(save(factories[i % 2], hand) for i, hand in enumerate(hands)))
    assert all(new)
    assert await rows(factories[0], HandRow) == 24
    assert await rows(factories[0], PlayerRow) == 2
    assert await rows(factories[0], SeatRow) == 16
    for engine in engines:
        await engine.dispose()


NAMES = ['O\'Brien "Bob"; DROP TABLE hands;--', "شيرين‎ كورد", "👩🏽‍🚀🃏", "ŞÎLAN", "%s {0} \\n", " | # ", ""]


@pytest.mark.parametrize("name", NAMES)
async def test_names_come_back_as_they_were(archive: SessionFactory, name: str) -> None:
    await save(archive, a_hand(seats=(FinishedSeat("north", name), *SEATS[1:])))
    (match,) = (await history_of(archive, "north")).matches
    assert match.seats[0].name == name
    async with reading(archive) as session:
        assert (await session.get_one(PlayerRow, "north")).name == name


async def test_a_player_is_known_by_the_newest_name(archive: SessionFactory) -> None:
    new = (FinishedSeat("north", "New"), *SEATS[1:])
    await save(archive, a_hand(2, seats=new))
    await save(archive, a_hand(1))
    async with reading(archive) as session:
        north = await session.get_one(PlayerRow, "north")
    assert (north.name, north.seen) == ("New", START + 120_000)
    (match,) = (await history_of(archive, "north")).matches
    assert match.seats[0].name == "New"


async def test_history_is_the_newest_fifty(archive: SessionFactory) -> None:
    for number in range(HISTORY_LIMIT + 3):
        await save(archive, a_hand(match=f"m{number}", started=START + number))
    matches = (await history_of(archive, "south")).matches
    assert [match.id for match in matches] == [f"m{number}" for number in range(52, 2, -1)]
    assert all([seat.you for seat in match.seats] == [False, False, True, False] for match in matches)
    assert all(match.hands == 1 for match in matches)


async def test_others_see_nothing(archive: SessionFactory) -> None:
    await save(archive, a_hand(outcome=WON))
    assert await history_of(archive, "stranger") == History(())
    async with reading(archive) as session:
        assert await detail(session, "stranger", MATCH) is None
        assert await detail(session, "", MATCH) is None
        assert await detail(session, "north", "0-other-1") is None
