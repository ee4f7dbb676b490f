"""An attempt, and the lease that says which worker may write its result, and until when."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from deepoj_domain.kernel.clock import require_utc
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import WorkerId


@dataclass(frozen=True, slots=True)
class Lease:
    owner: WorkerId
    until: datetime

    def __post_init__(self) -> None:
        require_utc(self.until)

    def is_valid(self, now: datetime) -> bool:
        """At `until` itself the lease is over: at any instant it is valid or reclaimable, never both."""
        return now < self.until

    def is_held_by(self, worker: WorkerId, now: datetime) -> bool:
        return self.owner == worker and self.is_valid(now)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaseTerms:
    duration: timedelta = timedelta(seconds=60)
    heartbeat: timedelta = timedelta(seconds=20)
    grace: timedelta = timedelta(seconds=15)
    """How long after the end of a lease its message is left to its first consumer."""

    def __post_init__(self) -> None:
        if not timedelta(0) < self.heartbeat <= self.duration / 2:
            raise InvalidValueError("heartbeat_too_slow", "one lost heartbeat must not lose the lease")
        if self.grace < timedelta(0):
            raise InvalidValueError("grace_negative", "the grace period may not be negative")

    def grant(self, worker: WorkerId, now: datetime) -> Lease:
        return Lease(worker, now + self.duration)

    @property
    def reclaim_idle(self) -> timedelta:
        """How long a queue entry must be idle before another worker takes it over."""
        return self.duration + self.grace


class AttemptOutcome(StrEnum):
    FINISHED = "finished"
    FAILED = "failed"
    WORKER_LOST = "worker_lost"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Attempt:
    """The audit of one attempt. Its number is the fencing token of everything the worker sends back."""

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
