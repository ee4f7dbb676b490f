"""Questions for the commands: a change, its revision, its events and the catalogue's revision, or nothing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC
from typing import Final
from uuid import UUID

from psycopg.rows import TupleRow

from deepoj_domain.events import EVENTS
from deepoj_domain.kernel.event import DomainEvent
from deepoj_domain.kernel.ids import AccountId, QuestionId
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.question.listing import QuestionSlug
from deepoj_domain.question.question import Publication, Question
from deepoj_domain.question.revision import Revision
from deepoj_kit.outbox import Outbox, OutboxRow
from deepoj_kit.postgres import Connection, ConstraintViolated, Database
from deepoj_kit.streams import EventCodec
from deepoj_question.commands.ports import Written
from deepoj_question.outbound.postgres.contents import encode, encode_tests, encode_titles
from deepoj_question.outbound.postgres.rows import CONTENT, QUESTION, QuestionRow, content

LOAD: Final = f"""
SELECT {QUESTION}, {CONTENT}, r.made_by, r.made_at
FROM question.questions q
JOIN question.revisions r ON r.question_id = q.id AND r.number = q.revision
WHERE q.deleted_at IS NULL AND """  # noqa: S608 — constants
_INSERT: Final = """
INSERT INTO question.questions (
    id, owner_id, enabled, slug, level, tags, title, titles, found_by, revision, created_at, updated_at,
    version
) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT (id) DO NOTHING
"""
_UPDATE: Final = """
UPDATE question.questions
SET enabled = %s, slug = %s, level = %s, tags = %s, title = %s, titles = %s, found_by = %s, revision = %s,
    updated_at = %s, version = %s, deleted_at = %s
WHERE id = %s AND version = %s AND deleted_at IS NULL
"""
_INSERT_REVISION: Final = """
INSERT INTO question.revisions (
    question_id, number, presentation, allowance, languages, judging, extras, judge_hash, made_by, made_at
) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
"""
_NEXT_CATALOGUE: Final = "UPDATE question.catalogue SET revision = revision + 1"
_SLUG_TAKEN: Final = "questions_one_per_slug"

Publish = Callable[[Sequence[OutboxRow]], Awaitable[None]]
"""Takes rows right after their commit, and returns when they are sent or left to the relay."""


class PostgresQuestions:
    def __init__(self, database: Database, outbox: Outbox, stream: str, publish: Publish) -> None:
        self._database = database
        self._outbox = outbox
        self._stream = stream
        self._publish = publish
        self._codec = EventCodec(EVENTS)

    async def load(self, question_id: QuestionId) -> Question | None:
        return await self._one("q.id = %s", question_id)

    async def find(self, slug: QuestionSlug) -> Question | None:
        return await self._one("q.slug = %s", slug)

    async def add(self, question: Question, events: Sequence[DomainEvent]) -> Written:
        values = (question.id, question.owner, *_listed(question), question.created_at)
        statement = (_INSERT, (*values, question.updated_at, question.version))
        return await self._store(statement, question.current, events)

    async def write(self, before: Question, after: Question, events: Sequence[DomainEvent]) -> Written:
        gone = after.updated_at if after.publication is Publication.DELETED else None
        values = (*_listed(after), after.updated_at, after.version, gone, before.id, before.version)
        new = after.current if after.current.ref != before.current.ref else None
        return await self._store((_UPDATE, values), new, events)

    async def _store(
        self,
        statement: tuple[str, Sequence[object]],
        revision: Revision | None,
        events: Sequence[DomainEvent],
    ) -> Written:
        rows = [self._outbox.compose(self._stream, self._codec.encode(event)) for event in events]
        try:
            async with self._database.transaction() as connection:
                if (await connection.execute(statement[0].encode(), statement[1])).rowcount == 0:
                    return Written.CHANGED_MEANWHILE
                if revision is not None:
                    await _insert_revision(connection, revision)
                added = await self._outbox.add(connection, rows)
                # Last, because every writer waits for this row until the one before has committed.
                await connection.execute(_NEXT_CATALOGUE)
        except ConstraintViolated as error:
            if error.constraint == _SLUG_TAKEN:
                return Written.SLUG_TAKEN
            raise
        await self._publish(added)
        return Written.OK

    async def _one(self, condition: str, key: UUID | str) -> Question | None:
        async with self._database.connection() as connection:
            row = await (await connection.execute(f"{LOAD}{condition}".encode(), (key,))).fetchone()
        return None if row is None else _question(row)


def _listed(question: Question) -> tuple[object, ...]:
    listing, presentation = question.listing, question.current.content.presentation
    titles = (statement.title for statement in presentation.statements)
    return (
        question.publication is Publication.PUBLISHED,
        listing.slug,
        listing.level,
        sorted(listing.tags),
        presentation.title,
        encode_titles(presentation),
        "\n".join((listing.slug, *titles)).lower(),
        question.current.ref.number,
    )


async def _insert_revision(connection: Connection, revision: Revision) -> None:
    judging = revision.content.judging
    values = (
        revision.ref.question_id,
        revision.ref.number,
        encode(revision.content.presentation),
        encode(judging.allowance),
        None if judging.languages is None else sorted(judging.languages),
        encode_tests(judging.suite, judging.checker),
        encode(revision.content.extras),
        bytes.fromhex(judging.hash),
        revision.made_by,
        revision.made_at,
    )
    await connection.execute(_INSERT_REVISION, values)


def _question(row: TupleRow) -> Question:
    split = len(QuestionRow._fields)
    found = QuestionRow(*row[:split]).view()
    *parts, made_by, made_at = row[split:]
    revision = Revision(
        RevisionRef(found.id, found.revision),
        content(*parts),
        AccountId(made_by),
        made_at.astimezone(UTC),
    )
    return Question(
        id=found.id,
        owner=found.owner,
        publication=Publication.PUBLISHED if found.enabled else Publication.DRAFT,
        listing=found.listing,
        current=revision,
        created_at=found.created_at,
        updated_at=found.updated_at,
        version=found.version,
    )
