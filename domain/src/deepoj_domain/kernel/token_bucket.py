"""A token bucket without fractions of tokens.

The whole state is one timestamp, the moment the bucket is full again: each token taken moves it one
interval further into the future. So there is no refill job and nothing to round.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from deepoj_domain.kernel.clock import require_utc
from deepoj_domain.kernel.errors import InvalidValueError


@dataclass(frozen=True, slots=True)
class RateLimit:
    """`burst` tokens at most; one comes back each `interval`."""

    interval: timedelta
    burst: int

    def __post_init__(self) -> None:
        if self.interval <= timedelta(0) or self.burst < 1:
            raise InvalidValueError("rate_limit_malformed", "interval and burst of a rate limit are positive")


@dataclass(frozen=True, slots=True)
class TokenBucket:
    full_at: datetime

    def __post_init__(self) -> None:
        require_utc(self.full_at)

    def wait(self, limit: RateLimit, now: datetime) -> timedelta:
        """Zero when a token is there, else the time until the next one."""
        token_at = self.full_at - (limit.burst - 1) * limit.interval
        return max(token_at - now, timedelta(0))

    def taken(self, limit: RateLimit, now: datetime) -> "TokenBucket":
        return TokenBucket(max(self.full_at, now) + limit.interval)

    def given_back(self, limit: RateLimit) -> "TokenBucket":
        """Undo one `taken`."""
        return TokenBucket(self.full_at - limit.interval)
