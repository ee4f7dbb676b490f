"""One submission; with its attempts and source for those who may read them."""

from __future__ import annotations

from dataclasses import replace

from deepoj_domain.kernel.ids import SubmissionId, WorkerId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_domain.submission.attempt import Attempt
from deepoj_domain.submission.visibility import Sight, is_staff
from deepoj_record.queries.access import QueryRefusal, shown, sight
from deepoj_record.queries.ports import Submissions
from deepoj_record.queries.views import Detail


class Get:
    def __init__(self, submissions: Submissions) -> None:
        self._submissions = submissions

    async def __call__(
        self, actor: Actor | None, submission_id: SubmissionId, *, head: bool = False
    ) -> Detail | Refused[QueryRefusal]:
        view = await self._submissions.get(submission_id, head=head)
        visible = view and shown(actor, view)
        if view is None or visible is None:
            return Refused(QueryRefusal.NOT_FOUND)
        if sight(actor, view) is not Sight.EVERYTHING:
            return Detail(visible)
        attempts = await self._submissions.attempts(view.id)
        return Detail(visible, attempts_for(actor, attempts), await self._submissions.source(view.origin_id))


def attempts_for(actor: Actor | None, attempts: tuple[Attempt, ...]) -> tuple[Attempt, ...]:
    """The names of our machines are for the staff."""
    if is_staff(actor):
        return attempts
    return tuple(replace(attempt, worker=WorkerId("")) for attempt in attempts)
