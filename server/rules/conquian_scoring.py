"""Conquian, section 5: what a game is worth, how it ends, and who has won the match."""

from __future__ import annotations

from collections import Counter

import msgspec

from server.rules.conquian_hand import ConquianHand, ConquianOptions, other
from server.rules.events import HandEnded
from server.rules.result import Ending, Result


def multiplier(options: ConquianOptions, drawn: int) -> int:
    """How many times the stake is paid after so many drawn games in a row.

    "Beberapa orang bermain dengan taruhan ganda untuk permainan berikutnya." Doubled for each drawn game, or by a pool
    to which each drawn game adds a stake; the cap holds for both.
    """
    if options.draw_carry == "none":
        return 1
    grown = 1 << min(drawn, 7) if options.draw_carry == "double" else 1 + drawn  # 2 ** 7 is above any cap
    return min(grown, options.carry_cap)


def win(hand: ConquianHand) -> tuple[ConquianHand, HandEnded]:
    """ "Dalam hal ini, Anda menang dan lawan Anda membayar Anda taruhan tetap." """
    return _end(hand, "out", (hand.turn,), payment(hand.options, hand.drawn, loser=other(hand.turn)))


def draw(hand: ConquianHand) -> tuple[ConquianHand, HandEnded]:
    """ "Tidak ada kartu yang tersisa di stok … dalam kasus ini permainannya seri." """
    return _end(hand, "draw", (), (0, 0))


def _end(
    hand: ConquianHand, ending: Ending, winners: tuple[int, ...], points: tuple[int, ...]
) -> tuple[ConquianHand, HandEnded]:
    result = Result(ending, winners, points, (0, 0), hand.hands)
    return msgspec.structs.replace(hand, phase="over", result=result), HandEnded(result)


def payment(options: ConquianOptions, drawn: int, loser: int) -> tuple[int, ...]:
    """Points by seat: "taruhan tetap", whatever the loser holds."""
    paid = options.stake * multiplier(options, drawn)
    return (-paid, paid) if loser == 0 else (paid, -paid)


def leave(options: ConquianOptions, hand: ConquianHand | None, seat: int, drawn: int) -> Result:
    """Who leaves for good pays as for a lost game (table-life: Leaving for good)."""
    hands = ((), ()) if hand is None else hand.hands
    return Result("left", (other(seat),), payment(options, drawn, seat), (0, 0), hands)


def match_winner(options: ConquianOptions, winners: tuple[tuple[int, ...], ...]) -> int | None:
    """Who has won as many games as the match is played for; drawn games do not count."""
    won = Counter(seat for game in winners for seat in game)
    return next((seat for seat, games in won.items() if games >= options.wins), None)
