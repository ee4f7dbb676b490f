"""Submitting over HTTP, beside the same two inserts by psycopg alone."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from itertools import repeat
from statistics import median, quantiles
from uuid import UUID, uuid4

import psycopg
from psycopg.types.json import Jsonb
from redis.asyncio import Redis

from benchmarks.http.client import load, request
from benchmarks.http.stage import Stage, cpu_seconds
from deepoj_kit.ids import Uuid7
from deepoj_kit.testing.databases import own_database
from deepoj_migrations import upgrade

_TURNS = 5
_SOURCE = "int main() { return 0; }\n" * 20
_SUBMISSION = """
INSERT INTO record.submissions (
    id, account_id, idempotency_key, request_hash, question_id, question_revision, language, code_sha256,
    source_bytes, lane, band, status, submitted_at, updated_at, origin_id, standing, message_due, message_id)
VALUES (%s, %s, %s, %s, %s, 1, 'cpp17', %s, 500, 'heavy', 'normal', 'PENDING', %s, %s, %s, 'head', %s, %s)
"""
_OUTBOX = """
INSERT INTO record.outbox (id, stream, payload, headers, created_at, next_attempt_at)
VALUES (%s, 'jobs', %s, '{}', %s, %s)
"""
_PROCESSES = ("bff", "record", "relay", "question")


async def measure(stage: Stage, submissions: int, width: int) -> dict[str, float]:
    """Submit with `width` people at the same time, in turns with as many connections to the database."""
    problem_id = str(stage.problem()["id"])
    body = {"problem_id": problem_id, "language": "cpp17", "source": _SOURCE}
    sent = [request("POST", "/api/submissions", token, body) for token in stage.people(width)]
    await _announce_worker(stage)
    processes = {name: stage.processes[name].process for name in _PROCESSES}
    own, bare, ratios, times = [], [], [], []
    with own_database(stage.stores) as url:
        upgrade(url, "record")
        await load(stage.port, [repeat(each, 5) for each in sent])
        used = {name: cpu_seconds(process) for name, process in processes.items()}
        for _ in range(_TURNS):
            share = submissions // width // _TURNS
            answers = await load(stage.port, [repeat(each, share) for each in sent])
            times += answers.times
            own.append(answers.rate)
            bare.append(await _by_psycopg(url, share, width))
            ratios.append(own[-1] / bare[-1])
    costs = {name: (cpu_seconds(process) - used[name]) / len(times) for name, process in processes.items()}
    percentiles = quantiles(times, n=100)
    return {
        "submissions_per_s": round(median(own)),
        "bare_per_s": round(median(bare)),
        "to_bare": round(median(ratios), 2),
        "p50_ms": round(percentiles[49] * 1000, 1),
        "p99_ms": round(percentiles[98] * 1000, 1),
        "p99_to_p50": round(percentiles[98] / percentiles[49], 1),
        **{f"{name}_cpu_us": round(cost * 1e6) for name, cost in costs.items()},
    }


async def _announce_worker(stage: Stage) -> None:
    """Submissions are only taken while a worker lives; one that judged would share the processors."""
    async with Redis.from_url(stage.settings["redis_url"]) as redis:
        await redis.zadd(f"deepoj:{stage.settings['env']}:workers", {"bench": time.time() + 3600})


async def _by_psycopg(url: str, each: int, width: int) -> float:
    """Return the transactions a second of `width` connections that insert one after the other."""
    async with AsyncExitStack() as held:
        connections = [
            await held.enter_async_context(await psycopg.AsyncConnection.connect(url)) for _ in range(width)
        ]
        begun = time.perf_counter()
        await asyncio.gather(*(_insert(connection, each) for connection in connections))
        return each * width / (time.perf_counter() - begun)


async def _insert(connection: psycopg.AsyncConnection[object], number: int) -> None:
    for submission, outbox in _rows(number):
        async with connection.transaction():
            await connection.execute(_SUBMISSION, submission)
            await connection.execute(_OUTBOX, outbox)


def _rows(number: int) -> Iterator[tuple[tuple[object, ...], tuple[object, ...]]]:
    new_id, account, question, digest = Uuid7(), uuid4(), UUID(int=5), os.urandom(32)
    for _ in range(number):
        key, message, now = new_id(), new_id(), datetime.now(UTC)
        payload = Jsonb({"job_id": str(key), "account_id": str(account), "question_id": str(question)})
        yield (
            (key, account, str(key), digest, question, digest, now, now, key, now, message),
            (message, payload, now, now),
        )
