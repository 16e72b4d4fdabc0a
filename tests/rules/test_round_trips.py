"""Random matches as records: written, read and replayed they are the same hands, whatever the game and its options."""

from __future__ import annotations

from itertools import count
from random import Random
from typing import Any, NamedTuple

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.judging.fuzz import play_greedily
from server.rules.events import Reshuffled
from server.rules.notation import action_text, cards_text
from server.rules.record_reader import parse_records
from server.rules.records import RESHUFFLE, Entry, HandRecord, match_record
from server.rules.replay import retrace_match
from server.rules.shuffle import SEED_BYTES, commitment, entropy
from tests.rules.play import Subject, game_of, seeds
from tests.rules.subjects import SUBJECTS

MOST_HANDS = 3


class Played(NamedTuple):
    """A hand that was played: its record, and how it came to stand in the end."""

    record: HandRecord
    end: Any


def a_hand(options: Any, chance: Random, number: int, dealer: int, drawn: int) -> Played:
    """A hand from a fresh seed, each move random or greedy, with a note here and there that changes nothing."""
    rules, seed = game_of(options), chance.randbytes(SEED_BYTES)
    players = rules.seats(options)
    nonces = tuple(chance.choice(("", f"{chance.getrandbits(32):08x}")) for _ in range(players))
    source = entropy(seed, nonces)
    hand, _ = rules.deal(options, source, dealer, drawn)
    log: list[Entry] = []
    while deciders := rules.deciders(hand):
        seat = chance.choice(deciders)
        legal = rules.legal(hand, seat)
        greedy = play_greedily(rules.view(hand, seat), legal, options, chance)
        action = chance.choice([greedy, chance.choice(legal)])
        hand, events = rules.apply(hand, seat, action)
        stocks = [event.stock for event in events if isinstance(event, Reshuffled) and event.stock]
        log += [Entry(None, f"{RESHUFFLE} {cards_text(stock)}") for stock in stocks]
        log.append(Entry(seat, action_text(action), chance.choice(("", "", "timeout", "3.2s"))))
        if not stocks and chance.randrange(20) == 0:
            log.append(Entry(None, chance.choice(("bot", "back")) + f" {seat}"))
    layout, result = rules.layout(options, source, dealer), rules.result(hand)
    assert result is not None
    record = HandRecord(
        game=rules.name,
        options=said(options),
        players=tuple(f"Seat {seat}" for seat in range(players)),
        hand=number,
        dealer=dealer,
        commit=commitment(seed),
        deal=layout.hands,
        turned=layout.upcard,
        stock=layout.stock,
        log=tuple(log),
        winners=result.winners,
        points=result.points,
        seed=seed.hex(),
        nonces=nonces,
    )
    return Played(record, hand)


def said(options: Any) -> dict[str, int | str]:
    """The options that are not the defaults."""
    values: dict[str, int | str] = msgspec.to_builtins(options)
    return {name: value for name, value in values.items() if name != "game"}


def a_match(options: Any, chance: Random) -> list[Played]:
    """Up to so many hands, and a match line where the points decide before."""
    rules, hands = game_of(options), list[Played]()
    dealer, drawn = chance.randrange(rules.seats(options)), 0
    totals, winners = [0] * rules.seats(options), list[tuple[int, ...]]()
    for number in count(1):
        played = a_hand(options, chance, number, dealer, drawn)
        result = played.end.result
        if result.ending != "void":
            totals = [total + points for total, points in zip(totals, result.points, strict=True)]
            winners.append(result.winners)
        drawn = 0 if result.winners else drawn + 1
        dealer = (dealer + 1) % rules.seats(options)
        champion = rules.match_winner(options, tuple(totals), tuple(winners)) if winners else None
        if champion is not None:
            match = ((champion,), tuple(totals))
            played = Played(msgspec.structs.replace(played.record, match=match), played.end)
        hands.append(played)
        if champion is not None or number == MOST_HANDS:
            return hands
    raise AssertionError("a match ends")


@pytest.mark.parametrize("game", SUBJECTS)
@given(st.data(), seeds)
def test_a_match_comes_back_from_its_text_and_replays_to_the_same_hands(
    game: str, data: st.DataObject, seed: int
) -> None:
    subject: Subject = SUBJECTS[game]
    hands = a_match(data.draw(subject.options), Random(seed))
    text = match_record(played.record for played in hands)
    read = parse_records(text)
    assert [located.record for located in read] == [played.record for played in hands]
    assert match_record(located.record for located in read) == text
    found = list(retrace_match(read))
    assert [replayed.problem for replayed in found] == [None] * len(hands)
    assert [replayed.end for replayed in found] == [played.end for played in hands]
    totals = [0] * len(hands[0].record.players)
    for replayed, played in zip(found, hands, strict=True):
        totals = [total + points for total, points in zip(totals, played.record.points, strict=True)]
        assert replayed.totals == tuple(totals)
        assert replayed.result == played.end.result
        lines = text.splitlines()
        for move in replayed.moves:
            assert lines[move.line - 1].startswith(
                move.entry.text if move.entry.seat is None else f"{move.entry.seat}: {move.entry.text}"
            )
