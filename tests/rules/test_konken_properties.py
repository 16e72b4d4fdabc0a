"""What must hold in every hand of Konken, whatever is played and whatever the options are."""

from __future__ import annotations

from random import Random

import msgspec
from hypothesis import given

from server.judging.fuzz import POLICIES, fuzz
from server.rules import notation
from server.rules.cards import JOKER, RANKS, SUITS, pack
from server.rules.game import (
    Add,
    AnyAction,
    AnyEvent,
    Discard,
    Draw,
    Drew,
    Lay,
    Swap,
    Take,
    redact,
)
from server.rules.konken import KONKEN, KonkenHand, KonkenOptions, KonkenView
from server.rules.konken_choices import most_actions
from server.rules.refusal import Code
from server.rules.registry import AnyHand
from tests.rules.mirror import Mirror
from tests.rules.play import all_options, everywhere, refusal, seeds, steps

FACES = [rank + suit for suit in SUITS for rank in RANKS] + [JOKER]


@given(all_options, seeds)
def test_no_card_is_lost_or_made_and_every_hand_ends(options: KonkenOptions, seed: int) -> None:
    whole = sorted(pack(options.packs, options.jokers))
    count = 0
    for step in steps(options, seed):
        assert everywhere(step.after) == whole
        count += 1
    assert count <= most_actions(options)


@given(all_options, seeds)
def test_all_that_is_legal_is_accepted_and_written_both_ways(options: KonkenOptions, seed: int) -> None:
    for step in steps(options, seed):
        assert step.legal
        assert len(set(map(notation.action_text, step.legal))) == len(step.legal)
        for action in step.legal:
            assert refusal(step.before, step.seat, action) is None, notation.action_text(action)
            assert notation.parse_action(notation.action_text(action)) == action


@given(all_options, seeds)
def test_what_is_refused_changes_nothing(options: KonkenOptions, seed: int) -> None:
    chance = Random(seed)
    for step in steps(options, seed):
        encoded = msgspec.json.encode(step.before)
        for _ in range(5):
            seat, action = chance.randrange(options.players), any_action(step.before, chance)
            code = refusal(step.before, seat, action)
            assert msgspec.json.encode(step.before) == encoded
            if seat != step.seat:
                assert code == Code.NOT_YOUR_TURN
            elif isinstance(action, Draw | Take | Discard) and action not in step.legal:
                assert code is not None
        for seat in set(range(options.players)) - {step.seat}:
            assert KONKEN.legal(step.before, seat) == []


def any_action(hand: KonkenHand, chance: Random) -> AnyAction:
    """Anything a client might send: mostly cards of the hand, sometimes none of them."""
    cards = [*hand.own, *chance.choices(FACES, k=2)]
    meld, some = chance.randint(0, len(hand.table) + 1), tuple(chance.choices(cards, k=chance.randint(0, 4)))
    lay, add = Lay((some,)), Add(meld, some, chance.choice((None, "low", "high")))
    swap = Swap(meld, chance.choice(cards), some[:1], chance.choice((None, lay, add)))
    return chance.choice((Draw(), Take(), lay, add, swap, Discard(chance.choice(cards))))


@given(all_options, seeds)
def test_the_menu_agrees_with_what_is_accepted(options: KonkenOptions, seed: int) -> None:
    chance = Random(seed)
    for step in steps(options, seed):
        if chance.randrange(4):
            continue
        hand, seat = step.before, step.seat
        menu = KONKEN.menu(hand, seat)
        draw, take = menu.verbs["draw"], menu.verbs["take"]
        assert refusal(hand, seat, Draw()) == (draw and draw.code)
        assert refusal(hand, seat, Take()) == (take and take.code)
        faces = list(dict.fromkeys(hand.own))
        assert menu.discard == tuple(card for card in faces if refusal(hand, seat, Discard(card)) is None)
        waiting = [JOKER] if hand.pending is not None else []
        for card in dict.fromkeys([*faces, *waiting]):
            melds = [meld.id for meld in hand.table]
            assert list(menu.add.get(card, ())) == [n for n in melds if joins(hand, n, card)]
            assert list(menu.swap.get(card, ())) == [n for n in melds if swaps(hand, n, card)]
        for other in set(range(options.players)) - {seat}:
            said = KONKEN.menu(hand, other)
            assert {why and why.code for why in said.verbs.values()} == {Code.NOT_YOUR_TURN}
            assert (said.discard, said.add, said.swap) == ((), {}, {})


def joins(hand: KonkenHand, meld: int, card: str) -> bool:
    return refusal(hand, hand.turn, Add(meld, (card,))) is None


def swaps(hand: KonkenHand, meld: int, card: str) -> bool:
    """With the extension that a run of three needs, whichever card of the hand it is."""
    extensions = [(), *((extra,) for extra in set(hand.own))]
    return any(refusal(hand, hand.turn, Swap(meld, card, extend)) is None for extend in extensions)


@given(all_options, seeds)
def test_a_hand_survives_json(options: KonkenOptions, seed: int) -> None:
    for step in steps(options, seed):
        encoded = msgspec.json.encode(step.after)
        again = msgspec.json.decode(encoded, type=AnyHand)
        assert again == step.after
        assert msgspec.json.encode(again) == encoded
        view = KONKEN.view(step.after, 0)
        assert msgspec.json.decode(msgspec.json.encode(view), type=KonkenView) == view


@given(all_options, seeds)
def test_a_timeout_always_ends_the_turn(options: KonkenOptions, seed: int) -> None:
    for step in steps(options, seed):
        hand, seat = step.before, step.seat
        for _ in range(3):
            if seat in KONKEN.deciders(hand):
                hand, _ = KONKEN.apply(hand, seat, KONKEN.timeout(hand, seat))
        assert hand.phase == "over" or hand.turn != seat


@given(all_options, seeds)
def test_nobody_sees_what_is_not_theirs(options: KonkenOptions, seed: int) -> None:
    """Exchange all that a viewer cannot see: no byte of view, menu and redacted events may change."""
    chance = Random(seed)
    for step in steps(options, seed):
        for viewer in (None, *range(options.players)):
            other = with_other_hidden_cards(step.before, viewer, chance)
            assert seen(step.before, viewer) == seen(other, viewer)
            if isinstance(step.action, Draw) and viewer != step.seat:
                after, events = KONKEN.apply(other, step.seat, step.action)
                if after.phase != "over":
                    assert told(events, viewer) == told(step.events, viewer)
                    assert seen(after, viewer) == seen(step.after, viewer)


def seen(hand: KonkenHand, viewer: int | None) -> bytes:
    view = msgspec.json.encode(KONKEN.view(hand, viewer))
    return view if viewer is None else view + msgspec.json.encode(KONKEN.menu(hand, viewer))


def told(events: tuple[AnyEvent, ...], viewer: int | None) -> bytes:
    return msgspec.json.encode([redact(event, viewer) for event in events])


def with_other_hidden_cards(hand: KonkenHand, viewer: int | None, chance: Random) -> KonkenHand:
    """The same hand to this viewer: other hands and stock dealt anew. A taken card was seen and stays."""
    public = [seat == hand.turn and hand.taken is not None for seat in range(len(hand.hands))]
    hidden = list(hand.stock)
    for seat, own in enumerate(hand.hands):
        if seat != viewer:
            hidden += without_one(own, hand.taken) if public[seat] else own
    chance.shuffle(hidden)
    hands = []
    for seat, own in enumerate(hand.hands):
        if seat == viewer:
            hands.append(own)
            continue
        kept = [hand.taken] if public[seat] and hand.taken is not None else []
        new = [hidden.pop() for _ in range(len(own) - len(kept))]
        hands.append((*new, *kept))
    drawn = hand.drawn
    if drawn is not None and hand.turn != viewer:
        drawn = hands[hand.turn][-1] if hands[hand.turn] else None
    return msgspec.structs.replace(hand, hands=tuple(hands), stock=tuple(hidden), drawn=drawn)


def without_one(cards: tuple[str, ...], gone: str | None) -> list[str]:
    left = list(cards)
    if gone in left:
        left.remove(gone)
    return left


@given(all_options, seeds)
def test_the_events_tell_the_difference_of_two_views(options: KonkenOptions, seed: int) -> None:
    mirrors = {viewer: Mirror(viewer, options.players) for viewer in (None, *range(options.players))}
    for step in steps(options, seed):
        for viewer, mirror in mirrors.items():
            if mirror.view is None:
                mirror.begin(KONKEN.view(step.before, viewer))
            for event in step.events:
                mirror.hear(redact(event, viewer))
            assert mirror.view == KONKEN.view(step.after, viewer)


@given(all_options, seeds)
def test_a_face_drawn_is_told_to_its_owner_only(options: KonkenOptions, seed: int) -> None:
    for step in steps(options, seed):
        for event in step.events:
            if isinstance(event, Drew):
                assert redact(event, step.seat) == event
                assert redact(event, (step.seat + 1) % options.players) == Drew(step.seat)
                assert redact(event, None) == Drew(step.seat)


@given(all_options, seeds)
def test_hands_are_public_only_once_the_hand_is_over(options: KonkenOptions, seed: int) -> None:
    for step in steps(options, seed):
        assert step.before.result is None
        assert step.after.result is None or step.after.result.hands == step.after.hands


@given(all_options, seeds)
def test_the_fuzzer_finds_nothing_and_its_records_replay(options: KonkenOptions, seed: int) -> None:
    for policy in POLICIES.values():
        assert fuzz("konken", 1, str(seed), options, policy).faults == ()
