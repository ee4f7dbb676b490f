"""The stream commands with types: the only place that knows the shape of Redis replies."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from redis.asyncio import Redis
from redis.exceptions import RedisError, ResponseError

from deepoj_kit.streams.connection import translated
from deepoj_kit.streams.retention import MaxAge, MaxLength, Retention

RawFields = dict[bytes, bytes]
_RawEntries = list[tuple[bytes | None, RawFields | None]]
START = "0-0"
_FOLLOWED_AT_ONCE = 512
# One step for the server, because a successor of the same name may be reading already.
_FORGET = """
if #redis.call('XPENDING', KEYS[1], ARGV[1], '-', '+', 1, ARGV[2]) == 0 then
    redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], ARGV[2])
end
"""
# The number of the first that is not there, from 1; 0 when all are.
_FIRST_MISSING = """
for number, entry in ipairs(ARGV) do
    if #redis.call('XRANGE', KEYS[1], entry, entry, 'COUNT', 1) == 0 then return number end
end
return 0
"""
# By priority, in one round trip: how many are read of a stream depends on how many there were before it.
_READ = """
local found, left = {}, tonumber(ARGV[3])
for _, stream in ipairs(KEYS) do
    if left <= 0 then break end
    local reply = redis.call('XREADGROUP', 'GROUP', ARGV[1], ARGV[2], 'COUNT', left, 'STREAMS', stream, '>')
    if reply then
        left = left - #reply[1][2]
        found[#found + 1] = reply[1]
    end
end
return found
"""


@dataclass(frozen=True, slots=True)
class NewEntry:
    stream: str
    fields: Mapping[str, str]
    retention: Retention | None = None
    listed_in: str = ""
    """A set that names the stream, for readers who cannot know that it is there."""


@dataclass(frozen=True, slots=True)
class Entry:
    stream: str
    id: str
    fields: RawFields

    @property
    def key(self) -> tuple[str, str]:
        return self.stream, self.id

    def milliseconds(self) -> int:
        """Return when the server took the entry, in its own time."""
        return int(self.id.partition("-")[0])


async def append(redis: Redis, entries: Sequence[NewEntry], now: datetime) -> list[str | RedisError]:
    """Append all entries in one round trip; return for each its id, or why the server refused it."""
    pipeline = redis.pipeline(transaction=False)
    # First, so that no entry is kept of a stream that nobody can find.
    listed = {(entry.listed_in, entry.stream) for entry in entries if entry.listed_in}
    for key, stream in listed:
        _ = pipeline.sadd(key, stream)
    for entry in entries:
        fields = (part for field in entry.fields.items() for part in field)
        _ = pipeline.execute_command("XADD", entry.stream, *_trim(entry.retention, now), "*", *fields)
    with translated():
        replies = await pipeline.execute(raise_on_error=False)
    added = replies[len(listed) :]
    return [reply if isinstance(reply, RedisError) else cast("bytes", reply).decode() for reply in added]


async def members(redis: Redis, key: str) -> set[str]:
    """Return what a set names."""
    with translated():
        found = await cast("Awaitable[set[bytes]]", redis.smembers(key))
    return {each.decode() for each in found}


def _trim(retention: Retention | None, now: datetime) -> tuple[str | int, ...]:
    match retention:
        case MaxLength(entries):
            return ("MAXLEN", "~", entries)
        case MaxAge(age):
            return ("MINID", "~", int((now - age).timestamp() * 1000))
        case None:
            return ()


async def create_group(redis: Redis, stream: str, group: str) -> bool:
    """Create the group at the very beginning of the stream, unless it exists; return whether it did not."""
    try:
        with translated():
            await redis.xgroup_create(stream, group, id="0", mkstream=True)
    except ResponseError as error:
        if not str(error).startswith("BUSYGROUP"):
            raise
        return False
    return True


async def read_group(
    redis: Redis, group: str, consumer: str, streams: Sequence[str], count: int, block: float | None
) -> list[Entry]:
    """Read entries new to the group: at most `count` of each stream, in the order of `streams`."""
    milliseconds = None if block is None else max(1, round(block * 1000))
    with translated():
        reply = await redis.xreadgroup(
            group, consumer, dict.fromkeys(streams, ">"), count=count, block=milliseconds
        )
    parts = cast("list[tuple[bytes, _RawEntries]]", reply)
    return [entry for stream, entries in parts for entry in _entries(stream.decode(), entries)]


async def first_missing(redis: Redis, stream: str, ids: Sequence[str]) -> int | None:
    """Return the index of the first entry that the stream does not have."""
    with translated():
        number = await cast("Awaitable[int]", redis.eval(_FIRST_MISSING, 1, stream, *ids))
    return number - 1 if number else None


async def newest_id(redis: Redis, stream: str) -> str:
    with translated():
        newest = await redis.xrevrange(stream, count=1)
    return cast("bytes", newest[0][0]).decode() if newest else START


async def read_after(redis: Redis, stream: str, last: str, block: float | None = None) -> list[Entry]:
    """Read what came after an entry, whoever else reads it; wait so many seconds for the first, if any."""
    wait = None if block is None else max(1, round(block * 1000))
    with translated():
        reply = await redis.xread({stream: last}, count=_FOLLOWED_AT_ONCE, block=wait)
    parts = cast("list[tuple[bytes, _RawEntries]]", reply)
    return [entry for name, entries in parts for entry in _entries(name.decode(), entries)]


class ReadByPriority:
    """Reads what is there already, at most `count` in all: the first streams first."""

    def __init__(self, redis: Redis, group: str, consumer: str) -> None:
        self._script = redis.register_script(_READ)
        self._reader = (group, consumer)

    async def __call__(self, streams: Sequence[str], count: int) -> list[Entry]:
        with translated():
            reply = await self._script(keys=[*streams], args=[*self._reader, count])
        parts = cast("list[tuple[bytes, list[tuple[bytes, list[bytes]]]]]", reply)
        return [
            Entry(stream.decode(), entry_id.decode(), dict(zip(fields[::2], fields[1::2], strict=True)))
            for stream, entries in parts
            for entry_id, fields in entries
        ]


async def claim_idle(
    redis: Redis, group: str, consumer: str, stream: str, min_idle: float, cursor: str, count: int
) -> tuple[str, list[Entry]]:
    """Take over entries that have been idle too long; return where to go on, and the entries."""
    with translated():
        reply = await redis.xautoclaim(
            stream, group, consumer, min_idle_time=round(min_idle * 1000), start_id=cursor, count=count
        )
    return parse_claimed(stream, reply)


def parse_claimed(stream: str, reply: Sequence[object]) -> tuple[str, list[Entry]]:
    # Redis 7 adds a third element, the ids of trimmed entries, which it has dropped from the pending list
    # itself. Redis 6.2 sends nil in the place of such an entry.
    cursor, entries = cast("bytes", reply[0]), cast("_RawEntries", reply[1])
    return cursor.decode(), _entries(stream, entries)


async def give_back(
    redis: Redis, group: str, consumer: str, entries: Sequence[Entry], min_idle: float
) -> None:
    """Let the entries look idle for so long, and not delivered once more: anybody may take them over now."""
    with translated():
        for stream, ids in _by_stream(entries).items():
            await redis.xclaim(
                stream, group, consumer, min_idle_time=0, message_ids=[*ids],
                idle=round(min_idle * 1000), justid=True,
            )  # fmt: skip


async def forget_consumer(redis: Redis, group: str, consumer: str, stream: str) -> None:
    """Remove a consumer unless it still has entries: they would be lost with it."""
    with translated():
        await cast("Awaitable[object]", redis.eval(_FORGET, 1, stream, group, consumer))


async def silent_consumers(redis: Redis, group: str, stream: str, seconds: float) -> list[str]:
    """Return the names of those that have not even tried to read for so long."""
    with translated():
        consumers = cast("list[dict[str, bytes | int]]", await redis.xinfo_consumers(stream, group))
    return [cast("bytes", each["name"]).decode() for each in consumers if int(each["idle"]) >= seconds * 1000]


async def delivery_counts(redis: Redis, group: str, stream: str, ids: Sequence[str]) -> dict[str, int]:
    pipeline = redis.pipeline(transaction=False)
    for entry_id in ids:
        _ = pipeline.xpending_range(stream, group, min=entry_id, max=entry_id, count=1)
    with translated():
        replies = await pipeline.execute()
    rows = [row for reply in replies for row in cast("list[dict[str, bytes | int]]", reply)]
    return {cast("bytes", row["message_id"]).decode(): int(row["times_delivered"]) for row in rows}


async def acknowledge(redis: Redis, group: str, entries: Sequence[Entry]) -> None:
    with translated():
        for stream, ids in _by_stream(entries).items():
            await redis.xack(stream, group, *ids)


def _by_stream(entries: Sequence[Entry]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for entry in entries:
        found.setdefault(entry.stream, []).append(entry.id)
    return found


def _entries(stream: str, raw: _RawEntries) -> list[Entry]:
    return [
        Entry(stream, entry_id.decode(), fields)
        for entry_id, fields in raw
        if entry_id is not None and fields is not None
    ]
