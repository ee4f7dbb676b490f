"""Make the judged candidates of a rejudge the heads of their chains, all in one transaction.

A candidate that died, was cancelled, or whose chain another rejudge has moved on is discarded instead.
"""

from __future__ import annotations

from collections.abc import Sequence

from deepoj_domain.kernel.ids import RejudgeId
from deepoj_domain.kernel.outcome import Changed, Refused
from deepoj_domain.kernel.role import Actor
from deepoj_domain.submission.rejudge import apply_candidate, discard_candidate
from deepoj_domain.submission.rejudge_batch import BatchOutcome, RejudgeBatch
from deepoj_domain.submission.submission import Standing
from deepoj_domain.submission.visibility import may_rejudge
from deepoj_record.commands.close_rejudge import CloseOutcome, RejudgeClosed, close_rejudge, journal_all
from deepoj_record.commands.ports import Clock, Journal, Step, Write
from deepoj_record.commands.rejudge_ports import Pair, RejudgeRefusal, Rejudges, about


class ApplyRejudge:
    def __init__(self, rejudges: Rejudges, journal: Journal, clock: Clock) -> None:
        self._rejudges = rejudges
        self._journal = journal
        self._clock = clock

    async def __call__(self, actor: Actor, rejudge_id: RejudgeId) -> CloseOutcome:
        outcome = await self._apply(actor, rejudge_id)
        if isinstance(outcome, Refused):
            self._journal.refused(Step.APPLY_REJUDGE, None, about(rejudge_id, outcome))
        return outcome

    async def _apply(self, actor: Actor, rejudge_id: RejudgeId) -> CloseOutcome:
        if not may_rejudge(actor):
            return Refused(RejudgeRefusal.NOT_ALLOWED)
        now = self._clock()

        def decide(batch: RejudgeBatch, undecided: int) -> BatchOutcome:
            return batch.apply(undecided)

        def settle(pair: Pair) -> Sequence[Write]:
            outcome = apply_candidate(pair.candidate.submission, pair.predecessor.submission, now)
            if isinstance(outcome, Changed):
                archived = Write(pair.predecessor, outcome.after.archived, (), now)
                return (archived, Write(pair.candidate, outcome.after.head, outcome.events, now))
            dropped = discard_candidate(pair.candidate.submission, actor.account_id, now)
            if isinstance(dropped, Changed):
                return (Write(pair.candidate, dropped.after, dropped.events, now),)
            return ()

        outcome, writes = await close_rejudge(self._rejudges, rejudge_id, decide, settle, now)
        journal_all(self._journal, Step.APPLY_REJUDGE, writes)
        if isinstance(outcome, Refused):
            return outcome
        applied = sum(write.after.standing is Standing.HEAD for write in writes)
        return RejudgeClosed(applied, dropped=len(writes) - applied)
