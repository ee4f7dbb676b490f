from __future__ import annotations

from deepoj.stack.backoff import FIRST, HEALTHY_AFTER, LONGEST, BackOff


def test_the_wait_doubles_up_to_a_limit() -> None:
    back_off = BackOff()
    waits = [back_off.after(ready_for=0) for _ in range(12)]
    assert waits[:3] == [FIRST, 2 * FIRST, 4 * FIRST]
    assert waits[-1] == LONGEST


def test_a_process_that_was_healthy_for_a_while_starts_over() -> None:
    back_off = BackOff()
    for _ in range(5):
        back_off.after(ready_for=0)
    assert back_off.after(ready_for=HEALTHY_AFTER) == FIRST
