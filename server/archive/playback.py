"""A finished hand, step by step, from its record: all hands are open now, and the seed is told."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any, cast

import msgspec
from sqlalchemy import ColumnElement, select
from sqlalchemy.ext.asyncio import AsyncSession

from server.archive.history import is_own
from server.archive.models import HandRow, MatchRow
from server.bodies import HandReplay, ReplayStep
from server.rules.record_reader import parse_records
from server.rules.registry import AnyRules, GameName, rules_of
from server.rules.replay import Replayed, retrace
from server.rules.result import Result


async def playback(
    session: AsyncSession, player: str, match_id: str, hand_no: int, share: str
) -> HandReplay | None:
    """A hand of a match the player has played in; None if there is none, or it was lost and nothing of it is known.

    `share` is what opens it to others.
    """
    return await _found(session, match_id, hand_no, share, is_own(player))


async def shared_playback(
    session: AsyncSession, match_id: str, hand_no: int, share: str
) -> HandReplay | None:
    """The same for whoever has its `share`."""
    return await _found(session, match_id, hand_no, share)


async def _found(
    session: AsyncSession, match_id: str, hand_no: int, share: str, *only: ColumnElement[bool]
) -> HandReplay | None:
    row = await session.scalar(
        select(HandRow)
        .join(MatchRow, MatchRow.id == HandRow.match)
        .where(HandRow.match == match_id, HandRow.hand_no == hand_no, *only)
    )
    if row is None:
        return None
    # Milliseconds of computing, for anybody who has the link: nobody's table waits for that.
    result = msgspec.convert(row.result, Result)
    return await asyncio.to_thread(played_back, row.record, result, share)


def played_back(text: str, result: Result, share: str) -> HandReplay | None:
    """A record as steps. The seed is not checked here: whoever reads it should do that, as nobody has to trust us."""
    (located,) = parse_records(text)
    found = retrace(located, verify=False)
    if found.begun is None:
        return None
    record = located.record
    return HandReplay(
        game=cast(GameName, record.game),
        hand_no=record.hand,
        dealer=record.dealer,
        players=record.players,
        steps=tuple(steps(rules_of(record.game), found)),
        deal=record.deal,
        turned=record.turned,
        stock=record.stock,
        commit=record.commit,
        seed=record.seed,
        nonces=record.nonces,
        result=result,
        share=share,
    )


def steps(rules: AnyRules, found: Replayed) -> Iterator[ReplayStep]:
    """The deal, then every entry of the log."""

    def step(seat: int | None, note: str, events: tuple[Any, ...], hand: Any) -> ReplayStep:
        return ReplayStep(seat, note, events, hand.hands, rules.view(hand, None))

    yield step(None, "", (), found.begun)
    for move in found.moves:
        note = move.entry.text if move.entry.seat is None else move.entry.comment
        yield step(move.entry.seat, note, move.events, move.hand)
