"""The games of the house. A new game is its own files and its names here."""

from typing import Any, Literal

from server.rules.conker import CONKER, ConkerHand, ConkerOptions, ConkerView
from server.rules.conquian import CONQUIAN, ConquianHand, ConquianOptions, ConquianView
from server.rules.game import Rules
from server.rules.konken import KONKEN, KonkenHand, KonkenOptions, KonkenView

AnyHand = KonkenHand | ConkerHand | ConquianHand
AnyOptions = KonkenOptions | ConkerOptions | ConquianOptions
AnyView = KonkenView | ConkerView | ConquianView
AnyRules = Rules[Any, Any, Any]
GameName = Literal["konken", "conker", "conquian"]

GAMES: dict[str, AnyRules] = {game.name: game for game in (KONKEN, CONKER, CONQUIAN)}


def rules_of(game: str) -> AnyRules:
    """The rules of a game by its name; raises KeyError for a name that is none."""
    return GAMES[game]
