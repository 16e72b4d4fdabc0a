"""A link carries a player to another device: once, for a short while, and nobody reads it anywhere."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest
from redis.asyncio import Redis

from server.api.handover import SECONDS
from server.client import Client, new_session
from server.players import COOKIE
from tests.house import House, running_house


def offered(house: House, cookie: str) -> str:
    """The token of a new link for whoever has the cookie."""
    answer = httpx.post(f"{house.url}/api/handover", json={}, cookies={COOKIE: cookie})
    assert answer.status_code == 200
    assert answer.json()["seconds"] == SECONDS
    token: str = answer.json()["token"]
    return token


def taken(house: House, token: str, cookie: str = "") -> httpx.Response:
    """What another device is told that follows a link."""
    cookies = {COOKIE: cookie} if cookie else {}
    return httpx.post(f"{house.url}/api/handover/take", json={"token": token}, cookies=cookies)


async def test_another_device_plays_on_in_the_same_seat_and_both_are_live(house: House, ada: str) -> None:
    async with Client(house.url, ada) as first:
        table = await first.create({"turn_seconds": 60}, private=True)
        answer = await asyncio.to_thread(taken, house, offered(house, ada))
        assert answer.json() == {"name": "Ada"}
        assert "httponly" in answer.headers["set-cookie"].lower()
        async with Client(house.url, answer.cookies[COOKIE]) as second:
            assert (await second.watch(table)).you == 0
            for seat in (1, 2, 3):
                await second.add_bot(table, seat)
            await second.ready(table)
            for device in (first, second):
                frame = await device.frame(table, lambda f: f.view.phase == "playing")
                assert frame.you == 0
                assert frame.view.seats[0].here


def test_whoever_follows_a_link_is_somebody_else_from_then_on(house: House, ada: str, ben: str) -> None:
    answer = taken(house, offered(house, ada), ben)
    who = httpx.get(f"{house.url}/api/session", cookies={COOKIE: answer.cookies[COOKIE]})
    assert who.json() == {"name": "Ada"}


async def test_a_link_works_once_however_many_ask_at_the_same_time(house: House, ada: str) -> None:
    token = offered(house, ada)
    answers = await asyncio.gather(*(asyncio.to_thread(taken, house, token) for _ in range(8)))
    assert sorted(answer.status_code for answer in answers) == [200] + [404] * 7
    late = taken(house, token)
    assert (late.status_code, late.json()) == (404, {"code": "no_such_handover"})
    assert "set-cookie" not in late.headers


def looked(house: House, token: str) -> httpx.Response:
    """What is told of a link to whoever shows it."""
    return httpx.post(f"{house.url}/api/handover/look", json={"token": token})


def test_whoever_shows_a_link_is_told_when_it_has_been_used(house: House, ada: str) -> None:
    token = offered(house, ada)
    assert [looked(house, token).status_code for _ in range(2)] == [204, 204]
    taken(house, token)
    assert (looked(house, token).status_code, looked(house, token).json()) == (
        404,
        {"code": "no_such_handover"},
    )
    assert looked(house, "no such token").status_code == 404


@pytest.mark.parametrize("token", ["", "x", "ä", "no such token at all", "../" * 20])
def test_a_wrong_link_leads_nowhere(house: House, ada: str, token: str) -> None:
    offered(house, ada)
    answer = taken(house, token)
    assert (answer.status_code, answer.json()) == (404, {"code": "no_such_handover"})


def test_only_a_player_can_be_carried_and_only_by_our_own_pages(house: House, ada: str) -> None:
    offer, take = f"{house.url}/api/handover", f"{house.url}/api/handover/take"
    assert httpx.post(offer, json={}).json() == {"code": "no_session"}
    cookies = {COOKIE: ada}
    abroad = {"origin": "https://evil.example"}
    assert httpx.post(offer, json={}, cookies=cookies, headers=abroad).status_code == 403
    assert httpx.post(offer, content="{}", cookies=cookies).status_code == 415
    assert httpx.post(offer, json={"player": "x"}, cookies=cookies).status_code == 422
    assert httpx.get(offer, cookies=cookies).status_code == 405
    token = offered(house, ada)
    assert httpx.post(take, json={"token": token}, headers=abroad).status_code == 403
    assert httpx.post(take, content=f"token={token}").status_code == 415
    assert httpx.post(take, json={"token": "x" * 101}).status_code == 422
    assert taken(house, token).status_code == 200, "what was refused at the door has used up nothing"


async def test_the_store_knows_a_hash_and_forgets_it(tmp_path: Path, store_url: str) -> None:
    secret = "a secret of the server, and long enough to be one"
    with running_house(tmp_path, UPCARD_REDIS_URL=store_url, UPCARD_SECRET=secret) as house:
        cookie = await asyncio.to_thread(new_session, house.url, "Ada")
        token = await asyncio.to_thread(offered, house, cookie)
        async with Redis.from_url(store_url) as store:
            [key] = [key async for key in store.scan_iter("*handover:*")]
            assert token.encode() not in key
            kept = await store.get(key)
            assert isinstance(kept, bytes)
            assert token.encode() not in kept
            assert 0 < await store.pttl(key) <= SECONDS * 1000
            assert (await asyncio.to_thread(taken, house, token)).status_code == 200
            assert not await store.exists(key)
