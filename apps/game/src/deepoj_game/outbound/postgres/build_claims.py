"""Work is claimed by a session lock, which ends with the session: a killed process leaves none behind.

Everything is written over that session. Its statements have no time limit, because nobody waits for them;
those that hold the game's counter are few and short.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final, NamedTuple
from uuid import UUID

from deepoj_domain.game.decision import Recompute, Task
from deepoj_domain.game.work import Stage
from deepoj_domain.kernel.ids import AccountId, GameId, WorkId
from deepoj_game.commands.builds import Claimed
from deepoj_game.commands.ports import NewId, Ruling
from deepoj_game.outbound.postgres.board_build import PostgresBuild
from deepoj_game.outbound.postgres.game_lock import BoardRef, read_counter
from deepoj_game.outbound.postgres.games import GameCache, insert_board
from deepoj_game.outbound.postgres.work import task_of
from deepoj_kit.clock import Clock
from deepoj_kit.failpoint import fail_point
from deepoj_kit.postgres import Connection, Database
from deepoj_kit.postgres.database import translated
from deepoj_kit.unavailable import Unavailable

_log = logging.getLogger(__name__)
_PATIENT: Final = "SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0"
_OPEN: Final = "SELECT id FROM game.work WHERE finished_at IS NULL ORDER BY asked_at, id"
_TRY: Final = "SELECT pg_try_advisory_lock(hashtextextended('game work ' || %s, 0))"
_LEAVE: Final = "SELECT pg_advisory_unlock(hashtextextended('game work ' || %s, 0))"
_CLAIM: Final = """
UPDATE game.work SET attempts = attempts + 1 WHERE id = %s AND finished_at IS NULL
RETURNING game_id, kind, task::text, stage, position, attempts, board_id, log_id, since, version, asked_by,
    reason
"""
_BUILD: Final = "UPDATE game.work SET board_id = %s, log_id = %s, since = %s WHERE id = %s"
# No try is lost to an outage.
_INTERRUPTED: Final = """
UPDATE game.work SET attempts = attempts - 1, error = 'interrupted: ' || %s
WHERE id = %s AND finished_at IS NULL
"""
_FAIL: Final = """
UPDATE game.work SET outcome = 'failed', finished_at = %s, error = %s WHERE id = %s AND finished_at IS NULL
"""
# A board nobody shows or builds, and a log no board has.
_LEFT_OVER: Final = """
SELECT b.id, b.log_id FROM game.boards b
WHERE NOT EXISTS (SELECT FROM game.counters c WHERE c.board_id = b.id)
  AND NOT EXISTS (SELECT FROM game.work w WHERE w.board_id = b.id AND w.finished_at IS NULL)
"""
_LAST_OF_ITS_LOG: Final = "SELECT count(*) = 1 FROM game.boards WHERE log_id = %s"
_DELETE_SOME: Final = """
DELETE FROM game.{table} WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM game.{table} WHERE {column} = %s LIMIT 5000))
"""
_DELETE_BOARD: Final = "DELETE FROM game.boards WHERE id = %s"
_MOST_ATTEMPTS: Final = 5
_LONGEST: Final = 1000


class _ClaimedRow(NamedTuple):
    """The columns in the order of `_CLAIM`."""

    game_id: UUID
    kind: str
    task: str
    stage: str
    position: str
    attempts: int
    board_id: UUID | None
    log_id: UUID | None
    since: int | None
    version: int | None
    asked_by: UUID
    reason: str


class _Found(NamedTuple):
    id: WorkId
    attempts: int
    build: PostgresBuild


class PostgresBuilds:
    def __init__(
        self,
        database: Database,
        cache: GameCache,
        *,
        clock: Clock,
        new_id: NewId,
        on_changed: Callable[[], None],
    ) -> None:
        self._database = database
        self._cache = cache
        self._clock = clock
        self._new_id = new_id
        self._on_changed = on_changed

    @asynccontextmanager
    async def claim(self) -> AsyncIterator[PostgresBuild | None]:
        with translated():
            async with await self._database.connect() as connection:
                await connection.execute(_PATIENT)
                await _throw_away(connection)
                found = await self._next(connection)
                if found is None:
                    yield None
                    return
                try:
                    yield found.build
                except Unavailable as error:
                    if not connection.closed:
                        await connection.execute(_INTERRUPTED, (str(error)[:_LONGEST], found.id))
                    raise
                except Exception as error:
                    _log.exception("work %s failed", found.id)
                    if found.attempts >= _MOST_ATTEMPTS:
                        await self._fail(connection, found.id, f"{type(error).__name__}: {error}")
                    raise
                self._on_changed()
                fail_point("work_switched")
                await _throw_away(connection)

    async def _next(self, connection: Connection) -> _Found | None:
        for (work_id,) in await (await connection.execute(_OPEN)).fetchall():
            if not await _asked(connection, _TRY, (str(work_id),)):
                continue
            found = await self._claimed(connection, WorkId(work_id))
            if found is not None and found.attempts <= _MOST_ATTEMPTS:
                return found
            if found is not None:
                reason = f"given up after {_MOST_ATTEMPTS} tries, each of which ended with its process"
                await self._fail(connection, found.id, reason)
            await connection.execute(_LEAVE, (str(work_id),))
        return None

    async def _claimed(self, connection: Connection, work_id: WorkId) -> _Found | None:
        async with connection.transaction():
            row = await (await connection.execute(_CLAIM, (work_id,))).fetchone()
            if row is None:
                return None
            found = _ClaimedRow(*row)
            task, board, since = task_of(found.kind, found.task), None, found.since
            if found.board_id is not None and found.log_id is not None:
                board = BoardRef(found.board_id, found.log_id)
            if board is None or since is None:
                board, since = await self._begin(connection, work_id, GameId(found.game_id), task)
        claimed = Claimed(
            game_id=GameId(found.game_id),
            task=task,
            stage=Stage(found.stage),
            position=found.position,
            since=since,
            version=found.version,
        )
        ruling = Ruling(by=AccountId(found.asked_by), action=task.kind, reason=found.reason)
        build = PostgresBuild(connection, self._cache, work_id, claimed, board, ruling, self._new_id)
        return _Found(work_id, found.attempts, build)

    async def _begin(
        self, connection: Connection, work_id: WorkId, game_id: GameId, task: Task
    ) -> tuple[BoardRef, int]:
        """Make the board that is to be built. A recompute has a log of its own."""
        shown = await read_counter(connection, game_id)
        if shown is None:
            raise LookupError(f"game {game_id} has no board")
        board_id = self._new_id()
        board = BoardRef(board_id, board_id if isinstance(task, Recompute) else shown.log_id)
        await insert_board(connection, game_id, board.id, board.log_id, self._clock())
        await connection.execute(_BUILD, (board.id, board.log_id, shown.sequence, work_id))
        return board, shown.sequence

    async def _fail(self, connection: Connection, work_id: WorkId, error: str) -> None:
        await connection.execute(_FAIL, (self._clock(), error[:_LONGEST], work_id))


async def _throw_away(connection: Connection) -> None:
    """Delete what nobody needs any more, a little at a time."""
    for board_id, log_id in await (await connection.execute(_LEFT_OVER)).fetchall():
        await _empty(connection, "rows", "board_id", board_id)
        await _empty(connection, "cells", "board_id", board_id)
        if await _asked(connection, _LAST_OF_ITS_LOG, (log_id,)):
            await _empty(connection, "facts", "log_id", log_id)
        await connection.execute(_DELETE_BOARD, (board_id,))


async def _empty(connection: Connection, table: str, column: str, key: UUID) -> None:
    statement = _DELETE_SOME.format(table=table, column=column).encode()
    while (await connection.execute(statement, (key,))).rowcount:
        pass


async def _asked(connection: Connection, statement: str, values: tuple[object, ...]) -> bool:
    row = await (await connection.execute(statement.encode(), values)).fetchone()
    return row is not None and bool(row[0])
