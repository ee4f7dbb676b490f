"""What open event streams cost."""

from __future__ import annotations

import asyncio

from benchmarks.http.client import EventStream
from benchmarks.http.stage import Stage, resident_bytes

_ACCOUNTS = 20
_AT_ONCE = 50
_MIB = 1 << 20


async def measure(stage: Stage, number: int) -> dict[str, float]:
    door = stage.processes["bff"].process
    tokens = stage.people(_ACCOUNTS)
    before = resident_bytes(door)
    opened = await _open(stage, [tokens[index % _ACCOUNTS] for index in range(number)])
    grown = resident_bytes(door) - before
    return {"streams": len(opened), "rss_before_mib": round(before / _MIB), "grown_mib": round(grown / _MIB)}


async def _open(stage: Stage, tokens: list[str]) -> list[EventStream]:
    left, opened = iter(tokens), []

    async def some() -> None:
        for token in left:
            stream = await EventStream.open(stage.port, "/api/submissions/events", token)
            await stream.next()
            opened.append(stream)

    await asyncio.gather(*(some() for _ in range(_AT_ONCE)))
    return opened
