"""The admission decision: one pure function over a snapshot of what was measured."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from deepoj_domain.kernel.clock import next_midnight, require_utc
from deepoj_domain.kernel.token_bucket import RateLimit, TokenBucket


class AdmissionRefusal(StrEnum):
    NO_WORKER_ALIVE = "no_worker_alive"
    QUEUE_FULL = "queue_full"
    RATE_LIMITED = "rate_limited"
    TOO_MANY_IN_FLIGHT = "too_many_in_flight"
    DAILY_QUOTA_SPENT = "daily_quota_spent"

    @property
    def is_of_account(self) -> bool:
        """Decided by what the account has sent: with newer numbers it may be another decision."""
        return self in {AdmissionRefusal.TOO_MANY_IN_FLIGHT, AdmissionRefusal.DAILY_QUOTA_SPENT}


@dataclass(frozen=True, slots=True, kw_only=True)
class AdmissionLimits:
    rate: RateLimit = field(default_factory=lambda: RateLimit(interval=timedelta(seconds=3), burst=10))
    in_flight: int = 5
    daily_quota: int = 500
    queue_high_water: int = 1000
    busy_retry: timedelta = timedelta(seconds=10)
    """What a client is told to wait where nobody can know when it gets better."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdmissionSnapshot:
    now: datetime
    bucket: TokenBucket
    in_flight: int
    submitted_today: int
    queue_depth: int
    live_workers: int

    def __post_init__(self) -> None:
        require_utc(self.now)


@dataclass(frozen=True, slots=True)
class Admitted:
    """The caller stores `bucket`; a refused request takes no token."""

    bucket: TokenBucket


@dataclass(frozen=True, slots=True)
class TurnedAway:
    reason: AdmissionRefusal
    retry_after: timedelta


def decide(limits: AdmissionLimits, seen: AdmissionSnapshot) -> Admitted | TurnedAway:
    """System-wide reasons come before personal ones: they tell an operator more."""
    if seen.live_workers < 1:
        return TurnedAway(AdmissionRefusal.NO_WORKER_ALIVE, limits.busy_retry)
    if seen.queue_depth >= limits.queue_high_water:
        return TurnedAway(AdmissionRefusal.QUEUE_FULL, limits.busy_retry)
    if seen.submitted_today >= limits.daily_quota:
        return TurnedAway(AdmissionRefusal.DAILY_QUOTA_SPENT, next_midnight(seen.now) - seen.now)
    if seen.in_flight >= limits.in_flight:
        return TurnedAway(AdmissionRefusal.TOO_MANY_IN_FLIGHT, limits.busy_retry)
    if wait := seen.bucket.wait(limits.rate, seen.now):
        return TurnedAway(AdmissionRefusal.RATE_LIMITED, wait)
    return Admitted(seen.bucket.taken(limits.rate, seen.now))


@dataclass(frozen=True, slots=True)
class AccountLoad:
    in_flight: int
    submitted_today: int


@dataclass(frozen=True, slots=True)
class SystemState:
    """None: nobody could say."""

    queue_depth: int | None
    live_workers: int | None
