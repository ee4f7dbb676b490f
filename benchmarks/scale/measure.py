"""Run submissions through the real pipeline around a runner that judges nothing, and read what they cost."""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import AsyncExitStack, ExitStack, contextmanager
from pathlib import Path
from typing import Final

import msgspec

from benchmarks.pipeline.__main__ import Bench, OneQuestion, submit_all
from benchmarks.scale.counters import Postgres, RedisServer, cpu_us
from benchmarks.scale.model import Costs
from deepoj_bff.outbound.grpc.submit_batches import SubmitBatches
from deepoj_kit.grpc import Server, connect
from deepoj_kit.lifecycle import Readiness
from deepoj_kit.settings import Secret
from deepoj_kit.testing import servers as embedded
from deepoj_kit.testing.services import TOKEN
from deepoj_migrations import upgrade
from deepoj_proto.question.v1.question_pb2_grpc import add_QuestionServiceServicer_to_server

WARM_UP: Final = 100
# Two announcements of a worker; and PostgreSQL tells what a backend counted when it was idle for ten seconds.
IDLE_SECONDS: Final = 12.0
Reading = dict[str, Counter[str]]
_CLIENT: Final = "client"


class Size(msgspec.Struct, frozen=True):
    workers: int
    jobs: int


class Measured(msgspec.Struct, frozen=True, kw_only=True):
    size: Size
    costs: Costs
    client_us: float
    """CPU time of whoever submits, in the place of the front door."""
    throughput: float
    commands: dict[str, float]
    load: float
    """Of the machine by others and us, as the kernel averages it over a minute."""


@contextmanager
def stage() -> Iterator[Bench]:
    """Servers that write their logs to the disk as in production."""
    with ExitStack() as cleanup:
        temporary = tempfile.TemporaryDirectory(prefix="bench-", ignore_cleanup_errors=True)
        home = Path(cleanup.enter_context(temporary))
        stores = embedded.start(cleanup, ephemeral=False)
        for service in ("record", "judgement"):
            upgrade(stores.postgres_url, service)
        yield Bench(home, stores, cleanup)


async def measure(bench: Bench, redis_url: str, size: Size) -> Measured:
    async with AsyncExitStack() as held:
        server = Server(bench.question_address, Secret(TOKEN), Readiness())
        question = OneQuestion()  # type: ignore[abstract]  # only Get is asked
        add_QuestionServiceServicer_to_server(question, server.registry)
        await held.enter_async_context(server)
        channel = await held.enter_async_context(connect(bench.record_address, Secret(TOKEN)))
        record = await asyncio.to_thread(bench.start, "record", listen=bench.record_address)
        alone = _Counts(bench.database, redis_url, {"record": record.pid})
        before_workers = alone.read()
        await asyncio.sleep(IDLE_SECONDS)
        base = _Between(before_workers, alone.read())
        names = [f"worker-{number}" for number in range(size.workers)]
        workers = [
            await asyncio.to_thread(
                bench.start, "judgement", runner="noop", worker_name=name, home=str(bench.home / name)
            )
            for name in names
        ]
        pids = {"record": record.pid, _CLIENT: os.getpid()}
        pids |= {name: worker.pid for name, worker in zip(names, workers, strict=True)}
        counts = _Counts(bench.database, redis_url, pids)
        submit = SubmitBatches(channel)
        await _through(bench, submit, counts, WARM_UP)
        await asyncio.sleep(IDLE_SECONDS)
        before_idle = counts.read()
        await asyncio.sleep(IDLE_SECONDS)
        before = counts.read()
        begun = time.perf_counter()
        await _through(bench, submit, counts, size.jobs)
        seconds = time.perf_counter() - begun
        await asyncio.sleep(IDLE_SECONDS)
        after = counts.read()
    idle = _Between(before_idle, before)
    return _measured(size, _Between(before, after), idle, base, seconds)


async def _through(bench: Bench, submit: SubmitBatches, counts: _Counts, jobs: int) -> None:
    wanted = counts.postgres.finished() + jobs
    await submit_all(submit, bench, jobs)
    while counts.postgres.finished() < wanted:  # noqa: ASYNC110 — other processes do it
        await asyncio.sleep(0.05)


class _Counts:
    def __init__(self, database: str, redis_url: str, pids: dict[str, int]) -> None:
        self.postgres = Postgres(database)
        self._redis = RedisServer(redis_url)
        self._pids = pids

    def read(self) -> Reading:
        return {"postgres": self.postgres.read(), "redis": self._redis.read(), "cpu": cpu_us(self._pids)}


class _Between:
    """What was counted between two readings."""

    def __init__(self, before: Reading, after: Reading) -> None:
        self._before = before
        self._after = after

    def __call__(self, place: str, name: str) -> int:
        return self._after[place][name] - self._before[place][name]

    def names(self, place: str) -> list[str]:
        return sorted(self._after[place])


def _measured(size: Size, busy: _Between, idle: _Between, base: _Between, seconds: float) -> Measured:
    def each(place: str, name: str) -> float:
        """Of one submission: what it cost to be idle for as long as was waited afterwards is left out."""
        return (busy(place, name) - idle(place, name)) / size.jobs

    def waiting(name: str) -> float:
        """Of one worker in a second."""
        return (idle("redis", name) - base("redis", name)) / (IDLE_SECONDS * size.workers)

    workers = [name for name in busy.names("cpu") if name.startswith("worker-")]
    commands = {name: each("redis", name) for name in busy.names("redis") if name.startswith("command ")}
    costs = Costs(
        record_us=each("cpu", "record"),
        postgres_us=each("postgres", "cpu_us"),
        redis_us=each("redis", "cpu_us"),
        worker_us=sum(each("cpu", name) for name in workers),
        transactions=each("postgres", "transactions"),
        rows_written=each("postgres", "rows_written"),
        rows_read=each("postgres", "rows_read"),
        wal_bytes=each("postgres", "wal_bytes"),
        wal_syncs=each("postgres", "wal_syncs"),
        redis_commands=each("redis", "commands"),
        redis_bytes=each("redis", "bytes_in") + each("redis", "bytes_out"),
        redis_memory=each("redis", "memory"),
        idle_commands=waiting("commands"),
        idle_redis_us=waiting("cpu_us"),
    )
    return Measured(
        size=size,
        costs=costs,
        client_us=each("cpu", _CLIENT),
        throughput=size.jobs / seconds,
        commands={
            name.removeprefix("command "): round(value, 3) for name, value in commands.items() if value
        },
        load=os.getloadavg()[0],
    )
