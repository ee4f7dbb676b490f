"""Throw a rejudge away: candidates still being judged are cancelled, the heads stay as they were."""

from __future__ import annotations

from collections.abc import Sequence

from deepoj_domain.kernel.ids import RejudgeId
from deepoj_domain.kernel.outcome import Changed, Refused
from deepoj_domain.kernel.role import Actor
from deepoj_domain.submission.rejudge import discard_candidate
from deepoj_domain.submission.rejudge_batch import BatchOutcome, RejudgeBatch
from deepoj_domain.submission.visibility import may_rejudge
from deepoj_record.commands.close_rejudge import CloseOutcome, close_rejudge, journal_all
from deepoj_record.commands.ports import Clock, Journal, Step, Write
from deepoj_record.commands.rejudge_ports import Pair, RejudgeRefusal, Rejudges, about


class DiscardRejudge:
    def __init__(self, rejudges: Rejudges, journal: Journal, clock: Clock) -> None:
        self._rejudges = rejudges
        self._journal = journal
        self._clock = clock

    async def __call__(self, actor: Actor, rejudge_id: RejudgeId) -> CloseOutcome:
        outcome = await self._discard(actor, rejudge_id)
        if isinstance(outcome, Refused):
            self._journal.refused(Step.DISCARD_REJUDGE, None, about(rejudge_id, outcome))
        return outcome

    async def _discard(self, actor: Actor, rejudge_id: RejudgeId) -> CloseOutcome:
        if not may_rejudge(actor):
            return Refused(RejudgeRefusal.NOT_ALLOWED)
        now = self._clock()

        def decide(batch: RejudgeBatch, _undecided: int) -> BatchOutcome:
            return batch.discard()

        def settle(pair: Pair) -> Sequence[Write]:
            outcome = discard_candidate(pair.candidate.submission, actor.account_id, now)
            if isinstance(outcome, Changed):
                return (Write(pair.candidate, outcome.after, outcome.events, now),)
            return ()

        outcome, writes = await close_rejudge(self._rejudges, rejudge_id, decide, settle, now)
        journal_all(self._journal, Step.DISCARD_REJUDGE, writes)
        return outcome
