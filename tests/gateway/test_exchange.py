"""The exchange that the page about the protocol shows is one that a server has."""

from __future__ import annotations

from typing import Any

import msgspec

from server.protocol import AnyClientMessage, AnyServerMessage
from tests import exchange
from tests.house import House

DIRECTIONS: dict[str, Any] = {"→": AnyClientMessage, "←": AnyServerMessage}


def test_its_messages_are_those_of_the_protocol() -> None:
    for way, message in exchange.read():
        known = msgspec.convert(message, DIRECTIONS[way])
        assert msgspec.json.decode(msgspec.json.encode(known)) == message


async def test_a_server_answers_as_it_is_told(house: House) -> None:
    lines = [line for line in await exchange.play(house.url) if line.way != "#"]
    played = [(line.way, msgspec.json.decode(line.text)) for line in lines]
    assert [shape(*line) for line in played] == [shape(*line) for line in exchange.read()]


def shape(way: str, message: dict[str, Any]) -> tuple[str, str, list[str]]:
    """What has to be the same each time: whither, which message, with which fields."""
    return way, message["t"], sorted(message)
