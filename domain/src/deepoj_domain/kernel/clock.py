"""Time is UTC and aware, and it is passed in: an aggregate never reads a clock."""

from datetime import UTC, datetime, timedelta

from deepoj_domain.kernel.errors import InvalidValueError


def require_utc(*moments: datetime | None) -> None:
    for moment in moments:
        if moment is not None and (moment.tzinfo is None or moment.utcoffset() != timedelta(0)):
            raise InvalidValueError("time_not_utc", f"time must be aware and in UTC, got {moment!r}")


def next_midnight(now: datetime) -> datetime:
    require_utc(now)
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    return midnight.astimezone(UTC) + timedelta(days=1)
