"""What open event streams cost, and how the front door stops with all of them open."""

from __future__ import annotations

import asyncio
import socket
import time

from benchmarks.http.client import EventStream, request
from benchmarks.http.stage import Stage, resident_bytes

PATH = "/api/submissions/events"
_ACCOUNTS = 20
_AT_ONCE = 50
_MIB = 1 << 20


async def measure(stage: Stage, number: int) -> dict[str, float]:
    """Leaves no front door behind: this section is the last."""
    door = stage.processes["bff"].process
    tokens = stage.people(_ACCOUNTS)
    before = resident_bytes(door)
    opened = await _open(stage.port, [tokens[index % _ACCOUNTS] for index in range(number)])
    grown = resident_bytes(door) - before
    with _not_reading(stage.port, tokens[0]):
        begun = time.perf_counter()
        door.ask_to_stop()
        ended = await asyncio.gather(*(_ends(stream) for stream in opened))
        code = await asyncio.to_thread(door.wait)
    return {
        "streams": len(opened),
        "rss_before_mib": round(before / _MIB),
        "rss_grown_mib": round(grown / _MIB),
        "kib_of_one": round(grown / len(opened) / 1024, 1),
        "stop_s": round(time.perf_counter() - begun, 1),
        "ended_in_order": sum(ended),
        "exit_code": code,
    }


async def _open(port: int, tokens: list[str]) -> list[EventStream]:
    left, opened = iter(tokens), []

    async def some() -> None:
        for token in left:
            stream = await EventStream.open(port, PATH, token)
            await stream.next()
            opened.append(stream)

    await asyncio.gather(*(some() for _ in range(_AT_ONCE)))
    return opened


def _not_reading(port: int, token: str) -> socket.socket:
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.connect(("127.0.0.1", port))
    client.sendall(request("GET", PATH, token))
    return client


async def _ends(stream: EventStream) -> bool:
    """Whether the stream was ended rather than broken off."""
    try:
        while await stream.next() is not None:
            pass
    except (asyncio.IncompleteReadError, ConnectionError):
        return False
    else:
        return True
    finally:
        stream.close()
