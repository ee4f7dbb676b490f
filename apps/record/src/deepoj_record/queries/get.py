"""One submission; with its attempts and source for those who may read them."""

from __future__ import annotations

import asyncio

from deepoj_domain.kernel.ids import AccountId, GameId, QuestionId, SubmissionId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_domain.submission.visibility import Sight
from deepoj_record.queries.access import Access, Neighbours, QueryRefusal
from deepoj_record.queries.counts import scope_of
from deepoj_record.queries.ports import Samples, Seals, SubmissionReader
from deepoj_record.queries.views import Detail, SubmissionView


class Get:
    def __init__(self, submissions: SubmissionReader, neighbours: Neighbours, samples: Samples) -> None:
        self._submissions = submissions
        self._neighbours = neighbours
        self._samples = samples

    async def __call__(
        self, actor: Actor | None, submission_id: SubmissionId, *, head: bool = False
    ) -> Detail | Refused[QueryRefusal]:
        access = Access(self._neighbours, actor)
        view = await self._submissions.get(submission_id, head=head)
        visible = view and await access.shown(view)
        if view is None or visible is None:
            return Refused(QueryRefusal.NOT_FOUND)
        sight = await access.sight(view)
        if sight is Sight.OUTLINE:
            return Detail(visible)
        attempts, source, samples = await asyncio.gather(
            self._submissions.attempts(view.id),
            self._submissions.source(view.origin_id),
            self._samples_of(visible),
        )
        return Detail(
            visible,
            await access.attempts(view, attempts),
            source,
            samples=samples,
            shows_cases=sight is Sight.EVERYTHING,
        )

    async def _samples_of(self, view: SubmissionView) -> frozenset[str]:
        has_cases = view.result is not None and view.result.cases
        return frozenset(await self._samples.of(view.revision)) if has_cases else frozenset()


class BestRecord:
    """The best submission of an account to a question: the highest score, and of those the earliest."""

    def __init__(self, submissions: SubmissionReader, neighbours: Neighbours, seals: Seals) -> None:
        self._submissions = submissions
        self._neighbours = neighbours
        self._seals = seals

    async def __call__(
        self, actor: Actor | None, account_id: AccountId, question_id: QuestionId, game_id: GameId | None
    ) -> SubmissionView | None:
        scope = await scope_of(game_id, self._seals)
        found = await self._submissions.best(account_id, question_id, scope)
        shown = found and await Access(self._neighbours, actor).shown(found)
        # That it is the best would tell a verdict that is not shown.
        return shown.outlined() if shown is not None and shown.result is not None else None
