"""How often something may be tried: a few times at once, then again and again at an even pace."""

from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True, slots=True)
class Limit:
    burst: int
    pace: timedelta
    """A used-up burst grows by one in this time."""

    @property
    def debt(self) -> timedelta:
        """How far ahead of the clock tries may be paid for."""
        return self.burst * self.pace


@dataclass(frozen=True, slots=True)
class Bucket:
    """`key` says what is limited and whose it is, such as `log-in:192.0.2.7`."""

    key: str
    limit: Limit


def charged(paid_until: datetime | None, limit: Limit, now: datetime) -> datetime | None:
    """Return until when tries are paid for after one more; None when the burst is used up."""
    after = max(paid_until or now, now) + limit.pace
    return None if after - now > limit.debt else after


def wait_for(paid_until: datetime, limit: Limit, now: datetime) -> timedelta:
    """Say how long until one more try is allowed."""
    return max(timedelta(0), paid_until + limit.pace - limit.debt - now)
