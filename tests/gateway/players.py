"""Scripted people at a real table."""

from __future__ import annotations

import asyncio
import contextlib

from server.client import Client
from server.protocol import Frame
from server.rules.actions import AnyAction, Discard, Draw, Exchange, Force, Meld, Pass, Take, Waive
from server.rules.refusal import Refused


async def plain_move(client: Client, table: str) -> AnyAction:
    """A harmless answer to the newest question, and now and then one that is not."""
    frame = client.frames[table]
    hand, legal = frame.view.hand, frame.legal
    assert hand is not None
    assert legal is not None

    def may(verb: str) -> bool:
        return verb in legal.verbs and legal.verbs[verb] is None

    if may("take") and frame.v % 7 == 0:
        return Take()
    if may("draw"):
        return Draw()
    if may("exchange"):
        return Exchange((hand.hand or ())[-1])
    if may("meld") and (not may("pass") or frame.v % 3 == 0):
        return Meld(await client.arrange(table))
    if may("force") and frame.v % 2:
        return Force()
    if may("pass") or may("waive"):
        return Pass() if may("pass") else Waive()
    return Discard(legal.discard[-1])


def asked(frame: Frame) -> bool:
    """Whether this viewer is asked now."""
    return frame.you is not None and frame.view.seats[frame.you].asked


async def play_on(client: Client, table: str, hands: int, seconds: float = 60) -> Frame:
    """Play plain moves and be ready for the next hand until so many hands are finished, or the match is over."""

    while True:
        frame = await client.frame(table, lambda f: asked(f) or f.view.phase != "playing", seconds)
        if frame.view.phase == "over" or len(frame.about.sheet if frame.about else ()) >= hands:
            return frame
        with contextlib.suppress(Refused):  # the other tab of the same player, or the clock, came first
            await (play_once if frame.view.phase == "playing" else get_ready)(client, table, seconds)


async def play_once(client: Client, table: str, seconds: float) -> None:
    """Make one plain move and wait for the next question."""
    decision = client.frames[table].decision
    await client.play(table, await plain_move(client, table))
    await client.frame(table, lambda f: f.decision != decision, seconds)


async def get_ready(client: Client, table: str, seconds: float) -> None:
    """Be ready, and wait for the deal."""
    await client.ready(table)
    await client.frame(table, lambda f: f.view.phase != "between", seconds)


async def two_and_two(north: Client, south: Client, **options: int | str) -> str:
    """Two people, two bots, first hand dealt; south has seat 1."""
    table = await north.create({"turn_seconds": 60, **options})
    await south.watch(table)
    await south.sit(table, 1)
    await north.add_bot(table, 2)
    await north.add_bot(table, 3)
    await asyncio.gather(north.ready(table), south.ready(table))
    await asyncio.gather(*(c.frame(table, lambda f: f.view.phase == "playing") for c in (north, south)))
    return table
