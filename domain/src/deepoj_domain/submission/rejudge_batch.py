"""One rejudge of many submissions: open it, preview it, then apply or discard all of it.

Each of these is work on many rows, done a part at a time by whoever is there; the status says what is left.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from deepoj_domain.kernel.clock import require_utc
from deepoj_domain.kernel.ids import AccountId, RejudgeId
from deepoj_domain.kernel.outcome import Changed, Refused


class BatchStatus(StrEnum):
    OPENING = "opening"
    """Its candidates are being made; how many there will be is not known yet."""
    OPEN = "preview"
    """Its effects are shown; nobody has decided. The text is in the database."""
    APPLYING = "applying"
    APPLIED = "applied"
    DISCARDING = "discarding"
    DISCARDED = "discarded"

    @property
    def is_under_way(self) -> bool:
        """Work is left to do, whoever does it: nobody can take back what was decided."""
        return self in {BatchStatus.OPENING, BatchStatus.APPLYING, BatchStatus.DISCARDING}


class BatchRefusal(StrEnum):
    NOT_FOUND = "not_found"
    STILL_OPENING = "still_opening"
    ALREADY_CLOSED = "already_closed"
    STILL_JUDGING = "still_judging"


@dataclass(frozen=True, slots=True, kw_only=True)
class RejudgeBatch:
    id: RejudgeId
    opened_by: AccountId
    opened_at: datetime
    status: BatchStatus = BatchStatus.OPENING
    decided_by: AccountId | None = None
    """Who applied or discarded it."""

    def __post_init__(self) -> None:
        require_utc(self.opened_at)

    def apply(self, undecided: int, by: AccountId) -> "BatchOutcome":
        """`undecided` counts candidates still being judged: half a batch would mix old and new data."""
        match self.status:
            case BatchStatus.OPENING:
                return Refused(BatchRefusal.STILL_OPENING)
            case BatchStatus.OPEN if undecided:
                return Refused(BatchRefusal.STILL_JUDGING, f"{undecided} submissions are undecided")
            case BatchStatus.OPEN:
                return Changed(replace(self, status=BatchStatus.APPLYING, decided_by=by))
            case BatchStatus.APPLYING:
                return Changed(self)
            case BatchStatus.APPLIED | BatchStatus.DISCARDING | BatchStatus.DISCARDED:
                return Refused(BatchRefusal.ALREADY_CLOSED)

    def discard(self, by: AccountId) -> "BatchOutcome":
        match self.status:
            case BatchStatus.OPENING | BatchStatus.OPEN:
                return Changed(replace(self, status=BatchStatus.DISCARDING, decided_by=by))
            case BatchStatus.DISCARDING:
                return Changed(self)
            case BatchStatus.APPLYING | BatchStatus.APPLIED | BatchStatus.DISCARDED:
                return Refused(BatchRefusal.ALREADY_CLOSED)

    def done(self) -> "RejudgeBatch":
        """Return it after the last of the work that its status names."""
        match self.status:
            case BatchStatus.OPENING:
                return replace(self, status=BatchStatus.OPEN)
            case BatchStatus.APPLYING:
                return replace(self, status=BatchStatus.APPLIED)
            case BatchStatus.DISCARDING:
                return replace(self, status=BatchStatus.DISCARDED)
            case BatchStatus.OPEN | BatchStatus.APPLIED | BatchStatus.DISCARDED:
                return self


BatchOutcome = Changed[RejudgeBatch] | Refused[BatchRefusal]
