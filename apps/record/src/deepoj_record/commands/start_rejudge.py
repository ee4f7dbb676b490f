"""Judge a selection again under new ids. Nothing of it is seen before it is applied.

Repeating the call with the same id goes on where it stopped: heads that have their candidate are passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from deepoj_domain.kernel.ids import QuestionId, RejudgeId, SubmissionId
from deepoj_domain.kernel.outcome import Changed, Refused
from deepoj_domain.kernel.role import Actor
from deepoj_domain.submission.rejudge import open_candidate
from deepoj_domain.submission.rejudge_batch import BatchStatus, RejudgeBatch
from deepoj_domain.submission.selection import Selection
from deepoj_domain.submission.submission import Submission
from deepoj_domain.submission.visibility import may_rejudge
from deepoj_record.commands.ports import Catalogue, Clock, Journal, Step
from deepoj_record.commands.rejudge_ports import RejudgeRefusal, Rejudges, about


@dataclass(frozen=True, slots=True)
class RejudgeStarted:
    submissions: int


StartOutcome = RejudgeStarted | Refused[RejudgeRefusal]


class StartRejudge:
    def __init__(
        self,
        rejudges: Rejudges,
        catalogue: Catalogue,
        journal: Journal,
        clock: Clock,
        new_id: Callable[[], SubmissionId],
        *,
        limit: int,
    ) -> None:
        self._rejudges = rejudges
        self._catalogue = catalogue
        self._journal = journal
        self._clock = clock
        self._new_id = new_id
        self._limit = limit

    async def __call__(
        self, actor: Actor, rejudge_id: RejudgeId, selection: Selection, reason: str
    ) -> StartOutcome:
        outcome = await self._start(actor, rejudge_id, selection, reason)
        if isinstance(outcome, Refused):
            self._journal.refused(Step.REJUDGE, None, about(rejudge_id, outcome))
        return outcome

    async def _start(
        self, actor: Actor, rejudge_id: RejudgeId, selection: Selection, reason: str
    ) -> StartOutcome:
        if refusal := await self._why_not(actor, selection):
            return refusal
        now = self._clock()
        batch = RejudgeBatch(id=rejudge_id, opened_by=actor.account_id, opened_at=now)
        opened = await self._rejudges.open(batch, selection, reason)
        if opened is None:
            return Refused(RejudgeRefusal.REJUDGE_ID_REUSED)
        if opened.status is BatchStatus.PREVIEW:
            await self._open_candidates(actor, rejudge_id, selection, now)
        return RejudgeStarted(await self._rejudges.size(rejudge_id))

    async def _why_not(self, actor: Actor, selection: Selection) -> Refused[RejudgeRefusal] | None:
        if not may_rejudge(actor):
            return Refused(RejudgeRefusal.NOT_ALLOWED)
        if selection.is_everything:
            return Refused(RejudgeRefusal.SELECTS_EVERYTHING)
        found = await self._rejudges.selected(selection, self._limit + 1)
        if not found:
            return Refused(RejudgeRefusal.SELECTS_NOTHING)
        return Refused(RejudgeRefusal.TOO_MANY) if found > self._limit else None

    async def _open_candidates(
        self, actor: Actor, rejudge_id: RejudgeId, selection: Selection, now: datetime
    ) -> None:
        newest: dict[QuestionId, int] = {}
        after: SubmissionId | None = None
        while heads := await self._rejudges.unopened(rejudge_id, selection, after):
            await self._learn_revisions(actor, heads, newest)
            outcomes = [
                open_candidate(head, self._new_id(), rejudge_id, newest[head.order.revision.question_id], now)
                for head in heads
            ]
            candidates = [outcome for outcome in outcomes if isinstance(outcome, Changed)]
            # Whoever repeats the call at the same time may have added some of them.
            added = await self._rejudges.add(candidates)
            for candidate in candidates:
                if candidate.after.id in added:
                    self._journal.changed(Step.REJUDGE, candidate.after, candidate.events)
            after = heads[-1].id

    async def _learn_revisions(
        self, actor: Actor, heads: Sequence[Submission], newest: dict[QuestionId, int]
    ) -> None:
        """A question that is gone keeps the revision that was pinned."""
        for head in heads:
            pinned = head.order.revision
            if pinned.question_id not in newest:
                found = await self._catalogue.newest(pinned.question_id, actor, vouched=True)
                newest[pinned.question_id] = (pinned if found is None else found.revision).number
