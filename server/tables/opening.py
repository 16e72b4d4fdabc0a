"""Opening a table: its id, its options, and the creator's seat."""

from __future__ import annotations

from typing import Any

import msgspec

from server.protocol import Create, House
from server.rules.refusal import Code, Refused
from server.rules.registry import AnyOptions, rules_of
from server.tables.answered import remembered
from server.tables.forms import SCHEMA
from server.tables.ids import new_table_id, new_token
from server.tables.seats import seat_person
from server.tables.table import Draft, Moment, Seat, Table


def open_table(
    message: Create, player: str, name: str, secret: bytes, moment: Moment, quick_nonce: str | None = None
) -> Table:
    """A new table with its creator seated, who has the grace to watch it; with a `quick_nonce` a quick one.

    Id and token come from player and command id, so that a re-send finds its table. Raises Refused(BAD_OPTION).
    """
    options, house = parse_options(message.game, message.options, message.private)
    table = Table(
        id=new_table_id(secret, player, message.id),
        game=message.game,
        options=options,
        house=house,
        private=message.private,
        quick=quick_nonce is not None,
        token=new_token(secret, player, message.id),
        seats=(Seat(),) * rules_of(message.game).seats(options),
        seed=moment.seed,
        created=moment.now,
        at=moment.now,
        schema=SCHEMA,
        paused_at=moment.now,
    )
    draft = Draft(table, moment)
    seat_person(draft, 0, player, name, None, quick_nonce)
    draft.put(v=1, answered={player: remembered([message.id])})
    return draft.table


def parse_options(game: str, given: dict[str, int | str], private: bool) -> tuple[AnyOptions, House]:
    """Game and house options from what differs from the defaults. Raises Refused(BAD_OPTION, option=…)."""
    rules = rules_of(game)
    known: dict[str, Any] = {
        **dict.fromkeys(rules.options.__struct_fields__, rules.options),
        **dict.fromkeys(House.__struct_fields__, House),
    }
    parts: dict[Any, dict[str, int | str]] = {rules.options: {}, House: {}}
    for option, value in given.items():
        if option not in known:
            raise Refused(Code.BAD_OPTION, option=option[:40])
        try:
            msgspec.convert({option: value}, known[option])
        except msgspec.ValidationError:
            raise Refused(Code.BAD_OPTION, option=option) from None
        if value != getattr(known[option](), option):
            parts[known[option]][option] = value
    options = msgspec.convert(parts[rules.options], rules.options)
    rules.check_options(options)
    house = msgspec.convert(parts[House], House)
    if house.turn_seconds == 0 and not private:
        # A public table without a clock could be held up for ever.
        raise Refused(Code.BAD_OPTION, option="turn_seconds")
    return options, house
