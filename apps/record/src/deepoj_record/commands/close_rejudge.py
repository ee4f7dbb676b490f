"""What apply and discard share: one transaction over a whole rejudge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from deepoj_domain.kernel.ids import RejudgeId, SubmissionId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.submission.rejudge_batch import BatchOutcome, BatchRefusal, RejudgeBatch
from deepoj_record.commands.ports import Journal, Step, Write
from deepoj_record.commands.rejudge_ports import ClosingRejudge, Pair, RejudgeRefusal, Rejudges


@dataclass(frozen=True, slots=True)
class RejudgeClosed:
    submissions: int
    dropped: int = 0
    """Those an apply had to discard."""


CloseOutcome = RejudgeClosed | Refused[RejudgeRefusal]
Decide = Callable[[RejudgeBatch, int], BatchOutcome]
Settle = Callable[[Pair], Sequence[Write]]
"""The writes for one candidate, in order: the last one of a pair is the candidate's own."""


async def close_rejudge(
    rejudges: Rejudges, rejudge_id: RejudgeId, decide: Decide, settle: Settle, now: datetime
) -> tuple[CloseOutcome, list[Write]]:
    async with rejudges.closing(rejudge_id) as closing:
        if closing is None:
            return Refused(RejudgeRefusal.NOT_FOUND), []
        outcome = decide(closing.batch, await closing.undecided())
        if isinstance(outcome, Refused):
            return Refused(_reason(outcome.reason), outcome.detail), []
        writes = await _settle_all(closing, settle)
        await closing.close(outcome.after, now)
    return RejudgeClosed(len(writes)), writes


async def _settle_all(closing: ClosingRejudge, settle: Settle) -> list[Write]:
    """Return the last write of each candidate."""
    done: list[Write] = []
    after: SubmissionId | None = None
    while pairs := await closing.pairs(after):
        settled = [list(settle(pair)) for pair in pairs]
        # A chain has one head at any moment, so all old ones step down before a new one steps up.
        await closing.write([write for writes in settled for write in writes[:-1]])
        await closing.write([writes[-1] for writes in settled if writes])
        done += [writes[-1] for writes in settled if writes]
        after = pairs[-1].candidate.submission.id
    return done


def journal_all(journal: Journal, step: Step, writes: Sequence[Write]) -> None:
    for write in writes:
        journal.changed(step, write.after, write.events)


def _reason(refusal: BatchRefusal) -> RejudgeRefusal:
    match refusal:
        case BatchRefusal.NOT_FOUND:
            return RejudgeRefusal.NOT_FOUND
        case BatchRefusal.ALREADY_CLOSED:
            return RejudgeRefusal.ALREADY_CLOSED
        case BatchRefusal.STILL_JUDGING:
            return RejudgeRefusal.STILL_JUDGING
