"""The revisions of a problem, and what they mean for what was judged by them."""

from __future__ import annotations

from typing import Final
from uuid import UUID

import msgspec

from deepoj_bff.queries.services import Call, Services
from deepoj_bff.queries.views.base import View
from deepoj_bff.queries.views.problem import ProblemRevision, ProblemRevisions
from deepoj_domain.kernel.role import Actor


class _Count(View, frozen=True, kw_only=True):
    revision: int
    submissions: int


class _Counts(View, frozen=True, kw_only=True):
    revisions: list[_Count]


REVISIONS: Final = Call("question", "ListRevisions", ProblemRevisions)
COUNT: Final = Call("record", "CountByRevision", _Counts)


class ReadProblemRevisions:
    def __init__(self, services: Services) -> None:
        self._services = services

    async def __call__(self, problem_id: UUID, actor: Actor | None) -> ProblemRevisions:
        found = await self._services.call(REVISIONS, actor=actor, question_id=problem_id, with_changes=True)
        counted = await self._services.optional(COUNT, actor=actor, question_id=problem_id)
        if counted is None:
            return found
        judged = {each.revision: each.submissions for each in counted.revisions}
        newest = max(found.revisions, key=lambda each: each.number)

        def outdated(revision: ProblemRevision) -> int:
            return 0 if revision.judge_hash == newest.judge_hash else judged.get(revision.number, 0)

        return ProblemRevisions(
            revisions=[
                msgspec.structs.replace(each, outdated_submissions=outdated(each)) for each in found.revisions
            ]
        )
