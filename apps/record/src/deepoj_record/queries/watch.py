"""Every state of a submission from now on, until the terminal one: hints tell it or say when to look."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from deepoj_domain.kernel.ids import SubmissionId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_record.queries.access import Access, QueryRefusal
from deepoj_record.queries.ports import Changes, Games, Submissions
from deepoj_record.queries.views import SubmissionView, Written, view_of


class Watch:
    def __init__(self, submissions: Submissions, games: Games, changes: Changes) -> None:
        self._submissions = submissions
        self._games = games
        self._changes = changes

    async def __call__(
        self, actor: Actor | None, submission_id: SubmissionId
    ) -> AsyncGenerator[SubmissionView | Refused[QueryRefusal], None]:
        access = Access(self._games, actor)
        # The hints begin before the first look, so that no change falls between the two.
        async with self._changes.of(submission_id) as hints:
            seen: SubmissionView | None = None
            told: SubmissionView | None = None
            async for written in hints:
                view = self._known(submission_id, seen, written) or await self._submissions.get(submission_id)
                visible = view and await access.shown(view)
                if visible is None:
                    yield Refused(QueryRefusal.NOT_FOUND)
                    return
                if told is None or _differs(visible, told):
                    yield visible
                seen, told = view, visible
                if visible.is_over:
                    return

    def _known(
        self, submission_id: SubmissionId, seen: SubmissionView | None, written: Written | None
    ) -> SubmissionView | None:
        """Return the state without a look, if this process has written it and none newer was seen."""
        if seen is None:
            return self._submissions.remembered(submission_id)
        if written is not None and written.version > seen.version:
            return view_of(written, seen.source_bytes)
        return None


def _differs(view: SubmissionView, told: SubmissionView) -> bool:
    return (view.status, view.attempt_id, view.standing) != (told.status, told.attempt_id, told.standing)
