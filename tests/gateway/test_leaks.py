"""Every frame of every role is recorded: no card is seen before it is public to that role."""

from __future__ import annotations

import asyncio
import re
from collections import Counter

from server.client import Client, new_session
from server.protocol import Frame, encode
from server.rules.cards import face
from server.rules.events import Drew
from server.rules.konken import KonkenView
from tests.gateway.players import play_on
from tests.house import House

HANDS = 50
CARD = re.compile(r"\b(?:[A2-9TJQK][SHDC]|JK)\b")


def seen_faces(frame: Frame) -> Counter[str]:
    """Every face in a frame that comes from the deal, each as often as it is shown."""
    hand = frame.view.hand
    shown: Counter[str] = Counter()
    if not isinstance(hand, KonkenView):
        return shown
    shown.update(hand.hand or ())
    shown.update(face(card) for meld in hand.table for card in meld.cards)
    if hand.discard is not None:
        shown.update([hand.discard])
    return shown


async def test_no_card_before_it_is_public(house: House, ada: str, ben: str) -> None:
    async with (
        Client(house.url, ada, keep_log=True) as north,
        Client(house.url, ben, keep_log=True) as south,
        Client(house.url, new_session(house.url, "Cem"), keep_log=True) as spectator,
    ):
        table = await north.create({"target": 1000})
        await south.watch(table)
        await south.sit(table, 2)
        await spectator.watch(table)
        await north.add_bot(table, 1)
        await north.add_bot(table, 3)
        await asyncio.gather(north.ready(table), south.ready(table))
        ends = await asyncio.gather(play_on(north, table, HANDS, 120), play_on(south, table, HANDS, 120))
        assert all(len(end.about.sheet) >= HANDS or end.view.phase == "over" for end in ends if end.about)
        for client in (north, south, spectator):
            check_log(client)


def check_log(client: Client) -> None:
    """Judge every frame that one client got."""
    assert client.log is not None
    assert client.raw is not None
    frames = 0
    shorter = 0
    for message, text in zip(client.log, client.raw, strict=True):
        if not isinstance(message, Frame):
            continue
        frames += 1
        whole = encode(message)
        shorter += len(text) < len(whole)
        assert set(CARD.findall(text)) <= set(CARD.findall(whole)), "what is judged here is all that was told"
        hand = message.view.hand
        for event in message.events:
            if isinstance(event, Drew):
                assert event.card is None or event.seat == message.you
        assert "answered" not in text
        assert '"conns"' not in text
        assert '"player"' not in text
        if not isinstance(hand, KonkenView) or hand.phase == "over":
            continue
        assert message.view.proof is None, "the seed of a hand in play stays secret"
        assert '"seed"' not in text
        if message.you is None:
            assert hand.hand is None
            assert hand.drawn is None
            assert message.legal is None
        else:
            assert hand.hand is not None
            assert len(hand.hand) == hand.counts[message.you]
            if message.you != hand.turn:
                assert hand.drawn is None
        # Nothing beyond own hand, table and top of the pile: what is hidden is as much as the counts say.
        hidden = sum(hand.counts) + hand.stock + hand.discards + sum(len(meld.cards) for meld in hand.table)
        pending = 0 if hand.pending is None else 1
        assert hidden + pending == 106
        assert sum(seen_faces(message).values()) == len(hand.hand or ()) + sum(
            len(meld.cards) for meld in hand.table
        ) + (hand.discard is not None)
    assert frames > HANDS
    assert shorter > frames / 2
