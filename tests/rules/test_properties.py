"""What must hold in every hand of every game, whatever is played and whatever the options are."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.judging.fuzz import POLICIES, fuzz
from server.rules import notation
from server.rules.actions import Discard
from server.rules.events import AnyEvent, redact
from server.rules.refusal import Code
from server.rules.registry import GAMES, AnyHand, AnyOptions
from tests.rules.play import Subject, game_of, refusal, seeds, steps
from tests.rules.subjects import SUBJECTS

every_game = pytest.mark.parametrize(
    "subject", [pytest.param(subject, id=game) for game, subject in SUBJECTS.items()]
)


def test_no_game_is_left_out() -> None:
    assert set(SUBJECTS) == set(GAMES)


@every_game
@given(st.data(), seeds)
def test_no_card_is_lost_or_made_and_every_hand_ends(
    subject: Subject, data: st.DataObject, seed: int
) -> None:
    options = data.draw(subject.options)
    whole, count = subject.pack(options), 0
    for step in steps(options, seed):
        assert subject.everywhere(step.after) == whole
        count += 1
    assert count <= subject.most_actions(options)


@every_game
@given(st.data(), seeds)
def test_all_that_is_legal_is_accepted_and_written_both_ways(
    subject: Subject, data: st.DataObject, seed: int
) -> None:
    for step in steps(data.draw(subject.options), seed):
        assert step.legal
        assert len(set(map(notation.action_text, step.legal))) == len(step.legal)
        for action in step.legal:
            assert refusal(step.before, step.seat, action) is None, notation.action_text(action)
            assert notation.parse_action(notation.action_text(action)) == action


@every_game
@given(st.data(), seeds)
def test_what_is_refused_changes_nothing(subject: Subject, data: st.DataObject, seed: int) -> None:
    options, chance = data.draw(subject.options), Random(seed)
    rules = game_of(options)
    for step in steps(options, seed):
        encoded = msgspec.json.encode(step.before)
        deciders = rules.deciders(step.before)
        for _ in range(5):
            seat = chance.randrange(rules.seats(options))
            action = subject.any_action(step.before, seat, chance)
            code = refusal(step.before, seat, action)
            assert msgspec.json.encode(step.before) == encoded
            if seat not in deciders:
                assert code in {Code.NOT_YOUR_TURN, Code.WRONG_PHASE}
            elif subject.is_always_listed(action) and action not in rules.legal(step.before, seat):
                assert code is not None
        for seat in set(range(rules.seats(options))) - set(deciders):
            assert rules.legal(step.before, seat) == []


@every_game
@given(st.data(), seeds)
def test_the_menu_agrees_with_what_is_accepted(subject: Subject, data: st.DataObject, seed: int) -> None:
    options, chance = data.draw(subject.options), Random(seed)
    rules = game_of(options)
    for step in steps(options, seed):
        if chance.randrange(4):
            continue
        deciders = rules.deciders(step.before)
        for seat in range(rules.seats(options)):
            menu = rules.menu(step.before, seat)
            for verb, why in menu.verbs.items():
                if verb in notation.PLAIN:
                    assert refusal(step.before, seat, notation.PLAIN[verb]) == (why and why.code)
            faces = list(dict.fromkeys(step.before.hands[seat]))
            accepted = [card for card in faces if refusal(step.before, seat, Discard(card)) is None]
            assert list(menu.discard) == accepted
            if seat not in deciders:
                assert None not in menu.verbs.values()
                assert (menu.discard, menu.add, menu.swap) == ((), {}, {})


@every_game
@given(st.data(), seeds)
def test_a_hand_survives_json(subject: Subject, data: st.DataObject, seed: int) -> None:
    options = data.draw(subject.options)
    assert msgspec.json.decode(msgspec.json.encode(options), type=AnyOptions) == options
    for step in steps(options, seed):
        encoded = msgspec.json.encode(step.after)
        again = msgspec.json.decode(encoded, type=AnyHand)
        assert again == step.after
        assert msgspec.json.encode(again) == encoded
        view = game_of(options).view(step.after, 0)
        assert msgspec.json.decode(msgspec.json.encode(view), type=type(view)) == view


@every_game
@given(st.data(), seeds)
def test_a_timeout_always_ends_the_turn(subject: Subject, data: st.DataObject, seed: int) -> None:
    options = data.draw(subject.options)
    rules = game_of(options)
    for step in steps(options, seed):
        hand, _ = rules.apply(step.before, step.seat, rules.timeout(step.before, step.seat))
        for _ in range(2):
            if rules.mid_turn(hand, step.seat):
                hand, _ = rules.apply(hand, step.seat, rules.timeout(hand, step.seat))
        assert not rules.mid_turn(hand, step.seat)


@every_game
@given(st.data(), seeds)
def test_nobody_sees_what_is_not_theirs(subject: Subject, data: st.DataObject, seed: int) -> None:
    """Exchange all that a viewer cannot see: no byte of view, menu and redacted events may change."""
    options, chance = data.draw(subject.options), Random(seed)
    rules = game_of(options)
    for step in steps(options, seed):
        for viewer in (None, *range(rules.seats(options))):
            other = subject.with_other_hidden_cards(step.before, viewer, chance)
            assert subject.everywhere(other) == subject.pack(options)
            assert seen(step.before, viewer) == seen(other, viewer)
            if (action := subject.unseen(step, other, viewer)) is not None:
                after, events = rules.apply(other, step.seat, action)
                assert told(events, viewer) == told(step.events, viewer)
                assert seen(after, viewer) == seen(step.after, viewer)


def seen(hand: Any, viewer: int | None) -> bytes:
    rules = game_of(hand)
    view = msgspec.json.encode(rules.view(hand, viewer))
    return view if viewer is None else view + msgspec.json.encode(rules.menu(hand, viewer))


def told(events: tuple[AnyEvent, ...], viewer: int | None) -> bytes:
    return msgspec.json.encode([redact(event, viewer) for event in events])


@every_game
@given(st.data(), seeds)
def test_the_events_tell_the_difference_of_two_views(
    subject: Subject, data: st.DataObject, seed: int
) -> None:
    options = data.draw(subject.options)
    rules = game_of(options)
    mirrors = {viewer: subject.mirror(viewer, options) for viewer in (None, *range(rules.seats(options)))}
    for number, step in enumerate(steps(options, seed)):
        for viewer, mirror in mirrors.items():
            if number == 0:
                mirror.begin(rules.view(step.before, viewer))
            for event in step.events:
                mirror.hear(redact(event, viewer))
            assert mirror.view == rules.view(step.after, viewer)


@every_game
@given(st.data(), seeds)
def test_hands_are_public_only_once_the_hand_is_over(
    subject: Subject, data: st.DataObject, seed: int
) -> None:
    for step in steps(data.draw(subject.options), seed):
        assert step.before.result is None
        assert step.after.result is None or step.after.result.hands == step.after.hands


@every_game
@given(st.data(), seeds)
def test_the_fuzzer_finds_nothing_and_its_records_replay(
    subject: Subject, data: st.DataObject, seed: int
) -> None:
    options = data.draw(subject.options)
    for policy in POLICIES.values():
        assert fuzz(game_of(options).name, 1, str(seed), options, policy).faults == ()
