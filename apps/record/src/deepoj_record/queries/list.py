"""Submissions by filter, in the order they were sent."""

from __future__ import annotations

from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_domain.submission.selection import Selection
from deepoj_domain.submission.visibility import is_staff
from deepoj_record.queries.access import QueryRefusal, shown
from deepoj_record.queries.paging import Page, PageRequest
from deepoj_record.queries.ports import Submissions
from deepoj_record.queries.views import SubmissionView


class List:
    def __init__(self, submissions: Submissions) -> None:
        self._submissions = submissions

    async def __call__(
        self,
        actor: Actor | None,
        selection: Selection,
        page: PageRequest,
        *,
        ascending: bool = False,
        with_archived: bool = False,
    ) -> Page[SubmissionView] | Refused[QueryRefusal]:
        if actor is None:
            return Refused(QueryRefusal.SIGN_IN_REQUIRED)
        found = await self._submissions.list(
            selection,
            page,
            ascending=ascending,
            with_archived=with_archived,
            visible_to=None if is_staff(actor) else actor.account_id,
        )
        visible = [view for each in found.items if (view := shown(actor, each)) is not None]
        return Page(visible, found.next)
