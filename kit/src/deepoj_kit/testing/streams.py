"""Look into a stream from outside."""

from __future__ import annotations

from typing import cast

from redis.asyncio import Redis


async def entries(redis: Redis, stream: str) -> list[tuple[str, dict[str, str]]]:
    """Return every entry with its id and its fields as text."""
    found = cast("list[tuple[bytes, dict[bytes, bytes]]]", await redis.xrange(stream))
    return [
        (entry_id.decode(), {name.decode(): value.decode() for name, value in fields.items()})
        for entry_id, fields in found
    ]


async def pending(redis: Redis, stream: str, group: str) -> int:
    """Return how many entries are delivered to the group and not acknowledged."""
    return int((await redis.xpending(stream, group))["pending"])


async def unread(redis: Redis, stream: str, group: str) -> int:
    """Return how many entries the group has not been given yet."""
    groups = await redis.xinfo_groups(stream)
    return next(int(each["lag"]) for each in groups if each["name"] == group.encode())


async def settled(redis: Redis, stream: str, group: str) -> bool:
    """Tell whether the group has read and acknowledged everything."""
    return await unread(redis, stream, group) == 0 and await pending(redis, stream, group) == 0
