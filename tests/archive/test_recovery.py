"""What the archive gives back of a table that the live store has lost."""

import asyncio
import gc

import pytest
from msgspec.structs import replace
from sqlalchemy import func, select

from server.archive.history import detail, record_of
from server.archive.matches import save
from server.archive.models import HandRow, MatchRow
from server.archive.recovery import lost_table, open_tables_of
from server.archive.session import (
    Away,
    SessionFactory,
    create_engine,
    create_session_factory,
    reading,
)
from server.rules.record_reader import parse_record, parse_records
from server.rules.records import LOST
from server.tables.finished import FinishedSeat, LostTable, Outcome
from server.tables.recovery import lost_hand
from tests.archive.finished import (
    EMPTY,
    RESULT,
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

TABLE = "0-k3n"
MATCH = "0-k3n-1"
MINUTE = 60_000
BEGAN = a_state()
OTHER = replace(RESULT, ending="stock", winners=(1, 3), points=(-1, 2, -3, 2))
FIRST = ended_at(a_hand(1), 10)
SECOND = ended_at(a_hand(2, seats=with_totals(80, -21, -44, -15), result=OTHER), 20)
SHEET = ((1, (0,), (81, -23, -41, -17)), (2, (1, 3), (-1, 2, -3, 2)))


async def give_up(archive: SessionFactory, lost: LostTable, at: int) -> bool:
    """What the commit tells that brings the table back."""
    return await save(archive, lost_hand(lost, at))


async def lost_of(archive: SessionFactory, table: str = TABLE, since: int = START) -> LostTable:
    lost = await lost_table(archive, table, since)
    assert lost is not None
    return lost


async def test_lost_in_its_first_hand(archive: SessionFactory) -> None:
    await save(archive, BEGAN)
    assert await lost_of(archive) == LostTable(BEGAN, (0, 0, 0, 0), 0, BEGAN.dealer, True, ())


async def test_lost_in_its_third_hand(archive: SessionFactory) -> None:
    for item in (BEGAN, FIRST, SECOND):
        await save(archive, item)
    assert await lost_of(archive) == LostTable(BEGAN, (80, -21, -44, -15), 2, SECOND.dealer, False, SHEET)


async def test_lost_after_a_void_hand(archive: SessionFactory) -> None:
    """Somebody left the third; nobody has taken the seat, and its points are gone."""
    void = ended_at(a_hand(3, seats=SECOND.seats), 30, left=2)
    seats = (*SECOND.seats[:2], EMPTY, SECOND.seats[3])
    left = a_state(
        30, 3, ended=void.ended, seats=seats, barred=("south",), departure=gone(2, "south", 3, void.ended)
    )
    for item in (left, void, SECOND, FIRST, BEGAN):
        await save(archive, item)
    assert await lost_of(archive) == LostTable(left, (80, -21, 0, -15), 3, void.dealer, True, SHEET)


async def test_after_a_hand_that_is_void_by_the_rules_the_deal_moves_on(archive: SessionFactory) -> None:
    await save(archive, BEGAN)
    await save(archive, ended_at(a_hand(1, seats=with_totals(0, 0, 0, 0), result=VOID), 10))
    assert await lost_of(archive) == LostTable(BEGAN, (0, 0, 0, 0), 1, 3, False, ())


async def test_a_state_may_know_more_than_the_hands(archive: SessionFactory) -> None:
    """The second hand waits in the store still, or is lost with it; its points are not."""
    west = FinishedSeat("west", "West")
    sat = a_state(24, 2, seats=(*SECOND.seats[:2], west, SECOND.seats[3]))
    for item in (BEGAN, FIRST, sat):
        await save(archive, item)
    assert await lost_of(archive) == LostTable(sat, (80, -21, 0, -15), 1, FIRST.dealer, False, SHEET[:1])


async def test_a_hand_may_know_more_than_the_state(archive: SessionFactory) -> None:
    await save(archive, BEGAN)
    renamed = (*SECOND.seats[:2], replace(SECOND.seats[2], name="Süd"), SECOND.seats[3])
    await save(archive, replace(SECOND, seats=renamed))
    lost = await lost_of(archive)
    assert [seat.name for seat in lost.state.seats] == ["North", "Bot 1", "Süd", "Bot 2"]
    assert lost.totals == (80, -21, -44, -15)


@pytest.mark.parametrize(
    "end",
    [
        ended_at(a_hand(2, outcome=WON), 20),
        an_ending(),
        an_ending(outcome=Outcome("void", (), (0, 1, 2, 3))),
    ],
    ids=["points", "forfeit", "void"],
)
async def test_what_has_ended_does_not_come_back(archive: SessionFactory, end: object) -> None:
    await save(archive, FIRST)
    await save(archive, end)  # type: ignore[arg-type]
    await save(archive, BEGAN)  # late
    await save(archive, a_state(19, 1))
    assert await lost_table(archive, TABLE, 0) is None
    assert await open_tables_of(archive, "north", 0) == ()


async def test_too_old(archive: SessionFactory) -> None:
    """The last sign of life counts, be it the beginning, a hand or a state."""
    signs = (BEGAN, FIRST, a_state(12, 1, ended=START + 90_000))
    for item in signs:
        await save(archive, item)
        assert await lost_table(archive, TABLE, item.ended) is not None
        assert await open_tables_of(archive, "north", item.ended) == (TABLE,)
        assert await lost_table(archive, TABLE, item.ended + 1) is None
        assert await open_tables_of(archive, "north", item.ended + 1) == ()


async def test_only_the_newest_match_of_a_table(archive: SessionFactory) -> None:
    again = replace(BEGAN, match="0-k3n-2", started=START + MINUTE, ended=START + MINUTE, v=200)
    await save(archive, BEGAN)
    await save(archive, FIRST)
    await save(archive, again)
    lost = await lost_of(archive)
    assert (lost.state, lost.hand_no, lost.totals) == (again, 0, (0, 0, 0, 0))
    assert await open_tables_of(archive, "north", START) == (TABLE,)

    # The end of the first never came; that of the second did.
    await save(archive, an_ending(match="0-k3n-2", started=again.started))
    assert await lost_table(archive, TABLE, 0) is None
    assert await open_tables_of(archive, "north", 0) == ()


async def test_totals_and_sheet_are_of_one_moment(archive_url: str) -> None:
    """Hands come in while it is asked: the points by seat always add up to the totals."""
    engines = [create_engine(archive_url) for _ in range(2)]
    reader, writer = (create_session_factory(engine) for engine in engines)
    await save(writer, BEGAN)

    async def play() -> None:
        for number in range(1, 41):
            totals = tuple(number * points for points in RESULT.points)
            await save(writer, ended_at(a_hand(number, seats=with_totals(*totals)), 10 * number))

    playing = asyncio.create_task(play())
    while not playing.done():
        lost = await lost_of(reader)
        assert lost.totals == tuple(lost.hand_no * points for points in RESULT.points)
        assert len(lost.sheet) == lost.hand_no
    await playing
    for engine in engines:
        await engine.dispose()


async def test_what_is_not_known(archive: SessionFactory) -> None:
    assert await lost_table(archive, TABLE, 0) is None
    await save(archive, FIRST)  # without a state nobody knows the table's token
    assert await lost_table(archive, TABLE, 0) is None
    assert await open_tables_of(archive, "north", 0) == ()
    await save(archive, BEGAN)
    assert await lost_table(archive, MATCH, 0) is None
    assert await lost_table(archive, "", 0) is None
    assert await lost_table(archive, TABLE, 0) is not None


async def test_tables_at_which_one_sits(archive: SessionFactory) -> None:
    for number in range(3):
        began = a_state(match=f"t{number}-1", table=f"t{number}", ended=START + (number * 7) % 5)
        await save(archive, began)
    seats = (*SEATS[:2], EMPTY, SEATS[3])
    departed = gone(2, "south", 1, START + 2)
    left = a_state(9, match="t1-1", table="t1", ended=START + 2, seats=seats, departure=departed)
    await save(archive, left)
    assert await open_tables_of(archive, "north", START) == ("t2", "t1", "t0")
    assert await open_tables_of(archive, "south", START) == ("t2", "t0")
    assert await open_tables_of(archive, "stranger", START) == ()


# ---- the hand that was lost --------------------------------------------------------------------------------------


async def test_the_lost_hand_is_void(archive: SessionFactory) -> None:
    for item in (BEGAN, FIRST, SECOND):
        await save(archive, item)
    lost = await lost_of(archive)
    at = START + 10 * MINUTE
    assert await give_up(archive, lost, at)
    async with reading(archive) as session:
        found = await detail(session, "north", MATCH)
        row = await session.get_one(HandRow, (MATCH, 3))
    assert found is not None
    hand = found.hands[2]
    assert (hand.hand_no, hand.ended, hand.result) == (3, at, VOID)
    assert hand.record == (
        "upcard-record 1\ngame konken\noptions target=200 tie=void turn_seconds=15\n"
        "players North | Bot 1 (regular) | South | Bot 2 (regular)\nhand 3 dealer 1\nvoid - lost\n"
    )
    assert (row.ending, row.commitment, row.seed, row.nonces, row.dealer) == ("void", "", "", [], 1)
    assert [seat.total for seat in found.match.seats] == [80, -21, -44, -15]

    # Lost again before anything else: the hand after it, with the same starter. And `at` was a sign of life.
    assert await lost_of(archive, since=at) == replace(lost, hand_no=3, dealer=1, redeal=True)


async def test_the_first_hand_was_lost(archive: SessionFactory) -> None:
    await save(archive, BEGAN)
    lost = await lost_of(archive)
    assert await give_up(archive, lost, START + MINUTE)
    assert await lost_of(archive) == replace(lost, hand_no=1)
    async with reading(archive) as session:
        found = await detail(session, "north", MATCH)
    assert found is not None
    record = parse_record(found.hands[0].record)
    assert (record.hand, record.dealer, record.void) == (1, BEGAN.dealer, LOST)


async def test_marked_twice(archive_url: str) -> None:
    engines = [create_engine(archive_url) for _ in range(4)]
    factories = [create_session_factory(engine) for engine in engines]
    await save(factories[0], BEGAN)
    lost = await lost_of(factories[0])
    new = await asyncio.gather(*(give_up(factory, lost, START + 1) for factory in factories * 2))
    assert sorted(new) == [False] * 7 + [True]
    assert await give_up(factories[0], lost, START + 2), "the table was lost again, before that was known"
    async with reading(factories[0]) as session:
        assert await session.scalar(select(func.count()).select_from(HandRow)) == 1
        assert (await session.get_one(MatchRow, MATCH)).seen == START + 2
    for engine in engines:
        await engine.dispose()


async def test_a_table_that_did_not_know_a_hand_goes_on_without_it(archive: SessionFactory) -> None:
    """Its end came between the two: after the table was built again, and before the loss was noted."""
    for item in (BEGAN, FIRST):
        await save(archive, item)
    lost = await lost_of(archive)
    await save(archive, SECOND)
    at = START + 5 * MINUTE
    assert await give_up(archive, lost, at)
    assert await lost_of(archive) == replace(lost, hand_no=2, dealer=0, redeal=True)
    async with reading(archive) as session:
        assert (await session.get_one(HandRow, (MATCH, 2))).ended == at
        assert (await session.get_one(MatchRow, MATCH)).totals == list(lost.totals)


async def test_what_was_played_after_a_loss_is_kept_when_it_is_noted(archive: SessionFactory) -> None:
    """Whoever notes it may be slow: the table's next hand is there already, and only what it did not know is struck."""
    for item in (BEGAN, FIRST):
        await save(archive, item)
    lost = await lost_of(archive)
    await save(archive, SECOND)
    at = START + 5 * MINUTE
    third = ended_at(
        a_hand(3, ended=at + MINUTE, seats=with_totals(80, -21, -44, -15), result=OTHER), 200_020
    )
    await save(archive, third)
    assert await give_up(archive, lost, at)
    after = await lost_of(archive)
    assert (after.hand_no, after.totals) == (3, (80, -21, -44, -15))
    assert [number for number, _, _ in after.sheet] == [1, 3]


@pytest.mark.parametrize("won", [False, True])
async def test_a_match_whose_end_the_store_has_lost_goes_on(archive: SessionFactory, won: bool) -> None:
    """It ended by a hand, or by who left; the end came into the archive when the table was there again without it."""
    await save(archive, BEGAN)
    lost = await lost_of(archive)
    early = replace(an_ending(), ended=START + MINUTE)
    end = replace(FIRST, outcome=early.outcome) if won else early
    assert await save(archive, end)
    assert await lost_table(archive, TABLE, START) is None
    assert await give_up(archive, lost, START + 2 * MINUTE)
    assert await lost_of(archive) == replace(lost, hand_no=1)
    assert not await save(archive, end)
    assert await lost_of(archive) == replace(lost, hand_no=1)


async def test_an_end_that_came_later_holds(archive: SessionFactory) -> None:
    """The table ended after it had come back, and the archive hears of that before it hears of the loss."""
    await save(archive, BEGAN)
    lost = await lost_of(archive)
    ending = an_ending()
    await save(archive, ending)
    assert await give_up(archive, lost, ending.ended - MINUTE)
    async with reading(archive) as session:
        match = await session.get_one(MatchRow, MATCH)
        assert (match.ended, match.by) == (ending.ended, "forfeit")
        assert (await session.get_one(HandRow, (MATCH, 1))).ending == "void"


async def test_a_hand_that_is_found_after_its_loss_was_noted_stays_lost(archive: SessionFactory) -> None:
    """The table has gone on without it: what it brought is in no score, and the record must replay to the scores."""
    for item in (BEGAN, FIRST):
        await save(archive, item)
    await give_up(archive, await lost_of(archive), START + 5 * MINUTE)
    lost = await lost_of(archive)
    assert not await save(archive, SECOND)
    assert await lost_of(archive) == lost


async def test_the_match_goes_on(archive: SessionFactory) -> None:
    """The lost hand is the second; the table comes back with far higher versions, and somebody new sits down."""
    for item in (BEGAN, FIRST):
        await save(archive, item)
    await give_up(archive, await lost_of(archive), START + 5 * MINUTE)
    seats = (*FIRST.seats[:2], FinishedSeat("west", "West"), FIRST.seats[3])
    departed = gone(2, "south", 2, START + 6 * MINUTE)
    there = (*seats[:2], EMPTY, seats[3])
    left = a_state(100_003, 2, ended=START + 6 * MINUTE, seats=there, departure=departed)
    sat = a_state(100_005, 2, ended=START + 7 * MINUTE, seats=seats)
    third = ended_at(
        a_hand(
            3,
            ended=START + 8 * MINUTE,
            seats=tuple(replace(seat, total=n) for seat, n in zip(seats, (80, -21, -3, -15), strict=True)),
            result=OTHER,
        ),
        100_030,
    )
    for item in (third, sat, left):
        await save(archive, item)
    lost = await lost_of(archive)
    assert (lost.hand_no, lost.totals) == (3, (80, -21, -3, -15))
    assert [number for number, _, _ in lost.sheet] == [1, 3]
    async with reading(archive) as session:
        text = await record_of(session, "west", MATCH)
    assert text is not None
    hands = [located.record for located in parse_records(text)]
    assert [hand.void for hand in hands] == ["", LOST, ""]
    assert [entry.text for entry in hands[1].log] == ["left 2"]
    assert hands[2].log[0].text == "sit 2 West"


async def test_an_archive_that_is_away() -> None:
    engine = create_engine("postgresql://nobody@127.0.0.1:1/archive")  # nothing listens on port 1
    factory = create_session_factory(engine)
    lost = LostTable(BEGAN, (0, 0, 0, 0), 0, 0, True, ())
    with pytest.raises(Away):
        await lost_table(factory, TABLE, 0)
    with pytest.raises(Away):
        await open_tables_of(factory, "north", 0)
    with pytest.raises(Away):
        await give_up(factory, lost, 0)
    await engine.dispose()


async def test_a_question_leaves_nothing_to_the_collector(archive: SessionFactory) -> None:
    """Every socket asks at once where its player sits: a statement built for each was a fifth of its memory."""
    await open_tables_of(archive, "north", START)
    gc.collect()
    gc.disable()
    try:
        for _ in range(50):
            await open_tables_of(archive, "north", START)
        assert gc.collect() < 50 * 10
    finally:
        gc.enable()
