"""The life of a table over real sockets: play now, phrases, leaving, kicks, rematch, and a store that was wiped."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from redis.asyncio import Redis

from server.client import Client, new_session
from server.players import COOKIE
from server.protocol import Claim, Frame, Kick, Leave, Quick, Rename, Said, Say
from server.rules.actions import Draw, Lay
from server.rules.konken import KonkenOptions
from server.rules.refusal import Code, Refused
from server.tables.events import Left, Recovered
from tests.gateway.players import asked, play_on, two_and_two
from tests.house import House, running_house


@contextlib.asynccontextmanager
async def clients(house: House, *names: str) -> AsyncIterator[list[Client]]:
    """New players with their sockets."""
    async with contextlib.AsyncExitStack() as stack:
        yield [
            await stack.enter_async_context(Client(house.url, new_session(house.url, name), keep_log=True))
            for name in names
        ]


# ---- play now


async def test_play_now_brings_strangers_together(house: House) -> None:
    async with clients(house, "Ada", "Ben") as (ada, ben):
        first = await ada.command(Quick("q1", "konken"))
        await ada.watch(first.table)
        await asyncio.sleep(0.3)
        second = await ben.command(Quick("q2", "konken"))
        frame = await ben.watch(second.table)
        assert second.table == first.table
        assert frame.about is not None
        assert frame.about.quick
        assert frame.about.options == KonkenOptions(target=100, max_hands=8)
        assert frame.view.host is None
        assert [seat.ready for seat in frame.view.seats] == [True, True, False, False]
        again = await ben.command(Quick("q2", "konken"))
        assert again.table == second.table
        await ada.add_bot(first.table, 2)
        await ada.add_bot(first.table, 3)
        await ada.frame(first.table, lambda f: f.view.phase == "playing")


async def test_eight_at_once_play_now_and_all_have_a_seat(house: House) -> None:
    names = [f"Guest {n}" for n in range(8)]
    async with clients(house, *names) as crowd:
        acks = await asyncio.gather(
            *(client.command(Quick(f"q-{n}", "konken")) for n, client in enumerate(crowd))
        )
        for client, ack in zip(crowd, acks, strict=True):
            frame = await client.watch(ack.table)
            assert frame.you is not None


# ---- phrases and names


async def test_a_phrase_reaches_everybody_and_changes_nothing(house: House) -> None:
    async with clients(house, "Ada", "Ben", "Cem") as (ada, ben, cem):
        table = await two_and_two(ada, ben)
        await cem.watch(table)
        version = ada.frames[table].v
        ack = await ben.command(Say("s1", table, 3))
        assert ack.v is None
        for client in (ada, ben, cem):
            await client.until(lambda c: any(isinstance(m, Said) for m in c.log or ()))
            said = [m for m in client.log or () if isinstance(m, Said)]
            assert said == [Said(table, 1, 3)]
        assert ada.frames[table].v >= version
        with pytest.raises(Refused) as refused:
            await cem.command(Say("s2", table, 3))
        assert refused.value.code == Code.NOT_SEATED


async def test_phrases_are_few(house: House) -> None:
    async with clients(house, "Ada", "Ben") as (ada, ben):
        table = await two_and_two(ada, ben)
        codes = []
        for n in range(12):
            try:
                await ada.command(Say(f"s{n}", table, 0))
            except Refused as refused:
                codes.append(refused.code)
        assert set(codes) == {Code.RATE_LIMITED}
        assert len(codes) >= 7


async def test_a_new_name_shows_at_the_table(house: House) -> None:
    async with clients(house, "Ada", "Ben") as (ada, ben):
        table = await two_and_two(ada, ben)
        await ben.command(Rename("r1", "  Benjamin\u202e "))
        frame = await ada.frame(table, lambda f: f.view.seats[1].name == "Benjamin")
        assert frame.view.seats[1].kind == "person"
        with pytest.raises(Refused) as refused:
            await ben.command(Rename("r2", "\u200b"))
        assert refused.value.code == Code.MALFORMED


# ---- leaving, kicks, rematch


async def test_leaving_opens_the_seat_and_bars_the_way_back(house: House) -> None:
    async with clients(house, "Ada", "Ben", "Cem") as (ada, ben, cem):
        table = await two_and_two(ada, ben)
        await ben.command(Leave("l1", table))
        frame = await ada.frame(table, lambda f: f.view.phase == "between")
        assert frame.view.seats[1].kind == "empty"
        assert any(isinstance(event, Left) for event in frame.events)
        with pytest.raises(Refused) as refused:
            await ben.sit(table)
        assert refused.value.code == Code.BARRED
        await cem.watch(table)
        await cem.sit(table, 1)
        await asyncio.gather(ada.ready(table), cem.ready(table))
        frame = await cem.frame(table, lambda f: f.view.phase == "playing")
        assert frame.you == 1


async def test_a_kick_between_hands(house: House) -> None:
    async with clients(house, "Ada", "Ben") as (ada, ben):
        table = await two_and_two(ada, ben)
        with pytest.raises(Refused) as refused:
            await ben.command(Kick("k0", table, 0))
        assert refused.value.code == Code.NOT_HOST
        await asyncio.gather(play_on(ada, table, 1), play_on(ben, table, 1))
        await ada.command(Kick("k1", table, 1))
        frame = await ben.frame(table, lambda f: f.you is None)
        assert frame.view.seats[1].kind == "empty"


async def test_a_rematch_by_consent(house: House) -> None:
    async with clients(house, "Ada", "Ben") as (ada, ben):
        table = await two_and_two(ada, ben, max_hands=1)
        ends = await asyncio.gather(play_on(ada, table, 9), play_on(ben, table, 9))
        assert ends[0].view.phase == "over"
        await ada.ready(table)
        await asyncio.sleep(0.2)
        assert ada.frames[table].view.phase == "over"
        await ben.ready(table)
        frame = await ada.frame(table, lambda f: f.view.phase == "playing")
        assert [seat.total for seat in frame.view.seats] == [0, 0, 0, 0]


# ---- what was missed


async def test_what_happened_meanwhile_is_told_on_return(house: House, ada: str) -> None:
    async with Client(house.url, ada) as client:
        table = await client.create({"turn_seconds": 60})
        for seat in (1, 2, 3):
            await client.add_bot(table, seat)
        await client.ready(table)
        frame = await client.frame(table, asked, 30)
        await client.play(table, Draw())
        frame = await client.frame(table, lambda f: bool(f.legal and f.legal.discard))
    async with Client(house.url, ada) as client:
        again = await client.watch(table, seen=frame.v - 1)
        assert again.missed is not None
        assert [type(event).__name__ for event in again.missed] == ["Drew"]
        assert (await client.watch(table)).missed is None


# ---- three people and a bot


@pytest.mark.parametrize("returns_first", [True, False])
async def test_claims_and_a_return_in_one_instant_have_one_outcome(house: House, returns_first: bool) -> None:
    async with clients(house, "Ada", "Ben") as (ada, ben):
        cookie = new_session(house.url, "Cem")
        cem = Client(house.url, cookie)
        await cem.__aenter__()
        table = await ada.create({"turn_seconds": 60, "grace_seconds": 2})
        for client, seat in ((ben, 1), (cem, 2)):
            await client.watch(table)
            await client.sit(table, seat)
        await ada.add_bot(table, 3)
        await asyncio.gather(*(client.ready(table) for client in (ada, ben, cem)))
        await ada.frame(table, lambda f: f.view.phase == "playing")
        await cem.close()
        await ada.frame(table, lambda f: bool(f.view.absences), 8)
        await ada.command(Claim("c1", table, 2, "claim"))
        await asyncio.sleep(0.1)
        async with Client(house.url, cookie) as back:
            claiming = ben.command(Claim("c2", table, 2, "claim"))
            watching = back.watch(table)
            first, second = (watching, claiming) if returns_first else (claiming, watching)
            await asyncio.gather(first, second, return_exceptions=True)
            await asyncio.sleep(0.5)
            seen = [client.frames[table].view for client in (ada, ben, back)]
            assert len({view.phase for view in seen}) == 1
            assert len({str(view.outcome) for view in seen}) == 1
            assert seen[0].phase in ("playing", "over")
            assert not seen[0].absences
            assert await archived_ending(house, ada) == ("forfeit" if seen[0].phase == "over" else None)


async def archived_ending(house: House, client: Client) -> str | None:
    """How the archive says that the newest match of a player has ended; None while it is played."""
    await asyncio.sleep(0.5)  # the archiver has had its moment
    async with httpx.AsyncClient(base_url=house.url, cookies={COOKIE: client.cookie}) as http:
        by: str | None = (await http.get("/api/history")).json()["matches"][0]["by"]
    return by


# ---- a store that was wiped


@pytest.mark.parametrize("hands", [0, 2])
async def test_a_wiped_store_costs_the_hand_and_nothing_else(
    tmp_path: Path, store_url: str, hands: int
) -> None:
    secret = "for tests only, and long enough to be one"
    store = Redis.from_url(store_url)
    await store.flushall()
    given = {"UPCARD_REDIS_URL": store_url, "UPCARD_SECRET": secret, "UPCARD_LEASE_SECONDS": "2"}
    with running_house(tmp_path, workers=2, **given) as house:
        async with clients(house, "Ada", "Ben") as (ada, ben):
            table = await two_and_two(ada, ben)
            if hands:
                await asyncio.gather(play_on(ada, table, hands), play_on(ben, table, hands))
                await asyncio.gather(ada.ready(table), ben.ready(table))
            before = await ada.frame(table, lambda f: f.view.phase == "playing")
            totals = [seat.total for seat in before.view.seats]
            await asyncio.sleep(0.5)  # the archiver has had its moment
            await store.flushall()

            def back(frame: Frame) -> bool:
                return frame.v > before.v + 1000

            after, _ = await asyncio.gather(ada.frame(table, back, 10), ben.frame(table, back, 10))
            assert after.you == 0
            assert [seat.total for seat in after.view.seats] == totals
            assert after.about is not None
            assert len(after.about.sheet) == hands
            told = [event for m in ada.log or () if isinstance(m, Frame) for event in m.events]
            assert Recovered() in told
            await asyncio.gather(ada.ready(table), ben.ready(table))
            again = await ada.frame(table, lambda f: back(f) and f.view.phase == "playing")
            assert again.view.dealer == before.view.dealer
            ends = await asyncio.gather(play_on(ada, table, hands + 1), play_on(ben, table, hands + 1))
            assert all(len(end.about.sheet) == hands + 1 for end in ends if end.about)
    await store.aclose()


# ---- meld help


async def test_arrange_proposes_melds_of_ones_own_hand_that_can_be_laid(house: House) -> None:
    async with clients(house, "Ada") as [ada]:
        for _ in range(6):
            table = await ada.create({"turn_seconds": 60})
            for seat in (1, 2, 3):
                await ada.add_bot(table, seat)
            await ada.ready(table)
            await ada.frame(table, asked, 30)
            await ada.play(table, Draw())
            await ada.frame(table, lambda f: bool(f.legal and f.legal.discard))
            for meld in await ada.arrange(table):
                checked = await ada.check(table, Lay((meld,)))
                assert checked.code is None
            await ada.unwatch(table)


async def test_no_help_where_the_table_has_none(house: House) -> None:
    async with clients(house, "Ada") as [ada]:
        table = await ada.create({"meld_help": "off"})
        with pytest.raises(Refused) as refused:
            await ada.arrange(table)
        assert refused.value.code == Code.HELP_OFF
