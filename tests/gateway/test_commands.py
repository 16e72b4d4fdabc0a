"""Commands over real sockets: one answer, one effect, whoever races with whom."""

from __future__ import annotations

import asyncio
import contextlib
import json

import pytest
from websockets.exceptions import ConnectionClosed

from server.client import Client, new_session
from server.gateway.limits import MOST_TABLES, RATES
from server.protocol import PROTOCOL, Ack, Bye, Checked, Create, Hello, Play, Refusal, Sit
from server.rules.actions import Discard, Draw, Lay
from server.rules.refusal import Code, Refused
from tests.gateway.players import asked
from tests.house import House


async def my_turn(client: Client, table: str) -> None:
    await client.frame(table, asked, 30)


async def solo(client: Client, **options: int | str) -> str:
    """A hand against three bots."""
    table = await client.create(dict(options))
    for seat in (1, 2, 3):
        await client.add_bot(table, seat)
    await client.ready(table)
    return table


async def test_two_hundred_at_once_from_two_sockets_half_of_them_sent_again(house: House, ada: str) -> None:
    async with Client(house.url, ada, keep_log=True) as one, Client(house.url, ada, keep_log=True) as two:
        table = await solo(one)
        await two.watch(table)
        await my_turn(one, table)
        await my_turn(two, table)
        decision, before = one.frames[table].decision, one.frames[table]
        assert before.view.hand is not None
        commands = [
            (client, Play(f"{name}-{n}", table, decision, Draw()))
            for n in range(50)
            for client, name in ((one, "one"), (two, "two"))
        ]
        sent = [*commands, *commands]
        answers = [client.expect(command.id) for client, command in sent]
        await asyncio.gather(*(client.send(command) for client, command in sent))
        told = await asyncio.wait_for(asyncio.gather(*answers), 20)
        assert len(told) == 200
        done = {answer.id for answer in told if isinstance(answer, Ack)}
        refused = [answer for answer in told if isinstance(answer, Refusal)]
        assert len(done) == 1, "one command drew, and so did its re-send"
        assert {answer.code for answer in refused} == {Code.STALE_DECISION}
        assert len(refused) == 198
        for client in (one, two):
            assert client.log is not None
            answered = [m for m in client.log if isinstance(m, Ack | Refusal) and m.id[:3] in ("one", "two")]
            assert len(answered) == 100
        frame = await one.frame(table, lambda f: f.decision != decision)
        assert frame.view.hand is not None
        assert frame.view.hand.stock == before.view.hand.stock - 1
        assert frame.view.hand.counts[0] == before.view.hand.counts[0] + 1


async def test_a_resent_create_opens_one_table(house: House, ada: str) -> None:
    async with Client(house.url, ada) as client:
        command = Create("same", "konken", {}, True)
        first = await client.command(command)
        again = await client.command(command)
        assert first.table == again.table


async def test_the_last_seat_is_taken_once(house: House, ada: str) -> None:
    async with Client(house.url, ada) as host:
        table = await host.create()
        await host.add_bot(table, 1)
        await host.add_bot(table, 2)
        clients = [Client(house.url, new_session(house.url, f"Guest {n}")) for n in range(8)]
        for client in clients:
            await client.__aenter__()
        answers = await asyncio.gather(*(client.sit(table) for client in clients), return_exceptions=True)
        codes = [answer.code for answer in answers if isinstance(answer, Refused)]
        assert codes == [Code.SEAT_TAKEN] * 7
        for client in clients:
            await client.close()


async def test_check_says_what_play_would_and_changes_nothing(house: House, ada: str) -> None:
    async with Client(house.url, ada) as client:
        table = await solo(client)
        await my_turn(client, table)
        version = client.frames[table].v
        hand = client.frames[table].view.hand
        assert hand is not None
        assert hand.hand is not None
        checked = await client.check(table, Lay((hand.hand[:3],)))
        assert checked.code == Code.WRONG_PHASE
        assert await client.check(table, Draw()) == Checked(checked_id(client), 0)
        assert client.frames[table].v == version


def checked_id(client: Client) -> str:
    """The id of the check that was just answered."""
    return list(client._answers)[-1]


async def test_another_seat_cannot_be_played_and_strangers_cannot_play(
    house: House, ada: str, ben: str
) -> None:
    async with Client(house.url, ada) as north, Client(house.url, ben) as stranger:
        table = await solo(north)
        await my_turn(north, table)
        frame = await stranger.watch(table)
        assert frame.you is None
        for decision in range(frame.decision, frame.decision + 4):
            with pytest.raises(Refused) as refused:
                await stranger.command(Play(stranger.new_id(), table, decision, Draw()))
            assert refused.value.code == Code.NOT_SEATED


async def test_a_private_table_needs_seat_or_token(house: House, ada: str, ben: str) -> None:
    async with Client(house.url, ada) as north, Client(house.url, ben) as south:
        table = await north.create(private=True)
        about = north.frames[table].about
        assert about is not None
        assert about.token
        with pytest.raises(Refused) as refused:
            await south.watch(table)
        assert refused.value.code == Code.PRIVATE
        with pytest.raises(Refused) as refused:
            await south.command(Sit(south.new_id(), table))
        assert refused.value.code == Code.PRIVATE
        frame = await south.watch(table, about.token)
        assert frame.about is not None
        assert frame.about.token is None
        await south.sit(table)


@pytest.mark.parametrize(
    ("text", "answer_id"),
    [
        ("", ""),
        ("{", ""),
        ("[]", ""),
        ('{"t":"steal","id":"x1"}', "x1"),
        ('{"t":"play","id":"x2","table":"0-abcdefghijklm","decision":0,"action":{"a":"fly"}}', "x2"),
        ('{"t":"sit","id":"x3","table":"../../etc","seat":0}', "x3"),
        ('{"t":"sit","id":"x4","table":"0-abcdefghijklm","seat":9}', "x4"),
        ('{"t":"sit","id":"x5","table":"0-abcdefghijklm","extra":1}', "x5"),
        ('{"t":"create","id":"x6","game":"chess"}', "x6"),
        ('{"t":"sit","id":"x7","table":"0-abcdefghijklm\\n"}', "x7"),
        ('{"t":"ready","id":"x8","table":"0-abcdefghijklm","on":true,"nonce":"ab\\n"}', "x8"),
        (
            '{"t":"play","id":"x9","table":"0-abcdefghijklm","decision":0,"action":{"a":"discard","card":"JK\\n"}}',
            "x9",
        ),
        ('{"a":' + "[" * 8000, ""),
    ],
)
async def test_what_cannot_be_read_is_answered_and_changes_nothing(
    house: House, ada: str, text: str, answer_id: str
) -> None:
    async with Client(house.url, ada) as client:
        answer = client.expect(answer_id)
        await client.send_text(text)
        told = await asyncio.wait_for(answer, 5)
        assert told == Refusal(answer_id, Code.MALFORMED)


async def test_no_such_table(house: House, ada: str) -> None:
    async with Client(house.url, ada) as client:
        with pytest.raises(Refused) as refused:
            await client.command(Sit(client.new_id(), "0-abcdefghijklm"))
        assert refused.value.code == Code.NO_SUCH_TABLE
        with pytest.raises(Refused):
            await client.watch("0-abcdefghijklm")


async def test_a_card_one_does_not_hold(house: House, ada: str) -> None:
    async with Client(house.url, ada) as client:
        table = await solo(client)
        await my_turn(client, table)
        await client.play(table, Draw())
        frame = await client.frame(table, lambda f: bool(f.legal and f.legal.discard))
        assert frame.view.hand is not None
        missing = next(
            c
            for c in (
                "AS",
                "2S",
                "3S",
                "4S",
                "5S",
                "6S",
                "7S",
                "8S",
                "9S",
                "TS",
                "JS",
                "QS",
                "KS",
                "AH",
                "2H",
            )
            if c not in (frame.view.hand.hand or ())
        )
        with pytest.raises(Refused) as refused:
            await client.play(table, Discard(missing))
        assert refused.value.code == Code.NOT_IN_HAND


async def test_an_old_client_is_told_to_reload(house: House, ada: str) -> None:
    async with Client(house.url, ada, keep_log=True) as client:
        assert client._socket is not None
        await client.send_text('{"t":"hello","protocol":99}')
        await client._socket.wait_closed()
        assert client._socket.close_code == 4426
        assert client.log is not None
        assert isinstance(client.log[-1], Bye)


async def test_a_flood_is_closed(house: House, ada: str) -> None:
    async with Client(house.url, ada, keep_log=True) as client:
        assert client._socket is not None
        with contextlib.suppress(ConnectionClosed):
            for _ in range(3000):
                await client.send_text('{"t":"ping"}')
        await asyncio.wait_for(client._socket.wait_closed(), 20)
        assert (client._socket.close_code, client._socket.close_reason) == (1008, "flood")
        assert client.log is not None
        assert client.log[-1] == Bye("flood")


async def test_nobody_holds_more_tables_than_a_person_could_play_at(house: House, ada: str) -> None:
    async with Client(house.url, ada) as client:
        for _ in range(MOST_TABLES):
            await client.command(Create(client.new_id(), "konken"))
        with pytest.raises(Refused) as refused:
            await client.command(Create(client.new_id(), "konken"))
        assert (refused.value.code, refused.value.detail) == (Code.TOO_MANY_TABLES, {"most": MOST_TABLES})


async def test_whoever_speaks_the_protocol_before_gets_whole_frames(house: House, ada: str) -> None:
    async with Client(house.url, ada, keep_log=True) as north:
        await north.send(Hello(PROTOCOL - 1))
        table = await north.create()
        await north.add_bot(table, 1)
        await north.frame(table, lambda frame: frame.view.seats[1].kind == "bot")
        assert north.raw is not None
        frames = [json.loads(text) for text in north.raw if '"t":"frame"' in text]
        assert len(frames) > 1
        assert all({"view", "legal", "decision", "you"} <= set(frame) for frame in frames)
        assert all(len(frame["view"]["seats"][0]) == 10 for frame in frames)
        assert [frame["v"] for frame in frames if "about" in frame] == [frames[0]["v"]]


async def test_whoever_asks_too_fast_is_answered_a_little_later(house: House, ada: str) -> None:
    async with Client(house.url, ada, keep_log=True) as north:
        table = await solo(north)
        await my_turn(north, table)
        at_once = int(RATES["ask"].burst) + 5
        melds = await asyncio.gather(*(north.arrange(table) for _ in range(at_once)))
        assert len(melds) == at_once
        await asyncio.gather(*(north.check(table, Draw()) for _ in range(3)))
        refused = [message.code for message in north.log or () if isinstance(message, Refusal)]
        assert set(refused) == {Code.RATE_LIMITED}
