"""Counts over the heads of all chains."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Final

from deepoj_domain.kernel.ids import AccountId, QuestionId
from deepoj_kit.postgres import Database
from deepoj_record.queries.ports import AccountLoad, Scope, Tally

# A list of sealed games that nobody knows is NULL, and lets no game through.
_IN_SCOPE: Final = """(game_id = %(game)s OR %(game)s::uuid IS NULL AND (
    game_id IS NULL OR game_id <> ALL(%(sealed)s::uuid[]) AND NOT EXISTS (
        SELECT FROM unnest(%(games)s::uuid[], %(people)s::uuid[]) AS running (game, person)
        WHERE running.game = game_id AND running.person = account_id)))
    AND question_id <> ALL(%(hidden)s::uuid[])"""
_PASSED: Final = f"""
SELECT count(DISTINCT question_id) FROM record.submissions
WHERE account_id = %(account)s AND standing = 'head' AND verdict = 'AC' AND {_IN_SCOPE}
"""  # noqa: S608 — constants
_BY_QUESTION: Final = f"""
SELECT question_id, count(*), count(*) FILTER (WHERE verdict = 'AC') FROM record.submissions
WHERE question_id = ANY(%(questions)s) AND standing = 'head' AND {_IN_SCOPE}
GROUP BY question_id
"""  # noqa: S608 — constants
_BY_DAY: Final = f"""
SELECT (submitted_at AT TIME ZONE 'UTC')::date, count(*), count(*) FILTER (WHERE verdict = 'AC')
FROM record.submissions
WHERE submitted_at >= %(start)s AND submitted_at < %(end)s AND standing = 'head'
  AND {_IN_SCOPE} {{whose}}
GROUP BY 1 ORDER BY 1
"""  # noqa: S608 — constants
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

    async def passed(self, account_id: AccountId, scope: Scope) -> int:
        parameters = {"account": account_id, **_limits(scope)}
        async with self._database.connection() as connection:
            row = await (await connection.execute(_PASSED.encode(), parameters)).fetchone()
        return 0 if row is None else row[0]

    async def by_question(self, question_ids: Sequence[QuestionId], scope: Scope) -> dict[QuestionId, Tally]:
        parameters = {"questions": list(question_ids), **_limits(scope)}
        async with self._database.connection() as connection:
            rows = await (await connection.execute(_BY_QUESTION.encode(), parameters)).fetchall()
        return {QuestionId(key): Tally(submitted, accepted) for key, submitted, accepted in rows}

    async def by_day(
        self, account_id: AccountId | None, start: datetime, end: datetime, scope: Scope
    ) -> dict[date, Tally]:
        whose = "" if account_id is None else "AND account_id = %(account)s"
        parameters = {"account": account_id, "start": start, "end": end, **_limits(scope)}
        async with self._database.connection() as connection:
            cursor = await connection.execute(_BY_DAY.format(whose=whose).encode(), parameters)
            rows = await cursor.fetchall()
        return {day: Tally(submitted, accepted) for day, submitted, accepted in rows}

    async def load(self, account_id: AccountId, midnight: datetime) -> AccountLoad:
        async with self._database.connection() as connection:
            cursor = await connection.execute(_LOAD, {"account": account_id, "midnight": midnight})
            row = await cursor.fetchone()
        return AccountLoad(0, 0) if row is None else AccountLoad(*row)


def _limits(scope: Scope) -> dict[str, object]:
    sealed = scope.sealed
    return {
        "game": scope.game_id,
        "sealed": None if sealed is None else list(sealed.games),
        "games": [] if sealed is None else [game for game, _ in sorted(sealed.running)],
        "people": [] if sealed is None else [person for _, person in sorted(sealed.running)],
        "hidden": list(scope.hidden),
    }
