"""Games as the queries see them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from deepoj_domain.game.clarification import Clarification
from deepoj_domain.kernel.ids import AccountId, GameId
from deepoj_game.outbound.postgres.clarification_rows import (
    CLARIFICATION_COLUMNS,
    ClarificationRow,
    clarification_of,
)
from deepoj_game.outbound.postgres.game_rows import PARTICIPANT_COLUMNS, ParticipantRow, participant_of
from deepoj_game.outbound.postgres.listing import list_statement, stored_of
from deepoj_game.outbound.postgres.locking import GameCache
from deepoj_game.queries.paging import Page, PageRequest, malformed
from deepoj_game.queries.ports import GameFilter
from deepoj_game.queries.views import EntrantView, StoredGame
from deepoj_kit.postgres import Database

_VERSION: Final = "SELECT version FROM game.counters WHERE game_id = %s"
_ENTRANT: Final = f"""
SELECT {PARTICIPANT_COLUMNS} FROM game.participants p
WHERE p.game_id = %s AND p.account_id = %s AND NOT p.withdrawn
"""  # noqa: S608 — constants
_ENTRANTS: Final = f"""
SELECT {PARTICIPANT_COLUMNS} FROM game.participants p
WHERE p.game_id = %s AND p.account_id > %s AND NOT p.withdrawn AND (%s OR p.kind <> 'hidden')
ORDER BY p.account_id LIMIT %s
"""  # noqa: S608 — constants
_BEGAN_AFTER: Final = """
SELECT account_id FROM game.participants WHERE game_id = %s AND virtual_start > %s AND NOT withdrawn
"""
_SEALED: Final = """
SELECT id FROM game.games WHERE starts_at <= %(now)s AND (ends_at > %(now)s
    OR freezes_at <= %(now)s AND (unfrozen_at IS NULL OR unfrozen_at > %(now)s))
"""
_COUNTS: Final = """
SELECT game_id, count(*) FROM game.participants
WHERE game_id = ANY(%s) AND NOT withdrawn AND kind <> 'hidden' GROUP BY game_id
"""
_CLARIFICATIONS: Final = f"""
SELECT {CLARIFICATION_COLUMNS} FROM game.clarifications k
WHERE k.game_id = %s AND k.id > %s AND (%s OR k.public OR k.asked_by = %s)
ORDER BY k.id LIMIT %s
"""  # noqa: S608 — constants
_FIRST: Final = UUID(int=0)


class PostgresGameReader:
    def __init__(self, database: Database, cache: GameCache) -> None:
        self._database = database
        self._cache = cache

    async def game(self, game_id: GameId) -> StoredGame | None:
        async with self._database.connection() as connection:
            row = await (await connection.execute(_VERSION, (game_id,))).fetchone()
            if row is None:
                return None
            loaded = await self._cache.load(connection, game_id, row[0])
        return StoredGame(game=loaded.game, version=loaded.version)

    async def entrant(self, game_id: GameId, account_id: AccountId) -> EntrantView | None:
        async with self._database.connection() as connection:
            row = await (await connection.execute(_ENTRANT.encode(), (game_id, account_id))).fetchone()
        return None if row is None else _entrant(ParticipantRow(*row))

    async def began_after(self, game_id: GameId, moment: datetime) -> frozenset[AccountId]:
        async with self._database.connection() as connection:
            rows = await (await connection.execute(_BEGAN_AFTER, (game_id, moment))).fetchall()
        return frozenset(AccountId(row[0]) for row in rows)

    async def sealed(self, now: datetime) -> Sequence[GameId]:
        async with self._database.connection() as connection:
            rows = await (await connection.execute(_SEALED, {"now": now})).fetchall()
        return [GameId(row[0]) for row in rows]

    async def counts(self, game_ids: Sequence[GameId]) -> Mapping[GameId, int]:
        async with self._database.connection() as connection:
            rows = await (await connection.execute(_COUNTS, (list(game_ids),))).fetchall()
        return {GameId(game_id): count for game_id, count in rows}

    async def list(self, which: GameFilter, page: PageRequest) -> Page[StoredGame]:
        statement, parameters = list_statement(which, page)
        async with self._database.connection() as connection:
            rows = await (await connection.execute(statement.encode(), parameters)).fetchall()
        found = [stored_of(row) for row in rows[: page.size]]
        last = found[-1] if len(rows) > page.size else None
        after = None if last is None else (last.game.plan.schedule.start.isoformat(), str(last.game.id))
        return Page(found, after)

    async def entrants(self, game_id: GameId, page: PageRequest, *, with_hidden: bool) -> Page[EntrantView]:
        parameters = (game_id, _after(page), with_hidden, page.size + 1)
        async with self._database.connection() as connection:
            rows = await (await connection.execute(_ENTRANTS.encode(), parameters)).fetchall()
        found = [_entrant(ParticipantRow(*row)) for row in rows[: page.size]]
        more = len(rows) > page.size
        return Page(found, (str(found[-1].participant.account_id),) if more else None)

    async def clarifications(
        self, game_id: GameId, page: PageRequest, *, visible_to: AccountId | None, everything: bool
    ) -> Page[Clarification]:
        parameters = (game_id, _after(page), everything, visible_to, page.size + 1)
        async with self._database.connection() as connection:
            rows = await (await connection.execute(_CLARIFICATIONS.encode(), parameters)).fetchall()
        found = [clarification_of(ClarificationRow(*row)) for row in rows[: page.size]]
        more = len(rows) > page.size
        return Page(found, (str(found[-1].id),) if more else None)


def _entrant(row: ParticipantRow) -> EntrantView:
    return EntrantView(participant_of(row), row.display_name)


def _after(page: PageRequest) -> UUID:
    if page.after is None:
        return _FIRST
    try:
        return UUID(page.after[0])
    except ValueError as error:
        raise malformed() from error
