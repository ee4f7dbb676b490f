"""The statements that write submissions: each stores all that belongs together, or nothing of it (INV-8).

A change is fenced row by row by its whole FROM state (INV-5). Rows are sorted by id, so that two batches with
common rows take their locks in the same order.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Final
from uuid import UUID

from deepoj_domain.kernel.digest import ContentHash
from deepoj_domain.kernel.ids import SubmissionId
from deepoj_domain.streams import is_of_jobs
from deepoj_domain.submission.attempt import Attempt
from deepoj_domain.submission.queue import DELIVERY
from deepoj_domain.submission.route import Route
from deepoj_domain.submission.states import Cancelled, Dead, Dispatched, Finished, Pending, Running, State
from deepoj_domain.submission.submission import Order, Submission
from deepoj_kit.outbox import Delivered
from deepoj_kit.postgres import Connection
from deepoj_kit.postgres.statements import Records
from deepoj_kit.telemetry import counter, current_traceparent
from deepoj_record.commands.ports import NewSubmission, Write
from deepoj_record.outbound.postgres.outbox import JOB_ID, SEND, Message, send_parameter
from deepoj_record.outbound.postgres.tables import ATTEMPTS, SUBMISSIONS, from_json, in_json

_log = logging.getLogger(__name__)
_DISPATCHED = counter("record_dispatch", "PENDING → DISPATCHED, or why not", ("status", "reason"))


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRow:
    submission: Submission
    source_bytes: int
    traceparent: str
    idempotency_key: str | None = None
    request_hash: ContentHash | None = None
    code: str | None = None
    """None for a rejudge: the source belongs to the whole chain."""

    @classmethod
    def of(cls, new: NewSubmission) -> NewRow:
        return cls(
            submission=new.submission,
            source_bytes=len(new.source.text.encode()),
            traceparent=current_traceparent(),
            idempotency_key=new.key,
            request_hash=new.fingerprint,
            code=new.source.text,
        )


# A column of a new row holds what bears its name: in the row, the submission, its order or its route.
_PARTS: Final[Mapping[type, str]] = {
    NewRow: "", Submission: "submission.", Order: "submission.order.", Route: "submission.route.",
}  # fmt: skip
_NAMESAKES: Final = {
    field.name: f"{path}{field.name}" for kind, path in _PARTS.items() for field in fields(kind)
}
_OTHERS: Final = {
    "question_id": "submission.order.revision.question_id",
    "question_revision": "submission.order.revision.number",
    "code_sha256": "submission.order.code",
    "status": "submission.status",
    "updated_at": "submission.message_due",
}
_NEW: Final[Mapping[str, Callable[[NewRow], object]]] = {
    column.name: attrgetter(path)
    for column in SUBMISSIONS.c
    if (path := (_NAMESAKES | _OTHERS).get(column.name)) is not None
}
_INSERTED: Final = (*_NEW, "message_id")
_NEW_ROWS: Final = Records(*in_json(SUBMISSIONS, *_INSERTED), "code text")
INSERT: Final = f"""
WITH new AS MATERIALIZED (
    SELECT * FROM {_NEW_ROWS.called("w")}
), written AS (
    INSERT INTO record.submissions ({", ".join(_INSERTED)})
    SELECT {", ".join(from_json(SUBMISSIONS, *_INSERTED))} FROM new
    ON CONFLICT DO NOTHING RETURNING id
), kept AS (
    INSERT INTO record.sources (origin_id, code)
    SELECT id, code FROM new WHERE code IS NOT NULL AND id IN (SELECT id FROM written)
), sent AS ({SEND})
SELECT id FROM written
"""  # noqa: S608 — composed of constants above

# What a change may give another value, but for the id of its message.
_CHANGED: Final = (
    "status", "needs", "attempt_id", "standing", "message_due", "lease_owner", "lease_until", "verdict",
    "score_micros", "result", "death_cause", "last_error", "cancelled_by", "finished_at",
)  # fmt: skip
_CHANGES: Final = Records(
    "from_status text", "from_waiting boolean", "from_attempt integer", "from_owner text",
    "from_lease_valid boolean", "from_standing text", "at timestamptz",
    *in_json(SUBMISSIONS, "id", "version", "message_id", *_CHANGED),
)  # fmt: skip
_CLOSED: Final = Records(
    *in_json(ATTEMPTS, "submission_id", "attempt_id", "ended_at", "outcome", "reason", "toolchain")
)
_OPENED: Final = Records(*in_json(ATTEMPTS, "submission_id", "attempt_id", "worker", "started_at"))
UPDATE: Final = f"""
WITH written AS (
    UPDATE record.submissions s
    SET {", ".join(f"{name} = w.{name}" for name in _CHANGED)},
        message_id = coalesce(w.message_id, s.message_id), updated_at = w.at, version = s.version + 1
    FROM {_CHANGES.called("w")}
    WHERE s.id = w.id
      AND s.attempt_id = w.from_attempt
      AND s.lease_owner IS NOT DISTINCT FROM w.from_owner
      AND (s.lease_until > w.at) IS NOT DISTINCT FROM w.from_lease_valid
      AND (s.status = w.from_status OR (w.from_waiting AND s.status IN ('PENDING', 'DISPATCHED')))
      AND s.standing = w.from_standing
      AND s.version = w.version
    RETURNING s.id
), closed AS (
    UPDATE record.attempts a SET ended_at = w.ended_at, outcome = w.outcome, reason = w.reason,
        toolchain = w.toolchain
    FROM {_CLOSED.called("w")}
    WHERE a.submission_id = w.submission_id AND a.attempt_id = w.attempt_id AND a.outcome IS NULL
      AND w.submission_id IN (SELECT id FROM written)
), opened AS (
    INSERT INTO record.attempts (submission_id, attempt_id, worker, started_at)
    SELECT w.submission_id, w.attempt_id, w.worker, w.started_at FROM {_OPENED.called("w")}
    WHERE w.submission_id IN (SELECT id FROM written)
), sent AS ({SEND})
SELECT id FROM written
"""  # noqa: S608 — composed of constants above

# The version stays: the move makes no difference to whoever decides about the submission at the same time.
# Ordered and locked first, so that two relays do not deadlock on common rows; a row that a worker has locked
# is being claimed and needs no mark.
_WAITING, _DELIVERED = DELIVERY
DISPATCH: Final = f"""
UPDATE record.submissions SET status = '{_DELIVERED}', updated_at = clock_timestamp()
WHERE id IN (
    SELECT id FROM record.submissions WHERE id = ANY(%s) AND status = '{_WAITING}'
    ORDER BY id FOR UPDATE SKIP LOCKED
) AND status = '{_WAITING}'
"""  # noqa: S608 — the domain's words


async def insert(
    connection: Connection, rows: Sequence[NewRow], messages: Sequence[Message]
) -> set[SubmissionId]:
    """Return those that were new; a row whose id, key or chain is taken is left out."""
    jobs = {message.submission_id: message.row.id for message in messages if message.is_job}
    new = _NEW_ROWS.named(
        {name: value(row) for name, value in _NEW.items()}
        | {"message_id": jobs[row.submission.id], "code": row.code}
        for row in rows
    )
    cursor = await connection.execute(INSERT.encode(), (new, send_parameter(messages)))
    return {SubmissionId(row[0]) for row in await cursor.fetchall()}


async def update(
    connection: Connection, writes: Sequence[Write], messages: Sequence[Message]
) -> set[SubmissionId]:
    """Return those whose FROM state still held; of the others nothing is written."""
    ordered = sorted(writes, key=lambda write: write.after.id)
    jobs = {message.submission_id: message.row.id for message in messages if message.is_job}
    parameters = (
        _CHANGES.named(_change(write, jobs.get(write.after.id)) for write in ordered),
        _CLOSED.named(row for write in ordered for row in _closed(write)),
        _OPENED.named(row for write in ordered for row in _opened(write)),
        send_parameter(messages),
    )
    cursor = await connection.execute(UPDATE.encode(), parameters)
    return {SubmissionId(row[0]) for row in await cursor.fetchall()}


async def mark_dispatched(connection: Connection, delivered: Sequence[Delivered]) -> None:
    """PENDING → DISPATCHED, in the transaction that marks the messages as delivered.

    Refused by the FROM state for those that a worker has claimed already: no failure.
    """
    ids = [UUID(each.row.payload[JOB_ID]) for each in delivered if is_of_jobs(each.row.stream)]
    if not ids:
        return
    moved = (await connection.execute(DISPATCH.encode(), (ids,))).rowcount
    _DISPATCHED.add(moved, status="ok", reason="")
    if moved < len(ids):
        _DISPATCHED.add(len(ids) - moved, status="refused", reason="not_in_expected_state")
        _log.debug("%d of %d delivered jobs wait no more", len(ids) - moved, len(ids))


def _change(write: Write, message_id: UUID | None) -> dict[str, object]:
    before, after = write.before.submission, write.after
    lease = before.state.lease if isinstance(before.state, Running) else None
    waits = isinstance(before.state, Pending | Dispatched)
    fence = {
        "id": before.id,
        "version": write.before.version,
        "from_status": before.status,
        # The relay may deliver the message meanwhile: to whoever takes the job it makes no difference.
        "from_waiting": waits and after.status is not before.status,
        "from_attempt": before.attempt_id,
        "from_owner": None if lease is None else lease.owner,
        "from_lease_valid": None if lease is None else lease.is_valid(write.at),
        "from_standing": before.standing,
        "at": write.at,
    }
    changed = {
        "status": after.status,
        "needs": after.route.needs,
        "attempt_id": after.attempt_id,
        "standing": after.standing,
        "message_due": after.message_due,
        "message_id": message_id,
    }
    return fence | changed | _of_state(after.state)


def _of_state(state: State) -> dict[str, object]:
    """Return the columns that this state fills; the others of `_CHANGED` are empty in it."""
    match state:
        case Pending() | Dispatched():
            return {}
        case Running(lease):
            return {"lease_owner": lease.owner, "lease_until": lease.until}
        case Finished(_, judged, end):
            score = judged.score.micros
            return {"verdict": judged.verdict, "score_micros": score, "result": judged, "finished_at": end}
        case Dead(cause, error, end):
            return {"death_cause": cause, "last_error": error, "finished_at": end}
        case Cancelled(by, end):
            return {"cancelled_by": by, "finished_at": end}


def _closed(write: Write) -> list[dict[str, object]]:
    """The attempts that were open before and are not any more."""
    was_open = {each.attempt_id for each in write.before.submission.attempts if each.is_open}
    return [
        {
            "submission_id": write.after.id,
            "attempt_id": each.attempt_id,
            "ended_at": each.ended_at,
            "outcome": each.outcome,
            "reason": each.reason,
            "toolchain": each.toolchain,
        }
        for each in write.after.attempts
        if each.attempt_id in was_open and not each.is_open
    ]


def _opened(write: Write) -> list[dict[str, object]]:
    new: tuple[Attempt, ...] = write.after.attempts[write.before.submission.attempt_id :]
    return [
        {
            "submission_id": write.after.id,
            "attempt_id": each.attempt_id,
            "worker": each.worker,
            "started_at": each.started_at,
        }
        for each in new
    ]
