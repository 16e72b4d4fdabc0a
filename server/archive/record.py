"""The records of finished hands and matches, as text that a player can read and a program can replay."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from server.bodies import HistoryDetail
from server.rules import record_reader, records
from server.rules.records import Entry, HandRecord
from server.tables.finished import FinishedHand, FinishedSeat, LostHand


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
            void=why_void(hand),
            match=None if hand.outcome is None else (hand.outcome.winners, totals),
        )
    )


def why_void(hand: FinishedHand) -> str:
    """What made a hand void from outside: somebody left, the last that its log tells. Empty for all others."""
    if hand.result.ending == "void" and hand.log and hand.log[-1].seat is None:
        what, _, seat = hand.log[-1].text.partition(" ")
        if what == "left":
            return f"{seat} left"
    return ""


def lost_record(lost: LostHand) -> str:
    """The record of a hand that was lost with its table."""
    players = tuple(map(written_name, lost.seats))
    return records.record(records.lost_hand(lost.game, lost.options, players, lost.hand_no, lost.dealer))


def match_record(found: HistoryDetail, left: Iterable[tuple[int, int]] = ()) -> str:
    """The record of a match: its hands one after the other; empty if it ended before its first hand did.

    `left` is who left for good: the seat, and the number of the last hand before. It is noted where it happened, and
    in the next hand that somebody else sits there, with a total of 0.
    """
    hands = [record_reader.parse_record(hand.record) for hand in found.hands]
    if not hands:
        return ""
    for seat, number in sorted(set(left)):
        note_departure(hands, seat, number)
    if found.match.ended is not None:  # also where no hand ended it: claimed, or void
        totals = tuple(seat.total for seat in found.match.seats)
        hands[-1] = replace(hands[-1], match=(found.match.winners, totals))
    return records.match_record(hands)


def note_departure(hands: list[HandRecord], seat: int, number: int) -> None:
    """Write into the hands that somebody left `seat` in hand `number` or after it, and that another took it."""
    left = Entry(None, f"left {seat}")
    if before := [index for index, hand in enumerate(hands) if hand.hand <= number]:
        hand = hands[before[-1]]
        if left not in hand.log:
            hands[before[-1]] = replace(hand, log=(*hand.log, left))
    if after := [index for index, hand in enumerate(hands) if hand.hand > number]:
        hand = hands[after[0]]
        sits = Entry(None, f"sit {seat} {records.escaped(hand.players[seat])}")
        hands[after[0]] = replace(hand, log=(sits, *hand.log))


def written_name(seat: FinishedSeat) -> str:
    """A name as it stands in a record: a bot's with its level."""
    return seat.name if seat.bot is None else f"{seat.name} ({seat.bot})"
