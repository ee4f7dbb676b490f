from __future__ import annotations

from datetime import UTC, datetime, timedelta

from deepoj_kit.clock import system_clock
from deepoj_kit.ids import Uuid7, first_id_at

MOMENT = datetime(2026, 3, 4, 5, 6, 7, 891_000, tzinfo=UTC)


def test_the_system_clock_is_aware_and_in_utc() -> None:
    assert system_clock().utcoffset() == timedelta(0)


def test_an_id_is_a_version_7_uuid_that_starts_with_its_millisecond() -> None:
    made = Uuid7(lambda: MOMENT)()
    assert made.version == 7
    assert made.variant == "specified in RFC 4122"
    assert made.int >> 80 == 1_772_600_767_891


def test_ids_grow_while_the_clock_stands_still() -> None:
    new_id = Uuid7(lambda: MOMENT)
    made = [new_id() for _ in range(1000)]
    assert made == sorted(set(made))


def test_ids_grow_when_the_clock_steps_back() -> None:
    moments = iter([MOMENT, MOMENT - timedelta(hours=1), MOMENT + timedelta(milliseconds=1)])
    new_id = Uuid7(lambda: next(moments))
    made = [new_id() for _ in range(3)]
    assert made == sorted(set(made))


def test_ids_grow_past_the_end_of_the_counter() -> None:
    new_id = Uuid7(lambda: MOMENT, lambda bits: (1 << bits) - 1)
    new_id._counter = (1 << 42) - 2  # noqa: SLF001 — two trillion calls would get there too
    new_id._millisecond = int(MOMENT.timestamp() * 1000)  # noqa: SLF001 — the test sets the generator back
    made = [new_id() for _ in range(3)]
    assert made == sorted(set(made))
    assert made[-1].version == 7


def test_every_id_made_before_a_moment_sorts_before_its_first_id() -> None:
    before = Uuid7(lambda: MOMENT - timedelta(milliseconds=1), lambda bits: (1 << bits) - 1)()
    at = Uuid7(lambda: MOMENT, lambda _: 0)()
    assert before < first_id_at(MOMENT) <= at
