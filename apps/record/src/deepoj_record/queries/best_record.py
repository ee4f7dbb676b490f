"""The best submission of an account to a question: the highest score, and of those the earliest."""

from __future__ import annotations

from deepoj_domain.kernel.ids import AccountId, GameId, QuestionId
from deepoj_domain.kernel.role import Actor
from deepoj_record.queries.access import Access, Neighbours
from deepoj_record.queries.counts import scope_of
from deepoj_record.queries.ports import Seals, SubmissionReader
from deepoj_record.queries.views import SubmissionView


class BestRecord:
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
