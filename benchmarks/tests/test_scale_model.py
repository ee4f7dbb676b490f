"""The model of the fleet: it adds up, and it knows what is busy first."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from benchmarks.scale.measure import Measured
from benchmarks.scale.model import PLANNED, Costs, Fleet, limits, needs, throughput
from benchmarks.scale.page import tables, written

MEASURED = Path(__file__).parents[1] / "scale" / "measured.json"
PAGE = Path(__file__).parents[2] / "docs" / "scaling.md"
COSTS = Costs(
    record_us=500, postgres_us=1000, redis_us=100, worker_us=400, transactions=4, rows_written=8, rows_read=9,
    wal_bytes=5000, wal_syncs=2, redis_commands=6, redis_bytes=2000, redis_memory=300, idle_commands=2,
    idle_redis_us=50,
)  # fmt: skip


def test_a_fleet_asks_for_what_its_submissions_and_its_waiting_cost() -> None:
    needed = needs(COSTS, Fleet(hosts=100, cores=8, seconds=2.0))
    assert needed.submissions == 400
    assert (needed.transactions, needed.rows_written, needed.wal_mb) == (1600, 3200, 2.0)
    assert needed.redis_commands == 400 * 6 + 100 * 2
    assert needed.redis_busy == pytest.approx((400 * 100 + 100 * 50) / 1e6)
    assert needed.postgres_cores == pytest.approx(0.4 / PLANNED)
    assert needed.wal_gb_a_day == pytest.approx(2.0 * 86_400 / 1000)


@pytest.mark.parametrize(("hosts", "processes"), [(1, 1), (350, 1), (351, 2), (1000, 3)])
def test_record_gets_a_process_more_before_one_is_too_busy(hosts: int, processes: int) -> None:
    """700 ms a second are planned: 1,400 submissions of 0.5 ms."""
    assert needs(COSTS, Fleet(hosts=hosts)).record_processes == processes


@pytest.mark.parametrize(
    ("field", "first"), [("record_us", "record"), ("redis_us", "Redis"), ("postgres_us", "PostgreSQL")]
)
def test_what_costs_most_for_its_size_is_busy_first(field: str, first: str) -> None:
    dear = msgspec.structs.replace(COSTS, **{field: 100_000})
    found = limits(dear, Fleet(hosts=1), postgres_cores=16, network_bytes=1e9)
    assert first in found[0].station
    assert [each.hosts for each in found] == sorted(each.hosts for each in found)


def test_at_its_limit_a_station_is_as_busy_as_is_planned() -> None:
    waiting = msgspec.structs.replace(COSTS, idle_redis_us=300)
    limit = next(each for each in limits(waiting, Fleet(hosts=7), 16, 1e9) if "Redis" in each.station)
    assert limit.hosts == pytest.approx(1000)
    assert needs(waiting, Fleet(hosts=1000)).redis_busy == pytest.approx(PLANNED)


def test_one_machine_is_as_fast_as_its_busiest_thread_or_all_its_cores() -> None:
    assert throughput(COSTS, client_us=100, cores=64, workers=1) == pytest.approx(1e6 / 500)
    assert throughput(COSTS, client_us=100, cores=2, workers=1) == pytest.approx(2e6 / 2100)
    slow = msgspec.structs.replace(COSTS, worker_us=4000)
    assert throughput(slow, client_us=0, cores=64, workers=4) == pytest.approx(1e6 / 1000)


def test_what_was_measured_does_not_grow_with_the_number_of_workers() -> None:
    """The model has no term for it."""
    found = msgspec.json.decode(MEASURED.read_bytes(), type=list[Measured])
    assert len({each.size.workers for each in found}) == len(found)
    for name in ("redis_bytes", "rows_written"):
        values = [getattr(each.costs, name) for each in found]
        assert max(values) < 1.1 * min(values), name


def test_the_page_says_what_was_measured() -> None:
    found = msgspec.json.decode(MEASURED.read_bytes(), type=list[Measured])
    page = PAGE.read_text()
    assert written(page, found) == page, "uv run python -m benchmarks.scale --page docs/scaling.md"
    for table in tables(found).values():
        assert table in page


def test_a_page_without_a_place_for_a_table_is_refused() -> None:
    found = msgspec.json.decode(MEASURED.read_bytes(), type=list[Measured])
    with pytest.raises(ValueError, match="no place for the table 'costs'"):
        written("", found)
