"""The records of finished hands and matches, as text that a player can read and a program can replay."""

from __future__ import annotations

from server.protocol import HistoryDetail
from server.tables.finished import FinishedHand, FinishedSeat, LogLine

HEADER_LINES = 4
"""Version, game, options, players: the same for every hand of a match."""


def hand_record(hand: FinishedHand) -> str:
    """The complete record of one hand (notation: Records)."""
    options = "".join(f" {name}={value}" for name, value in sorted(hand.options.items()))
    points = " ".join(f"{number:+d}" for number in hand.result.points)
    winners = ",".join(map(str, hand.result.winners)) or "-"
    lines = [
        "upcard-record 1",
        f"game {hand.game}",
        f"options{options}",
        "players " + " | ".join(map(player, hand.seats)),
        f"hand {hand.hand_no} dealer {hand.dealer}",
        f"commit {hand.commitment}",
        *(f"deal {seat} {' '.join(cards)}" for seat, cards in enumerate(hand.deal)),
        f"turned {hand.upcard}",
        f"stock {' '.join(hand.stock)}",
        *map(log_line, hand.log),
        f"result {winners} {points}",
        f"seed {hand.seed}  nonces {' '.join(nonce or '-' for nonce in hand.nonces)}",
    ]
    if hand.outcome is not None:
        totals = " ".join(str(seat.total) for seat in hand.seats)
        lines.append(f"match {','.join(map(str, hand.outcome.winners)) or '-'} {totals}")
    return "\n".join(lines) + "\n"


def player(seat: FinishedSeat) -> str:
    return seat.name if seat.bot is None else f"{seat.name} ({seat.bot})"


def log_line(line: LogLine) -> str:
    return line.text if line.seat is None else f"{line.seat}: {line.text}"


def match_record(found: HistoryDetail) -> str:
    """The record of a match: its hands one after the other, under one head."""
    texts = [hand.record.splitlines(keepends=True) for hand in found.hands]
    head = texts[0][:HEADER_LINES] if texts else []
    return "".join([*head, *(line for text in texts for line in text[HEADER_LINES:])])
