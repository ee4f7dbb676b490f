"""One rejudge of many submissions: preview, then apply or discard as a whole."""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from deepoj_domain.kernel.clock import require_utc
from deepoj_domain.kernel.ids import AccountId, RejudgeId, SubmissionId
from deepoj_domain.kernel.outcome import Changed, Refused
from deepoj_domain.kernel.score import Score
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.submission.states import Finished
from deepoj_domain.submission.submission import Submission


class BatchStatus(StrEnum):
    PREVIEW = "preview"
    APPLIED = "applied"
    DISCARDED = "discarded"


class BatchRefusal(StrEnum):
    NOT_FOUND = "not_found"
    ALREADY_CLOSED = "already_closed"
    STILL_JUDGING = "still_judging"


@dataclass(frozen=True, slots=True, kw_only=True)
class RejudgeBatch:
    id: RejudgeId
    opened_by: AccountId
    opened_at: datetime
    status: BatchStatus = BatchStatus.PREVIEW

    def __post_init__(self) -> None:
        require_utc(self.opened_at)

    def apply(self, undecided: int) -> "BatchOutcome":
        """`undecided` counts candidates still being judged: half a batch would mix old and new data."""
        if self.status is not BatchStatus.PREVIEW:
            return Refused(BatchRefusal.ALREADY_CLOSED)
        if undecided:
            return Refused(BatchRefusal.STILL_JUDGING, f"{undecided} submissions are undecided")
        return Changed(replace(self, status=BatchStatus.APPLIED))

    def discard(self) -> "BatchOutcome":
        if self.status is not BatchStatus.PREVIEW:
            return Refused(BatchRefusal.ALREADY_CLOSED)
        return Changed(replace(self, status=BatchStatus.DISCARDED))


BatchOutcome = Changed[RejudgeBatch] | Refused[BatchRefusal]


@dataclass(frozen=True, slots=True)
class Decision:
    verdict: Verdict
    score: Score


@dataclass(frozen=True, slots=True)
class Effect:
    """What applying one candidate would change. `after` is None while it is undecided or if it died."""

    origin_id: SubmissionId
    before: Decision | None
    after: Decision | None

    @property
    def changes(self) -> bool:
        return self.after is not None and self.after != self.before


def effect_of(candidate: Submission, head: Submission) -> Effect:
    return Effect(head.origin_id, _decision(head), _decision(candidate))


def _decision(submission: Submission) -> Decision | None:
    match submission.state:
        case Finished(result=result):
            return Decision(result.verdict, result.score)
        case _:
            return None
