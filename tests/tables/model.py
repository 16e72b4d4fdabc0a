"""What must come of every command, as the house rules tell it: an independent opinion beside `decide`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

from server.protocol import Choice
from server.rules.refusal import Code, Refused
from server.rules.shuffle import commitment
from server.tables import commands
from server.tables.commands import Command
from server.tables.events import (
    BotDropped,
    BotSeated,
    Left,
    Renamed,
    Sat,
    SeatAway,
    SeatBack,
    SeatReady,
    Voted,
)
from server.tables.finished import Outcome
from server.tables.ids import next_token
from server.tables.table import MAX_BARRED, Table
from tests.remembered import ids_of
from tests.tables.model_course import Course, Place

REMEMBERED = 64
MOST_TABS = 16


class Model(Course):
    """A table that judges commands."""

    def judge(self, command: Command, now: int, fresh: str) -> Model:
        """The table afterwards, equal to this one where nothing happens. Raises Refused."""
        after = cast(Model, self.at(now, fresh))
        after.settle()
        if after.closed and not isinstance(command, commands.Tick):
            raise Refused(Code.NO_SUCH_TABLE)
        if not after.closed:
            after.carry_out(command)
        if after != self:
            after.v += 1
        return after

    def carry_out(self, command: Command) -> None:
        """One command, once the time before it is settled; an id that is known has had its effect."""
        if not isinstance(command, commands.Asked):
            self.change(command)
        elif command.id not in self.known.get(command.player, ()):
            self.change(command)
            known = (*self.known.get(command.player, ()), command.id)
            self.known[command.player] = known[-REMEMBERED:]

    def change(self, command: Command) -> None:
        """The one arm for each command."""
        match command:
            case commands.Sit():
                self.sit(command)
            case commands.Stand():
                self.stand(self.own(command.player))
            case commands.Leave():
                self.leave(self.own(command.player))
            case commands.Kick():
                self.kick(self.own(command.player), command.seat)
            case commands.Rename():
                self.rename(self.own(command.player), command.name)
            case commands.Ready():
                self.get_ready(self.own(command.player), command.on, command.nonce)
            case commands.AddBot():
                self.add_bot(self.own(command.player), command.seat)
            case commands.DropBot():
                self.drop_bot(self.own(command.player), command.seat)
            case commands.Play():
                self.play(self.own(command.player), command)
            case commands.BotPlay():
                self.bot_play(command)
            case commands.Claim():
                self.claim(self.own(command.player), command.seat, command.choice)
            case commands.Attach():
                self.come(self.own(command.player), command.conn)
            case commands.Detach():
                self.go(command.conn)
            case commands.Tick():
                pass

    def own(self, player: str) -> int:
        """The seat of a player; strangers have none."""
        seat = self.seat_of(player)
        require(seat is not None, Code.NOT_SEATED)
        return cast(int, seat)

    # ---- seats

    def sit(self, command: commands.Sit) -> None:
        """Not without the token, not after leaving, not twice, not into a hand."""
        require(not self.private or command.token == self.token, Code.PRIVATE)
        require(command.player not in self.barred, Code.BARRED)
        require(self.seat_of(command.player) is None, Code.ALREADY_SEATED)
        require(len(self.barred) < MAX_BARRED, Code.SEATS_CLOSED)
        require(self.phase != "playing", Code.WRONG_PHASE)
        seat = self.free_seat(command.seat)
        watches = command.conn is not None
        if watches:
            self.wake()
        place = Place(
            player=command.player,
            name=self.shown(command.name, seat),
            tabs=(command.conn,) if command.conn is not None else (),
            back_by=None if watches else self.now + self.grace,
            ready=command.nonce is not None,
            nonce=command.nonce or "",
            since=self.v,
        )
        self.told.append(Sat(seat, place.name))
        self.settle_in(seat, place)

    def free_seat(self, wanted: int | None) -> int:
        """The wanted seat or the first free one."""
        free = [seat for seat, place in enumerate(self.places) if place.empty]
        if wanted is None:
            require(bool(free), Code.SEAT_TAKEN)
            return free[0]
        require(wanted < len(self.places), Code.NO_SUCH_SEAT)
        require(wanted in free, Code.SEAT_TAKEN)
        return wanted

    def shown(self, name: str, seat: int) -> str:
        """Equal names get a small number."""
        others = [place.name for i, place in enumerate(self.places) if i != seat]
        shown, number = name, 1
        while shown in others:
            number += 1
            shown = f"{name} {number}"
        return shown

    def stand(self, seat: int) -> None:
        """Leaving before the match has begun."""
        require(self.phase == "open", Code.WRONG_PHASE)
        self.free(seat)
        self.pause_if_deserted()

    def leave(self, seat: int) -> None:
        """For good, once a match is on; outside it costs nothing."""
        if self.phase in ("open", "over"):
            self.free(seat)
        else:
            self.depart(seat, "left")
        self.after_departure()

    def kick(self, host: int, seat: int) -> None:
        """Only the host, only between hands, only another person, who then has the key to a private table no more."""
        require(self.host == host, Code.NOT_HOST)
        require(self.phase != "playing", Code.WRONG_PHASE)
        others = [i for i, _ in self.persons() if i != host]
        require(seat in others, Code.NO_SUCH_SEAT)
        if self.private:
            self.token = next_token(self.token, self.fresh)
        if self.phase == "between":
            self.depart(seat, "kicked")
        else:
            kicked = self.places[seat]
            self.barred = (*self.barred, str(kicked.player))
            self.told.append(Left(seat, kicked.name, "kicked"))
            self.free(seat)
        self.after_departure()

    def after_departure(self) -> None:
        """A finished table without players is of no more use."""
        if self.phase == "over" and not any(self.persons()):
            self.closed = True
        self.pause_if_deserted()
        self.count_claims()

    def rename(self, seat: int, name: str) -> None:
        """Another name, kept distinct."""
        self.places[seat].name = self.shown(name, seat)
        self.told.append(Renamed(seat, self.places[seat].name))

    def get_ready(self, seat: int, on: bool, nonce: str) -> None:
        """Consent to the next hand, or after the match to another one."""
        require(self.phase != "playing", Code.WRONG_PHASE)
        place = self.places[seat]
        place.ready, place.nonce = on, nonce if on else ""
        self.told.append(SeatReady(seat, on))
        self.count_down_for(place)
        self.begin_if_ready()

    def count_down_for(self, place: Place) -> None:
        """A connected person who is not ready will be by itself."""
        if place.here and not place.willing:
            self.count_down()

    def add_bot(self, asker: int, seat: int) -> None:
        """Anyone seated may, outside a hand, where the table has bots."""
        require(self.phase != "playing", Code.WRONG_PHASE)
        require(self.house.bots == "on", Code.BOTS_OFF)
        seat = self.free_seat(seat)
        name = f"Bot {seat + 1}"
        self.told.append(BotSeated(seat, name))
        self.settle_in(seat, Place(robot=True, name=name))

    def drop_bot(self, asker: int, seat: int) -> None:
        """Not in a match: there bots play to the end."""
        require(self.phase in ("open", "over"), Code.WRONG_PHASE)
        require(seat < len(self.places) and self.places[seat].robot, Code.NO_SUCH_SEAT)
        self.told.append(BotDropped(seat, self.places[seat].name))
        self.settle_in(seat, Place())

    # ---- moves

    def play(self, seat: int, command: commands.Play) -> None:
        """An answer to the question that this seat was asked."""
        place = self.places[seat]
        require(self.hand is not None, Code.WRONG_PHASE)
        require(command.decision == place.number and not place.stand_in, Code.STALE_DECISION)
        place.short = False
        self.move(seat, command.action)

    def bot_play(self, command: commands.BotPlay) -> None:
        """The same for a bot; none moves at a paused table."""
        place = self.places[command.seat]
        fits = command.decision == place.number and place.asked is not None and place.by_bot
        require(fits, Code.STALE_DECISION)
        require(self.paused_at is None, Code.PAUSED)
        place.short = False
        self.move(command.seat, command.action)

    # ---- absence

    def come(self, seat: int, tab: str) -> None:
        """Any connection ends an absence, and all choices that belonged to it."""
        place = self.places[seat]
        if tab in place.tabs or len(place.tabs) == MOST_TABS:
            return
        was_here = place.here
        place.tabs = (*place.tabs, tab)
        if was_here:
            return
        place.back_by, place.gone, place.chosen, place.short = None, False, {}, False
        self.told.append(SeatBack(seat))
        if place.stand_in and place.asked is None:
            self.give_back(seat)
        self.wake()
        self.count_down_for(place)

    def go(self, tab: str) -> None:
        """The last connection starts the countdown, and nothing else changes."""
        for seat, place in self.persons():
            if tab in place.tabs:
                place.tabs = tuple(other for other in place.tabs if other != tab)
                if not place.here:
                    place.back_by = None if place.stand_in else self.now + self.grace
                    self.told.append(SeatAway(seat))
                    self.pause_if_deserted()
                    self.count_claims()

    def choices(self, seat: int) -> tuple[Choice, ...]:
        """What the others may choose for a seat now."""
        if not self.places[seat].gone:
            return ()
        if self.phase == "between":
            return ("bot", "wait")
        return ("claim", "bot", "wait") if self.house.absent == "claim" else ()

    def absences(self) -> Iterator[tuple[int, tuple[Choice, ...], dict[int, Choice]]]:
        """Seats with a choice, and what was chosen so far, by seat."""
        for seat in range(len(self.places)):
            if choices := self.choices(seat):
                yield seat, choices, self.votes(seat)

    def votes(self, seat: int) -> dict[int, Choice]:
        """What was chosen about a seat, by seat."""
        return {self.own(who): choice for who, choice in self.places[seat].chosen.items()}

    def claim(self, seat: int, absent: int, choice: Choice) -> None:
        """Each connected person has the choice; no claim runs while the table is paused."""
        require(absent < len(self.places), Code.NO_SUCH_SEAT)
        require(self.paused_at is None, Code.PAUSED)
        voter, place = self.places[seat], self.places[absent]
        may = voter.here and seat != absent and choice in self.choices(absent)
        require(may, Code.NO_CLAIM)
        place.chosen = {**place.chosen, str(voter.player): choice}
        self.told.append(Voted(seat, absent, choice))
        if choice == "bot":
            self.put_stand_in(absent)
        else:
            self.count_claims()

    def count_claims(self) -> None:
        """A win needs *claim* from every connected person."""
        here = [str(place.player) for _, place in self.persons() if place.here]
        for seat, place in self.persons():
            unanimous = here and all(place.chosen.get(player) == "claim" for player in here)
            if unanimous and "claim" in self.choices(seat):
                gone = tuple(i for i, other in self.persons() if other.gone)
                winners = tuple(i for i in range(len(self.places)) if i not in gone)
                self.end_match(Outcome("forfeit", winners, self.ranked(winners, gone)))
                return

    # ---- beside the table itself

    def learn(self, table: Table) -> None:
        """The numbers of the questions are the table's own affair."""
        self.places = [
            replace(place, number=seat.decision) for place, seat in zip(self.places, table.seats, strict=True)
        ]

    def differences(self, table: Table) -> list[str]:
        """Where the table is not as it should be."""
        found = [
            f"{what}: {got!r}, should be {wanted!r}"
            for what, got, wanted in self._fields(table)
            if got != wanted
        ]
        for i, (place, seat) in enumerate(zip(self.places, table.seats, strict=True)):
            found += [
                f"seat {i}: {what}: {got!r}, should be {wanted!r}"
                for what, got, wanted in (
                    ("player", seat.player, place.player),
                    ("name", seat.name, place.name),
                    ("bot", seat.bot is not None, place.robot),
                    ("stand_in", seat.stand_in, place.stand_in),
                    ("conns", seat.conns, place.tabs),
                    ("away_until", seat.away_until, place.back_by),
                    ("gone", seat.gone, place.gone),
                    ("votes", seat.votes, self.votes(i)),
                    ("ready", seat.ready, place.ready),
                    ("nonce", seat.nonce, place.nonce),
                    ("asked", seat.asked, place.asked),
                    ("deadline", seat.deadline, place.answer_by),
                    ("lapsed", seat.lapsed, place.short),
                    ("total", seat.total, place.points),
                )
                if got != wanted
            ]
        return found

    def _fields(self, table: Table) -> Iterator[tuple[str, object, object]]:
        yield "v", table.v, self.v
        yield "phase", table.phase, self.phase
        yield "match_no", table.match_no, self.match_no
        yield "started", table.started, self.started
        yield "hand_no", table.hand_no, self.hand_no
        yield "dealer", table.dealer, self.dealer
        yield "redeal", table.redeal, self.again
        yield "hand", table.hand, self.hand
        yield "seed", table.seed, self.seed
        yield "nonces", table.nonces, self.nonces
        yield "log", table.lines, self.log
        yield "sheet", table.sheet, self.sheet
        yield "proof", table.proof, self.proof
        yield "ready_by", table.ready_by, self.ready_at
        yield "paused_at", table.paused_at, self.paused_at
        yield "outcome", table.outcome, self.outcome
        yield "barred", table.barred, self.barred
        yield "token", table.token, self.token
        yield "answered", ids_of(table), self.known
        yield "host", table.host, self.host

    @property
    def promised(self) -> str:
        """The hash of the seed that is shown before a deal."""
        return commitment(bytes.fromhex(self.seed))


def require(condition: bool, code: Code) -> None:
    """Refuse unless."""
    if not condition:
        raise Refused(code)
