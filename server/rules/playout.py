"""Hands played on without a judge, for searches that play them out by the thousand: see `Playout`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from server.rules.actions import AnyAction
from server.rules.conker_playout import ConkerPlayout
from server.rules.conquian_playout import ConquianPlayout
from server.rules.konken_playout import KonkenPlayout

MoveT = TypeVar("MoveT")


class Playout(Protocol[MoveT]):
    """A hand being played out, all its cards known.

        playout = playout_of(hand)              # or playout.copy(), to go on from here twice
        while not playout.over:
            playout.play(chance.choice(playout.actions()))
        playout.points

    It changes in place, tells no events, and trusts each move to be one of `actions()`: `Rules.apply` is the judge.
    A move is whatever suits the game; `action_of` and `move_of` translate to and from the actions of `Rules.legal`.
    """

    seat: int
    """Who is asked; where several are, the lowest seat."""
    over: bool
    points: tuple[int, ...]
    """By seat as in `Result`, once the hand is over."""

    def copy(self) -> Playout[MoveT]:
        """A playout that goes on from here by itself."""
        ...

    def actions(self) -> list[MoveT]:
        """A move for every action that `Rules.legal` lists for `seat`, in any order; none once the hand is over."""
        ...

    def play(self, move: MoveT) -> None:
        """Make one of the moves of `actions()`."""
        ...

    def action_of(self, move: MoveT) -> AnyAction:
        """The action of `Rules.legal` for a move."""
        ...

    def move_of(self, action: AnyAction) -> MoveT:
        """The move for an action of `Rules.legal`."""
        ...


PLAYOUTS: dict[str, Callable[[Any], Playout[Any]]] = {
    "konken": KonkenPlayout,
    "conker": ConkerPlayout,
    "conquian": ConquianPlayout,
}
"""What makes a playout of a hand, by game."""


def playout_of(hand: Any) -> Playout[Any]:
    """A playout that begins with a hand of any game that has them; raises KeyError for another's."""
    return PLAYOUTS[str(hand.__struct_config__.tag)](hand)
