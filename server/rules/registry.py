"""The games of the house. A new game is its own files and one line here."""

from typing import Any

from server.rules.conquian import CONQUIAN, ConquianHand, ConquianOptions, ConquianView
from server.rules.game import Rules
from server.rules.konken import KONKEN, KonkenHand, KonkenOptions, KonkenView

AnyHand = KonkenHand | ConquianHand
AnyOptions = KonkenOptions | ConquianOptions
AnyView = KonkenView | ConquianView
AnyRules = Rules[Any, Any, Any]

GAMES: dict[str, AnyRules] = {game.name: game for game in (KONKEN, CONQUIAN)}


def rules_of(game: str) -> AnyRules:
    """The rules of a game by its name; raises KeyError for a name that is none."""
    return GAMES[game]
