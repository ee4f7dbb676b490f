"""How long a verdict takes to reach somebody who watches."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Container, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import repeat
from statistics import median, quantiles

import psycopg

from benchmarks.http.client import EventStream, load, request
from benchmarks.http.stage import Stage

_WATCHERS = 4
_WARM_UP = 5
_TURNS = 5
_FINISHED = "SELECT id::text, finished_at FROM record.submissions WHERE id = ANY(%s::uuid[])"


@dataclass(frozen=True, slots=True)
class _Verdict:
    submission_id: str
    sent_at: float
    arrived_at: float

    @property
    def ms(self) -> float:
        return (self.arrived_at - self.sent_at) * 1000


async def measure(stage: Stage, submissions: int) -> dict[str, float]:
    """Let people submit, wait for the verdict on their stream, submit again: one alone, then a few at once.

    `lone` is from the POST to the frame in the client's hands. In the same turns a server that only says
    hello is asked, one request at a time: what a round trip costs on this machine in this minute. `told` is
    from `finished_at`, which record takes just before it commits (so it is a little too long), to the frame.
    """
    tokens = stage.people(_WATCHERS)
    problem_id = str(stage.problem()["id"])
    lone: list[_Verdict] = []
    bare: list[float] = []
    with stage.judge(), stage.bare_server() as (_, bare_port):
        for _ in range(_TURNS):
            lone += await _verdicts(stage, tokens[0], problem_id, submissions // 2 // _TURNS)
            bare += (await load(bare_port, [repeat(request("GET", "/"), 100)])).times
        together = await asyncio.gather(
            *(_verdicts(stage, token, problem_id, submissions // 2 // _WATCHERS) for token in tokens)
        )
    crowd = [verdict for of_one in together for verdict in of_one]
    finished = _finished_at(stage, [verdict.submission_id for verdict in crowd])
    told = [(each.arrived_at - finished[each.submission_id].timestamp()) * 1000 for each in crowd]
    return {
        **_spread("lone", [verdict.ms for verdict in lone]),
        "hello_p50_ms": round(median(bare) * 1000, 2),
        **_spread("told", told),
    }


def _spread(name: str, times: Sequence[float]) -> dict[str, float]:
    return {
        f"{name}_verdicts": len(times),
        f"{name}_p50_ms": round(median(times), 1),
        f"{name}_p95_ms": round(quantiles(times, n=20)[-1], 1),
        f"{name}_most_ms": round(max(times), 1),
    }


async def _verdicts(stage: Stage, token: str, problem_id: str, number: int) -> list[_Verdict]:
    body = {"problem_id": problem_id, "language": "python3", "source": "print()"}
    submit = request("POST", "/api/submissions", token, body)
    stream = await EventStream.open(stage.port, "/api/submissions/events", token)
    found: dict[str, _Verdict] = {}
    for _ in range(number + _WARM_UP):
        sent_at = time.time()
        await load(stage.port, [iter([submit])])
        key, arrived_at = await _terminal(stream, found)
        found[key] = _Verdict(key, sent_at, arrived_at)
    stream.close()
    return list(found.values())[_WARM_UP:]


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
