"""*Play now*: the fullest waiting quick table of a game, else a new one; ready on sitting."""

from __future__ import annotations

from server.protocol import Create, LobbyRow, Quick
from server.rules.presets import PRESETS
from server.rules.refusal import Code, Refused
from server.tables.commands import Sit
from server.tables.lobby import Lobby
from server.tables.opening import open_table
from server.tables.service import Service
from server.tables.table import Table
from server.tables.whereabouts import Whereabouts

TRIES = 5
"""Tables that may fill up under our hands before we open one."""
GONE_MEANWHILE = {
    Code.SEAT_TAKEN,
    Code.WRONG_PHASE,
    Code.NO_SUCH_TABLE,
    Code.BARRED,
    Code.ALREADY_SEATED,
    Code.SEATS_CLOSED,
}


async def play_now(
    lobby: Lobby,
    whereabouts: Whereabouts,
    service: Service,
    message: Quick,
    player: str,
    name: str,
    secret: bytes,
) -> Table:
    """Find or open a table and sit down; a re-send finds the same one."""
    if (seated := await _seated_at(whereabouts, message, player)) is not None:
        return seated
    for row in waiting(lobby.roomy(message.game))[:TRIES]:
        try:
            return await service.execute(
                row.table, Sit(message.id, player, name, None, None, None, nonce=message.nonce)
            )
        except Refused as refused:
            if refused.code not in GONE_MEANWHILE:
                raise
    create = Create(message.id, message.game, PRESETS[message.game]["quick"])
    table = open_table(create, player, name, secret, service.moment(), quick_nonce=message.nonce)
    await service.create(table)
    return table


def waiting(roomy: list[LobbyRow]) -> list[LobbyRow]:
    """Of the tables with room those of the quick kind that have not begun, the fullest first."""
    fitting = [row for row in roomy if row.quick and row.phase == "open"]
    return sorted(fitting, key=lambda row: (row.seats.count(None), row.table))


async def _seated_at(whereabouts: Whereabouts, message: Quick, player: str) -> Table | None:
    """The table that this command has found before, or where the player waits already."""
    for table in await whereabouts.tables_of(player):
        waits = table.quick and table.phase == "open" and table.game == message.game
        if waits or table.has_answered(player, message.id):
            return table
    return None
