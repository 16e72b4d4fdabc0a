"""Options for one hand among many: the presets in turn with options drawn at random, so that a run meets them all."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import msgspec.inspect as mi

from server.rules.presets import PRESETS
from server.rules.refusal import Refused
from server.rules.registry import rules_of

MOST_TRIES = 1000
"""Most options drawn go together; a game where one in a thousand does would be badly made."""


def varied(game: str, held: dict[str, int | str], chance: Random) -> Any:
    """Options that go together: those in `held` as they are, the others as a preset has them, or at random.

    Half of the time a preset. Raises ValueError if nothing found goes with what is held.
    """
    rules = rules_of(game)
    for _ in range(MOST_TRIES):
        drawn = _preset(game, chance) if chance.randrange(2) else _at_random(rules.options, chance)
        options = msgspec.convert(drawn | held, rules.options)
        try:
            rules.check_options(options)
        except Refused:
            continue
        return options
    raise ValueError(f"nothing goes with {held}")


def _preset(game: str, chance: Random) -> dict[str, int | str]:
    presets = next(found for name, found in PRESETS.items() if name == game)
    return dict(chance.choice(list(presets.values())))


def _at_random(options: type[Any], chance: Random) -> dict[str, Any]:
    """A value for every option, each by the bounds of its type."""
    struct = mi.type_info(options)
    assert isinstance(struct, mi.StructType)  # noqa: S101 - options are
    return {field.name: _value(field.type, chance) for field in struct.fields}


def _value(kind: mi.Type, chance: Random) -> Any:
    match kind:
        case mi.LiteralType():
            return chance.choice(kind.values)
        case mi.IntType(ge=int(lowest), le=int(highest)):
            # The ends are where things go wrong, so each comes as often as all between.
            return chance.choice((lowest, highest, chance.randint(lowest, highest)))
        case _:
            raise TypeError(f"options are choices or whole numbers with bounds, not {kind}")
