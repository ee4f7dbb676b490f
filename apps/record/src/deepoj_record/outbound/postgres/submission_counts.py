"""Counts, and who has tried and solved which questions, over the heads of all chains."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Final

from deepoj_domain.kernel.ids import AccountId, QuestionId
from deepoj_kit.postgres import Database
from deepoj_record.outbound.postgres.tables import count, made_of, read
from deepoj_record.queries.marks import QuestionMark, QuestionPeople, Solvers
from deepoj_record.queries.ports import AccountLoad, RevisionCount, Scope, Tally

# A list of sealed games that nobody knows is NULL, and lets no game through.
IN_SCOPE: Final = """(game_id = %(game)s OR %(game)s::uuid IS NULL AND (
    game_id IS NULL OR game_id <> ALL(%(sealed)s::uuid[]) AND NOT EXISTS (
        SELECT FROM unnest(%(games)s::uuid[], %(people)s::uuid[]) AS running (game, person)
        WHERE running.game = game_id AND running.person = account_id)))
    AND question_id <> ALL(%(hidden)s::uuid[])"""
_PASSED: Final = f"""
SELECT count(DISTINCT question_id) AS count FROM record.submissions
WHERE account_id = %(account)s AND standing = 'head' AND verdict = 'AC' AND {IN_SCOPE}
"""  # noqa: S608 — constants
_BY_QUESTION: Final = f"""
SELECT question_id, count(*) AS submitted, count(*) FILTER (WHERE verdict = 'AC') AS accepted
FROM record.submissions
WHERE question_id = ANY(%(questions)s) AND standing = 'head' AND {IN_SCOPE}
GROUP BY question_id
"""  # noqa: S608 — constants
_BY_REVISION: Final = f"""
SELECT question_id, question_revision AS revision, count(*) AS submissions FROM record.submissions
WHERE question_id = %(question)s AND standing = 'head' AND verdict IS NOT NULL AND {IN_SCOPE}
GROUP BY question_id, question_revision ORDER BY question_revision DESC LIMIT 1000
"""  # noqa: S608 — constants
_BY_DAY: Final = f"""
SELECT (submitted_at AT TIME ZONE 'UTC')::date AS day, count(*) AS submitted,
       count(*) FILTER (WHERE verdict = 'AC') AS accepted
FROM record.submissions
WHERE submitted_at >= %(start)s AND submitted_at < %(end)s AND standing = 'head'
  AND {IN_SCOPE} {{whose}}
GROUP BY 1 ORDER BY 1
"""  # noqa: S608 — constants
# A rejudge is not the account's doing: neither its load nor part of its quota.
_LOAD: Final = """
SELECT
    (SELECT count(*) FROM record.submissions
     WHERE account_id = %(account)s AND rejudge_of IS NULL
       AND status IN ('PENDING', 'DISPATCHED', 'RUNNING')) AS in_flight,
    (SELECT count(*) FROM record.submissions
     WHERE account_id = %(account)s AND submitted_at >= %(midnight)s AND rejudge_of IS NULL)
        AS submitted_today
"""


class PostgresCounts:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def passed(self, account_id: AccountId, scope: Scope) -> int:
        async with self._database.connection() as connection:
            return await count(connection, _PASSED, {"account": account_id, **limits(scope)})

    async def by_question(self, question_ids: Sequence[QuestionId], scope: Scope) -> dict[QuestionId, Tally]:
        parameters = {"questions": list(question_ids), **limits(scope)}
        rows = await read(self._database, _BY_QUESTION, parameters)
        return {QuestionId(row["question_id"]): made_of(row, Tally) for row in rows}

    async def by_revision(self, question_id: QuestionId, scope: Scope) -> Sequence[RevisionCount]:
        rows = await read(self._database, _BY_REVISION, {"question": question_id, **limits(scope)})
        return [made_of(row, RevisionCount) for row in rows]

    async def by_day(
        self, account_id: AccountId | None, start: datetime, end: datetime, scope: Scope
    ) -> dict[date, Tally]:
        whose = "" if account_id is None else "AND account_id = %(account)s"
        parameters = {"account": account_id, "start": start, "end": end, **limits(scope)}
        rows = await read(self._database, _BY_DAY.format(whose=whose), parameters)
        return {row["day"]: made_of(row, Tally) for row in rows}

    async def load(self, account_id: AccountId, midnight: datetime) -> AccountLoad:
        (row,) = await read(self._database, _LOAD, {"account": account_id, "midnight": midnight})
        return made_of(row, AccountLoad)


def limits(scope: Scope) -> dict[str, object]:
    sealed = scope.sealed
    return {
        "game": scope.game_id,
        "sealed": None if sealed is None else list(sealed.games),
        "games": [] if sealed is None else [game for game, _ in sorted(sealed.running)],
        "people": [] if sealed is None else [person for _, person in sorted(sealed.running)],
        "hidden": list(scope.hidden),
    }


MOST_MARKS: Final = 10_000
PEOPLE: Final = f"""
SELECT question_id, count(DISTINCT account_id), count(DISTINCT account_id) FILTER (WHERE verdict = 'AC')
FROM record.submissions
WHERE question_id = ANY(%(questions)s) AND standing = 'head' AND verdict IS NOT NULL AND {IN_SCOPE}
GROUP BY question_id
"""  # noqa: S608 — constants
SOLVERS: Final = f"""
SELECT question_id, count(DISTINCT account_id) AS people FROM record.submissions
WHERE standing = 'head' AND verdict = 'AC' AND {IN_SCOPE}
GROUP BY question_id ORDER BY people DESC, question_id LIMIT {MOST_MARKS}
"""  # noqa: S608 — constants
MARKS: Final = f"""
SELECT question_id, bool_or(verdict = 'AC') FROM record.submissions
WHERE account_id = %(account)s AND standing = 'head' AND verdict IS NOT NULL
  AND (%(questions)s::uuid[] = '{{}}' OR question_id = ANY(%(questions)s)) AND {IN_SCOPE}
GROUP BY question_id ORDER BY question_id LIMIT {MOST_MARKS}
"""  # noqa: S608 — constants


class PostgresMarks:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def people(self, question_ids: Sequence[QuestionId], scope: Scope) -> Sequence[QuestionPeople]:
        parameters = {"questions": list(question_ids), **limits(scope)}
        async with self._database.connection() as connection:
            rows = await (await connection.execute(PEOPLE.encode(), parameters)).fetchall()
        return [QuestionPeople(QuestionId(key), tried, solved) for key, tried, solved in rows]

    async def solvers(self, scope: Scope) -> Sequence[Solvers]:
        async with self._database.connection() as connection:
            rows = await (await connection.execute(SOLVERS.encode(), limits(scope))).fetchall()
        return [Solvers(QuestionId(key), people) for key, people in rows]

    async def of_account(
        self, account_id: AccountId, question_ids: Sequence[QuestionId], scope: Scope
    ) -> Sequence[QuestionMark]:
        parameters = {"account": account_id, "questions": list(question_ids), **limits(scope)}
        async with self._database.connection() as connection:
            rows = await (await connection.execute(MARKS.encode(), parameters)).fetchall()
        return [QuestionMark(QuestionId(key), solved) for key, solved in rows]
