"""The one statement that stores new submissions: row, source and outbox, or nothing of it (INV-8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from deepoj_domain.kernel.digest import ContentHash
from deepoj_domain.kernel.ids import SubmissionId
from deepoj_domain.submission.submission import Submission
from deepoj_kit.postgres import Connection
from deepoj_kit.postgres.records import Records
from deepoj_record.outbound.postgres.messages import SEND, Message, parameter

_ROWS: Final = Records(
    "id uuid", "account_id uuid", "idempotency_key text", "request_hash text", "question_id uuid",
    "question_revision integer", "game_id uuid", "language text", "code_sha256 text", "source_bytes integer",
    "lane text", "band text", "status text", "submitted_at timestamptz", "updated_at timestamptz",
    "origin_id uuid", "rejudge_of uuid", "rejudge_id uuid", "standing text", "message_due timestamptz",
    "message_id uuid", "traceparent text", "code text",
)  # fmt: skip
_COLUMNS: Final = _ROWS.names[:-1]
_HASHES: Final = frozenset({"request_hash", "code_sha256"})
_VALUES: Final = (f"decode({name}, 'hex')" if name in _HASHES else name for name in _COLUMNS)

INSERT: Final = f"""
WITH new AS MATERIALIZED (
    SELECT * FROM {_ROWS.called("w")}
), written AS (
    INSERT INTO record.submissions ({", ".join(_COLUMNS)}) SELECT {", ".join(_VALUES)} FROM new
    ON CONFLICT DO NOTHING RETURNING id
), kept AS (
    INSERT INTO record.sources (origin_id, code)
    SELECT id, code FROM new WHERE code IS NOT NULL AND id IN (SELECT id FROM written)
), sent AS ({SEND})
SELECT id FROM written
"""  # noqa: S608 — composed of constants above


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRow:
    submission: Submission
    source_bytes: int
    traceparent: str
    key: str | None = None
    fingerprint: ContentHash | None = None
    code: str | None = None
    """None for a rejudge: the source belongs to the whole chain."""


async def insert(
    connection: Connection, rows: Sequence[NewRow], messages: Sequence[Message]
) -> set[SubmissionId]:
    """Return those that were new; a row whose id, key or chain is taken is left out."""
    jobs = {message.submission_id: message.row for message in messages if message.is_job}
    values = _ROWS.parameter(_values(row, jobs[row.submission.id].id) for row in rows)
    cursor = await connection.execute(INSERT.encode(), (values, parameter(messages)))
    return {SubmissionId(row[0]) for row in await cursor.fetchall()}


def _values(row: NewRow, message_id: object) -> tuple[object, ...]:
    submission, order = row.submission, row.submission.order
    return (
        submission.id,
        order.account_id,
        row.key,
        row.fingerprint,
        order.revision.question_id,
        order.revision.number,
        order.game_id,
        order.language,
        order.code,
        row.source_bytes,
        submission.route.lane,
        submission.route.band,
        submission.status,
        order.submitted_at,
        submission.message_due,
        submission.origin_id,
        submission.rejudge_of,
        submission.rejudge_id,
        submission.standing,
        submission.message_due,
        message_id,
        row.traceparent,
        row.code,
    )
