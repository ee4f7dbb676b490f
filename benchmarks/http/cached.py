"""A problem from the cache, beside a route that only says hello."""

from __future__ import annotations

from itertools import repeat
from statistics import median

from benchmarks.http.client import load, request
from benchmarks.http.stage import Stage, cpu_seconds

_TURNS = 5
_CONNECTIONS = 16


async def measure(stage: Stage, requests: int) -> dict[str, float]:
    """Load both in turns: what else runs on the machine then disturbs both alike."""
    [token] = stage.people(1)
    problem = request("GET", f"/api/problems/{stage.problem()['slug']}", token)
    hello = request("GET", "/")
    door = stage.processes["bff"].process
    rates: list[float] = []
    costs: list[tuple[float, float]] = []
    ratios: list[float] = []
    with stage.bare_server() as (bare, bare_port):
        for port, sent in ((bare_port, hello), (stage.port, problem)):
            await load(port, [repeat(sent, 200)] * _CONNECTIONS)
        for _ in range(_TURNS):
            turn = []
            for process, port, sent in ((bare, bare_port, hello), (door, stage.port, problem)):
                used = cpu_seconds(process)
                each = [repeat(sent, requests // _CONNECTIONS // _TURNS) for _ in range(_CONNECTIONS)]
                answers = await load(port, each)
                turn.append((answers.rate, (cpu_seconds(process) - used) / len(answers.times)))
            (bare_rate, bare_cost), (rate, cost) = turn
            rates.append(rate)
            ratios.append(rate / bare_rate)
            costs.append((bare_cost, cost))
    bare_cost, cost = (median(each) for each in zip(*costs, strict=True))
    return {
        "requests_per_s": round(median(rates)),
        "to_hello": round(median(ratios), 2),
        "cpu_us": round(cost * 1e6),
        "hello_cpu_us": round(bare_cost * 1e6),
        "to_hello_by_cpu": round(bare_cost / cost, 2),
    }
