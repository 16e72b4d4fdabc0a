"""A complete bot for Konken: python docs/bot.py http://127.0.0.1:8000 [table]. See bot.md beside it."""

import asyncio
import contextlib
import sys
from functools import partial
from operator import ne

from server.client import Client, new_session
from server.protocol import Frame
from server.rules.actions import Discard, Draw, Lay
from server.rules.konken import KonkenView
from server.rules.refusal import Refused

VALUE = "A23456789TJQK"


async def move(client: Client, table: str, frame: Frame) -> None:
    """Draw; lay the best melds while the rules let it; throw the highest of what is in no meld."""
    view, legal = frame.view.hand, frame.legal
    if not isinstance(view, KonkenView) or view.hand is None or legal is None:
        raise TypeError("this bot plays Konken only")
    if view.phase == "draw":
        await client.play(table, Draw())
        return
    melds = await client.arrange(table)
    for meld in melds:
        with contextlib.suppress(Refused):  # it may leave too few cards: the rules know, the bot need not
            await client.play(table, Lay((meld,)))
            return
    kept = {card for meld in melds for card in meld}
    throws = sorted(legal.discard, key=lambda card: (card not in kept, VALUE.find(card[0])))
    await client.play(table, Discard(throws[-1]))


async def main(url: str, table: str = "", **options: int) -> Frame:
    """Sit down, at a table of one's own with the house's bots if none is named, and play the match to its end."""
    cookie = await asyncio.to_thread(new_session, url, "Example bot")
    async with Client(url, cookie) as client:
        if table:
            await client.watch(table)
            await client.sit(table)
        else:
            table = await client.create(dict(options))
            for free in range(1, len(client.frames[table].view.seats)):
                await client.add_bot(table, free)
        while (frame := client.frames[table]).view.phase != "over":
            seat = frame.view.seats[frame.you] if frame.you is not None else None
            if seat and seat.asked:
                await move(client, table, frame)
            elif seat and not seat.ready and frame.view.phase != "playing":
                await client.ready(table)
            await client.frame(table, partial(ne, frame), 120)
        return frame


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
