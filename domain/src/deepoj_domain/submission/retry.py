"""Which failures are worth another attempt, how many, and after how long.

A compile error is not here: it is a verdict, so it cannot be retried even by mistake.
"""

from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from typing import Final

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.submission.route import Lane


class Failure(StrEnum):
    """Our failures while judging, as a worker reports them."""

    INFRASTRUCTURE = "infrastructure"
    SANDBOX_CRASH = "sandbox_crash"
    STORE_UNAVAILABLE = "store_unavailable"
    WORKER_DRAINING = "worker_draining"
    LANGUAGE_NOT_INSTALLED = "language_not_installed"
    """On this judge host; another one may have it."""
    NOT_ENOUGH_MEMORY = "not_enough_memory"
    """The same."""
    UNKNOWN_LANGUAGE = "unknown_language"
    POLICY_VIOLATION = "policy_violation"
    MALFORMED_JOB = "malformed_job"


# The worker gives the job back: that says nothing about the job, so it costs none of its attempts.
UNABLE: Final = frozenset({Failure.LANGUAGE_NOT_INSTALLED, Failure.NOT_ENOUGH_MEMORY})
HAND_BACKS: Final = UNABLE | {Failure.WORKER_DRAINING}
_LONGEST_SEARCH: Final = timedelta(minutes=1)
_DOUBLINGS: Final = 16


def is_retryable(failure: Failure) -> bool:
    match failure:
        case (
            Failure.INFRASTRUCTURE
            | Failure.SANDBOX_CRASH
            | Failure.STORE_UNAVAILABLE
            | Failure.WORKER_DRAINING
            | Failure.LANGUAGE_NOT_INSTALLED
            | Failure.NOT_ENOUGH_MEMORY
        ):
            return True
        case Failure.UNKNOWN_LANGUAGE | Failure.POLICY_VIOLATION | Failure.MALFORMED_JOB:
            return False


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    max_attempts: int = 3
    max_hand_backs: int = 100
    """Beyond these a job that was handed back has used up an attempt too, so that it comes to an end."""
    delays: tuple[timedelta, ...] = (timedelta(seconds=2), timedelta(seconds=4), timedelta(seconds=8))

    def __post_init__(self) -> None:
        if self.max_attempts < 1:
            raise InvalidValueError("no_attempts", "a job needs at least one attempt")
        if self.max_hand_backs < 0:
            raise InvalidValueError("hand_backs_negative", "a job cannot be handed back less than never")
        if not self.delays or min(self.delays) < timedelta(0):
            raise InvalidValueError("back_off_malformed", "the back-off needs delays, none of them negative")

    def allows_another(self, attempts_made: int, handed_back: int) -> bool:
        """`handed_back` is how many of the attempts ended in one of `HAND_BACKS`."""
        return attempts_made - min(handed_back, self.max_hand_backs) < self.max_attempts

    def delay_after(self, failure: Failure, times: int) -> timedelta:
        """`times` counts the failures like this one; the last delay repeats when there are fewer delays."""
        if failure is Failure.WORKER_DRAINING:
            return timedelta(0)
        if failure in UNABLE:
            # It was where only able hosts look: who took it says one thing and does another.
            return min(_LONGEST_SEARCH, self.delays[0] * (1 << min(times - 1, _DOUBLINGS)))
        return self.delays[min(times, len(self.delays)) - 1]


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicies:
    light: RetryPolicy = field(default_factory=RetryPolicy)
    heavy: RetryPolicy = field(default_factory=RetryPolicy)

    def for_lane(self, lane: Lane) -> RetryPolicy:
        match lane:
            case Lane.LIGHT:
                return self.light
            case Lane.HEAVY:
                return self.heavy
