"""The exchange in docs/protocol.md, played against a real server: `python -m tests.exchange` records it anew."""

from __future__ import annotations

import asyncio
import json
import re
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from server.client import Client, new_session
from server.protocol import AddBot, AnyServerMessage, Create, Play, Ready, Watch
from server.rules.actions import Discard, Draw
from tests.house import running_house

PAGE = Path(__file__).parent.parent / "docs" / "protocol.md"
PART = re.compile(r"(<!-- recorded -->\n).*?(<!-- end -->)", re.DOTALL)
MESSAGE = re.compile(r"^(→|←) (.*(?:\n  .*)*)", re.MULTILINE)
TRIES = 40
"""Who begins is chance; that it is never us happens once in a million million times."""


class Line(NamedTuple):
    """A message of the exchange: whither, and its text; with direction `#` what is to be said about the next ones."""

    way: str
    text: str


class Recorder(Client):
    """A client that keeps what goes both ways, in order."""

    def __init__(self, base_url: str, cookie: str) -> None:
        super().__init__(base_url, cookie, keep_log=True)
        self.lines: list[Line] = []

    def note(self, text: str) -> None:
        """Say what comes next."""
        self.lines.append(Line("#", text))

    async def send_text(self, text: str) -> None:
        """Send text, and keep it."""
        self.lines.append(Line("→", text))
        await super().send_text(text)

    def _take(self, message: AnyServerMessage) -> None:
        assert self.raw is not None
        self.lines.append(Line("←", self.raw[-1]))
        super()._take(message)


async def play(base_url: str) -> list[Line]:
    """Play the exchange until chance lets us begin."""
    for _ in range(TRIES):
        recorder = Recorder(base_url, await asyncio.to_thread(new_session, base_url, "Ada"))
        recorder.note("The socket is open, and the client says which protocol it speaks.")
        async with recorder:
            if await _play(recorder):
                return recorder.lines
    raise AssertionError("we never begin")


async def _play(ada: Recorder) -> bool:
    ada.note("A table for two. The answer names it, and the creator has a seat.")
    await ada.send(create := Create("c1", "konken", {"players": 2, "hand_size": 10}))
    table = (await ada.expect(create.id)).table  # type: ignore[union-attr]
    ada.note("Watching shows all there is: the first frame of a table on a socket is whole.")
    await ada.send(Watch(table))
    await ada.until(lambda client: table in client.frames)
    ada.note(
        "Every command is answered once; what it changed comes as a frame, here before the `ack`. Nothing else is told."
    )
    await _ask(ada, AddBot("c2", table, 1))
    ada.note(
        "All seats are ready, so the cards are dealt. Seat 0 is asked; `decision` is the question's number."
    )
    await _ask(ada, Ready("c3", table, True, "5eed"))
    await ada.frame(table, lambda frame: frame.view.phase == "playing")
    frame = ada.frames[table]
    if not frame.view.seats[0].asked or frame.view.hand is None or frame.view.hand.hand is None:
        return False
    ada.note(
        "A move answers that question. The drawn card is for its owner only; others get the event without it."
    )
    await _ask(ada, draw := Play("c4", table, frame.decision, Draw()))
    await ada.frame(table, lambda after: after.decision != frame.decision)
    ada.note(
        "The line was cut and the client does not know whether that was heard: the same id has one effect."
    )
    await _ask(ada, draw)
    ada.note("A discard of a card that is not there. A refusal changes nothing, so no frame follows.")
    hand = ada.frames[table].view.hand
    assert hand is not None
    assert hand.hand is not None
    missing = next(card for card in ("KS", "QS", "JS", "TS") if card not in hand.hand)
    await _ask(ada, Play("c5", table, ada.frames[table].decision, Discard(missing)))
    return True


async def _ask(ada: Recorder, command: Any) -> None:
    answer = ada.expect(command.id)
    await ada.send(command)
    async with asyncio.timeout(10):
        await answer


# ---- on the page ---------------------------------------------------------------------------------------------


def written(lines: list[Line]) -> str:
    """The exchange as the page shows it."""
    out = []
    for way, text in lines:
        if way == "#":
            out.append(f"```\n\n{text}\n\n```text")
        else:
            spaced = json.dumps(json.loads(text), ensure_ascii=False)
            out += textwrap.wrap(
                f"{way} {spaced}", 116, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
            )
    return "\n".join(out).removeprefix("```\n\n") + "\n```\n"


def read() -> Iterator[tuple[str, dict[str, Any]]]:
    """The messages on the page: whither, and the message."""
    part = PART.search(PAGE.read_text(encoding="utf-8"))
    assert part is not None
    for way, text in MESSAGE.findall(part[0]):
        yield way, json.loads(" ".join(line.strip() for line in text.splitlines()))


def main() -> None:
    """Record the exchange on a server of its own, and put it into the page."""
    with tempfile.TemporaryDirectory() as folder, running_house(Path(folder)) as house:
        lines = asyncio.run(play(house.url))
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(
        PART.sub(lambda found: f"{found[1]}\n{written(lines)}\n{found[2]}", page), encoding="utf-8"
    )


if __name__ == "__main__":
    main()
