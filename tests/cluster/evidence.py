"""A true history without any cluster: two people play a match by the rules, all is recorded, nothing goes wrong."""

from __future__ import annotations

import itertools
from typing import Any

from server.archive.matches import hand_row
from server.protocol import Ack, Frame, Refusal
from server.rules.refusal import Code
from server.rules.registry import GameName
from server.tables import commands
from server.tables.finished import FinishedHand
from server.tables.thinking import think
from tests.cluster.history import Answered, Commit, History, KeptHand, KeptMatch, Lineage, Seen, Sent
from tests.frames import frame_of
from tests.tables.scene import Scene

VIEWERS = ("ada", "ben", "eve")
"""Two who play and one who looks on; each with one tab and one socket, of the same number."""


class Stage(Scene):
    """A table whose every change is recorded as the store, the archive and the players' journals would have it."""

    def __init__(self, game: GameName, **options: int | str) -> None:
        super().__init__(False, game, **options)
        self.history = History(lineages=[Lineage()])
        self._revisions = itertools.count(1)
        self.history.sent.append(Sent("ada", "create", "", "create"))
        self.history.answered.append(Answered("ada", "create", Ack("create", self.table.id, self.table.v)))
        self.record()

    def do(self, command: commands.Command) -> Any:
        before = self.table
        known = len(self.finished)
        super().do(command)
        for item in self.finished[known:]:
            self.history.lineages[0].finished[f"item-{len(self.history.lineages[0].finished)}"] = item
        if self.table is not before:
            self.record()
        if isinstance(command, commands.Asked):
            action = command.action if isinstance(command, commands.Play) else None
            sent = Sent(command.player, command.id, self.table.id, type(command).__name__.lower(), action)
            self.history.sent.append(sent)
            ack = Ack(command.id, self.table.id, self.table.v)
            self.history.answered.append(Answered(command.player, command.id, ack))
        return self.table

    def refuse(self, player: str) -> None:
        """Somebody asks for what there is not."""
        command = self.id()
        self.history.sent.append(Sent(player, command, self.table.id, "stand"))
        answer = Refusal(command, Code.WRONG_PHASE)
        self.history.answered.append(Answered(player, command, answer))

    def record(self) -> None:
        """The store writes the table down, and everybody gets a frame."""
        rev = f"{self.table.v}-{next(self._revisions)}"
        self.history.lineages[0].commits.append(Commit(self.table.id, rev, self.table))
        for number, viewer in enumerate(VIEWERS):
            self.history.seen.append(Seen(viewer, number, number, self.frame(viewer)))

    def frame(self, viewer: str) -> Frame:
        """What a viewer gets now."""
        return frame_of(self.table, viewer, self.clock.now(), tuple(self.events[-3:]))


def true_history(game: GameName, **options: int | str) -> History:
    """A match of two people from the first command to the archive."""
    stage = Stage(game, **options)
    stage.come("ada")
    stage.sit("ben", 1)
    stage.come("ben")
    stage.refuse("ben")
    for player in ("ada", "ben"):
        stage.do(commands.Ready(stage.id(), player, True, "ab"))
    while stage.table.phase != "over":
        stage.events.clear()
        stage.clock.advance(1)
        if stage.table.phase == "between":
            for player in ("ada", "ben"):
                if (
                    not stage.table.seats[stage.table.seat_of(player) or 0].ready
                    and stage.table.phase == "between"
                ):
                    stage.do(commands.Ready(stage.id(), player, True, "ab"))
            continue
        asked = next(i for i, seat in enumerate(stage.table.seats) if seat.asked is not None)
        seat = stage.table.seats[asked]
        action = think(stage.table, asked)
        stage.do(commands.Play(stage.id(), seat.player or "", seat.decision, action))
    keep(stage)
    return stage.history


def keep(stage: Stage) -> None:
    """Put into the archive what was finished."""
    hands = [item for item in stage.finished if isinstance(item, FinishedHand)]
    for hand in hands:
        row = hand_row(hand)
        stage.history.hands.append(KeptHand(hand.match, hand.hand_no, row.v, row.seed, row.record))
    outcome = hands[-1].outcome
    assert outcome is not None
    records = "".join(hand.record for hand in stage.history.hands)
    stage.history.matches.append(
        KeptMatch(hands[-1].match, stage.table.id, True, outcome.winners, stage.table.totals, records)
    )
