"""Questions for the commands: a change, its revision, its events and the catalogue's revision, or nothing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import UTC
from typing import Final
from uuid import UUID

from psycopg.rows import TupleRow

from deepoj_domain.events import EVENTS
from deepoj_domain.kernel.ids import AccountId, QuestionId
from deepoj_domain.kernel.outcome import DomainEvent
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.question.listing import QuestionSlug
from deepoj_domain.question.question import Publication, Question
from deepoj_domain.question.revision import Revision
from deepoj_kit.outbox import Outbox, OutboxRow
from deepoj_kit.postgres import Connection, ConstraintViolated, Database
from deepoj_kit.postgres.statements import assignments, insert
from deepoj_kit.streams import EventCodec
from deepoj_question.commands.ports import ContendedError, Written
from deepoj_question.outbound.postgres.rows import (
    CONTENT,
    QUESTION,
    QuestionRow,
    content,
    encode,
    encode_tests,
    encode_titles,
)
from deepoj_question.outbound.postgres.tables import QUESTIONS, REVISIONS

LOAD: Final = f"""
SELECT {QUESTION}, {CONTENT}, r.made_by, r.made_at
FROM question.questions q
JOIN question.revisions r ON r.question_id = q.id AND r.number = q.revision
WHERE q.deleted_at IS NULL AND """  # noqa: S608 — constants
_INSERT: Final = f"{insert(QUESTIONS)} ON CONFLICT (id) DO NOTHING"
_UPDATE: Final = f"""
UPDATE question.questions SET {assignments(QUESTIONS, "id", "owner_id", "created_at")}
WHERE id = %(id)s AND version = %(version_before)s AND deleted_at IS NULL
"""  # noqa: S608 — names of columns
_INSERT_REVISION: Final = insert(REVISIONS)
_NEXT_CATALOGUE: Final = "UPDATE question.catalogue SET revision = revision + 1"
_SLUG_TAKEN: Final = "questions_one_per_slug"
_SWEPT: Final = "objects_named_stay"

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
        return await self._store(_INSERT, _row(question), question.current, events)

    async def write(self, before: Question, after: Question, events: Sequence[DomainEvent]) -> Written:
        row = _row(after) | {"id": before.id, "version_before": before.version}
        new = after.current if after.current.ref != before.current.ref else None
        return await self._store(_UPDATE, row, new, events)

    async def _store(
        self,
        statement: str,
        row: Mapping[str, object],
        revision: Revision | None,
        events: Sequence[DomainEvent],
    ) -> Written:
        rows = [self._outbox.compose(self._stream, self._codec.encode(event)) for event in events]
        try:
            async with self._database.transaction() as connection:
                if (await connection.execute(statement.encode(), row)).rowcount == 0:
                    return Written.CHANGED_MEANWHILE
                if revision is not None:
                    await _insert_revision(connection, revision)
                added = await self._outbox.add(connection, rows)
                # Last, because every writer waits for this row until the one before has committed.
                await connection.execute(_NEXT_CATALOGUE)
        except ConstraintViolated as error:
            if error.constraint == _SLUG_TAKEN:
                return Written.SLUG_TAKEN
            if error.constraint == _SWEPT:
                # Days went by since its files were looked for.
                raise ContendedError("a file of it is being deleted") from error
            raise
        await self._publish(added)
        return Written.OK

    async def _one(self, condition: str, key: UUID | str) -> Question | None:
        async with self._database.connection() as connection:
            row = await (await connection.execute(f"{LOAD}{condition}".encode(), (key,))).fetchone()
        return None if row is None else _question(row)


def _row(question: Question) -> dict[str, object]:
    listing, presentation = question.listing, question.current.content.presentation
    titles = (statement.title for statement in presentation.statements)
    return {
        "id": question.id,
        "slug": listing.slug,
        "owner_id": question.owner,
        "enabled": question.publication is Publication.PUBLISHED,
        "revision": question.current.ref.number,
        "title": presentation.title,
        "found_by": "\n".join((listing.slug, *titles)).lower(),
        "level": listing.level,
        "tags": sorted(listing.tags),
        "created_at": question.created_at,
        "updated_at": question.updated_at,
        "deleted_at": question.updated_at if question.publication is Publication.DELETED else None,
        "version": question.version,
        "titles": encode_titles(presentation),
    }


async def _insert_revision(connection: Connection, revision: Revision) -> None:
    judging = revision.content.judging
    row = {
        "question_id": revision.ref.question_id,
        "number": revision.ref.number,
        "presentation": encode(revision.content.presentation),
        "allowance": encode(judging.allowance),
        "languages": None if judging.languages is None else sorted(judging.languages),
        "judging": encode_tests(judging),
        "extras": encode(revision.content.extras),
        "judge_hash": bytes.fromhex(judging.hash),
        "made_by": revision.made_by,
        "made_at": revision.made_at,
    }
    await connection.execute(_INSERT_REVISION.encode(), row)


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
