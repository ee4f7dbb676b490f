"""From rows to the views."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import ColumnElement, Text, cast, literal_column

from deepoj_domain.kernel.ids import AccountId, GameId, QuestionId, SubmissionId
from deepoj_domain.kernel.language import LanguageSlug
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.submission.routing import Band, Lane, Route
from deepoj_domain.submission.states import Status
from deepoj_domain.submission.submission import Standing
from deepoj_record.outbound.postgres.rows import decode_result, utc
from deepoj_record.outbound.postgres.tables import SUBMISSIONS
from deepoj_record.queries.views import SubmissionView, cancelled_by

_S = SUBMISSIONS.c
_PLAIN: Final = (
    _S.id, _S.origin_id, _S.rejudge_of, _S.standing, _S.account_id, _S.game_id, _S.question_id,
    _S.question_revision, _S.language, _S.lane, _S.band, _S.status, _S.attempt_id, _S.lease_owner,
    _S.lease_until, _S.death_cause, _S.last_error, _S.cancelled_by, _S.submitted_at, _S.finished_at,
    _S.source_bytes, _S.message_due, _S.version,
)  # fmt: skip
WHOLE: Final[tuple[ColumnElement[Any], ...]] = (*_PLAIN, cast(_S.result, Text).label("result"))
WHOLE_SQL: Final = ", ".join([each.name for each in _PLAIN] + ["result::text AS result"])
# Cases are many, and a list shows none of them.
LISTED: Final[tuple[ColumnElement[Any], ...]] = (
    *_PLAIN, literal_column("(result - 'cases' - 'message')::text", Text).label("result"),
)  # fmt: skip
# SQLAlchemy's row or psycopg's named tuple, with the columns above.
Columns = Any


def view(row: Columns) -> SubmissionView:
    status = Status(row.status)
    return SubmissionView(
        id=SubmissionId(row.id),
        origin_id=SubmissionId(row.origin_id),
        rejudge_of=None if row.rejudge_of is None else SubmissionId(row.rejudge_of),
        standing=Standing(row.standing),
        account_id=AccountId(row.account_id),
        game_id=None if row.game_id is None else GameId(row.game_id),
        revision=RevisionRef(QuestionId(row.question_id), row.question_revision),
        language=LanguageSlug(row.language),
        route=Route(Lane(row.lane), Band(row.band)),
        status=status,
        attempt_id=row.attempt_id,
        result=None if row.result is None else decode_result(row.result),
        submitted_at=utc(row.submitted_at),
        finished_at=None if row.finished_at is None else utc(row.finished_at),
        source_bytes=row.source_bytes,
        reason=_reason(row, status),
        last_error=row.last_error or "",
        lease_owner=row.lease_owner or "",
        lease_until=None if row.lease_until is None else utc(row.lease_until),
        message_due=utc(row.message_due),
        version=row.version,
    )


def _reason(row: Columns, status: Status) -> str:
    match status:
        case Status.DEAD:
            return str(row.death_cause)
        case Status.CANCELLED:
            return cancelled_by(row.cancelled_by, row.account_id)
        case Status.PENDING | Status.DISPATCHED | Status.RUNNING | Status.FINISHED:
            return ""
