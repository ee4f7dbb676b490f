"""Who has tried and solved which questions, over the heads of all chains."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from deepoj_domain.kernel.ids import AccountId, QuestionId
from deepoj_kit.postgres import Database
from deepoj_record.outbound.postgres.submission_counts import IN_SCOPE, limits
from deepoj_record.queries.marks import QuestionMark, QuestionPeople, Solvers
from deepoj_record.queries.ports import Scope

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
