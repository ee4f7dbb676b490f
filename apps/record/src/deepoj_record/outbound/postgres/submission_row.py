"""From a row of submissions, with its attempts, to the aggregate."""

from __future__ import annotations

from collections.abc import Sequence
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
from deepoj_domain.submission.attempt import Attempt
from deepoj_domain.submission.lease import Lease
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
from deepoj_kit.postgres import Connection
from deepoj_record.commands.ports import Stored
from deepoj_record.outbound.postgres.tables import ATTEMPTS, SUBMISSIONS, made_of, utc


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
        route=Route(Lane(row.lane), Band(row.band)),
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
