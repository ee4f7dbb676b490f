"""Boards and their logs as the queries see them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Final
from uuid import UUID

from deepoj_domain.game.game import Game
from deepoj_domain.game.scoring.fact import Fact
from deepoj_domain.kernel.ids import AccountId, GameId, SubmissionId
from deepoj_game.outbound.postgres.clarification_rows import (
    CLARIFICATION_COLUMNS,
    ClarificationRow,
    clarification_of,
)
from deepoj_game.outbound.postgres.facts import facts_of_accounts
from deepoj_game.outbound.postgres.game_rows import PARTICIPANT_COLUMNS, ParticipantRow, participant_of
from deepoj_game.outbound.postgres.pages import BoardPages
from deepoj_game.queries.paging import MAX_SIZE, Page, PageRequest
from deepoj_game.queries.ports import Ranked, Side
from deepoj_game.queries.views import Change, EntrantView
from deepoj_kit.postgres import Connection, Database

_SNAPSHOT: Final = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"
_HEAD: Final = "SELECT sequence, board_id FROM game.counters WHERE game_id = %s"
_CHANGES: Final = f"""
SELECT h.sequence, h.kind, h.account_id, {CLARIFICATION_COLUMNS} FROM game.changes h
LEFT JOIN game.clarifications k ON k.id = h.clarification_id
WHERE h.game_id = %s AND h.sequence > %s ORDER BY h.sequence LIMIT %s
"""  # noqa: S608 — constants
_ENTRANTS: Final = f"""
SELECT {PARTICIPANT_COLUMNS} FROM game.participants p
WHERE p.game_id = %(game)s AND p.account_id > %(after)s AND NOT p.withdrawn
  AND (%(only)s::uuid[] IS NULL OR p.account_id = ANY(%(only)s))
ORDER BY p.account_id LIMIT %(limit)s
"""  # noqa: S608 — constants
_ACCOUNTS: Final = """
SELECT DISTINCT account_id FROM game.facts WHERE board_id = %s AND submission_id = ANY(%s)
"""
_CHUNK: Final = 200


class PostgresBoards:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def page(self, game: Game, side: Side, page: PageRequest) -> tuple[Page[Ranked], int]:
        async with self._snapshot(game.id) as (connection, sequence, board_id):
            return await BoardPages(connection, board_id, game, side).page(page), sequence

    async def rows(
        self, game: Game, side: Side, accounts: Collection[AccountId]
    ) -> Mapping[AccountId, Ranked]:
        async with self._snapshot(game.id) as (connection, _, board_id):
            return await BoardPages(connection, board_id, game, side).rows(accounts)

    async def around(self, game: Game, side: Side, account_id: AccountId) -> Sequence[Ranked]:
        async with self._snapshot(game.id) as (connection, _, board_id):
            return await BoardPages(connection, board_id, game, side).around(account_id)

    async def all(self, game: Game, side: Side) -> AsyncIterator[Ranked]:
        async with self._snapshot(game.id) as (connection, _, board_id):
            pages = BoardPages(connection, board_id, game, side)
            after: tuple[str, ...] | None = None
            while True:
                page = await pages.page(PageRequest(MAX_SIZE, after))
                for each in page.items:
                    yield each
                if page.next is None:
                    return
                after = page.next

    async def sequence(self, game_id: GameId) -> int:
        async with self._database.connection() as connection:
            return (await _head(connection, game_id))[0]

    async def changes(self, game_id: GameId, after: int, limit: int) -> Sequence[Change]:
        async with self._database.connection() as connection:
            cursor = await connection.execute(_CHANGES.encode(), (game_id, after, limit))
            rows = await cursor.fetchall()
        return [
            Change(
                sequence=sequence,
                account_id=None if account is None else AccountId(account),
                clarification=clarification_of(ClarificationRow(*note)) if kind == "clarification" else None,
            )
            for sequence, kind, account, *note in rows
        ]

    @asynccontextmanager
    async def log(self, game_id: GameId) -> AsyncIterator[PostgresLog]:
        async with self._snapshot(game_id) as (connection, sequence, board_id):
            yield PostgresLog(connection, game_id, board_id, sequence)

    @asynccontextmanager
    async def _snapshot(self, game_id: GameId) -> AsyncIterator[tuple[Connection, int, UUID]]:
        """Rows, first places and the number of the last change belong to the same moment."""
        async with self._database.transaction() as connection:
            await connection.execute(_SNAPSHOT)
            sequence, board_id = await _head(connection, game_id)
            yield connection, sequence, board_id


class PostgresLog:
    def __init__(self, connection: Connection, game_id: GameId, board_id: UUID, sequence: int) -> None:
        self.sequence = sequence
        self._connection = connection
        self._game_id = game_id
        self._board_id = board_id

    async def by_participant(
        self, only: Collection[AccountId] | None = None
    ) -> AsyncIterator[tuple[EntrantView, Sequence[Fact]]]:
        """Read some hundred at a time, so that a large game needs no large memory."""
        after, chosen = UUID(int=0), None if only is None else list(only)
        while True:
            parameters = {"game": self._game_id, "after": after, "only": chosen, "limit": _CHUNK}
            cursor = await self._connection.execute(_ENTRANTS.encode(), parameters)
            rows = [ParticipantRow(*row) for row in await cursor.fetchall()]
            found = [EntrantView(participant_of(row), row.display_name) for row in rows]
            accounts = [each.participant.account_id for each in found]
            facts = await facts_of_accounts(self._connection, self._board_id, accounts)
            for entrant in found:
                yield entrant, facts[entrant.participant.account_id]
            if len(found) < _CHUNK:
                return
            after = accounts[-1]

    async def accounts_of(self, submissions: Collection[SubmissionId]) -> list[AccountId]:
        cursor = await self._connection.execute(_ACCOUNTS, (self._board_id, list(submissions)))
        return [AccountId(row[0]) for row in await cursor.fetchall()]


async def _head(connection: Connection, game_id: GameId) -> tuple[int, UUID]:
    row = await (await connection.execute(_HEAD, (game_id,))).fetchone()
    if row is None:
        raise LookupError(f"game {game_id} has no board")
    return row[0], row[1]
