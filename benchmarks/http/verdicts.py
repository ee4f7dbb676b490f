"""How long a verdict takes from record to somebody who watches."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Container, Sequence
from datetime import datetime
from statistics import median, quantiles

import psycopg

from benchmarks.http.client import EventStream, load, request
from benchmarks.http.stage import Stage

_WATCHERS = 4
_WARM_UP = 5
_FINISHED = "SELECT id::text, finished_at FROM record.submissions WHERE id = ANY(%s::uuid[])"


async def measure(stage: Stage, submissions: int) -> dict[str, float]:
    """Let a few people each submit, wait for the verdict on their stream, and submit again.

    The time counts from `finished_at`, which record takes just before it commits: it is a little too long.
    """
    tokens = stage.people(_WATCHERS)
    problem_id = str(stage.problem()["id"])
    with stage.judge():
        found = await asyncio.gather(
            *(_watch(stage, token, problem_id, submissions // _WATCHERS + _WARM_UP) for token in tokens)
        )
    arrived = {key: when for each in found for key, when in each[_WARM_UP:]}
    finished = _finished_at(stage, list(arrived))
    delays = [(when - finished[key].timestamp()) * 1000 for key, when in arrived.items()]
    return {
        "verdicts": len(delays),
        "p50_ms": round(median(delays), 1),
        "p95_ms": round(quantiles(delays, n=20)[-1], 1),
        "most_ms": round(max(delays), 1),
    }


async def _watch(stage: Stage, token: str, problem_id: str, number: int) -> list[tuple[str, float]]:
    body = {"problem_id": problem_id, "language": "python3", "source": "print()"}
    submit = request("POST", "/api/submissions", token, body)
    stream = await EventStream.open(stage.port, "/api/submissions/events", token)
    arrived: dict[str, float] = {}
    for _ in range(number):
        await load(stage.port, [iter([submit])])
        key, when = await _terminal(stream, arrived)
        arrived[key] = when
    stream.close()
    return list(arrived.items())


async def _terminal(stream: EventStream, seen: Container[str]) -> tuple[str, float]:
    """Wait for the verdict of one not seen yet: a state may be told more than once."""
    while (event := await stream.next()) is not None:
        when = time.time()
        name, data = event
        if name == "submission":
            shown = json.loads(data)["submission"]
            if shown["status"] == "finished" and shown["id"] not in seen:
                return shown["id"], when
    raise RuntimeError("the stream has ended")


def _finished_at(stage: Stage, ids: Sequence[str]) -> dict[str, datetime]:
    with psycopg.connect(stage.settings["postgres_url"]) as connection:
        return dict(connection.execute(_FINISHED, (ids,)).fetchall())
