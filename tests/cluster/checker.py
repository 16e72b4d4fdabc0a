"""The judge of a run: pure functions from a history to what is wrong with it. `check` asks them all.

Nothing here knows which faults were done to the cluster, but for one: that the store has lost something.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from server.protocol import Ack, Frame, Refusal
from server.rules.events import Drew
from server.rules.notation import NotationError, action_text
from server.rules.record_reader import parse_records
from server.rules.records import LOST
from server.rules.refusal import Code
from server.rules.replay import replay_match
from server.tables.finished import FinishedHand, FinishedMatch
from server.tables.table import Table
from tests.cluster.history import Commit, History, Lineage
from tests.frames import frame_of
from tests.remembered import ids_of
from tests.rules.subjects import SUBJECTS

UNSETTLED = {Code.UNAVAILABLE, Code.RATE_LIMITED}
"""Refusals after which a client asks again with the same id: `unavailable` says that nobody knows what came of it."""
OPENING = {"create", "quick"}
"""Commands that may make a table of their own; its first version remembers no ids."""
CLOSING = {"leave", "stand"}
"""Commands that may end a table."""
NOWHERE = {"say", "rename"}
"""Commands that change no table, or several."""
RECOVERED = 100_000
"""A table that came back from the archive leaves out at least so many versions."""
ABSENT_SECONDS = 3.0
"""As long a worker may believe that there is no such table: five seconds of the house, and stopped on the way."""

Found = Iterator[str]


def check(history: History) -> list[str]:
    """Everything that is wrong with a history, in words."""
    checks: list[Callable[[History], Found]] = [
        versions_are_a_chain,
        logs_only_grow,
        cards_are_conserved,
        commands_happen_once,
        answers_are_true,
        moves_are_in_the_log,
        frames_show_what_is_stored,
        seats_agree,
        versions_never_go_back,
        faces_stay_hidden,
        frames_count_every_card,
        nobody_is_sent_away,
        archive_has_what_was_finished,
        records_replay,
    ]
    return [f"{judge.__name__}: {fault}" for judge in checks for fault in judge(history)]


# ---- what the store wrote ---------------------------------------------------------------------------------------


def by_table(lineage: Lineage) -> dict[str, list[Commit]]:
    """The commits of each table, in order."""
    found: dict[str, list[Commit]] = defaultdict(list)
    for commit in lineage.commits:
        found[commit.table].append(commit)
    return found


def steps(lineage: Lineage) -> Iterator[tuple[Table | None, Table]]:
    """Every commit with what lay there before."""
    for commits in by_table(lineage).values():
        before: Table | None = None
        for commit in commits:
            if commit.state is not None:
                yield before, commit.state
            before = commit.state


def versions_are_a_chain(history: History) -> Found:
    """Every version of a table follows the one before; no revision is used twice; none comes back from the dead."""
    for lineage in history.lineages:
        for table, commits in by_table(lineage).items():
            revisions = Counter(commit.rev for commit in commits if commit.state is not None)
            yield from (f"{table}: revision {rev} twice" for rev, count in revisions.items() if count > 1)
            known: int | None = None
            ended = False
            for commit in commits:
                if commit.state is None:
                    ended = True
                    continue
                v = commit.state.v
                if known is None:
                    if v not in (0, 1) and not (history.losses and v >= RECOVERED):
                        yield f"{table}: begins with version {v}"
                elif ended:
                    yield f"{table}: version {v} after it was deleted"
                elif v != known + 1:
                    yield f"{table}: version {v} after {known}"
                known, ended = v, False


def logs_only_grow(history: History) -> Found:
    """What a hand's log has, it keeps, in that order."""
    for lineage in history.lineages:
        for before, after in steps(lineage):
            same = (
                before is not None and before.hand_no == after.hand_no and before.match_no == after.match_no
            )
            if before is None or not same or after.phase == "over":
                continue
            if before.dealt_v == after.dealt_v and not after.log.startswith(before.log):
                yield f"{after.id}: the log of hand {after.hand_no} was changed in version {after.v}"


def cards_are_conserved(history: History) -> Found:
    """In every version, every card of the pack is in one place."""
    for lineage in history.lineages:
        for _, table in steps(lineage):
            if table.hand is not None:
                subject = SUBJECTS[table.game]
                if subject.everywhere(table.hand) != subject.pack(table.options):
                    yield f"{table.id}: cards lost or found in version {table.v}"


# ---- commands ---------------------------------------------------------------------------------------------------


def committed(lineage: Lineage) -> Iterator[tuple[str, str, Table | None, Table]]:
    """Every command of a person that the store remembers: player, id, the table before, the one that holds it."""
    for before, after in steps(lineage):
        known = {} if before is None else ids_of(before)
        for player, ids in ids_of(after).items():
            for command in ids:
                if command not in known.get(player, ()):
                    yield player, command, before, after


def commands_happen_once(history: History) -> Found:
    """Acknowledged ones exactly once, all others at the most; none that nobody sent."""
    sent = {(command.player, command.id): command for command in history.sent}
    counts = [
        Counter((player, command) for player, command, _, _ in committed(each)) for each in history.lineages
    ]
    opened = {commit.table for lineage in history.lineages for commit in lineage.commits}
    closed = {c.table for lineage in history.lineages for c in lineage.commits if c.state is None}
    for number, found in enumerate(counts):
        for key, count in found.items():
            if count > 1:
                yield f"{key[1]} of {key[0]} happened {count} times (lineage {number})"
            if key not in sent:
                yield f"{key[1]} of {key[0]} happened, and nobody had sent it"
    for answer in history.answered:
        key = (answer.player, answer.id)
        verb = sent[key].verb
        if not isinstance(answer.answer, Ack) or verb in NOWHERE:
            continue
        if verb in OPENING:
            if answer.answer.table not in opened:
                yield f"{answer.id} was acknowledged, and there is no table {answer.answer.table}"
        elif verb in CLOSING and sent[key].table in closed:
            continue  # the last one to leave takes the table along, and what it remembered
        elif not any(found[key] for found in counts):
            yield f"{answer.id} of {answer.player} ({verb}) was acknowledged, and never happened"
        elif not counts[-1][key] and not _was_lost(history, key):
            yield f"{answer.id} of {answer.player} ({verb}) is not in the surviving lineage"


def _was_lost(history: History, key: tuple[str, str]) -> bool:
    """Whether a command is in what the store lost: behind the point where the next lineage begins anew."""
    return any(
        (player, command) == key
        and revision_of(lineage, table) not in {commit.rev for commit in after.commits}
        for lineage, after in itertools.pairwise(history.lineages)
        for player, command, _, table in committed(lineage)
    )


def revision_of(lineage: Lineage, table: Table) -> str:
    """The revision under which a lineage has this version of a table."""
    return next(commit.rev for commit in lineage.commits if commit.state is table)


def answers_are_true(history: History) -> Found:
    """An acknowledgement names a version that holds the command; what was refused every time never happened."""
    happened: dict[tuple[str, str], list[tuple[str, int]]] = defaultdict(list)
    for lineage in history.lineages:
        for player, command, _, table in committed(lineage):
            happened[player, command].append((table.id, table.v))
    sendings = Counter((command.player, command.id) for command in history.sent)
    answers: dict[tuple[str, str], list[Ack | Refusal]] = defaultdict(list)
    for answered in history.answered:
        answers[answered.player, answered.id].append(answered.answer)
    for key, told in answers.items():
        places = happened.get(key, [])
        for answer in told:
            if not isinstance(answer, Ack) or answer.v is None or not places:
                continue
            if not any(answer.table == table and answer.v >= v for table, v in places):
                yield f"{key[1]} was acknowledged with version {answer.v}, and happened at {places}"
        refused = [answer for answer in told if isinstance(answer, Refusal) and answer.code not in UNSETTLED]
        if refused and len(refused) == sendings[key] and places:
            yield f"{key[1]} was refused ({refused[0].code}), and happened at {places}"


def moves_are_in_the_log(history: History) -> Found:
    """A move stands in the log once, with the version that holds it, as the seat's own words."""
    moves = {
        (command.player, command.id): command.action for command in history.sent if command.action is not None
    }
    for lineage in history.lineages:
        finished = {
            (item.table, item.hand_no, item.match): item
            for item in lineage.finished.values()
            if isinstance(item, FinishedHand)
        }
        for player, command, before, after in committed(lineage):
            if (action := moves.get((player, command))) is None or before is None:
                continue
            log = after.lines
            if after.hand_no != before.hand_no or after.phase == "over":
                item = finished.get((after.id, before.hand_no, before.match_id))
                ended = () if item is None else item.log
                # A new hand may have been dealt in the same step, as time had decided that; the move is its first then,
                # as known to whoever saw it dealt before the store lost that.
                log = (*ended, *after.lines) if after.phase == "playing" else ended
            seat = before.seat_of(player)
            text = action_text(action)
            count = sum(
                line.seat == seat and line.text == text and line.v == after.v and line.note == ""
                for line in log
            )
            if count != 1:
                yield f"{command}: `{text}` of seat {seat} stands {count} times in version {after.v}"


# ---- frames -----------------------------------------------------------------------------------------------------


def states(history: History) -> dict[tuple[str, int], list[Table]]:
    """What was ever stored of a table under a version: more than one only where the store has lost something."""
    found: dict[tuple[str, int], list[Table]] = defaultdict(list)
    revisions = set()
    for lineage in history.lineages:
        for commit in lineage.commits:
            if commit.state is not None and commit.rev not in revisions:
                revisions.add(commit.rev)
                found[commit.table, commit.state.v].append(commit.state)
    return found


def frames_show_what_is_stored(history: History) -> Found:
    """Durable first, then told: every frame is the view of a version that was committed."""
    stored = states(history)
    for seen in history.seen:
        frame = seen.frame
        candidates = stored.get((frame.table, frame.v), [])
        shown = (frame.you, frame.view, frame.legal, frame.decision, frame.about)
        for table in candidates:
            true = frame_of(table, seen.player, frame.now)
            if shown == (true.you, true.view, true.legal, true.decision, true.about):
                break
        else:
            yield f"{frame.table}: version {frame.v} as {seen.player} saw it was never stored"


def public(frame: Frame) -> Any:
    """What all viewers of one version have to see alike."""
    view: Any = frame.view
    hand = msgspec.to_builtins(view.hand, str_keys=True)
    if hand is not None:
        for own in ("hand", "drawn", "forceable"):
            hand.pop(own, None)
        if hand.get("exchange") is not None:
            hand["exchange"].pop("own", None)
    return msgspec.json.encode(
        (msgspec.to_builtins(replace(view, hand=None), str_keys=True), hand), order="deterministic"
    )


def seats_agree(history: History) -> Found:
    """The same version is the same table for everybody."""
    seen: dict[tuple[str, int], set[bytes]] = defaultdict(set)
    for each in history.seen:
        seen[each.frame.table, each.frame.v].add(public(each.frame))
    for (table, v), views in seen.items():
        if len(views) > 1 + history.losses:
            yield f"{table}: version {v} was shown in {len(views)} ways"


def versions_never_go_back(history: History) -> Found:
    """Neither on one connection nor from one to the next of the same tab; only where the store lost something, and
    then it is said."""
    on_socket: dict[tuple[int, str], int] = {}
    in_tab: dict[tuple[int, str], int] = {}
    for seen in history.seen:
        frame = seen.frame
        socket, tab = (seen.socket, frame.table), (seen.tab, frame.table)
        if frame.v < on_socket.get(socket, 0) and not (frame.sync and history.losses):
            yield f"{frame.table}: {seen.player} saw {frame.v} after {on_socket[socket]} on one connection"
        elif frame.v < in_tab.get(tab, 0) and not history.losses:
            yield f"{frame.table}: {seen.player} saw {frame.v} after {in_tab[tab]} on the connection before"
        on_socket[socket] = in_tab[tab] = frame.v


def faces_stay_hidden(history: History) -> Found:
    """Nobody sees a hand, a drawn card or a seed that is not the own, before the hand is over."""
    for seen in history.seen:
        frame, hand = seen.frame, seen.frame.view.hand
        for event in (*frame.events, *(frame.missed or ())):
            if isinstance(event, Drew) and event.card is not None and event.seat != frame.you:
                yield f"{frame.table}: {seen.player} was told what seat {event.seat} drew in {frame.v}"
        if hand is None or hand.phase == "over":
            continue
        if frame.you is None and (hand.hand is not None or frame.legal is not None):
            yield f"{frame.table}: {seen.player} has no seat, and saw a hand in {frame.v}"
        if frame.you is not None and hand.hand is not None and len(hand.hand) != hand.counts[frame.you]:
            yield f"{frame.table}: {seen.player} saw a hand that is not the own in {frame.v}"
        if hand.result is not None or frame.view.proof is not None:
            yield f"{frame.table}: {seen.player} saw the deal of a hand in play in {frame.v}"


def frames_count_every_card(history: History) -> Found:
    """What a frame shows and what it counts makes the whole pack."""
    for seen in history.seen:
        hand: Any = seen.frame.view.hand
        if hand is None or hand.phase == "over":
            continue
        packs = {"konken": None, "conker": 108, "conquian": 40}
        game = type(hand).__struct_config__.tag
        if game == "conquian":
            melded = sum(len(meld) for melds in hand.table for meld in melds)
            total = sum(hand.counts) + hand.stock + hand.dead + melded + (hand.centre is not None)
        else:
            total = sum(hand.counts) + hand.stock + hand.discards + sum(len(m.cards) for m in hand.table)
            total += len(getattr(hand, "burned", ())) + (getattr(hand, "pending", None) is not None)
        whole = packs[game]
        if whole is None:
            about = seen.frame.about
            if about is None:
                continue
            whole = len(SUBJECTS[game].pack(about.options))
        if total != whole:
            yield f"{seen.frame.table}: {total} cards of {whole} in version {seen.frame.v}"


def nobody_is_sent_away(history: History) -> Found:
    """Only from a table that has ended, be it in what the store has lost since, or that the store has lost before a
    match there had come to the archive.

    A worker may still bring there what the store has lost meanwhile: whoever asked before that is sent away rightly.
    """
    ended = {each.table for lineage in history.lineages for each in lineage.commits if each.state is None}
    in_play = {match.table for match in history.matches if not match.ended}
    for told in history.sent_away:
        known = history.known_at.get(told.table, math.inf)
        lost = min(history.lost_at, default=0.0)
        should_be_found = known <= lost or known + ABSENT_SECONDS <= told.asked
        if told.table not in ended and ((told.table in in_play and should_be_found) or not history.losses):
            yield f"{told.player} was sent away from {told.table}, where a match is in play"


# ---- the archive ------------------------------------------------------------------------------------------------


def archive_has_what_was_finished(history: History) -> Found:
    """What the surviving lineage finished is kept, as it was; and nothing is kept that never happened."""
    kept = {(hand.match, hand.hand_no): hand for hand in history.hands}
    matches = {match.id: match for match in history.matches}
    for item in history.lineages[-1].finished.values():
        if isinstance(item, FinishedHand):
            hand = kept.get((item.match, item.hand_no))
            if hand is None:
                yield f"{item.match}: hand {item.hand_no} is not in the archive"
            elif (hand.seed, hand.v) != (item.seed, item.log[-1].v if item.log else 0):
                yield f"{item.match}: the archive has another hand {item.hand_no}"
        if isinstance(item, FinishedHand | FinishedMatch) and item.outcome is not None:
            match = matches.get(item.match)
            if match is None or not match.ended or match.winners != item.outcome.winners:
                yield f"{item.match}: the archive does not know how it ended"
    happened = {
        (item.match, item.hand_no, item.seed)
        for lineage in history.lineages
        for item in lineage.finished.values()
        if isinstance(item, FinishedHand)
    }
    for hand in history.hands:
        if f"void {LOST}" in hand.record:
            if not history.losses:
                yield f"{hand.match}: hand {hand.hand_no} is said to be lost, and nothing was"
        elif (hand.match, hand.hand_no, hand.seed) not in happened:
            yield f"{hand.match}: hand {hand.hand_no} is in the archive, and was never finished"


def records_replay(history: History) -> Found:
    """Every match's record can be replayed by the rules to its results and totals, and its seeds prove the deals."""
    for match in history.matches:
        if match.record:
            try:
                replay_match(parse_records(match.record))
            except NotationError as wrong:
                yield f"{match.id}: the record does not replay: {wrong}"
