"""Who stands where: what people have taken from each other in matches that count, alike in both databases."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import text

from server.archive import standings
from server.archive.matches import save
from server.archive.session import SessionFactory, reading
from server.archive.standings import LEAST, SHARES, SHOWN, Board, Standing
from server.tables.finished import FinishedMatch, FinishedSeat, Outcome
from tests.archive.finished import EMPTY, START, a_hand, a_state, an_ending, gone

BOT = FinishedSeat(None, "Bot 1", bot="regular")
ADA, BEN, CEM, DEB = (FinishedSeat(name, name.title()) for name in ("ada", "ben", "cem", "deb"))
LATER = START + 3_600_000


def a_match(
    number: int, *seats: FinishedSeat, won: tuple[int, ...] = (0,), **different: Any
) -> FinishedMatch:
    """Match `number` of those who sat there; each ends a minute after the one before."""
    others = tuple(seat for seat in range(len(seats)) if seat not in won)
    told = {
        "match": f"0-k3n-{number}",
        "table": f"0-k3n-{number}",
        "seats": seats,
        "ended": LATER + number * 60_000,
        "outcome": Outcome("points", won, (*won, *others)),
    }
    return an_ending(**{**told, **different})


async def board(archive: SessionFactory, since: int = START) -> Board:
    async with reading(archive) as session:
        return await standings.board(session, "konken", since)


async def places(archive: SessionFactory) -> dict[str, tuple[int | None, float]]:
    """Place and points of everybody who has a place."""
    return {one.player: (one.place, one.points / SHARES) for one in (await board(archive)).best}


async def own(archive: SessionFactory, player: str) -> Standing | None:
    async with reading(archive) as session:
        return await standings.standing_of(session, "konken", START, player)


async def test_whoever_loses_gives_a_point_to_the_winner(archive: SessionFactory) -> None:
    for number, won in enumerate((0, 0, 1)):
        await save(archive, a_match(number, ADA, BEN, CEM, DEB, won=(won,)))
    assert await places(archive) == {"ada": (1, 5), "ben": (2, 1), "cem": (3, -3), "deb": (3, -3)}
    (first, *_) = (await board(archive)).best
    assert (first.name, first.matches, first.won) == ("Ada", 3, 2)


async def test_bots_neither_give_nor_take(archive: SessionFactory) -> None:
    for number, won in enumerate((0, 1, 0)):
        await save(archive, a_match(number, ADA, BOT, BEN, BOT, won=(won,)))
    assert await places(archive) == {"ada": (1, 2), "ben": (2, -2)}
    assert await own(archive, "ben") == Standing("ben", "Ben", -2 * SHARES, 3, 0)


async def test_several_winners_share(archive: SessionFactory) -> None:
    for number in range(3):
        await save(archive, a_match(number, ADA, BEN, CEM, BOT, won=(0, 1, 3)))
    assert await places(archive) == {"ada": (1, 1.5), "ben": (1, 1.5), "cem": (3, -3)}


async def test_a_stand_in_plays_for_its_person(archive: SessionFactory) -> None:
    for number in range(3):
        seats = (replace(ADA, stand_in=True), BEN)
        won = Outcome("points", (0,), (0, 1))
        hand = a_hand(1, match=f"m-{number}", seats=seats, outcome=won, nonces=("", ""), deal=((), ()))
        await save(archive, hand)
    assert await places(archive) == {"ada": (1, 3), "ben": (2, -3)}


@pytest.mark.parametrize(
    "another",
    [
        a_match(9, ADA, BEN, private=True),
        a_match(9, ADA, BEN, game="conker"),
        a_match(9, ADA, BEN, ended=START - 1),
        a_match(9, ADA, BEN, outcome=Outcome("void", (), (0, 1))),
        a_match(9, ADA, BOT, BOT, BOT),
        a_state(2, match="0-k3n-9", seats=(ADA, BEN), private=False),
    ],
    ids=["private", "another game", "long ago", "void", "only bots besides", "not finished"],
)
async def test_what_does_not_count(archive: SessionFactory, another: Any) -> None:
    for number in range(3):
        await save(archive, a_match(number, ADA, BEN))
    await save(archive, another)
    assert await places(archive) == {"ada": (1, 3), "ben": (2, -3)}
    assert await own(archive, "ada") == Standing("ada", "Ada", 3 * SHARES, 3, 3)


async def test_a_match_that_goes_on_after_all_counts_no_more(archive: SessionFactory) -> None:
    for number in range(3):
        await save(archive, a_match(number, ADA, BEN))
    forgotten = a_match(2, ADA, BEN)
    went_on = a_state(90, match=forgotten.match, table="0-k3n-2", seats=(ADA, BEN), private=False)
    await save(archive, replace(went_on, ended=forgotten.ended + 1))
    assert await places(archive) == {}
    assert await own(archive, "ada") == Standing("ada", "Ada", 2 * SHARES, 2, 2)


async def test_who_leaves_has_lost_and_who_is_sent_away_has_not(archive: SessionFactory) -> None:
    for number in range(3):
        match = a_match(number, ADA, BEN, BOT)
        for seat, player, kind in ((1, "cem", "left"), (2, "deb", "kicked")):
            state = a_state(
                2 + seat,
                match=match.match,
                table=match.table,
                seats=(ADA, EMPTY, EMPTY),
                private=False,
                departure=gone(seat, player, 0, START, kind=kind),
            )
            await save(archive, state)
        await save(archive, match)
    assert await places(archive) == {"ada": (1, 6), "ben": (2, -3), "cem": (2, -3)}
    assert await own(archive, "deb") is None
    assert await own(archive, "cem") == Standing("cem", "Cem", -3 * SHARES, 3, 0)


async def test_whose_leaving_ends_a_match_loses_it_once(archive: SessionFactory) -> None:
    for number in range(3):
        match = a_match(number, ADA, BEN, outcome=Outcome("forfeit", (0,), (0, 1)))
        left = gone(1, "ben", 1, match.ended)
        state = a_state(9, match=match.match, table=match.table, seats=match.seats, private=False)
        await save(archive, match)
        assert await save(archive, replace(state, ended=match.ended, departure=left))
    assert await places(archive) == {"ada": (1, 3), "ben": (2, -3)}
    assert await own(archive, "ben") == Standing("ben", "Ben", -3 * SHARES, 3, 0)


async def test_a_place_takes_some_matches(archive: SessionFactory) -> None:
    for number in range(LEAST):
        await save(archive, a_match(number, ADA, BEN if number else CEM))
    found = await board(archive)
    assert [one.player for one in found.best] == ["ada"]
    cem = await own(archive, "cem")
    assert cem is not None
    assert found.placed(cem).place is None
    assert await own(archive, "nobody") is None


async def test_the_name_is_that_of_the_newest_public_match_among_people(archive: SessionFactory) -> None:
    for number in range(3):
        await save(archive, a_match(number, replace(ADA, name=f"Ada {number}"), BEN))
    await save(archive, a_match(7, replace(ADA, name="Adelheid"), BEN, private=True))
    await save(archive, a_match(8, replace(ADA, name="Alone"), BOT))
    assert [one.name for one in (await board(archive)).best] == ["Ada 2", "Ben"]
    found = await own(archive, "ada")
    assert found is not None
    assert found.name == "Ada 2"


async def test_everybody_has_a_place_and_the_best_are_shown(archive: SessionFactory) -> None:
    pairs = SHOWN // 2 + 1
    for pair in range(pairs):
        good, bad = (FinishedSeat(f"{kind}-{pair:02}", kind.title()) for kind in ("good", "poor"))
        for number in range(LEAST + (pair == pairs - 1)):  # the last pair plays once more
            await save(archive, a_match(pair * 10 + number, good, bad))
    found = await board(archive)
    assert len(found.best) == SHOWN
    assert [one.place for one in found.best] == [1] + [2] * (pairs - 1) + [pairs + 1] * (SHOWN - pairs)
    for number, place in ((pairs - 2, pairs + 1), (pairs - 1, 2 * pairs)):
        one = await own(archive, f"poor-{number:02}")
        assert one is not None
        assert one.player not in {shown.player for shown in found.best}
        assert found.placed(one).place == place
    places_of = {9: 1, 4: 1, 3: 2, 0: pairs + 1, -3: pairs + 1, -4: 2 * pairs, -9: 2 * pairs + 1}
    for points, place in places_of.items():
        assert found.placed(Standing("any", "Any", points * SHARES, LEAST, 0)).place == place


def test_nobody_has_a_place_on_an_empty_board() -> None:
    standing = Standing("ada", "Ada", 0, LEAST, 0)
    assert Board((), (), 0).placed(standing).place == 1


async def test_the_questions_are_answered_by_indexes(archive: SessionFactory) -> None:
    async with reading(archive) as session:
        dialect = session.get_bind().dialect
        postgres = dialect.name == "postgresql"
        explain = "EXPLAIN" if postgres else "EXPLAIN QUERY PLAN"
        if postgres:
            await session.execute(text("SET LOCAL enable_seqscan = off"))  # it reads a small table at once
        given = {"game": "konken", "since": START, "player": "ada"}
        for question, index in (
            (standings.BOARD, "ix_matches_game_ended"),
            (standings.STANDING, "ix_match_seats_player"),
        ):
            asked = question.params(
                {name: given[name] for name in question.compile().params if name in given}
            )
            compiled = asked.compile(dialect=dialect, compile_kwargs={"literal_binds": True})
            connection = await session.connection()
            plan = (await connection.exec_driver_sql(f"{explain} {compiled}")).all()
            told = " ".join(str(part) for row in plan for part in row)
            assert index in told
            assert "Seq Scan" not in told
            assert "SCAN matches" not in told
