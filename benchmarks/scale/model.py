"""What a number of judge hosts needs, from what a submission costs: the utilisation law, and where it ends.

Each station is busy for (submissions a second × its time for one) + (hosts × what an idle host asks of it). A
station of one thread can be busy for 1 s a second, and is planned for less, because at a share u of it
people wait u / (1 - u) times as long as they are served.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import msgspec

PLANNED: Final = 0.7
"""Busy for more than this, a station makes people wait for more than twice its own time."""


class Costs(msgspec.Struct, frozen=True, kw_only=True):
    """Of one submission through the pipeline, unless it says otherwise."""

    record_us: float
    """CPU time of record; a process of it has one thread that matters."""
    postgres_us: float
    redis_us: float
    worker_us: float
    """CPU time on a judge host besides judging."""
    transactions: float
    rows_written: float
    rows_read: float
    wal_bytes: float
    wal_syncs: float
    redis_commands: float
    redis_bytes: float
    """In and out."""
    redis_memory: float
    """Left in the streams."""
    idle_commands: float
    """Redis commands of one idle worker in a second."""
    idle_redis_us: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Fleet:
    hosts: int
    cores: int = 8
    seconds: float = 2.0
    """For which a submission holds a core."""

    @property
    def rate(self) -> float:
        """Submissions a second when all are busy: the most that can come out."""
        return self.hosts * self.cores / self.seconds


class Needs(msgspec.Struct, frozen=True, kw_only=True):
    hosts: int
    submissions: float
    """A second, and so the next ones."""
    transactions: float
    rows_written: float
    wal_mb: float
    redis_commands: float
    redis_mb: float
    record_processes: int
    postgres_cores: float
    redis_busy: float
    """Of its one thread."""
    cores_of_a_worker: float
    """Of each host, besides judging."""
    wal_gb_a_day: float
    """What replicas and archives take."""


def needs(costs: Costs, fleet: Fleet) -> Needs:
    rate = fleet.rate
    return Needs(
        hosts=fleet.hosts,
        submissions=rate,
        transactions=rate * costs.transactions,
        rows_written=rate * costs.rows_written,
        wal_mb=rate * costs.wal_bytes / 1e6,
        redis_commands=rate * costs.redis_commands + fleet.hosts * costs.idle_commands,
        redis_mb=rate * costs.redis_bytes / 1e6,
        record_processes=max(1, math.ceil(rate * costs.record_us / 1e6 / PLANNED)),
        postgres_cores=rate * costs.postgres_us / 1e6 / PLANNED,
        redis_busy=(rate * costs.redis_us + fleet.hosts * costs.idle_redis_us) / 1e6,
        cores_of_a_worker=rate * costs.worker_us / fleet.hosts / 1e6,
        wal_gb_a_day=rate * costs.wal_bytes * 86_400 / 1e9,
    )


class Limit(msgspec.Struct, frozen=True):
    station: str
    hosts: float
    """With which it is as busy as is planned."""


def limits(costs: Costs, host: Fleet, postgres_cores: int, network_bytes: float) -> list[Limit]:
    """Of one server each, and hosts like this one: the lowest first. Copies of record are added as needed."""
    rate = host.rate / host.hosts
    asked_by_a_host = {
        f"PostgreSQL with {postgres_cores} cores": rate * costs.postgres_us / postgres_cores / 1e6,
        "Redis with its one thread": (rate * costs.redis_us + costs.idle_redis_us) / 1e6,
        "the network of Redis": rate * costs.redis_bytes / network_bytes,
        "one process of record": rate * costs.record_us / 1e6,
    }
    found = (Limit(station, PLANNED / share) for station, share in asked_by_a_host.items())
    return sorted(found, key=lambda limit: limit.hosts)


def throughput(costs: Costs, client_us: float, cores: int, workers: int) -> float:
    """Submissions a second where one machine does everything: its busiest thread, or all its cores."""
    together = costs.record_us + costs.postgres_us + costs.redis_us + costs.worker_us + client_us
    threads = (costs.record_us, costs.redis_us, client_us, costs.worker_us / workers)
    return min(1e6 / max(threads), cores * 1e6 / together)
