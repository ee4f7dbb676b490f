"""Submissions in PostgreSQL, for the commands on the path of every submission: from rows to the aggregate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final, NamedTuple, TypedDict
from uuid import UUID

import msgspec
from psycopg.rows import args_row

from deepoj_domain.judgement.result import JudgeResult
from deepoj_domain.kernel.digest import ContentHash
from deepoj_domain.kernel.errors import BrokenInvariantError
from deepoj_domain.kernel.ids import AccountId, GameId, QuestionId, RejudgeId, SubmissionId, WorkerId
from deepoj_domain.kernel.language import LanguageSlug
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.submission.attempt import Attempt, Lease
from deepoj_domain.submission.route import Band, Lane, Route
from deepoj_domain.submission.states import (
    Cancelled,
    Dead,
    DeathCause,
    Dispatched,
    Finished,
    Pending,
    Running,
    State,
    Status,
)
from deepoj_domain.submission.submission import Order, Standing, Submission
from deepoj_domain.submission.submit import IdempotencyKey
from deepoj_kit.batching import Batched
from deepoj_kit.failpoint import fail_point
from deepoj_kit.postgres import Connection, ConstraintViolated, Database
from deepoj_kit.postgres.statements import utc
from deepoj_record.commands.ports import IdTaken, KeyTaken, NewSubmission, Payload, Stored, Write
from deepoj_record.outbound.postgres.outbox import Message, Messages, Publish
from deepoj_record.outbound.postgres.submission_statements import NewRow, insert, update
from deepoj_record.outbound.postgres.tables import ATTEMPTS, SUBMISSIONS, made_of, read


class SubmissionRow(NamedTuple):
    """The columns that the aggregate is made of, `attempts` as JSON."""

    id: UUID
    origin_id: UUID
    rejudge_of: UUID | None
    rejudge_id: UUID | None
    standing: str
    account_id: UUID
    game_id: UUID | None
    question_id: UUID
    question_revision: int
    language: str
    code_sha256: bytes
    submitted_at: datetime
    lane: str
    band: str
    needs: str
    status: str
    attempt_id: int
    lease_owner: str | None
    lease_until: datetime | None
    result: str | None
    finished_at: datetime | None
    death_cause: str | None
    last_error: str | None
    cancelled_by: UUID | None
    message_due: datetime
    version: int
    traceparent: str | None
    attempts: str | None


class _AttemptRow(TypedDict):
    attempt_id: int
    worker: str
    started_at: datetime
    ended_at: datetime | None
    outcome: str | None
    reason: str
    toolchain: str


_ATTEMPT: Final = ", ".join(f"'{name}', a.{ATTEMPTS.c[name].name}" for name in _AttemptRow.__annotations__)
ATTEMPTS_OF_S: Final = f"""CASE WHEN s.attempt_id > 0 THEN (
    SELECT json_agg(json_build_object({_ATTEMPT}) ORDER BY a.attempt_id)
    FROM record.attempts a WHERE a.submission_id = s.id
)::text END"""  # noqa: S608 — constants
_COMPUTED: Final = {"result": "s.result::text", "attempts": ATTEMPTS_OF_S}
_COLUMNS: Final = ", ".join(
    _COMPUTED.get(name) or f"s.{SUBMISSIONS.c[name].name}" for name in SubmissionRow._fields
)
# One statement is one snapshot: the row and its attempts belong together.
LOAD: Final = f"SELECT {_COLUMNS} FROM record.submissions s WHERE s.id = ANY(%s)"  # noqa: S608 — constants
_BY_KEY: Final = (
    "SELECT id, request_hash FROM record.submissions WHERE account_id = %s AND idempotency_key = %s"
)
PAYLOADS: Final = """
SELECT s.id, source.code AS source, coalesce(s.traceparent, '') AS traceparent
FROM record.submissions s JOIN record.sources source ON source.origin_id = s.origin_id
WHERE s.id = ANY(%s)
"""

_RESULT = msgspec.json.Decoder(JudgeResult)
_ATTEMPTS = msgspec.json.Decoder(list[_AttemptRow])


async def load(connection: Connection, ids: Sequence[SubmissionId]) -> dict[SubmissionId, Stored]:
    cursor = connection.cursor(row_factory=args_row(SubmissionRow))
    await cursor.execute(LOAD.encode(), (list(ids),))
    found = [_stored(row) for row in await cursor.fetchall()]
    return {each.submission.id: each for each in found}


def attempts_of(text: str | None) -> tuple[Attempt, ...]:
    return () if text is None else tuple(made_of(row, Attempt) for row in _ATTEMPTS.decode(text))


def result_of(text: str) -> JudgeResult:
    return _RESULT.decode(text)


def _stored(row: SubmissionRow) -> Stored:
    submission = Submission(
        id=SubmissionId(row.id),
        origin_id=SubmissionId(row.origin_id),
        rejudge_of=None if row.rejudge_of is None else SubmissionId(row.rejudge_of),
        rejudge_id=None if row.rejudge_id is None else RejudgeId(row.rejudge_id),
        standing=Standing(row.standing),
        order=_order(row),
        route=Route(Lane(row.lane), Band(row.band), row.needs),
        state=_state(row),
        message_due=utc(row.message_due),
        attempts=attempts_of(row.attempts),
    )
    return Stored(submission, row.version, row.traceparent or "")


def _order(row: SubmissionRow) -> Order:
    return Order(
        account_id=AccountId(row.account_id),
        game_id=None if row.game_id is None else GameId(row.game_id),
        revision=RevisionRef(QuestionId(row.question_id), row.question_revision),
        language=LanguageSlug(row.language),
        code=ContentHash(row.code_sha256.hex()),
        submitted_at=utc(row.submitted_at),
    )


def _state(row: SubmissionRow) -> State:
    status = Status(row.status)
    match status:
        case Status.PENDING:
            return Pending()
        case Status.DISPATCHED:
            return Dispatched()
        case Status.RUNNING if row.lease_owner is not None and row.lease_until is not None:
            return Running(Lease(WorkerId(row.lease_owner), utc(row.lease_until)))
        case Status.FINISHED if row.result is not None and row.finished_at is not None:
            return Finished(row.attempt_id, result_of(row.result), utc(row.finished_at))
        case Status.DEAD if row.death_cause is not None and row.finished_at is not None:
            return Dead(DeathCause(row.death_cause), row.last_error or "", utc(row.finished_at))
        case Status.CANCELLED if row.cancelled_by is not None and row.finished_at is not None:
            return Cancelled(AccountId(row.cancelled_by), utc(row.finished_at))
        case _:
            raise BrokenInvariantError(f"submission {row.id} is {status} without what belongs to it")


class PostgresSubmissions:
    """Each call is one statement, and so one transaction; submissions that arrive together share one."""

    def __init__(self, database: Database, messages: Messages, publish: Publish) -> None:
        self._database = database
        self._messages = messages
        self._publish = publish
        self._insert = Batched(self._insert_all, lanes=2, one_by_one=(ConstraintViolated,))

    async def load(self, ids: Sequence[SubmissionId]) -> dict[SubmissionId, Stored]:
        async with self._database.connection() as connection:
            return await load(connection, ids)

    async def write(self, writes: Sequence[Write]) -> set[SubmissionId]:
        messages = [
            message for each in writes for message in self._messages.of(each.events, each.before.traceparent)
        ]
        async with self._database.connection() as connection:
            written = await update(connection, writes, messages)
        self._publish([message.row for message in messages if message.submission_id in written])
        return written

    async def add(self, new: NewSubmission) -> KeyTaken | IdTaken | None:
        if await self._insert((NewRow.of(new), self._messages.of(new.events))):
            return None
        return await self.holder(new.submission.order.account_id, new.key) or IdTaken()

    async def holder(self, owner: AccountId, key: IdempotencyKey) -> KeyTaken | None:
        rows = await read(self._database, _BY_KEY, (owner, key))
        found = [KeyTaken(row["id"], ContentHash(row["request_hash"].hex())) for row in rows]
        return found[0] if found else None

    async def payloads(self, ids: Sequence[SubmissionId]) -> Mapping[SubmissionId, Payload]:
        rows = await read(self._database, PAYLOADS, (list(ids),)) if ids else []
        return {SubmissionId(row["id"]): made_of(row, Payload) for row in rows}

    async def _insert_all(self, new: Sequence[tuple[NewRow, list[Message]]]) -> list[bool]:
        messages = [message for _, of_one in new for message in of_one]
        fail_point("before_insert")
        async with self._database.connection() as connection:
            written = await insert(connection, [row for row, _ in new], messages)
        fail_point("after_insert")
        self._publish([message.row for message in messages if message.submission_id in written])
        return [row.submission.id in written for row, _ in new]
