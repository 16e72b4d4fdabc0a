"""Scripted people at a real table."""

from __future__ import annotations

import contextlib

from server.client import Client
from server.protocol import Frame
from server.rules.game import AnyAction, Discard, Draw, Take
from server.rules.refusal import Refused


def plain_move(frame: Frame) -> AnyAction:
    """Draw and throw the last card that may be thrown; sometimes take the pile instead."""
    hand = frame.view.hand
    assert hand is not None
    assert frame.legal is not None
    if hand.phase == "draw":
        take = frame.legal.verbs["take"] is None and frame.v % 7 == 0
        return Take() if take or frame.legal.verbs["draw"] is not None else Draw()
    return Discard(frame.legal.discard[-1])


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
    await client.play(table, plain_move(client.frames[table]))
    await client.frame(table, lambda f: f.decision != decision, seconds)


async def get_ready(client: Client, table: str, seconds: float) -> None:
    """Be ready, and wait for the deal."""
    await client.ready(table)
    await client.frame(table, lambda f: f.view.phase != "between", seconds)
