"""Which submissions are meant, as SQL conditions: a selection, what a list leaves out, what is counted."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import ColumnElement, or_, tuple_

from deepoj_domain.submission.selection import Selection
from deepoj_record.outbound.postgres.tables import SUBMISSIONS
from deepoj_record.queries.ports import Restriction, Scope

Condition = ColumnElement[bool]
_S = SUBMISSIONS.c
_PRACTICE = _S.game_id.is_(None)


def selected(selection: Selection) -> Iterator[Condition]:
    equal = (
        (_S.id, selection.submission_id),
        (_S.account_id, selection.account_id),
        (_S.question_id, selection.question_id),
        (_S.game_id, selection.game_id),
        (_S.language, selection.language),
    )
    yield from (column == value for column, value in equal if value is not None)
    if selection.statuses:
        yield _S.status.in_(sorted(selection.statuses))
    if selection.verdicts:
        yield _S.verdict.in_(sorted(selection.verdicts))
    if selection.submitted_from is not None:
        yield _S.submitted_at >= selection.submitted_from
    if selection.submitted_before is not None:
        yield _S.submitted_at < selection.submitted_before


def restricted(restriction: Restriction, selection: Selection) -> Iterator[Condition]:
    own = _S.account_id == restriction.account_id
    if selection.account_id != restriction.account_id:
        yield or_(own, *_of_others(restriction))
    if not restriction.own_in_games:
        yield _PRACTICE | ~own
    if restriction.people:
        yield _PRACTICE | tuple_(_S.game_id, _S.account_id).not_in(restriction.people)


def _of_others(restriction: Restriction) -> Iterator[Condition]:
    if restriction.questions:
        yield _PRACTICE & _S.question_id.not_in(restriction.questions)
    elif restriction.questions is not None:
        yield _PRACTICE
    if not restriction.others_in_games:
        yield ~_PRACTICE


def unsealed(scope: Scope) -> Iterator[Condition]:
    if scope.game_id is not None:
        return
    if scope.sealed is None:
        yield _PRACTICE
        return
    yield _PRACTICE | _S.game_id.not_in(scope.sealed.games)
    if scope.sealed.running:
        yield _PRACTICE | tuple_(_S.game_id, _S.account_id).not_in(scope.sealed.running)
