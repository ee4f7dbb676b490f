"""The one statement that changes submissions: state, attempt audit and outbox, or nothing of it.

Each row is fenced on its own by its whole FROM state (INV-5). Rows are sorted by id, so that two batches with
common rows take their locks in the same order.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from deepoj_domain.judgement.result import JudgeResult
from deepoj_domain.kernel.ids import SubmissionId
from deepoj_domain.submission.attempt import Attempt
from deepoj_domain.submission.states import Cancelled, Dead, Dispatched, Finished, Pending, Running, State
from deepoj_kit.postgres import Connection
from deepoj_kit.postgres.records import Records
from deepoj_record.commands.ports import Write
from deepoj_record.outbound.postgres.messages import SEND, Message, parameter

_ROWS: Final = Records(
    "id uuid", "version bigint", "from_status text", "from_waiting boolean", "from_attempt integer",
    "from_owner text", "from_lease_valid boolean", "from_standing text",
    "status text", "attempt_id integer", "standing text", "message_due timestamptz", "message_id uuid",
    "at timestamptz", "lease_owner text", "lease_until timestamptz", "verdict text", "score_micros bigint",
    "result jsonb", "death_cause text", "last_error text", "cancelled_by uuid", "finished_at timestamptz",
)  # fmt: skip
_CLOSED: Final = Records(
    "id uuid", "attempt_id integer", "ended_at timestamptz", "outcome text", "reason text"
)
_OPENED: Final = Records("id uuid", "attempt_id integer", "worker text", "started_at timestamptz")

WRITE: Final = f"""
WITH written AS (
    UPDATE record.submissions s
    SET status = w.status, attempt_id = w.attempt_id, lease_owner = w.lease_owner,
        lease_until = w.lease_until, verdict = w.verdict, score_micros = w.score_micros,
        result = w.result, death_cause = w.death_cause, last_error = w.last_error,
        cancelled_by = w.cancelled_by, finished_at = w.finished_at, standing = w.standing,
        message_due = w.message_due, message_id = coalesce(w.message_id, s.message_id),
        updated_at = w.at, version = s.version + 1
    FROM {_ROWS.called("w")}
    WHERE s.id = w.id
      AND s.attempt_id = w.from_attempt
      AND s.lease_owner IS NOT DISTINCT FROM w.from_owner
      AND (s.lease_until > w.at) IS NOT DISTINCT FROM w.from_lease_valid
      AND (s.status = w.from_status OR (w.from_waiting AND s.status IN ('PENDING', 'DISPATCHED')))
      AND s.standing = w.from_standing
      AND s.version = w.version
    RETURNING s.id
), closed AS (
    UPDATE record.attempts a SET ended_at = w.ended_at, outcome = w.outcome, reason = w.reason
    FROM {_CLOSED.called("w")}
    WHERE a.submission_id = w.id AND a.attempt_id = w.attempt_id AND a.outcome IS NULL
      AND w.id IN (SELECT id FROM written)
), opened AS (
    INSERT INTO record.attempts (submission_id, attempt_id, worker, started_at)
    SELECT w.id, w.attempt_id, w.worker, w.started_at FROM {_OPENED.called("w")}
    WHERE w.id IN (SELECT id FROM written)
), sent AS ({SEND})
SELECT id FROM written
"""  # noqa: S608 — composed of constants above


async def write(
    connection: Connection, writes: Sequence[Write], messages: Sequence[Message]
) -> set[SubmissionId]:
    ordered = sorted(writes, key=lambda write: write.after.id)
    jobs = {message.submission_id: message.row.id for message in messages if message.is_job}
    parameters = (
        _ROWS.parameter(_row(write, jobs.get(write.after.id)) for write in ordered),
        _CLOSED.parameter(row for write in ordered for row in _closed(write)),
        _OPENED.parameter(row for write in ordered for row in _opened(write)),
        parameter(messages),
    )
    cursor = await connection.execute(WRITE.encode(), parameters)
    return {SubmissionId(row[0]) for row in await cursor.fetchall()}


def _row(write: Write, message_id: UUID | None) -> tuple[object, ...]:
    before, after = write.before.submission, write.after
    lease = before.state.lease if isinstance(before.state, Running) else None
    waits = isinstance(before.state, Pending | Dispatched)
    return (
        before.id,
        write.before.version,
        before.status,
        # The relay may deliver the message meanwhile: to whoever takes the job it makes no difference.
        waits and after.status is not before.status,
        before.attempt_id,
        None if lease is None else lease.owner,
        None if lease is None else lease.is_valid(write.at),
        before.standing,
        after.status,
        after.attempt_id,
        after.standing,
        after.message_due,
        message_id,
        write.at,
        *_state(after.state),
    )


def _state(state: State) -> tuple[object, ...]:
    owner: str | None = None
    until: datetime | None = None
    verdict: str | None = None
    score: int | None = None
    result: JudgeResult | None = None
    cause: str | None = None
    error: str | None = None
    by: UUID | None = None
    end: datetime | None = None
    match state:
        case Pending() | Dispatched():
            pass
        case Running(lease):
            owner, until = lease.owner, lease.until
        case Finished(_, judged, end):
            verdict, score, result = judged.verdict, judged.score.micros, judged
        case Dead(cause, error, end):
            pass
        case Cancelled(by, end):
            pass
    return owner, until, verdict, score, result, cause, error, by, end


def _closed(write: Write) -> list[tuple[object, ...]]:
    """The attempts that were open before and are not any more."""
    was_open = {each.attempt_id for each in write.before.submission.attempts if each.is_open}
    return [
        (write.after.id, each.attempt_id, each.ended_at, each.outcome, each.reason)
        for each in write.after.attempts
        if each.attempt_id in was_open and not each.is_open
    ]


def _opened(write: Write) -> list[tuple[object, ...]]:
    new: tuple[Attempt, ...] = write.after.attempts[write.before.submission.attempt_id :]
    return [(write.after.id, each.attempt_id, each.worker, each.started_at) for each in new]
