from datetime import datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from deepoj_domain.account.throttle import Limit, charged, wait_for
from deepoj_domain.testing import NOW

LIMIT = Limit(3, timedelta(seconds=10))


def test_a_burst_then_an_even_pace() -> None:
    paid: datetime | None = None
    for _ in range(3):
        paid = charged(paid, LIMIT, NOW)
        assert paid is not None
    assert charged(paid, LIMIT, NOW) is None
    assert wait_for(NOW + LIMIT.debt, LIMIT, NOW) == LIMIT.pace
    assert charged(paid, LIMIT, NOW + LIMIT.pace) is not None


@given(st.lists(st.integers(0, 15_000), max_size=60))
def test_no_more_than_the_burst_and_what_time_has_added_ever_gets_through(gaps_ms: list[int]) -> None:
    now, paid, allowed = NOW, None, 0
    for gap in gaps_ms:
        now += timedelta(milliseconds=gap)
        after = charged(paid, LIMIT, now)
        if after is None:
            assert paid is not None
            wait = wait_for(paid, LIMIT, now)
            assert wait > timedelta(0)
            assert charged(paid, LIMIT, now + wait) is not None
        else:
            paid, allowed = after, allowed + 1
    assert allowed <= LIMIT.burst + (now - NOW) // LIMIT.pace + 1
