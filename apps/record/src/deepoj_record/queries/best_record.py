"""The best submission of an account to a question: the highest score, and of those the earliest."""

from __future__ import annotations

from deepoj_domain.kernel.ids import AccountId, GameId, QuestionId
from deepoj_record.queries.ports import Submissions
from deepoj_record.queries.views import SubmissionView


class BestRecord:
    def __init__(self, submissions: Submissions) -> None:
        self._submissions = submissions

    async def __call__(
        self, account_id: AccountId, question_id: QuestionId, game_id: GameId | None
    ) -> SubmissionView | None:
        found = await self._submissions.best(account_id, question_id, game_id)
        return found and found.outlined()
