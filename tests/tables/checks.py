"""What must hold of every table, whatever it has lived through."""

from __future__ import annotations

import random
from typing import Any

from msgspec.structs import replace

from server.protocol import encode
from server.rules import shuffle
from server.rules.cards import face, pack
from server.rules.events import Drew
from server.rules.game import Layout
from server.rules.konken import KONKEN, KonkenHand, KonkenOptions
from server.rules.notation import parse_action
from server.tables.commands import Command, Tick
from server.tables.decide import decide
from server.tables.finished import AnyFinished, FinishedHand, MatchState
from server.tables.logbook import rows
from server.tables.table import Decision, Event, Moment, Table
from server.tables.timers import due_of
from tests.frames import frame_of
from tests.tables.model_course import LATE

FOR_EVER = 10**12
"""A pace at which bots never come to an answer, so that what is due is what time decides."""


def check_cards(hand: KonkenHand) -> None:
    """Cards are neither lost nor found."""
    cards = [*hand.stock, *hand.pile, *(card for cards in hand.hands for card in cards)]
    cards += [face(card) for meld in hand.table for card in meld.cards]
    cards += ["JK"] * (hand.pending is not None)
    assert sorted(cards) == sorted(pack(hand.options.packs, hand.options.jokers))


def check_lateness(table: Table, command: Command, moment: Moment, decision: Decision) -> None:
    """A command that comes up to 5 s late finds the table as punctual ticks would have left it."""
    due = due_of(table, FOR_EVER)
    if due is None or not 0 < moment.now - due <= LATE:
        return
    events: list[Event] = []
    finished: list[AnyFinished] = []
    while due is not None and due <= moment.now:
        ticked = decide(table, Tick(), Moment(due, moment.seed))
        events += ticked.events
        finished += ticked.finished
        table, due = ticked.table, due_of(ticked.table, FOR_EVER)
        if ticked.closed:
            break
    else:
        last = decide(table, command, moment)
        events += last.events
        finished += last.finished
        table = last.table
    assert without_versions(table) == without_versions(decision.table)
    assert events == list(decision.events)
    assert [unversioned(item) for item in finished] == [unversioned(item) for item in decision.finished]


def without_versions(table: Table) -> Table:
    """Several ticks make several versions of what is otherwise one table."""
    return replace(table, v=0, dealt_v=0, log=rows(replace(line, v=0) for line in table.lines))


def unversioned(item: AnyFinished) -> AnyFinished:
    """The same for what is filed."""
    if isinstance(item, MatchState):
        return replace(item, v=0)
    if isinstance(item, FinishedHand):
        return replace(item, log=tuple(replace(line, v=0) for line in item.log))
    return item


def check_replay(item: FinishedHand, table: Table) -> None:
    """From the deal and the log alone a hand comes to the result that was filed."""
    deal = Layout(item.deal, item.upcard, item.stock)
    assert isinstance(table.options, KonkenOptions)
    hand = KONKEN.begin(table.options, deal, item.dealer)
    for line in item.log:
        if line.seat is not None:
            hand, _ = KONKEN.apply(hand, line.seat, parse_action(line.text))
    if item.result.ending == "void" and KONKEN.result(hand) is None:
        assert hand.hands == item.result.hands
    else:
        assert KONKEN.result(hand) == item.result
    entropy = shuffle.entropy(bytes.fromhex(item.seed), item.nonces)
    assert KONKEN.layout(table.options, entropy, item.dealer) == deal
    assert shuffle.commitment(bytes.fromhex(item.seed)) == item.commitment


def check_frame(table: Table, player: str, now: int, events: tuple[Event, ...], chance: int) -> None:
    """One viewer's frame has no secret in it, and does not change with what this viewer cannot see."""
    you = table.seat_of(player)
    frame = frame_of(table, player, now, events, seen=table.v - 1 if chance % 8 == 0 else None)
    text = encode(frame)
    assert table.seed not in text
    assert "tab-of-" not in text
    assert (table.token in text) == (table.private and you is not None)
    proven = table.proof.nonces if table.proof is not None else ()
    for nonce in (*table.nonces, *(seat.nonce for seat in table.seats)):
        assert not nonce or nonce in proven or nonce not in text
    for told in (*frame.events, *(frame.missed or ())):
        assert not isinstance(told, Drew) or told.seat == you or told.card is None
    if table.phase == "playing" and chance % 4 == 0:
        other = with_other_secrets(table, you, random.Random(chance))
        assert encode(frame_of(other, player, now)) == encode(frame_of(table, player, now))


def with_other_secrets(table: Table, you: int | None, chance: random.Random) -> Table:
    """The same table with everything shuffled or changed that this viewer cannot see."""
    hand: Any = table.hand
    hidden = [card for seat, cards in enumerate(hand.hands) if seat != you for card in cards]
    hidden += [*hand.stock, *hand.pile[1:]]
    chance.shuffle(hidden)

    def dealt(count: int) -> tuple[str, ...]:
        return tuple(hidden.pop() for _ in range(count))

    hands = tuple(cards if seat == you else dealt(len(cards)) for seat, cards in enumerate(hand.hands))
    pile = (*hand.pile[:1], *dealt(max(0, len(hand.pile) - 1)))
    drawn = hands[hand.turn][-1] if hand.drawn is not None and hand.turn != you else hand.drawn
    return replace(
        table,
        hand=replace(hand, hands=hands, stock=dealt(len(hand.stock)), pile=pile, drawn=drawn),
        seats=tuple(
            replace(seat, player=seat.player and (seat.player if i == you else f"someone-{i}"))
            for i, seat in enumerate(table.seats)
        ),
        nonces=("ff",) * len(table.nonces),
        log="",
        answered={},
        barred=(),
    )
