"""What happened while somebody was away: told again from the log of the hand, so that nothing is stored twice."""

from __future__ import annotations

from server.rules import notation, shuffle
from server.rules.events import redact
from server.rules.registry import rules_of
from server.tables.events import HandedBack, StandInSeated
from server.tables.table import Event, Table


def missed(table: Table, seen: int, viewer: int | None) -> tuple[Event, ...]:
    """The events of this hand after version `seen`, as one viewer may see them; empty where there is no hand."""
    if not table.dealt_v or seen >= table.v:
        return ()
    rules = rules_of(table.game)
    seed, nonces = table.seed, table.nonces
    if table.phase != "playing":
        if table.proof is None:
            return ()
        seed, nonces = table.proof.seed, table.proof.nonces
    entropy = shuffle.entropy(bytes.fromhex(seed), nonces)
    drawn = table.drawn_before(table.hand_no)
    hand, dealt = rules.deal(table.options, entropy, table.dealer or 0, drawn)
    told: list[Event] = list(dealt) if seen < table.dealt_v else []
    for line in table.lines:
        happened: tuple[Event, ...] = _befell(line.text)
        if line.seat is not None:
            hand, events = rules.apply(hand, line.seat, notation.parse_action(line.text))
            happened = tuple(redact(event, viewer) for event in events)
        if line.v > seen:
            told += happened
    return tuple(told)


def _befell(text: str) -> tuple[Event, ...]:
    what, _, seat = text.partition(" ")
    match what:
        case "bot":
            return (StandInSeated(int(seat)),)
        case "back":
            return (HandedBack(int(seat)),)
        case _:
            return ()
