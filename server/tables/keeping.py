"""What a match tells the archive: how it stands, a finished hand, its end. Each waits with the commit that made it."""

from __future__ import annotations

from typing import Any

import msgspec

from server.rules import shuffle
from server.rules.game import Layout
from server.rules.result import Result
from server.tables.finished import Departure, FinishedHand, FinishedMatch, FinishedSeat, MatchState, Outcome
from server.tables.table import Draft, Table


def differing_options(table: Table) -> dict[str, int | str]:
    """Game and house options that differ from the defaults; the game itself is named elsewhere."""
    both: dict[str, int | str] = {**msgspec.to_builtins(table.options), **msgspec.to_builtins(table.house)}
    del both["game"]
    return both


def _head(table: Table, now: int) -> dict[str, Any]:
    return {
        "match": table.match_id,
        "table": table.id,
        "game": table.game,
        "options": differing_options(table),
        "private": table.private,
        "started": table.started,
        "ended": now,
        "seats": tuple(FinishedSeat(s.player, s.name, s.bot, s.stand_in, s.total) for s in table.seats),
    }


def _hands(table: Table) -> int:
    """How many hands of the match have come to an end, lost ones too."""
    return table.hand_no - (table.phase == "playing")


def keep_state(draft: Draft, departure: Departure | None = None) -> None:
    """Tell the archive how the match stands: when it begins, and whenever its seats change."""
    table = draft.table
    state = MatchState(
        **_head(table, draft.now),
        v=table.v + 1,
        dealer=table.dealer or 0,
        hand_no=table.hand_no,
        quick=table.quick,
        token=table.token,
        barred=table.barred,
        departure=departure,
        hands=_hands(table),
    )
    draft.finished.append(state)


def keep_match(draft: Draft, outcome: Outcome) -> None:
    """Tell the archive that the match has ended outside a hand's end."""
    table = draft.table
    draft.finished.append(FinishedMatch(**_head(table, draft.now), outcome=outcome, hands=_hands(table)))


def keep_hand(draft: Draft, deal: Layout, result: Result, outcome: Outcome | None) -> None:
    """Hand a finished hand to the archive, with how its cards lay; `outcome` if the match ends with it."""
    table = draft.table
    hand = FinishedHand(
        **_head(table, draft.now),
        hand_no=table.hand_no,
        dealer=table.dealer or 0,
        commitment=shuffle.commitment(bytes.fromhex(table.seed)),
        seed=table.seed,
        nonces=table.nonces,
        deal=deal.hands,
        upcard=deal.upcard,
        stock=deal.stock,
        log=table.lines,
        result=result,
        outcome=outcome,
    )
    draft.finished.append(hand)
