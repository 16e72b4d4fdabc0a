"""A sensible Konken player: lays what makes its hand cheaper, keeps what the coming cards may complete.

It decides by exact partitions of its hand (partition.py) and what the unseen cards may add (outlook.py).
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from server.bots.outlook import Outlook, W, Weights
from server.bots.partition import Place, places_on
from server.rules.cards import JOKER, Card, face, is_joker, without
from server.rules.game import Add, AnyAction, Discard, Draw, Lay, Swap, Take
from server.rules.konken_hand import KonkenOptions, KonkenView
from server.rules.melds import joining, takers
from server.rules.notation import action_text


def konken_regular(
    view: KonkenView,
    legal: Sequence[AnyAction],
    options: KonkenOptions,
    chance: random.Random,
    w: Weights = W,
) -> AnyAction:
    """Choose for the seat whose turn it is."""
    if len(legal) == 1:
        return legal[0]
    hand = view.hand or ()
    if view.phase == "draw":
        return _draw(view, hand, legal, options, w)
    if view.pending is not None:
        hand = (*hand, JOKER)
    return _act(view, hand, legal, options, w)


def _places(view: KonkenView, held: int, options: KonkenOptions) -> list[Place]:
    if view.laid[view.turn]:
        return list(places_on(view.table))
    if options.must_open_before_layoff == "on":
        return []
    least = {0: 3, 40: 4, 51: 6}[options.opening_points]
    keep = 1 if options.finish_on_opening_turn == "on" else 2
    if (
        view.counts[view.turn] >= least + keep - 1
        and held - 1 < least + keep
        and view.stock >= 2 * len(view.counts)
    ):
        return []
    return list(places_on(view.table))


def _draw(
    view: KonkenView, hand: tuple[Card, ...], legal: Sequence[AnyAction], options: KonkenOptions, w: Weights
) -> AnyAction:
    top = view.discard
    assert top is not None
    outlook = Outlook(view, (*hand, top), options, _places(view, len(hand) + 1, options), w)
    saving = outlook.saving(hand)
    now = outlook.least(hand)
    drawn = 0.0
    worst = max([outlook.costs[c] for c in outlook.parts.plan(hand)[1]], default=0)
    for card, count in outlook.unseen.items():
        drawn += count * min(outlook.costs[card], worst)
    drawn = now + drawn / outlook.total - worst
    patience = min(outlook.w.patience * outlook.turns, outlook.w.most) / 10
    after_draw = drawn - (1 + patience) * saving
    after_take = (
        min(outlook.worth(without((*hand, top), [card])) for card in set(hand) if not is_joker(card))
        if any(not is_joker(c) for c in hand)
        else 1e9
    )
    if after_take + w.take < after_draw:
        return Take()
    return next((a for a in legal if isinstance(a, Draw)), legal[0])


def _act(
    view: KonkenView, hand: tuple[Card, ...], legal: Sequence[AnyAction], options: KonkenOptions, w: Weights
) -> AnyAction:
    outlook = Outlook(view, hand, options, _places(view, len(hand), options), w)
    if view.pending is not None:
        return min(
            legal, key=lambda a: (outlook.least(without(hand, [face(c) for c in _cards(a)])), action_text(a))
        )
    parts, left = outlook.parts.plan(hand)
    best = outlook.least(hand)
    swaps = [a for a in legal if isinstance(a, Swap)]
    if swaps:
        value, _, swap = min((outlook.least(_after(hand, a)), action_text(a), a) for a in swaps)
        if value < best:
            return swap
    lays = [a for a in legal if isinstance(a, Lay)]
    new = [p for p in parts if p.meld is None]
    if lays and new:
        for part in new:
            want = sorted(part.cards)
            same = [a for a in lays if len(a.melds) == 1 and sorted(map(face, a.melds[0])) == want]
            if same:
                return min(same, key=action_text)
        value, _, lay = min((outlook.least(_after(hand, a)), action_text(a), a) for a in lays)
        if value < sum(outlook.costs[c] for c in hand):
            return lay
    for part in parts:
        if part.meld is not None:
            for a in legal:
                if (
                    isinstance(a, Add)
                    and a.meld == part.meld
                    and a.cards[0] == part.cards[0]
                    and a.end in (None, part.end)
                ):
                    return a
    return _discard(view, hand, legal, options, outlook)


def _cards(a: AnyAction) -> tuple[Card, ...]:
    match a:
        case Lay(melds):
            return tuple(c for m in melds for c in m)
        case Add():
            return a.cards
        case Swap():
            return (a.card, *a.extend, *_cards(a.then))
        case Discard():
            return (a.card,)
    return ()


def _after(hand: tuple[Card, ...], a: AnyAction) -> tuple[Card, ...]:
    played = [face(c) for c in _cards(a)]
    if isinstance(a, Swap):
        played.remove(JOKER)
    return without(hand, played)


def _discard(view, hand, legal, options, outlook: Outlook) -> AnyAction:
    w = outlook.w
    discards = [a for a in legal if isinstance(a, Discard)]
    if len(hand) == 1 or not discards:
        return legal[0]
    fits = set()
    for meld in view.table:
        fits.update(joining(meld.kind, meld.cards))
        fits.update(takers(meld.kind, meld.cards))
    after = (view.turn + 1) % len(view.counts)
    danger = w.fit
    if view.opened[after] and view.counts[after] <= 2:
        danger = w.deadly

    def value(a: Discard):
        return outlook.worth(without(hand, [a.card])) + danger * (a.card in fits), action_text(a)

    pool = [a for a in discards if not is_joker(a.card)] or discards
    return min(pool, key=value)
