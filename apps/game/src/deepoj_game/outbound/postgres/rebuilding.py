"""A board built beside the one that is shown.

A session lock keeps two recomputes of one game apart; it ends with the session, so a killed process leaves no
lock, only a board that nobody shows, which the next recompute throws away.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Final
from uuid import UUID

import msgspec

from deepoj_domain.game.scoring.fact import Fact
from deepoj_domain.kernel.ids import AccountId, GameId
from deepoj_game.commands.ports import NewId, Ruling
from deepoj_game.commands.recompute import Rebuilt
from deepoj_game.outbound.postgres.comparing import compared
from deepoj_game.outbound.postgres.facts import FACTS, fact_values
from deepoj_game.outbound.postgres.locking import GameCache, Locked, lock
from deepoj_game.outbound.postgres.rescoring import everybody, rescore
from deepoj_kit.clock import Clock
from deepoj_kit.postgres import Connection, Database

_TRY: Final = "SELECT pg_try_advisory_lock(hashtextextended('game recompute ' || %s, 0))"
_HEAD: Final = "SELECT sequence, board_id, version FROM game.counters WHERE game_id = %s"
_LEFT_OVER: Final = """
SELECT b.id FROM game.boards b WHERE b.game_id = %s
AND b.id <> (SELECT board_id FROM game.counters WHERE game_id = b.game_id)
"""
_BOARD: Final = "INSERT INTO game.boards (id, game_id, made_at) VALUES (%s, %s, %s)"
# A fact that the shown board has as well keeps its number and the time it became known: record does not say
# when a rejudge was applied. Who never took part has no score.
_ADD: Final = f"""
INSERT INTO game.facts (board_id, submission_id, decided, origin_id, account_id, question_id, submitted_us,
    known_us, verdict, score_micros, groups, cancelled, sequence)
SELECT %(new)s, n.submission_id, n.decided, n.origin_id, n.account_id, n.question_id, n.submitted_us,
    coalesce(s.known_us, n.known_us), n.verdict, n.score_micros, n.groups, n.cancelled, s.sequence
FROM {FACTS.called("n").replace("%s", "%(facts)s")}
JOIN game.participants p ON p.game_id = %(game)s AND p.account_id = n.account_id
LEFT JOIN game.facts s ON s.board_id = %(shown)s AND s.submission_id = n.submission_id
    AND s.decided = n.decided AND s.submitted_us = n.submitted_us AND s.verdict IS NOT DISTINCT FROM n.verdict
    AND s.score_micros = n.score_micros AND s.groups = n.groups AND s.cancelled = n.cancelled
ON CONFLICT DO NOTHING
"""  # noqa: S608 — composed of constants
_CATCH_UP: Final = """
INSERT INTO game.facts (board_id, submission_id, decided, origin_id, account_id, question_id, submitted_us,
    known_us, verdict, score_micros, groups, cancelled, sequence)
SELECT %(new)s, submission_id, decided, origin_id, account_id, question_id, submitted_us,
    known_us, verdict, score_micros, groups, cancelled, sequence
FROM game.facts WHERE board_id = %(shown)s AND sequence > %(since)s
    AND (%(only)s::uuid IS NULL OR account_id = %(only)s)
ON CONFLICT DO NOTHING
"""
_CHANGED: Final = """
SELECT DISTINCT kind, account_id FROM game.changes
WHERE game_id = %s AND sequence > %s AND kind IN ('row', 'reload')
"""
_NUMBER: Final = "UPDATE game.facts SET sequence = %s WHERE board_id = %s AND sequence IS NULL"
_TABLES: Final = ("facts", "rows", "cells")
_DELETE_SOME: Final = """
DELETE FROM game.{table} WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM game.{table} WHERE board_id = %s LIMIT 5000))
"""
_DELETE_BOARD: Final = "DELETE FROM game.boards WHERE id = %s"
_AUDIT: Final = """
INSERT INTO game.audit (id, game_id, actor_id, at, action, reason, details)
VALUES (%s, %s, %s, %s, %s, %s, %s)
"""
_TOLD: Final = 100


class PostgresRebuilds:
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
    async def begin(
        self, game_id: GameId, only: AccountId | None
    ) -> AsyncIterator[PostgresRebuilding | None]:
        async with await self._database.connect() as connection:
            row = await (await connection.execute(_TRY, (str(game_id),))).fetchone()
            if row is None or not row[0]:
                yield None
                return
            await _throw_away(connection, game_id)
            board_id = self._new_id()
            await connection.execute(_BOARD, (board_id, game_id, self._clock()))
            head = await (await connection.execute(_HEAD, (game_id,))).fetchone()
            if head is None:
                raise LookupError(f"game {game_id} has no board")
            try:
                yield PostgresRebuilding(self, connection, game_id, board_id, only, head)
            finally:
                await _throw_away(connection, game_id)

    async def lock(self, connection: Connection, game_id: GameId) -> Locked:
        locked = await lock(connection, self._cache, game_id, self._clock())
        if locked is None:
            raise LookupError(f"game {game_id} has no board")
        return locked

    async def audit(self, locked: Locked, ruling: Ruling, rebuilt: Rebuilt) -> None:
        told = [
            {
                "account_id": str(change.account_id),
                "before": change.before.rank if change.before else None,
                "after": change.after.rank if change.after else None,
                "reason": change.reason,
            }
            for change in rebuilt.changes[:_TOLD]
        ]
        details = {
            **(ruling.details or {}),
            "facts_corrected": rebuilt.corrected,
            "rows_changed": len(rebuilt.changes),
            "changes": told,
        }
        values = (self._new_id(), locked.game.id, ruling.by, locked.at, ruling.action, ruling.reason)
        await locked.connection.execute(_AUDIT, (*values, msgspec.json.encode(details).decode()))

    def changed(self) -> None:
        self._on_changed()


class PostgresRebuilding:
    def __init__(
        self,
        rebuilds: PostgresRebuilds,
        connection: Connection,
        game_id: GameId,
        board_id: UUID,
        only: AccountId | None,
        head: Sequence[object],
    ) -> None:
        self._rebuilds = rebuilds
        self._connection = connection
        self._game_id = game_id
        self._board_id = board_id
        self._only = only
        self._since, self._shown, self._version = head

    async def add(self, facts: Sequence[Fact]) -> None:
        parameters = {
            "new": self._board_id,
            "shown": self._shown,
            "game": self._game_id,
            "facts": FACTS.parameter(fact_values(fact, None) for fact in facts),
        }
        await self._connection.execute(_ADD.encode(), parameters)

    async def take_place(self, ruling: Ruling) -> Rebuilt:
        """Score before the game is locked; under the lock only what changed meanwhile is scored again."""
        async with self._connection.transaction():
            loaded = await self._rebuilds.lock(self._connection, self._game_id)
        everyone = await everybody(self._connection, self._game_id)
        accounts = everyone if self._only is None else [self._only]
        await rescore(self._connection, self._board_id, self._game_id, loaded.rules, accounts)
        async with self._connection.transaction():
            locked = await self._rebuilds.lock(self._connection, self._game_id)
            await self._catch_up(locked, same_rules=locked.version == loaded.version)
            rebuilt = await compared(locked, self._board_id, self._only)
            if rebuilt.changes or rebuilt.corrected:
                await self._swap(locked)
            await self._rebuilds.audit(locked, ruling, rebuilt)
            await locked.flush()
        self._rebuilds.changed()
        return rebuilt

    async def _catch_up(self, locked: Locked, *, same_rules: bool) -> None:
        parameters = {
            "new": self._board_id, "shown": locked.board_id, "since": self._since, "only": self._only,
        }  # fmt: skip
        await self._connection.execute(_CATCH_UP, parameters)
        cursor = await self._connection.execute(_CHANGED, (self._game_id, self._since))
        changed = await cursor.fetchall()
        if not same_rules or any(kind == "reload" for kind, _ in changed):
            accounts = await everybody(self._connection, self._game_id)
        else:
            accounts = [AccountId(account) for _, account in changed]
        if self._only is not None:
            accounts = [account for account in accounts if account == self._only]
        await rescore(self._connection, self._board_id, self._game_id, locked.rules, accounts)

    async def _swap(self, locked: Locked) -> None:
        sequence = locked.board_changed()
        await self._connection.execute(_NUMBER, (sequence, self._board_id))
        if self._only is None:
            locked.board_id = self._board_id
            return
        for table in _TABLES:
            gone = f"DELETE FROM game.{table} WHERE board_id = %s AND account_id = %s"  # noqa: S608 — a constant
            moved = f"UPDATE game.{table} SET board_id = %s WHERE board_id = %s"  # noqa: S608 — same
            await self._connection.execute(gone.encode(), (locked.board_id, self._only))
            await self._connection.execute(moved.encode(), (locked.board_id, self._board_id))


async def _throw_away(connection: Connection, game_id: GameId) -> None:
    """Delete the boards that the game does not show, a little at a time."""
    for (board_id,) in await (await connection.execute(_LEFT_OVER, (game_id,))).fetchall():
        for table in _TABLES:
            statement = _DELETE_SOME.format(table=table).encode()
            while (await connection.execute(statement, (board_id,))).rowcount:
                pass
        await connection.execute(_DELETE_BOARD, (board_id,))
