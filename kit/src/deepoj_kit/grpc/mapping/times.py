"""Times of protobuf as ours. Faster than protobuf's own conversions, which are written in Python too."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_DAY: Final = 86_400
_NANOS: Final = 1_000_000_000
_NANOS_OF_A_MICRO: Final = 1000
_NANOS_OF_A_MILLI: Final = 1_000_000
_MILLIS: Final = 1000


def moment(stamp: Timestamp) -> datetime:
    if not 0 <= stamp.nanos < _NANOS:
        raise ValueError("nanoseconds are out of range")
    return _EPOCH + timedelta(seconds=stamp.seconds, microseconds=stamp.nanos // _NANOS_OF_A_MICRO)


def timestamp(moment: datetime) -> Timestamp:
    """A moment without a zone is one in UTC."""
    since = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - _EPOCH
    return Timestamp(seconds=since.days * _DAY + since.seconds, nanos=since.microseconds * _NANOS_OF_A_MICRO)


def length(duration: Duration) -> timedelta:
    return duration.ToTimedelta()


def milliseconds(duration: Duration) -> int:
    return duration.ToMilliseconds()


def duration(length: timedelta) -> Duration:
    made = Duration()
    made.FromTimedelta(length)
    return made


def duration_of(milliseconds: int) -> Duration:
    seconds, rest = divmod(abs(milliseconds), _MILLIS)
    sign = -1 if milliseconds < 0 else 1
    return Duration(seconds=sign * seconds, nanos=sign * rest * _NANOS_OF_A_MILLI)
