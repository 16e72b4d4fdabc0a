"""What happens around a hand, as facts. Like the events of a game they only narrate."""

from typing import Literal

from msgspec import Struct


class TableEvent(Struct, frozen=True, tag_field="e", omit_defaults=True):
    """A fact about a seat or the match."""


class Sat(TableEvent, frozen=True, tag="sat"):
    """A person took a seat."""

    seat: int
    name: str


class Stood(TableEvent, frozen=True, tag="stood"):
    """A seat became free before the match had begun."""

    seat: int
    name: str


class BotSeated(TableEvent, frozen=True, tag="bot_seated"):
    """A bot took an empty seat."""

    seat: int
    name: str


class BotDropped(TableEvent, frozen=True, tag="bot_dropped"):
    """A bot left its seat."""

    seat: int
    name: str


class Left(TableEvent, frozen=True, tag="left"):
    """A person left the table for good, or was sent away by the host; a hand in play is void."""

    seat: int
    name: str
    kind: Literal["left", "kicked"]


class Renamed(TableEvent, frozen=True, tag="renamed"):
    """A person goes by another name."""

    seat: int
    name: str


class Recovered(TableEvent, frozen=True, tag="recovered"):
    """The live state was lost; the match goes on from the archive, scores kept, the hand dealt anew."""


class SeatReady(TableEvent, frozen=True, tag="seat_ready"):
    """A person is ready, or is no longer."""

    seat: int
    on: bool


class SeatAway(TableEvent, frozen=True, tag="seat_away"):
    """The last connection of a seat is gone; the countdown runs."""

    seat: int


class SeatBack(TableEvent, frozen=True, tag="seat_back"):
    """A person has come back."""

    seat: int


class StandInSeated(TableEvent, frozen=True, tag="stand_in"):
    """A bot plays on for an absent person; seat and score stay the person's."""

    seat: int


class HandedBack(TableEvent, frozen=True, tag="handed_back"):
    """The person plays again, the stand-in has gone."""

    seat: int


class ClockRanOut(TableEvent, frozen=True, tag="clock_ran_out"):
    """A seat let its clock run out; the harmless move was played."""

    seat: int


class ClocksRestarted(TableEvent, frozen=True, tag="clocks_restarted"):
    """Clocks were given again in full: the servers had been away, or everyone had."""

    why: Literal["late", "paused"]


class Voted(TableEvent, frozen=True, tag="voted"):
    """Someone chose what shall become of an absent player's seat."""

    seat: int
    absent: int
    choice: Literal["claim", "bot", "wait"]


class MatchEnded(TableEvent, frozen=True, tag="match_ended"):
    """The match is over."""

    winners: tuple[int, ...]
    by: Literal["points", "forfeit", "void"]


AnyTableEvent = (
    Sat
    | Stood
    | BotSeated
    | BotDropped
    | Left
    | Renamed
    | Recovered
    | SeatReady
    | SeatAway
    | SeatBack
    | StandInSeated
    | HandedBack
    | ClockRanOut
    | ClocksRestarted
    | Voted
    | MatchEnded
)
