"""What a rejudge would judge again, by the judge hash it was judged by."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Annotated, Final
from uuid import UUID

import msgspec
from msgspec import Meta

from deepoj_bff.queries.names import REVISIONS
from deepoj_bff.queries.services import Call, Services
from deepoj_bff.queries.views.admin import HashCount, RejudgeCount, RevisionCounts
from deepoj_bff.queries.views.base import Body
from deepoj_bff.queries.views.submission import Status
from deepoj_domain.kernel.role import Actor
from deepoj_domain.kernel.verdict import Verdict


class RejudgeFilter(Body, frozen=True, kw_only=True):
    account_id: UUID | None = None
    question_id: UUID | None = None
    game_id: UUID | None = None
    language: Annotated[str, Meta(max_length=32)] | None = None
    statuses: list[Status] = msgspec.field(default_factory=list)
    verdicts: list[Verdict] = msgspec.field(default_factory=list)
    submitted_from: datetime | None = None
    submitted_before: datetime | None = None
    question_revisions: Annotated[
        list[Annotated[int, Meta(ge=1, le=2**31 - 1)]],
        Meta(max_length=100, description="Judged by one of these revisions of the problem."),
    ] = msgspec.field(default_factory=list)


COUNT: Final = Call("record", "CountRejudge", RevisionCounts, parts={"filter": RejudgeFilter})


class CountRejudge:
    def __init__(self, services: Services) -> None:
        self._services = services

    async def __call__(self, selection: RejudgeFilter, actor: Actor | None) -> RejudgeCount:
        counted = await self._services.call(COUNT, actor=actor, filter=selection)
        problems = list(dict.fromkeys(each.question_id for each in counted.revisions))
        found = await asyncio.gather(*(self._hashes(each, actor) for each in problems))
        hashes = dict(zip(problems, found, strict=True))
        groups: dict[tuple[str, str | None], HashCount] = {}
        for each in counted.revisions:
            known = hashes[each.question_id]
            judge_hash = known.get(each.revision)
            group = groups.get((each.question_id, judge_hash))
            groups[each.question_id, judge_hash] = HashCount(
                question_id=each.question_id,
                judge_hash=judge_hash,
                question_revisions=sorted([*(group.question_revisions if group else ()), each.revision]),
                outdated=judge_hash is not None and judge_hash != known[max(known)],
                submissions=each.submissions + (group.submissions if group else 0),
            )
        return RejudgeCount(submissions=counted.submissions, by_judge_hash=list(groups.values()))

    async def _hashes(self, problem_id: str, actor: Actor | None) -> dict[int, str]:
        found = await self._services.optional(REVISIONS, actor=actor, question_id=problem_id)
        return {each.number: each.judge_hash for each in found.revisions} if found else {}
