"""Who stands where: `GET /api/leaderboard/{game}`, for everybody; whoever has a session also finds themselves."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from typing import Annotated, cast

from fastapi import APIRouter, Path, Request, Response
from sqlalchemy.ext.asyncio import AsyncSession

from server import bodies
from server.api.answers import Unserved, json
from server.api.archived import answer
from server.api.schema import MAYBE_SESSION, READ_LEADERBOARD
from server.archive.session import SessionFactory, reading
from server.archive.standings import LEAST, SHARES, Board, Standing, board, standing_of
from server.bodies import Leaderboard
from server.clock import Clock
from server.players import player_of, tag
from server.rules.refusal import Code
from server.rules.registry import GAMES, GameName

DAYS = 30
"""What a leaderboard looks back on: who stops playing makes room, and who begins today can be first."""
DAY_MS = 24 * 3600 * 1000
KEEP_SECONDS = 60.0
"""A board that old is as good as new, and is asked of the archive no more often, whoever asks for it."""

router = APIRouter(prefix="/api/leaderboard", tags=["leaderboard"])

Game = Annotated[str, Path(json_schema_extra={"enum": list(GAMES)})]


class Boards:
    """The board of each game, as this worker has it."""

    def __init__(
        self, archive: SessionFactory, clock: Clock, timer: Callable[[], float] = time.monotonic
    ) -> None:
        self._archive = archive
        self._clock = clock
        self._timer = timer
        self._asked: dict[GameName, tuple[float, asyncio.Task[Board]]] = {}

    @property
    def since(self) -> int:
        """When the time began that boards look back on (ms)."""
        return self._clock.now() - DAYS * DAY_MS

    async def of(self, game: GameName) -> Board:
        """The board of a game. All who ask at once wait for one answer. Raises Away if the archive is."""
        at, task = self._asked.get(game, (0.0, None))
        if task is None or self._timer() - at >= KEEP_SECONDS or _failed(task):
            task = asyncio.create_task(self._ask(game))
            self._asked[game] = self._timer(), task
        return await asyncio.shield(task)

    async def _ask(self, game: GameName) -> Board:
        async with reading(self._archive) as session:
            return await board(session, game, self.since)


def _failed(task: asyncio.Task[Board]) -> bool:
    """Whether a question got no answer: then the next is asked at once."""
    return task.done() and (task.cancelled() or task.exception() is not None)


@router.get("/{game}", responses=READ_LEADERBOARD, openapi_extra=MAYBE_SESSION)
async def standings(request: Request, game: Game) -> Response:
    """The best of a game, and how the reader stands, as `Leaderboard`; 404 if there is no such game."""
    if game not in GAMES:
        raise Unserved(Code.MALFORMED, 404)
    name = cast(GameName, game)
    boards: Boards = request.app.state.boards
    player = player_of(request, request.app.state.settings.secret)

    async def question(session: AsyncSession) -> Leaderboard:
        found = await boards.of(name)
        if player is None:
            return leaderboard(name, found, None)
        own = next((standing for standing in found.best if standing.player == player.id), None)
        if own is None:
            newest = await standing_of(session, name, boards.since, player.id)
            own = newest and found.placed(newest)
        return leaderboard(name, found, own)

    return await answer(request, question, json)


def leaderboard(game: GameName, found: Board, own: Standing | None) -> Leaderboard:
    """What leaves the house of it: no ids, and tags where names alone would not do."""
    everybody = {standing.player: standing for standing in (*found.best, *((own,) if own else ()))}
    names = Counter(standing.name.casefold() for standing in everybody.values())

    def told(standing: Standing) -> bodies.Standing:
        alike = names[standing.name.casefold()] > 1
        return bodies.Standing(
            place=standing.place,
            name=standing.name,
            tag=tag(standing.player) if alike else None,
            you=own is not None and standing.player == own.player,
            points=round(standing.points / SHARES, 2),
            matches=standing.matches,
            won=standing.won,
        )

    return Leaderboard(game, DAYS, LEAST, tuple(map(told, found.best)), None if own is None else told(own))
