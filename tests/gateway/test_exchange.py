"""The exchange that the page about the protocol shows is one that a server has."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from server.brief import Reader, Teller, complete
from server.protocol import AnyClientMessage, Frame, encode
from server.sight import Sight
from tests import exchange
from tests.house import House


def test_its_messages_are_those_of_the_protocol() -> None:
    reader, before = Reader(), None
    for way, message in exchange.read():
        text = msgspec.json.encode(message)
        if way == "→":
            again = msgspec.json.encode(msgspec.json.decode(text, type=AnyClientMessage)).decode()
        else:
            known = reader.read(text)
            sight = seen(known) if isinstance(known, Frame) else None
            again = Teller().brief(sight, before) if sight else encode(known)
            before = sight or before
        assert msgspec.json.decode(again) == message


def seen(frame: Frame) -> Sight:
    """What a frame shows, as if there were no other viewer."""
    fields = msgspec.structs.asdict(frame)
    return Sight(common=fields.pop("view"), own={}, **fields)


def test_the_ten_lines_on_the_page_make_its_frames_whole() -> None:
    lines = re.search(r"```python\n(.*?)```", exchange.PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert lines is not None
    page: dict[str, Any] = {}
    exec(lines[1], page)
    whole: dict[str, Any] = {}
    frames = [message for _, message in exchange.read() if message["t"] == "frame"]
    for told in frames:
        before = {name: value for name, value in whole.items() if name != "events"}
        assert page["fill"](told, before) == complete(told, whole)
        whole = complete(told, whole)
    assert len(frames[-1]) < len(frames[0])


async def test_a_server_answers_as_it_is_told(house: House) -> None:
    lines = [line for line in await exchange.play(house.url) if line.way != "#"]
    played = [(line.way, msgspec.json.decode(line.text)) for line in lines]
    assert [shape(*line) for line in played] == [shape(*line) for line in exchange.read()]


def shape(way: str, message: dict[str, Any]) -> tuple[str, str, list[str]]:
    """What has to be the same each time: whither, which message, with which fields."""
    return way, message["t"], sorted(message)
