"""Submissions by filter, in the order they were sent."""

from __future__ import annotations

from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_domain.submission.selection import Selection
from deepoj_domain.submission.visibility import is_staff
from deepoj_record.queries.access import Access, QueryRefusal
from deepoj_record.queries.paging import Page, PageRequest
from deepoj_record.queries.ports import Games, Submissions
from deepoj_record.queries.views import SubmissionView


class List:
    def __init__(self, submissions: Submissions, games: Games) -> None:
        self._submissions = submissions
        self._games = games

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
        access = Access(self._games, actor)
        found = await self._submissions.list(
            selection,
            page,
            ascending=ascending,
            with_archived=with_archived,
            visible_to=await _restricted_to(actor, access, selection),
        )
        visible = [view for each in found.items if (view := await access.shown(each)) is not None]
        if selection.verdicts:
            # Being found by its verdict would tell a verdict that is not shown.
            visible = [view for view in visible if view.result is not None]
        return Page(visible, found.next)


async def _restricted_to(actor: Actor, access: Access, selection: Selection) -> AccountId | None:
    """Across games an account sees its own; within one, what the game lets it see."""
    if selection.game_id is None:
        return None if is_staff(actor) else actor.account_id
    return None if await access.sees_others_in(selection.game_id) else actor.account_id
