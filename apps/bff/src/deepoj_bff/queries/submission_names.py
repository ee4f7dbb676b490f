"""What the ids in submissions stand for."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Protocol

import msgspec

from deepoj_bff.queries.names import ContestName, Names, ProblemName, RevisionHashes, UserName
from deepoj_bff.queries.views.submission import Submission
from deepoj_domain.kernel.role import Actor


class Naming(Protocol):
    async def __call__(self, submissions: Sequence[Submission], actor: Actor | None) -> list[Submission]: ...


class NameSubmissions:
    def __init__(self, names: Names) -> None:
        self._names = names

    async def __call__(self, submissions: Sequence[Submission], actor: Actor | None) -> list[Submission]:
        users, problems, contests, revisions = await asyncio.gather(
            self._names.users({each.account_id for each in submissions}),
            self._names.problems({(each.question_id, each.game_id) for each in submissions}, actor),
            self._names.contests({each.game_id for each in submissions if each.game_id}, actor),
            self._names.revisions({each.question_id for each in submissions}, actor),
        )
        return [
            _named(
                each,
                users.get(each.account_id),
                problems.get(each.question_id),
                contests.get(each.game_id or ""),
                revisions.get(each.question_id),
            )
            for each in submissions
        ]


def _named(
    submission: Submission,
    user: UserName | None,
    problem: ProblemName | None,
    contest: ContestName | None,
    revisions: RevisionHashes | None,
) -> Submission:
    labels = {each.question_id: each.label for each in contest.problems} if contest else {}
    hashes = {each.number: each.judge_hash for each in revisions.revisions} if revisions else {}
    judged_by = hashes.get(submission.question_revision)
    return msgspec.structs.replace(
        submission,
        user_name=user and user.name,
        user_display_name=user and user.display_name,
        problem_slug=problem and problem.slug,
        problem_title=problem and problem.title,
        contest_title=contest and contest.title,
        contest_label=labels.get(submission.question_id),
        judge_hash=judged_by,
        outdated=judged_by is not None and judged_by != hashes[max(hashes)],
    )
