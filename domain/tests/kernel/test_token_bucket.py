from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from deepoj_domain.kernel.token_bucket import RateLimit, TokenBucket
from deepoj_domain.testing import NOW

LIMIT = RateLimit(timedelta(seconds=10), 3)
NO_WAIT = timedelta(0)


def test_a_burst_then_an_even_pace() -> None:
    bucket = TokenBucket(NOW)
    for _ in range(3):
        assert bucket.wait(LIMIT, NOW) == NO_WAIT
        bucket = bucket.taken(LIMIT, NOW)
    assert bucket.wait(LIMIT, NOW) == LIMIT.interval
    assert bucket.wait(LIMIT, NOW + LIMIT.interval) == NO_WAIT


def test_a_token_given_back_is_there_again() -> None:
    bucket = TokenBucket(NOW)
    for _ in range(3):
        bucket = bucket.taken(LIMIT, NOW)
    assert bucket.given_back(LIMIT).wait(LIMIT, NOW) == NO_WAIT


@given(st.lists(st.integers(0, 15_000), max_size=60))
def test_no_more_than_the_burst_and_what_time_has_added_ever_gets_through(gaps_ms: list[int]) -> None:
    now, bucket, allowed = NOW, TokenBucket(NOW), 0
    for gap in gaps_ms:
        now += timedelta(milliseconds=gap)
        if wait := bucket.wait(LIMIT, now):
            assert bucket.wait(LIMIT, now + wait) == NO_WAIT
        else:
            bucket, allowed = bucket.taken(LIMIT, now), allowed + 1
    assert allowed <= LIMIT.burst + (now - NOW) // LIMIT.interval + 1
