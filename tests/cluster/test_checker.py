"""The judge lets a true history pass, and catches every forged one: by the check that is there for it."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

from server.protocol import Ack, Frame, Refusal
from server.rules.actions import Draw
from server.rules.events import Drew
from server.rules.refusal import Code
from server.rules.registry import GameName
from server.tables.answered import remembered
from server.tables.finished import FinishedHand
from server.tables.logbook import rows
from server.tables.table import Table
from tests.cluster.checker import check
from tests.cluster.evidence import true_history
from tests.cluster.history import Answered, History, Lineage, Seen, SentAway
from tests.remembered import ids_of

OPTIONS: dict[GameName, dict[str, int | str]] = {
    "konken": {"players": 2, "max_hands": 2},
    "conker": {"players": 2, "max_hands": 1},
    "conquian": {"wins": 1},
}


@pytest.fixture(scope="module")
def told() -> History:
    """A true history of two hands of Konken."""
    return true_history("konken", **OPTIONS["konken"])


@pytest.mark.parametrize("game", sorted(OPTIONS))
def test_a_true_history_passes(game: GameName) -> None:
    history = true_history(game, **OPTIONS[game])
    assert check(history) == []
    assert len(history.lineages[0].commits) > 20
    assert len(history.seen) > 60
    assert history.hands
    assert history.matches[0].record


# ---- forgeries --------------------------------------------------------------------------------------------------


def middle(history: History, offset: int = 0) -> int:
    """The place of a commit in the middle of the last hand in which a move was made, with moves around it."""
    commits = history.lineages[0].commits
    last = max(commit.state.hand_no for commit in commits if commit.state is not None)
    playing = [
        i
        for i, commit in enumerate(commits)
        if commit.state is not None and commit.state.phase == "playing" and commit.state.hand_no == last
    ]
    return playing[len(playing) // 2 + offset]


def state(history: History, at: int) -> Table:
    table = history.lineages[0].commits[at].state
    assert table is not None
    return table


def put_state(history: History, at: int, table: Table) -> None:
    commits = history.lineages[0].commits
    commits[at] = replace(commits[at], state=table)


def frame_at(history: History, viewer: str, playing: bool = True) -> tuple[int, Frame]:
    """A frame of a viewer from the middle of a hand."""
    fitting = [
        (i, seen.frame)
        for i, seen in enumerate(history.seen)
        if seen.player == viewer and (seen.frame.view.phase == "playing") == playing
    ]
    return fitting[len(fitting) // 2]


def put_frame(history: History, at: int, frame: Frame) -> None:
    history.seen[at] = replace(history.seen[at], frame=frame)


def in_hand(frame: Frame, **changes: Any) -> Frame:
    """The frame with something else in its view of the hand."""
    hand: Any = frame.view.hand
    return structs.replace(frame, view=structs.replace(frame.view, hand=structs.replace(hand, **changes)))


def lost_acked_command(history: History) -> None:
    """It was acknowledged, and no version remembers it."""
    at = middle(history)
    lost = {command for ids in ids_of(state(history, at)).values() for command in ids} - {
        command for ids in ids_of(state(history, at - 1)).values() for command in ids
    }
    for i in range(at, len(history.lineages[0].commits)):
        table = state(history, i)
        kept = {player: remembered(c for c in ids if c not in lost) for player, ids in ids_of(table).items()}
        put_state(history, i, structs.replace(table, answered=kept))


def double_command(history: History) -> None:
    """It is forgotten and remembered again: the same command, twice."""
    at = middle(history)
    table = state(history, at)
    put_state(history, at, structs.replace(table, answered=state(history, at - 1).answered))
    put_state(history, at - 1, structs.replace(state(history, at - 1), answered=table.answered))


def command_of_nobody(history: History) -> None:
    """A command happened that nobody had sent."""
    table = state(history, -1)
    put_state(
        history, -1, structs.replace(table, answered={**table.answered, "eve": remembered(["made-up"])})
    )


def early_ack(history: History) -> None:
    """The acknowledgement names a version before the one that holds the command."""
    at = next(
        i for i, each in enumerate(history.answered) if isinstance(each.answer, Ack) and each.answer.v == 9
    )
    ack = history.answered[at].answer
    history.answered[at] = replace(history.answered[at], answer=structs.replace(ack, v=8))


def refused_and_done(history: History) -> None:
    """A command was refused, and happened all the same."""
    at = len(history.answered) // 2
    told = history.answered[at]
    history.answered[at] = Answered(told.player, told.id, Refusal(told.id, Code.STALE_DECISION))


def move_not_in_the_log(history: History) -> None:
    """The store remembers the command, and not the move."""
    at = middle(history)
    for i in range(at, len(history.lineages[0].commits)):
        table = state(history, i)
        if table.phase == "playing":
            *others, last = table.lines
            line = structs.replace(last, v=0) if i == at else last
            put_state(history, i, structs.replace(table, log=rows([*others, line])))


def move_twice_in_the_log(history: History) -> None:
    """One command, two lines."""
    at = middle(history)
    table = state(history, at)
    put_state(history, at, structs.replace(table, log=table.log + rows(table.lines[-1:])))


def another_move_in_the_log(history: History) -> None:
    """The log has another move than was sent."""
    at = next(
        i
        for i, sent in reversed(list(enumerate(history.sent)))
        if sent.action is not None and sent.action != Draw()
    )
    history.sent[at] = replace(history.sent[at], action=Draw())


def changed_log(history: History) -> None:
    """An older line of the log reads otherwise from now on."""
    at = middle(history, 3)
    table = state(history, at)
    first, *others = table.lines
    put_state(history, at, structs.replace(table, log=rows([structs.replace(first, ms=77), *others])))


def version_left_out(history: History) -> None:
    del history.lineages[0].commits[middle(history)]


def version_twice(history: History) -> None:
    """Two lineages in one store: a commit that overwrote another."""
    commits = history.lineages[0].commits
    at = middle(history)
    commits.insert(at, replace(commits[at], rev="another"))


def revision_twice(history: History) -> None:
    commits = history.lineages[0].commits
    at = middle(history)
    commits[at] = replace(commits[at], rev=commits[at - 1].rev)


def back_from_the_dead(history: History) -> None:
    """A table goes on after it was deleted."""
    commits = history.lineages[0].commits
    at = middle(history)
    commits.insert(at, replace(commits[at], rev="", state=None))


def card_lost(history: History) -> None:
    at = middle(history)
    table = state(history, at)
    hand: Any = table.hand
    put_state(history, at, structs.replace(table, hand=structs.replace(hand, stock=hand.stock[1:])))


def card_found(history: History) -> None:
    """The same number of cards, and one of them twice."""
    at = middle(history)
    table = state(history, at)
    hand: Any = table.hand
    other = next(card for card in hand.stock if card != hand.stock[0])
    put_state(history, at, structs.replace(table, hand=structs.replace(hand, stock=(other, *hand.stock[1:]))))


def frame_of_nothing(history: History) -> None:
    """A frame shows what was not committed: somebody was told before it was durable."""
    at, frame = frame_at(history, "ada")
    put_frame(history, at, structs.replace(frame, v=frame.v + 5_000))


def frame_of_another_version(history: History) -> None:
    at, frame = frame_at(history, "ada")
    put_frame(history, at, structs.replace(frame, v=frame.v + 1))


def frame_of_anothers_seat(history: History) -> None:
    """Ben's frame is sent to Ada."""
    at, _ = frame_at(history, "ada")
    put_frame(history, at, history.seen[at + 1].frame)


def seats_disagree(history: History) -> None:
    """One seat sees another discard than the others."""
    at, frame = frame_at(history, "ben")
    put_frame(history, at, in_hand(frame, discard="AS" if frame.view.hand.discard != "AS" else "KH"))  # type: ignore[union-attr]


def version_steps_back(history: History) -> None:
    """A frame that comes late on the same connection."""
    at, frame = frame_at(history, "ada")
    history.seen.insert(at + 3, Seen("ada", 0, 0, frame))
    history.seen.insert(at + 6, history.seen[at - 3])


def version_steps_back_on_the_next_socket(history: History) -> None:
    at, _ = frame_at(history, "ada")
    history.seen.insert(at + 1, replace(history.seen[at - 3], socket=99))


def hand_of_another(history: History) -> None:
    """Somebody without a seat sees a hand."""
    at, frame = frame_at(history, "eve")
    put_frame(history, at, in_hand(frame, hand=("AS",)))


def drawn_card_told(history: History) -> None:
    """The others are told what was drawn."""
    at, frame = frame_at(history, "ben")
    put_frame(history, at, structs.replace(frame, events=(Drew(0, "AS"),)))


def missed_card_told(history: History) -> None:
    """Or so on their return."""
    at, frame = frame_at(history, "eve")
    put_frame(history, at, structs.replace(frame, missed=(Drew(0, "AS"),)))


def too_many_cards_seen(history: History) -> None:
    at, frame = frame_at(history, "ada")
    hand: Any = frame.view.hand
    put_frame(history, at, in_hand(frame, stock=hand.stock + 1))


def sent_away(history: History) -> None:
    """From a table that has not ended."""
    history.sent_away.append(SentAway("ben", state(history, 0).id))


def sent_away_from_a_match(history: History) -> None:
    """The archive could have brought it back: it knew of the match before the store lost it."""
    lose_a_match(history, known_at=1.0, asked=0.0)


def sent_away_from_a_match_known_late(history: History) -> None:
    """Or since then, and long before anybody asked."""
    lose_a_match(history, known_at=3.0, asked=9.0)


def lose_a_match(history: History, known_at: float, asked: float) -> None:
    table = state(history, 0).id
    history.lineages.insert(0, history.lineages[0])
    history.matches[0] = replace(history.matches[0], ended=False)
    history.lost_at, history.known_at = [2.0], {table: known_at}
    history.sent_away.append(SentAway("ben", table, asked))


def hand_not_archived(history: History) -> None:
    history.hands.pop()


def other_hand_archived(history: History) -> None:
    """The archive keeps a hand of a lineage that did not survive."""
    history.hands[0] = replace(history.hands[0], seed="00")


def lost_without_a_loss(history: History) -> None:
    history.hands[0] = replace(history.hands[0], record="void - lost\n")


def match_not_ended(history: History) -> None:
    history.matches[0] = replace(history.matches[0], ended=False)


def other_winner(history: History) -> None:
    history.matches[0] = replace(history.matches[0], winners=(7,))


def record_of_another_game(history: History) -> None:
    """A move is missing in the record."""
    lines = history.matches[0].record.splitlines(keepends=True)
    at = next(
        i for i, line in enumerate(lines) if line.startswith(("0 draw", "1 draw", "0: draw", "1: draw"))
    )
    record = "".join(lines[:at] + lines[at + 1 :])
    history.matches[0] = replace(history.matches[0], record=record)


FORGERIES: dict[Callable[[History], None], str] = {
    lost_acked_command: "commands_happen_once",
    double_command: "commands_happen_once",
    command_of_nobody: "commands_happen_once",
    early_ack: "answers_are_true",
    refused_and_done: "answers_are_true",
    move_not_in_the_log: "moves_are_in_the_log",
    move_twice_in_the_log: "moves_are_in_the_log",
    another_move_in_the_log: "moves_are_in_the_log",
    changed_log: "logs_only_grow",
    version_left_out: "versions_are_a_chain",
    version_twice: "versions_are_a_chain",
    revision_twice: "versions_are_a_chain",
    back_from_the_dead: "versions_are_a_chain",
    card_lost: "cards_are_conserved",
    card_found: "cards_are_conserved",
    frame_of_nothing: "frames_show_what_is_stored",
    frame_of_another_version: "frames_show_what_is_stored",
    frame_of_anothers_seat: "frames_show_what_is_stored",
    seats_disagree: "seats_agree",
    version_steps_back: "versions_never_go_back",
    version_steps_back_on_the_next_socket: "versions_never_go_back",
    hand_of_another: "faces_stay_hidden",
    drawn_card_told: "faces_stay_hidden",
    missed_card_told: "faces_stay_hidden",
    too_many_cards_seen: "frames_count_every_card",
    sent_away: "nobody_is_sent_away",
    sent_away_from_a_match: "nobody_is_sent_away",
    sent_away_from_a_match_known_late: "nobody_is_sent_away",
    hand_not_archived: "archive_has_what_was_finished",
    other_hand_archived: "archive_has_what_was_finished",
    lost_without_a_loss: "archive_has_what_was_finished",
    match_not_ended: "archive_has_what_was_finished",
    other_winner: "archive_has_what_was_finished",
    record_of_another_game: "records_replay",
}


@pytest.mark.parametrize("forge", FORGERIES, ids=lambda forge: forge.__name__)
def test_a_forged_history_is_caught(told: History, forge: Callable[[History], None]) -> None:
    history = copy.deepcopy(told)
    forge(history)
    caught = {fault.partition(":")[0] for fault in check(history)}
    assert FORGERIES[forge] in caught


# ---- what a loss of the store excuses, and what not --------------------------------------------------------------


def with_a_loss(told: History) -> tuple[History, int]:
    """The store lost some versions in the middle, and the rest never came to be; returns from which place on."""
    history = copy.deepcopy(told)
    whole = history.lineages[0]
    at = middle(history)
    lost = Lineage(whole.commits[: at + 4], {})
    survived = Lineage(whole.commits[:at], {})
    history.lineages = [lost, survived]
    history.hands = [hand for hand in history.hands if hand.hand_no == 1]
    history.matches = []
    first = [item for item in whole.finished.values() if isinstance(item, FinishedHand) and item.hand_no == 1]
    survived.finished = lost.finished = dict(enumerate(first))  # type: ignore[arg-type]
    known = {
        command
        for commit in lost.commits
        if commit.state
        for ids in ids_of(commit.state).values()
        for command in ids
    }
    history.answered = [
        each for each in history.answered if each.id in known or not isinstance(each.answer, Ack)
    ]
    last = state(history, at + 3).v
    history.seen = [seen for seen in history.seen if seen.frame.v <= last]
    return history, at


def test_a_loss_excuses_what_was_lost(told: History) -> None:
    history, _ = with_a_loss(told)
    assert check(history) == []


def test_a_match_that_comes_to_the_archive_after_the_loss_was_nowhere_before(told: History) -> None:
    """A worker that had stopped brings it there, and whoever had asked in the meantime was sent away rightly."""
    history = copy.deepcopy(told)
    lose_a_match(history, known_at=3.0, asked=2.5)
    assert not any(fault.startswith("nobody_is_sent_away") for fault in check(history))


def test_a_table_that_ended_before_the_loss_was_gone_for_a_while(told: History) -> None:
    history = copy.deepcopy(told)
    lose_a_match(history, known_at=1.0, asked=0.0)
    lost = history.lineages[0].commits
    history.lineages[0] = Lineage([*lost, replace(lost[-1], rev="", state=None)], {})
    assert not any(fault.startswith("nobody_is_sent_away") for fault in check(history))


def test_a_loss_does_not_excuse_what_was_kept(told: History) -> None:
    history, at = with_a_loss(told)
    survived = history.lineages[1]
    before, after = survived.commits[at - 2].state, survived.commits[at - 1].state
    assert before is not None
    assert after is not None
    survived.commits[at - 1] = replace(
        survived.commits[at - 1], state=structs.replace(after, answered=before.answered)
    )
    assert any("surviving lineage" in fault for fault in check(history))


def test_after_a_loss_a_step_back_has_to_be_said(told: History) -> None:
    history, at = with_a_loss(told)
    older = next(
        seen for seen in history.seen if seen.player == "ada" and seen.frame.v == state(history, at - 1).v
    )
    history.seen.append(older)
    assert any(fault.startswith("versions_never_go_back") for fault in check(history))
    history.seen[-1] = replace(older, frame=structs.replace(older.frame, sync=True))
    assert check(history) == []
