"""How long a contest verdict takes while others do their worst, to the same on a quiet system.

    uv run python -m benchmarks.fairness
    uv run python -m benchmarks.fairness --verdicts 40 --sleepers 2 --json

Every service a process, one core to judge with, the limits of an account as they are by default. One
contestant sends right programs to a running contest, one after the other, and waits for each verdict:

quiet     nothing else happens
runs      other accounts keep as many custom runs under way as they may, half asleep, half busy
sleepers  other contestants keep as many submissions that sleep in the same contest as they may
both      all of that together

The time of a verdict counts from the request to the moment the event stream tells it, all over HTTP. A ratio
has both sides from the same run of the benchmark.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from statistics import median, quantiles
from uuid import uuid4

import httpx

from benchmarks.http.stage import LIMITS, Stage, stage

RIGHT = "print(3)  # {}"
ASLEEP = "import time\ntime.sleep(600)  # {}"
BUSY = "while True: pass  # {}"
HOUR = timedelta(hours=1)
# What the system does by itself is part of what is measured.
DEFAULTS = {name: value for name, value in LIMITS.items() if not name.startswith(("submit_", "queue_"))}
_REFUSED_PAUSE = 0.25


@dataclass(frozen=True)
class Contest:
    client: httpx.AsyncClient
    contest_id: str
    problem_id: str

    async def submit(self, token: str, source: str) -> str | None:
        """Return the submission's id, None when the account may not send now."""
        body = {
            "problem_id": self.problem_id,
            "contest_id": self.contest_id,
            "language": "python3",
            "source": source.format(uuid4()),
        }
        answer = await self.client.post("/api/submissions", json=body, headers=_as(token))
        if answer.status_code == httpx.codes.TOO_MANY_REQUESTS:
            return None
        return str(answer.raise_for_status().json()["submission_id"])

    async def ended(self, token: str, submission_id: str) -> str:
        """Wait for the end of the event stream; return the verdict."""
        path, verdict = f"/api/submissions/{submission_id}/events", ""
        async with self.client.stream("GET", path, headers=_as(token)) as answer:
            async for line in answer.aiter_lines():
                if line.startswith("data: ") and (told := json.loads(line[6:]).get("submission")):
                    verdict = told["result"]["verdict"] if told["result"] else ""
        return verdict

    async def run(self, token: str, source: str) -> None:
        body = {"language": "python3", "source": source.format(uuid4()), "input": "", "time_limit_ms": 10_000}
        answer = await self.client.post("/api/runs", json=body, headers=_as(token))
        if not answer.is_success:
            await asyncio.sleep(_REFUSED_PAUSE)


def _as(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


async def verdicts(contest: Contest, token: str, number: int) -> list[float]:
    times: list[float] = []
    while len(times) < number:
        begun = time.perf_counter()
        submission_id = await contest.submit(token, RIGHT)
        if submission_id is None:
            await asyncio.sleep(_REFUSED_PAUSE)
            continue
        verdict = await contest.ended(token, submission_id)
        if verdict != "AC":
            raise RuntimeError(f"a right program was judged {verdict!r}")
        times.append(time.perf_counter() - begun)
    return times


async def keep_running(contest: Contest, token: str, source: str) -> None:
    while True:
        await contest.run(token, source)


async def keep_sleeping(contest: Contest, token: str) -> None:
    while True:
        if await contest.submit(token, ASLEEP) is None:
            await asyncio.sleep(_REFUSED_PAUSE)


@asynccontextmanager
async def beside(*loads: Awaitable[None]) -> AsyncIterator[None]:
    tasks = [asyncio.ensure_future(each) for each in loads]
    try:
        # The others have all they may have before the first verdict is waited for.
        await asyncio.wait(tasks, timeout=5) if tasks else None
        yield
    finally:
        for task in tasks:
            task.cancel()
        for ended in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(ended, Exception):
                raise ended


async def measure(made: Stage, arguments: argparse.Namespace) -> dict[str, dict[str, float]]:
    tokens = made.people(1 + arguments.runners + arguments.sleepers)
    victim, runners, sleepers = tokens[0], tokens[1 : 1 + arguments.runners], tokens[1 + arguments.runners :]
    problem_id, contest_id = open_contest(made, [victim, *sleepers])
    found: dict[str, dict[str, float]] = {}
    async with httpx.AsyncClient(
        base_url=f"http://127.0.0.1:{made.port}", timeout=300, limits=httpx.Limits(max_connections=500)
    ) as client:
        contest = Contest(client, contest_id, problem_id)
        await verdicts(contest, victim, 3)

        def runs() -> list[Awaitable[None]]:
            sources = [(token, source) for token in runners for source in (ASLEEP, BUSY)]
            return [keep_running(contest, token, source) for token, source in sources]

        def sleeping() -> list[Awaitable[None]]:
            return [keep_sleeping(contest, token) for token in sleepers]

        loads: dict[str, Callable[[], list[Awaitable[None]]]] = {
            "quiet": list,
            "runs": runs,
            "sleepers": sleeping,
            "both": lambda: runs() + sleeping(),
        }
        for name, load in loads.items():
            async with beside(*load()):
                found[name] = summary(await verdicts(contest, victim, arguments.verdicts))
            await asyncio.to_thread(drain, made)
            found[name]["p95_ratio"] = round(found[name]["p95_s"] / found["quiet"]["p95_s"], 2)
            if not arguments.json:
                print(
                    f"{name}: " + ", ".join(f"{key} {value}" for key, value in found[name].items()),
                    flush=True,
                )
    return found


def drain(made: Stage) -> None:
    """Wait until what the load left behind is judged."""
    admin = made.admin()
    while any(queue["waiting"] for queue in made.call("GET", "/admin/queue", token=admin)["queues"]):
        time.sleep(_REFUSED_PAUSE)


def open_contest(made: Stage, people: list[str]) -> tuple[str, str]:
    problem_id, now = str(made.problem(time_ms=1000, answer=b"3\n")["id"]), datetime.now(UTC)
    draft = {
        "title": "Fair",
        "format": "icpc",
        "schedule": {"starts_at": (now - HOUR).isoformat(), "ends_at": (now + HOUR).isoformat()},
        "problems": [{"problem_id": problem_id, "label": "A"}],
        "entry": {"during_contest": True},
    }
    contest_id = str(made.call("POST", "/contests", draft, made.admin())["id"])
    for number, token in enumerate(people):
        made.call("POST", f"/contests/{contest_id}/participants", {"display_name": f"P{number}"}, token)
    return problem_id, contest_id


def summary(times: list[float]) -> dict[str, float]:
    return {
        "verdicts": len(times),
        "p50_s": round(median(times), 3),
        "p95_s": round(quantiles(times, n=20)[-1], 3),
        "most_s": round(max(times), 3),
        "machine_load": round(os.getloadavg()[0], 1),
    }


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--verdicts", type=int, default=20, help="to wait for in each part (20)")
    parser.add_argument("--runners", type=int, default=20, help="accounts with custom runs (20)")
    parser.add_argument("--sleepers", type=int, default=4, help="contestants whose programs sleep (4)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    return parser.parse_args()


def main() -> int:
    arguments = parsed()
    logging.disable(logging.INFO)
    with stage("warning", "0", DEFAULTS) as made, made.judge(runner="auto"):
        found = asyncio.run(measure(made, arguments))
    if arguments.json:
        print(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
