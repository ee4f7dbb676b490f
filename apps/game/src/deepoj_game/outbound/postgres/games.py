"""Games in PostgreSQL, for the commands."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Final

from deepoj_domain.game.game import Game
from deepoj_domain.kernel.event import DomainEvent
from deepoj_domain.kernel.ids import AccountId, GameId
from deepoj_game.commands.ports import NewId
from deepoj_game.outbound.messages import Messages
from deepoj_game.outbound.postgres.game_writing import insert_board, insert_game
from deepoj_game.outbound.postgres.locking import GameCache, lock
from deepoj_game.outbound.postgres.opened import PostgresOpenGame
from deepoj_kit.clock import Clock
from deepoj_kit.inbox import Inbox
from deepoj_kit.postgres import Database

_PASSWORD: Final = "SELECT password_hash FROM game.games WHERE id = %s AND deleted_at IS NULL"  # noqa: S105 — SQL
_ENTERED: Final = "SELECT game_id FROM game.participants WHERE account_id = %s ORDER BY game_id"

Committed = Callable[[], None]


class PostgresGames:
    """`on_sent` is called after a commit that left messages, `on_changed` after one that changed a board."""

    def __init__(
        self,
        database: Database,
        inbox: Inbox,
        messages: Messages,
        cache: GameCache,
        *,
        clock: Clock,
        new_id: NewId,
        on_sent: Committed,
        on_changed: Committed,
    ) -> None:
        self._database = database
        self._inbox = inbox
        self._messages = messages
        self._cache = cache
        self._clock = clock
        self._new_id = new_id
        self._on_sent = on_sent
        self._on_changed = on_changed

    @asynccontextmanager
    async def open(self, game_id: GameId) -> AsyncIterator[PostgresOpenGame | None]:
        async with self._database.transaction() as connection:
            locked = await lock(connection, self._cache, game_id, self._clock())
            if locked is None:
                yield None
                return
            opened = PostgresOpenGame(locked, self._inbox, self._messages, self._new_id)
            yield opened
            await locked.flush()
        if opened.sent:
            self._on_sent()
        if locked.has_changed:
            self._on_changed()

    async def add(self, game: Game, events: Sequence[DomainEvent], *, password_hash: str | None) -> bool:
        async with self._database.transaction() as connection:
            if not await insert_game(connection, game, password_hash):
                return False
            await insert_board(connection, game, self._new_id(), self._clock())
            await self._messages.add(connection, events)
        self._on_sent()
        return True

    async def password_hash(self, game_id: GameId) -> str | None:
        async with self._database.connection() as connection:
            row = await (await connection.execute(_PASSWORD, (game_id,))).fetchone()
        return None if row is None else row[0]

    async def entered_by(self, account_id: AccountId) -> Sequence[GameId]:
        async with self._database.connection() as connection:
            rows = await (await connection.execute(_ENTERED, (account_id,))).fetchall()
        return [GameId(game_id) for (game_id,) in rows]
