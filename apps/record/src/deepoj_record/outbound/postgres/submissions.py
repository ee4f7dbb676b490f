"""Submissions as the queries see them."""

from __future__ import annotations

from typing import Any, Final

from psycopg.rows import namedtuple_row
from sqlalchemy import ColumnElement, Select, and_, select, tuple_

from deepoj_domain.kernel.ids import AccountId, QuestionId, SubmissionId
from deepoj_domain.submission.attempt import Attempt
from deepoj_domain.submission.selection import Selection
from deepoj_domain.submission.submission import Standing
from deepoj_kit.postgres import Database
from deepoj_record.outbound.postgres.memory import Memory
from deepoj_record.outbound.postgres.rows import ATTEMPTS, attempts
from deepoj_record.outbound.postgres.selecting import conditions
from deepoj_record.outbound.postgres.tables import SUBMISSIONS
from deepoj_record.outbound.postgres.viewing import LISTED, WHOLE, WHOLE_SQL, view
from deepoj_record.queries.paging import Page, PageRequest, Position, paged
from deepoj_record.queries.ports import Scope
from deepoj_record.queries.views import SubmissionView, Written, view_of

_S = SUBMISSIONS.c
# On the path of every watched submission: without the engine's round trips for BEGIN, ROLLBACK and its ping.
_GET: Final = f"SELECT {WHOLE_SQL} FROM record.submissions WHERE id = %s"  # noqa: S608 — constants
_HEAD: Final = f"""
SELECT {WHOLE_SQL} FROM record.submissions
WHERE standing = 'head' AND origin_id = (SELECT origin_id FROM record.submissions WHERE id = %s)
"""  # noqa: S608 — constants
_ATTEMPTS: Final = f"SELECT {ATTEMPTS} FROM record.submissions s WHERE s.id = %s"  # noqa: S608 — constants
_SOURCE: Final = "SELECT code FROM record.sources WHERE origin_id = %s"


class PostgresSubmissions:
    def __init__(self, database: Database, memory: Memory) -> None:
        self._database = database
        self._memory = memory

    async def get(self, submission_id: SubmissionId, *, head: bool = False) -> SubmissionView | None:
        async with self._database.connection() as connection:
            cursor = connection.cursor(row_factory=namedtuple_row)
            await cursor.execute((_HEAD if head else _GET).encode(), (submission_id,))
            row = await cursor.fetchone()
        return None if row is None else view(row)

    def remembered(self, submission_id: SubmissionId) -> SubmissionView | None:
        stored = self._memory.recall([submission_id]).get(submission_id)
        payload = self._memory.payloads([submission_id]).get(submission_id)
        if stored is None or payload is None:
            return None
        return view_of(Written(stored.submission, stored.version), len(payload.source.encode()))

    async def attempts(self, submission_id: SubmissionId) -> tuple[Attempt, ...]:
        async with self._database.connection() as connection:
            row = await (await connection.execute(_ATTEMPTS.encode(), (submission_id,))).fetchone()
        return attempts(None if row is None else row[0])

    async def source(self, origin_id: SubmissionId) -> str | None:
        async with self._database.connection() as connection:
            row = await (await connection.execute(_SOURCE, (origin_id,))).fetchone()
        return None if row is None else row[0]

    async def list(
        self,
        selection: Selection,
        page: PageRequest,
        *,
        ascending: bool,
        with_archived: bool,
        visible_to: AccountId | None,
    ) -> Page[SubmissionView]:
        statement = list_statement(
            selection, page, ascending=ascending, with_archived=with_archived, visible_to=visible_to
        )
        async with self._database.unit_of_work() as unit:
            rows = (await unit.connection.execute(statement)).all()
        found = [view(row) for row in rows]
        return paged(found, page, lambda last: Position(last.submitted_at, last.id))

    async def best(
        self, account_id: AccountId, question_id: QuestionId, scope: Scope
    ) -> SubmissionView | None:
        where: list[ColumnElement[bool]] = [
            *conditions(Selection(account_id=account_id, question_id=question_id, game_id=scope.game_id)),
            *_unsealed(scope),
            _S.standing == Standing.HEAD.value,
            _S.verdict.is_not(None),
        ]
        best_first = ((_S.verdict == "AC").desc(), _S.score_micros.desc(), _S.submitted_at, _S.id)
        statement = select(*WHOLE).where(and_(*where)).order_by(*best_first).limit(1)
        async with self._database.unit_of_work() as unit:
            row = (await unit.connection.execute(statement)).one_or_none()
        return None if row is None else view(row)


def _unsealed(scope: Scope) -> list[ColumnElement[bool]]:
    if scope.game_id is not None:
        return []
    practice = _S.game_id.is_(None)
    return [practice if scope.sealed is None else practice | _S.game_id.not_in(scope.sealed)]


def list_statement(
    selection: Selection,
    page: PageRequest,
    *,
    ascending: bool,
    with_archived: bool,
    visible_to: AccountId | None,
) -> Select[*tuple[Any, ...]]:
    standings = [Standing.HEAD.value, *([Standing.ARCHIVED.value] if with_archived else [])]
    where = [*conditions(selection), _S.standing.in_(standings)]
    if visible_to is not None and selection.account_id != visible_to:
        where.append((_S.account_id == visible_to) | _S.game_id.is_(None))
    if page.after is not None:
        order, last = tuple_(_S.submitted_at, _S.id), tuple_(page.after.moment, page.after.id)
        where.append(order > last if ascending else order < last)
    ordered = [each.asc() if ascending else each.desc() for each in (_S.submitted_at, _S.id)]
    return select(*LISTED).where(and_(*where)).order_by(*ordered).limit(page.size + 1)
