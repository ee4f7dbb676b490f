"""The audit of one attempt. Its number is the fencing token of everything the worker sends back."""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from deepoj_domain.kernel.clock import require_utc
from deepoj_domain.kernel.ids import WorkerId


class AttemptOutcome(StrEnum):
    FINISHED = "finished"
    FAILED = "failed"
    WORKER_LOST = "worker_lost"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Attempt:
    attempt_id: int
    worker: WorkerId
    started_at: datetime
    ended_at: datetime | None = None
    outcome: AttemptOutcome | None = None
    reason: str = ""
    toolchain: str = ""
    """What the compiler or interpreter that judged it says its version is."""

    def __post_init__(self) -> None:
        require_utc(self.started_at, self.ended_at)

    @property
    def is_open(self) -> bool:
        return self.outcome is None

    def closed(
        self, outcome: AttemptOutcome, now: datetime, reason: str = "", toolchain: str = ""
    ) -> "Attempt":
        return replace(self, ended_at=now, outcome=outcome, reason=reason, toolchain=toolchain)
