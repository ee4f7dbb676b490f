from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deepoj_domain.admission.decide import (
    AdmissionLimits,
    AdmissionRefusal,
    AdmissionSnapshot,
    Admitted,
    TurnedAway,
    decide,
)
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.token_bucket import RateLimit, TokenBucket
from deepoj_domain.testing import NOW

SECOND = timedelta(seconds=1)
RATE = RateLimit(interval=2 * SECOND, burst=3)
LIMITS = AdmissionLimits(rate=RATE, in_flight=2, daily_quota=10, queue_high_water=100, busy_retry=7 * SECOND)
QUIET = AdmissionSnapshot(
    now=NOW, bucket=TokenBucket(NOW), in_flight=0, submitted_today=0, queue_depth=0, live_workers=1
)
EMPTY = TokenBucket(NOW + 6 * SECOND)


def test_on_a_quiet_day_a_submission_is_admitted_and_costs_a_token() -> None:
    assert decide(LIMITS, QUIET) == Admitted(TokenBucket(NOW + 2 * SECOND))


@pytest.mark.parametrize(
    ("seen", "reason", "wait"),
    [
        (replace(QUIET, live_workers=0), AdmissionRefusal.NO_WORKER_ALIVE, 7 * SECOND),
        (replace(QUIET, queue_depth=100), AdmissionRefusal.QUEUE_FULL, 7 * SECOND),
        (replace(QUIET, submitted_today=10), AdmissionRefusal.DAILY_QUOTA_SPENT, timedelta(hours=12)),
        (replace(QUIET, in_flight=2), AdmissionRefusal.TOO_MANY_IN_FLIGHT, 7 * SECOND),
        (replace(QUIET, bucket=EMPTY), AdmissionRefusal.RATE_LIMITED, 2 * SECOND),
    ],
)
def test_each_limit_refuses_with_its_reason_and_a_time_to_come_back(
    seen: AdmissionSnapshot, reason: AdmissionRefusal, wait: timedelta
) -> None:
    assert decide(LIMITS, seen) == TurnedAway(reason, wait)


@pytest.mark.parametrize(
    "seen",
    [
        replace(QUIET, queue_depth=99),
        replace(QUIET, submitted_today=9),
        replace(QUIET, in_flight=1),
        replace(QUIET, bucket=EMPTY, now=NOW + 2 * SECOND),
    ],
)
def test_just_below_each_limit_a_submission_is_admitted(seen: AdmissionSnapshot) -> None:
    assert isinstance(decide(LIMITS, seen), Admitted)


def test_the_system_is_blamed_before_the_person() -> None:
    everything = replace(
        QUIET, live_workers=0, queue_depth=999, in_flight=9, submitted_today=99, bucket=EMPTY
    )
    refused = decide(LIMITS, everything)
    assert isinstance(refused, TurnedAway)
    assert refused.reason is AdmissionRefusal.NO_WORKER_ALIVE


def test_a_full_bucket_gives_its_burst_and_then_one_token_an_interval() -> None:
    bucket = TokenBucket(NOW)
    for _ in range(RATE.burst):
        assert bucket.wait(RATE, NOW) == timedelta(0)
        bucket = bucket.taken(RATE, NOW)
    assert bucket.wait(RATE, NOW) == RATE.interval
    assert bucket.wait(RATE, NOW + RATE.interval) == timedelta(0)


@settings(max_examples=100, derandomize=True, deadline=None, database=None)
@given(st.lists(st.integers(0, 5_000), max_size=60))
def test_no_pattern_of_requests_beats_the_rate_limit(pauses_ms: list[int]) -> None:
    now, bucket, admitted = NOW, TokenBucket(NOW), 0
    for pause in pauses_ms:
        now += timedelta(milliseconds=pause)
        if not bucket.wait(RATE, now):
            bucket, admitted = bucket.taken(RATE, now), admitted + 1
        assert admitted <= RATE.burst + (now - NOW) // RATE.interval


@settings(max_examples=100, derandomize=True, deadline=None, database=None)
@given(st.integers(0, 30_000))
def test_who_waits_as_told_is_not_rate_limited_again(full_in_ms: int) -> None:
    bucket = TokenBucket(NOW + timedelta(milliseconds=full_in_ms))
    assert not bucket.wait(RATE, NOW + bucket.wait(RATE, NOW))


@pytest.mark.parametrize(("interval", "burst"), [(timedelta(0), 1), (SECOND, 0)])
def test_a_rate_limit_that_admits_nobody_or_everybody_is_refused(interval: timedelta, burst: int) -> None:
    with pytest.raises(InvalidValueError):
        RateLimit(interval, burst)
