"""Questions for the queries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC
from typing import Final
from uuid import UUID

from psycopg.rows import TupleRow

from deepoj_domain.kernel.digest import ContentHash
from deepoj_domain.kernel.ids import AccountId, QuestionId
from deepoj_domain.kernel.paging import PageRequest, at_text, paged
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.question.listing import QuestionSlug, Tag
from deepoj_domain.question.revision import Judging, RevisionContent
from deepoj_kit.postgres import Database, compiled
from deepoj_question.outbound.postgres.rows import (
    CONTENT,
    JUDGING,
    QUESTION,
    READABLE,
    QuestionRow,
    content,
    detail,
    judging,
)
from deepoj_question.outbound.postgres.search_statement import list_statement
from deepoj_question.queries.ports import Search
from deepoj_question.queries.views import (
    Catalogue,
    Detail,
    QuestionView,
    RevisionPart,
    RevisionView,
    TagCount,
)

GET: Final = f"""
SELECT {QUESTION}, r.number, {READABLE}
FROM question.questions q
JOIN question.revisions r ON r.question_id = q.id AND r.number = coalesce(nullif(%s, 0), q.revision)
WHERE q.deleted_at IS NULL AND """  # noqa: S608 — constants
FIND: Final = f"SELECT {QUESTION} FROM question.questions q WHERE q.deleted_at IS NULL AND q.id = %s"  # noqa: S608 — same
REVISIONS: Final = """
SELECT number, made_by, made_at, judge_hash, '{}'::text[] FROM question.revisions
WHERE question_id = %s ORDER BY number DESC LIMIT 1000
"""
# How it is judged is the same where the hash is: no need to compare thousands of cases.
_JUDGED_OTHERWISE: Final = "r.judge_hash <> old.judge_hash AND "
_DIFFERS: Final[Mapping[RevisionPart, str]] = {
    RevisionPart.STATEMENT: "r.presentation <> old.presentation",
    RevisionPart.TESTS: f"{_JUDGED_OTHERWISE} r.judging->'suite' <> old.judging->'suite'",
    RevisionPart.CHECKER: f"{_JUDGED_OTHERWISE} r.judging->'checker' <> old.judging->'checker'",
    RevisionPart.LIMITS: f"{_JUDGED_OTHERWISE} r.allowance <> old.allowance",
    RevisionPart.LANGUAGES: f"{_JUDGED_OTHERWISE} r.languages IS DISTINCT FROM old.languages",
    RevisionPart.EXTRAS: "r.extras <> old.extras",
}
_CHANGES: Final = ", ".join(f"CASE WHEN {differs} THEN '{part}' END" for part, differs in _DIFFERS.items())
REVISIONS_WITH_CHANGES: Final = f"""
SELECT r.number, r.made_by, r.made_at, r.judge_hash, array_remove(ARRAY[{_CHANGES}], NULL)
FROM question.revisions r
LEFT JOIN question.revisions old ON old.question_id = r.question_id AND old.number = r.number - 1
WHERE r.question_id = %s ORDER BY r.number DESC LIMIT 1000
"""  # noqa: S608 — constants
_REVISION: Final = "FROM question.revisions r WHERE question_id = %s AND number = %s"
_CATALOGUE: Final = "SELECT revision FROM question.catalogue"
_HIDDEN: Final = "SELECT id, owner_id FROM question.questions WHERE NOT enabled OR deleted_at IS NOT NULL"
_TAGS: Final = """
SELECT tag, count(*) FROM question.questions, unnest(tags) AS tag
WHERE enabled AND deleted_at IS NULL GROUP BY tag ORDER BY count(*) DESC, tag LIMIT 500
"""
_COLUMNS: Final = len(QuestionRow._fields)


class PostgresQuestionViews:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def hidden(self) -> Mapping[QuestionId, AccountId]:
        async with self._database.connection() as connection:
            rows = await (await connection.execute(_HIDDEN)).fetchall()
        return {QuestionId(question): AccountId(owner) for question, owner in rows}

    async def get(self, by: QuestionId | QuestionSlug, revision: int) -> Detail | None:
        key = "q.id = %s" if isinstance(by, UUID) else "q.slug = %s"
        async with self._database.connection() as connection:
            row = await (await connection.execute(f"{GET}{key}".encode(), (revision, by))).fetchone()
        if row is None:
            return None
        question = QuestionRow(*row[:_COLUMNS])._replace(revision=row[_COLUMNS])
        return detail(question.view(), *row[_COLUMNS + 1 :])

    async def list(
        self, search: Search, page: PageRequest, *, everything: bool, own: AccountId | None
    ) -> Catalogue:
        statement = compiled(list_statement(search, page, everything=everything, own=own))
        async with self._database.connection() as connection:
            # Before the rows: what is kept under this revision is then never older than it says.
            head = await (await connection.execute(_CATALOGUE)).fetchone()
            rows = await (await connection.execute(*statement)).fetchall()
        found = [QuestionRow(*row[:_COLUMNS]).view() for row in rows]
        keys = {view.id: row[_COLUMNS] for view, row in zip(found, rows, strict=True)}
        return Catalogue(
            paged(found, page, lambda last: at_text(keys[last.id], last.id)), head[0] if head else 0
        )

    async def tags(self) -> Sequence[TagCount]:
        async with self._database.connection() as connection:
            rows = await (await connection.execute(_TAGS)).fetchall()
        return [TagCount(Tag(name), count) for name, count in rows]

    async def find(self, question_id: QuestionId) -> QuestionView | None:
        async with self._database.connection() as connection:
            row = await (await connection.execute(FIND.encode(), (question_id,))).fetchone()
        return None if row is None else QuestionRow(*row).view()

    async def revisions(
        self, question_id: QuestionId, *, with_changes: bool = False
    ) -> Sequence[RevisionView]:
        statement = REVISIONS_WITH_CHANGES if with_changes else REVISIONS
        async with self._database.connection() as connection:
            rows = await (await connection.execute(statement.encode(), (question_id,))).fetchall()
        return [
            RevisionView(
                number,
                AccountId(by),
                at.astimezone(UTC),
                ContentHash(judge_hash.hex()),
                tuple(map(RevisionPart, changes)),
            )
            for number, by, at, judge_hash, changes in rows
        ]

    async def judging(self, revision: RevisionRef) -> Judging | None:
        row = await self._revision(JUDGING, revision)
        return None if row is None else judging(*row)

    async def content(self, revision: RevisionRef) -> RevisionContent | None:
        row = await self._revision(CONTENT, revision)
        return None if row is None else content(*row)

    async def _revision(self, columns: str, revision: RevisionRef) -> TupleRow | None:
        statement = f"SELECT {columns} {_REVISION}".encode()
        async with self._database.connection() as connection:
            cursor = await connection.execute(statement, (revision.question_id, revision.number))
            return await cursor.fetchone()
