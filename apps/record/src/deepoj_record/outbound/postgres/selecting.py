"""A selection as SQL conditions."""

from __future__ import annotations

from sqlalchemy import ColumnElement

from deepoj_domain.submission.selection import Selection
from deepoj_record.outbound.postgres.tables import SUBMISSIONS

_S = SUBMISSIONS.c


def conditions(selection: Selection) -> list[ColumnElement[bool]]:
    equal = (
        (_S.id, selection.submission_id),
        (_S.account_id, selection.account_id),
        (_S.question_id, selection.question_id),
        (_S.game_id, selection.game_id),
        (_S.language, selection.language),
    )
    found = [column == value for column, value in equal if value is not None]
    if selection.statuses:
        found.append(_S.status.in_(sorted(selection.statuses)))
    if selection.verdicts:
        found.append(_S.verdict.in_(sorted(selection.verdicts)))
    if selection.submitted_from is not None:
        found.append(_S.submitted_at >= selection.submitted_from)
    if selection.submitted_before is not None:
        found.append(_S.submitted_at < selection.submitted_before)
    return found
