"""Lines that break, workers that die, and seats that stay."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

from server.client import Client, new_session
from server.protocol import Claim, Frame
from server.rules.actions import Draw
from tests.gateway.players import asked, play_on, two_and_two
from tests.house import House, running_house
from tests.line import Line


async def test_a_silent_line_is_noticed_within_eight_seconds_and_the_seat_waits(
    house: House, ada: str, ben: str
) -> None:
    async with Client(house.url, ada) as north, Line(house) as line:
        south = Client(line.url, ben)
        await south.__aenter__()
        table = await two_and_two(north, south)
        cards = south.frames[table].view.hand
        line.silence()
        silent = time.monotonic()
        frame = await north.frame(table, lambda f: f.view.seats[1].away_until is not None, 15)
        assert time.monotonic() - silent < 11, "8 s, and what a busy machine adds"
        until = frame.view.seats[1].away_until
        assert until is not None
        assert 28_000 < until - frame.now <= 31_000, "the workers' clocks agree but for milliseconds"
        async with Client(house.url, ben) as back:
            frame = await back.watch(table)
            assert frame.you == 1
            assert cards is not None
            assert frame.view.hand is not None
            await north.frame(table, lambda f: f.view.seats[1].away_until is None)


async def test_reload_in_mid_turn_keeps_the_drawn_card_and_the_turn(house: House, ada: str) -> None:
    async with Client(house.url, ada) as client:
        table = await client.create()
        for seat in (1, 2, 3):
            await client.add_bot(table, seat)
        await client.ready(table)
        await client.frame(table, asked, 30)
        await client.play(table, Draw())
        before = await client.frame(table, lambda f: f.view.hand is not None and f.view.hand.phase == "act")
    async with Client(house.url, ada) as again:
        after = await again.watch(table)
        assert again.welcome is not None
        assert [own.table for own in again.welcome.tables if own.your_turn] == [table]
        assert after.view.hand == before.view.hand
        assert after.decision == before.decision


async def test_a_claim_after_the_grace_ends_the_match_for_all_alike(house: House, ada: str, ben: str) -> None:
    async with Client(house.url, ada) as north:
        south = Client(house.url, ben)
        await south.__aenter__()
        table = await two_and_two(north, south, grace_seconds=2)
        await south.close()
        frame = await north.frame(table, lambda f: bool(f.view.absences), 8)
        assert frame.view.absences[0].choices == ("claim", "bot", "wait")
        await north.command(Claim(north.new_id(), table, 1, "claim"))
        frame = await north.frame(table, lambda f: f.view.phase == "over")
        assert frame.view.outcome is not None
        assert frame.view.outcome.by == "forfeit"
        assert 1 not in frame.view.outcome.winners
        async with Client(house.url, ben) as back:
            seen = await back.watch(table)
            assert seen.view.outcome == frame.view.outcome


async def test_a_bot_plays_on_and_the_person_takes_the_seat_back(house: House, ada: str, ben: str) -> None:
    async with Client(house.url, ada) as north:
        south = Client(house.url, ben)
        await south.__aenter__()
        table = await two_and_two(north, south, grace_seconds=2, absent="bot")
        await south.close()
        await north.frame(table, lambda f: f.view.seats[1].stand_in, 8)
        async with Client(house.url, ben) as back:
            await back.watch(table)
            frame = await back.frame(table, lambda f: not f.view.seats[1].stand_in, 8)
            assert frame.you == 1


async def test_after_kill_9_of_everything_the_hand_goes_on(tmp_path: Path) -> None:
    with running_house(tmp_path, workers=2) as house:
        cookie = new_session(house.url, "Ada")
        async with Client(house.url, cookie) as client:
            table = await client.create()
            for seat in (1, 2, 3):
                await client.add_bot(table, seat)
            await client.ready(table)
            await client.frame(table, asked, 30)
            await client.play(table, Draw())
            before = await client.frame(
                table, lambda f: f.view.hand is not None and f.view.hand.phase == "act"
            )
            await asyncio.sleep(1.2)  # the store writes its log once a second
        # The socket is closed, so the table is paused; then the plug is pulled.
        await asyncio.sleep(1.2)
        house.kill_all()
        house.start()
        async with Client(house.url, cookie) as client:
            after = await client.watch(table)
            assert after.view.hand == before.view.hand
            assert after.you == 0
            end = await play_on(client, table, 1)
            assert end.view.phase in ("between", "over")


async def test_a_killed_worker_loses_no_move_and_its_players_come_back(tmp_path: Path) -> None:
    with running_house(tmp_path, workers=2, UPCARD_LEASE_SECONDS="2") as house:
        cookies = [new_session(house.url, name) for name in ("Ada", "Ben")]
        async with Client(house.url, cookies[0]) as north, Client(house.url, cookies[1]) as south:
            table = await two_and_two(north, south, turn_seconds=60)
            before = max(north.frames[table].v, south.frames[table].v)
            workers = house.worker_pids()
            assert len(workers) == 2
            house.kill_worker(workers[0])
            await asyncio.sleep(0.5)
            async with Client(house.url, cookies[0]) as again, Client(house.url, cookies[1]) as more:
                frames: list[Frame] = [await again.watch(table), await more.watch(table)]
                assert [frame.you for frame in frames] == [0, 1]
                assert min(frame.v for frame in frames) >= before
                ends = await asyncio.gather(play_on(again, table, 1), play_on(more, table, 1))
                sheets = [end.about.sheet[0] for end in ends if end.about]
                assert sheets[0] == sheets[1]


async def test_a_restart_marks_nobody_away(tmp_path: Path) -> None:
    with running_house(tmp_path) as house:
        cookies = [new_session(house.url, name) for name in ("Ada", "Ben")]
        async with Client(house.url, cookies[0]) as north, Client(house.url, cookies[1]) as south:
            table = await two_and_two(north, south)
            house.stop()
        house.start()
        async with Client(house.url, cookies[0]) as north:
            frame = await north.watch(table)
            assert frame.view.seats[1].here, "Ben's lease has not run out yet"
            assert frame.view.seats[1].away_until is None


async def test_a_client_that_says_it_restarts_is_away_all_the_same(tmp_path: Path) -> None:
    with running_house(tmp_path, UPCARD_LEASE_SECONDS="2") as house:
        cookies = [new_session(house.url, name) for name in ("Ada", "Ben")]
        async with Client(house.url, cookies[0]) as north:
            south = Client(house.url, cookies[1])
            await south.__aenter__()
            table = await two_and_two(north, south)
            assert south._socket is not None
            await south._socket.close(1012)
            await north.frame(table, lambda f: f.view.seats[1].away_until is not None, 8)
            await south.close()
