"""The records of finished hands and matches, as text that a player can read and a program can replay."""

from __future__ import annotations

from msgspec.structs import replace

from server.protocol import HistoryDetail
from server.rules import records
from server.rules.records import Entry, HandRecord
from server.tables.finished import FinishedHand, FinishedSeat


def hand_record(hand: FinishedHand) -> str:
    """The complete record of one hand."""
    totals = tuple(seat.total for seat in hand.seats)
    return records.record(
        HandRecord(
            game=hand.game,
            options=hand.options,
            players=tuple(map(written_name, hand.seats)),
            hand=hand.hand_no,
            dealer=hand.dealer,
            commit=hand.commitment,
            deal=hand.deal,
            turned=hand.upcard,
            stock=hand.stock,
            log=tuple(
                Entry(line.seat, line.text, records.comment(line.ms, line.note == "timeout"))
                for line in hand.log
            ),
            winners=hand.result.winners,
            points=hand.result.points,
            seed=hand.seed,
            nonces=hand.nonces,
            match=None if hand.outcome is None else (hand.outcome.winners, totals),
        )
    )


def match_record(found: HistoryDetail) -> str:
    """The record of a match: its hands one after the other; empty if it ended before its first hand did."""
    hands = [records.parse_record(hand.record) for hand in found.hands]
    if not hands:
        return ""
    if found.match.ended is not None:  # also where no hand ended it: claimed, or void
        totals = tuple(seat.total for seat in found.match.seats)
        hands[-1] = replace(hands[-1], match=(found.match.winners, totals))
    return records.match_record(hands)


def written_name(seat: FinishedSeat) -> str:
    """A name as it stands in a record: a bot's with its level."""
    return seat.name if seat.bot is None else f"{seat.name} ({seat.bot})"
