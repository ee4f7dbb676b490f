"""Submissions as the queries see them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import fields
from typing import Any, Final

from sqlalchemy import ColumnElement, Select, Text, cast, literal_column, or_, select, tuple_

from deepoj_domain.kernel.ids import AccountId, QuestionId, SubmissionId
from deepoj_domain.kernel.paging import Page, PageRequest, at_moment, moment_at, paged
from deepoj_domain.submission.attempt import Attempt
from deepoj_domain.submission.selection import Selection
from deepoj_domain.submission.states import Status
from deepoj_domain.submission.submission import Standing
from deepoj_kit.postgres import Database, compiled
from deepoj_record.outbound.postgres.submission_repository import ATTEMPTS_OF_S, attempts_of, result_of
from deepoj_record.outbound.postgres.tables import SUBMISSIONS, Parameters, Row, made_of, read
from deepoj_record.queries.ports import Restriction, Scope
from deepoj_record.queries.views import SubmissionView, cancelled_by

Condition = ColumnElement[bool]
_S = SUBMISSIONS.c
_PRACTICE = _S.game_id.is_(None)
# The columns that bear the names of the view's fields, and those that its other fields are made of.
_NAMES: Final = {field.name for field in fields(SubmissionView)} | {
    "question_id", "question_revision", "lane", "band", "needs", "death_cause", "cancelled_by",
}  # fmt: skip
_PLAIN: Final = tuple(column for column in _S if column.name in _NAMES - {"result"})
WHOLE: Final[tuple[ColumnElement[Any], ...]] = (*_PLAIN, cast(_S.result, Text).label("result"))
# Cases are many, and a list shows none of them.
LISTED: Final[tuple[ColumnElement[Any], ...]] = (
    *_PLAIN, literal_column("(result - 'cases' - 'message')::text", Text).label("result"),
)  # fmt: skip
# On the path of every watched submission, so they are not composed anew each time.
_WHOLE_SQL: Final = ", ".join([column.name for column in _PLAIN] + ["result::text AS result"])
_GET: Final = f"SELECT {_WHOLE_SQL} FROM record.submissions WHERE id = %s"  # noqa: S608 — constants
_HEAD: Final = f"""
SELECT {_WHOLE_SQL} FROM record.submissions
WHERE standing = 'head' AND origin_id = (SELECT origin_id FROM record.submissions WHERE id = %s)
"""  # noqa: S608 — constants
_ATTEMPTS: Final = f"""
SELECT {ATTEMPTS_OF_S} AS attempts FROM record.submissions s WHERE s.id = %s
"""  # noqa: S608 — constants
_THERE: Final = "SELECT id FROM record.submissions WHERE id = ANY(%s)"
_SOURCE: Final = "SELECT code FROM record.sources WHERE origin_id = %s"


class PostgresSubmissionReader:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, submission_id: SubmissionId, *, head: bool = False) -> SubmissionView | None:
        found = await self._read(_HEAD if head else _GET, (submission_id,))
        return found[0] if found else None

    async def attempts(self, submission_id: SubmissionId) -> tuple[Attempt, ...]:
        rows = await read(self._database, _ATTEMPTS, (submission_id,))
        return attempts_of(rows[0]["attempts"]) if rows else ()

    async def source(self, origin_id: SubmissionId) -> str | None:
        rows = await read(self._database, _SOURCE, (origin_id,))
        return rows[0]["code"] if rows else None

    async def list(
        self,
        selection: Selection,
        page: PageRequest,
        *,
        ascending: bool,
        with_archived: bool,
        restriction: Restriction | None,
    ) -> Page[SubmissionView]:
        statement = list_statement(
            selection, page, ascending=ascending, with_archived=with_archived, restriction=restriction
        )
        found = await self._read(*compiled(statement))
        return paged(found, page, lambda last: at_moment(last.submitted_at, last.id))

    async def best(
        self, account_id: AccountId, question_id: QuestionId, scope: Scope
    ) -> SubmissionView | None:
        wanted = Selection(account_id=account_id, question_id=question_id, game_id=scope.game_id)
        statement = (
            select(*WHOLE)
            .where(*selected(wanted), *unsealed(scope))
            .where(_S.standing == Standing.HEAD.value, _S.verdict.is_not(None))
            .order_by((_S.verdict == "AC").desc(), _S.score_micros.desc(), _S.submitted_at, _S.id)
            .limit(1)
        )
        found = await self._read(*compiled(statement))
        return found[0] if found else None

    async def _read(self, statement: str | bytes, parameters: Parameters) -> Sequence[SubmissionView]:
        return [_view(row) for row in await read(self._database, statement, parameters)]


class PostgresKnownSubmissions:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def there(self, ids: Collection[SubmissionId]) -> frozenset[SubmissionId]:
        rows = await read(self._database, _THERE, (list(ids),))
        return frozenset(SubmissionId(row["id"]) for row in rows)


def list_statement(
    selection: Selection,
    page: PageRequest,
    *,
    ascending: bool,
    with_archived: bool,
    restriction: Restriction | None,
) -> Select[*tuple[Any, ...]]:
    standings = [Standing.HEAD.value, *([Standing.ARCHIVED.value] if with_archived else [])]
    statement = select(*LISTED).where(*selected(selection), _S.standing.in_(standings))
    if restriction is not None:
        statement = statement.where(*restricted(restriction, selection))
    if page.after is not None:
        order, last = tuple_(_S.submitted_at, _S.id), tuple_(*moment_at(page.after))
        statement = statement.where(order > last if ascending else order < last)
    ordered = [each.asc() if ascending else each.desc() for each in (_S.submitted_at, _S.id)]
    return statement.order_by(*ordered).limit(page.size + 1)


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
    if selection.question_revisions:
        yield _S.question_revision.in_(sorted(selection.question_revisions))
    if selection.submitted_from is not None:
        yield _S.submitted_at >= selection.submitted_from
    if selection.submitted_before is not None:
        yield _S.submitted_at < selection.submitted_before


def rejudgeable(selection: Selection) -> Iterator[Condition]:
    yield from selected(selection)
    yield _S.standing == Standing.HEAD.value
    yield _S.status.in_(("FINISHED", "DEAD"))


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


def _view(row: Row) -> SubmissionView:
    computed = {
        "revision": {"question_id": row["question_id"], "number": row["question_revision"]},
        "route": {"lane": row["lane"], "band": row["band"], "needs": row["needs"]},
        "result": None if row["result"] is None else result_of(row["result"]),
        "reason": _reason(row),
        "last_error": row["last_error"] or "",
        "lease_owner": row["lease_owner"] or "",
    }
    return made_of({**row, **computed}, SubmissionView)


def _reason(row: Row) -> str:
    match Status(row["status"]):
        case Status.DEAD:
            return str(row["death_cause"])
        case Status.CANCELLED:
            return cancelled_by(row["cancelled_by"], row["account_id"])
        case Status.PENDING | Status.DISPATCHED | Status.RUNNING | Status.FINISHED:
            return ""
