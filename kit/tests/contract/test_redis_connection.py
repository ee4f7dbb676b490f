"""The Redis client as the kit makes it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from redis.asyncio import Connection, SSLConnection, UnixDomainSocketConnection

from deepoj_kit.streams import connect
from deepoj_kit.streams.connection import translated
from deepoj_kit.testing.conditions import PATIENCE, eventually
from deepoj_kit.unavailable import Unavailable

MUCH = b"x" * (64 << 20)


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("redis://localhost", Connection),
        ("rediss://localhost", SSLConnection),
        ("unix:///nowhere", UnixDomainSocketConnection),
    ],
)
async def test_every_kind_of_address_is_known(url: str, kind: type) -> None:
    async with connect(url) as redis:
        assert issubclass(redis.connection_pool.connection_class, kind)


async def test_a_server_that_does_not_read_is_given_up(private_home: Path) -> None:
    asleep = asyncio.Event()

    async def greet_and_fall_asleep(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while greetings := (await reader.read(1024)).count(b"SETINFO"):
            writer.write(b"+OK\r\n" * greetings)
        await asleep.wait()
        writer.close()

    def open_files() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    before, socket = open_files(), private_home / "redis.sock"
    server = await asyncio.start_unix_server(greet_and_fall_asleep, socket, limit=1024)
    async with server, asyncio.timeout(PATIENCE), connect(f"unix://{socket}", command_timeout=1.0) as redis:
        with pytest.raises(Unavailable, match="writing"), translated():
            await redis.set("key", MUCH)
        asleep.set()
    await eventually(lambda: open_files() <= before)
