"""Counts over the heads of all chains."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Final

from deepoj_domain.kernel.ids import AccountId, GameId, QuestionId
from deepoj_kit.postgres import Database
from deepoj_record.queries.ports import AccountLoad, Tally

_PASSED: Final = """
SELECT count(DISTINCT question_id) FROM record.submissions
WHERE account_id = %(account)s AND standing = 'head' AND verdict = 'AC'
  AND (%(game)s::uuid IS NULL OR game_id = %(game)s)
"""
_BY_QUESTION: Final = """
SELECT question_id, count(*), count(*) FILTER (WHERE verdict = 'AC') FROM record.submissions
WHERE question_id = ANY(%(questions)s) AND standing = 'head'
  AND (%(game)s::uuid IS NULL OR game_id = %(game)s)
GROUP BY question_id
"""
_BY_DAY: Final = """
SELECT (submitted_at AT TIME ZONE 'UTC')::date, count(*), count(*) FILTER (WHERE verdict = 'AC')
FROM record.submissions
WHERE submitted_at >= %(start)s AND submitted_at < %(end)s AND standing = 'head' {whose}
GROUP BY 1 ORDER BY 1
"""
# A rejudge is not the account's doing: neither its load nor part of its quota.
_LOAD: Final = """
SELECT
    (SELECT count(*) FROM record.submissions
     WHERE account_id = %(account)s AND rejudge_of IS NULL
       AND status IN ('PENDING', 'DISPATCHED', 'RUNNING')),
    (SELECT count(*) FROM record.submissions
     WHERE account_id = %(account)s AND submitted_at >= %(midnight)s AND rejudge_of IS NULL)
"""


class PostgresCounts:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def passed(self, account_id: AccountId, game_id: GameId | None) -> int:
        async with self._database.connection() as connection:
            cursor = await connection.execute(_PASSED, {"account": account_id, "game": game_id})
            row = await cursor.fetchone()
        return 0 if row is None else row[0]

    async def by_question(
        self, question_ids: Sequence[QuestionId], game_id: GameId | None
    ) -> dict[QuestionId, Tally]:
        parameters = {"questions": list(question_ids), "game": game_id}
        async with self._database.connection() as connection:
            rows = await (await connection.execute(_BY_QUESTION, parameters)).fetchall()
        return {QuestionId(key): Tally(submitted, accepted) for key, submitted, accepted in rows}

    async def by_day(self, account_id: AccountId | None, start: datetime, end: datetime) -> dict[date, Tally]:
        whose = "" if account_id is None else "AND account_id = %(account)s"
        parameters = {"account": account_id, "start": start, "end": end}
        async with self._database.connection() as connection:
            cursor = await connection.execute(_BY_DAY.format(whose=whose).encode(), parameters)
            rows = await cursor.fetchall()
        return {day: Tally(submitted, accepted) for day, submitted, accepted in rows}

    async def load(self, account_id: AccountId, midnight: datetime) -> AccountLoad:
        async with self._database.connection() as connection:
            cursor = await connection.execute(_LOAD, {"account": account_id, "midnight": midnight})
            row = await cursor.fetchone()
        return AccountLoad(0, 0) if row is None else AccountLoad(*row)
