"""The objects of a system, out of S3 and back, each only where it is missing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import partial
from typing import Final, TypeVar

from deepoj.backup.repository import DamagedError, Entry, Repository
from deepoj_kit.objects import NotFoundError, ObjectInfo, ObjectStore

BY_CONTENT: Final = "data/"
"""Keys of this prefix end with the SHA-256 of their object."""
_AT_ONCE: Final = 8

T = TypeVar("T")
Tell = Callable[[int, int], None]
"""Told how many objects were looked at and how many bytes were copied, after each."""


@dataclass(slots=True)
class Copied:
    entries: dict[str, Entry] = field(default_factory=dict)
    objects: int = 0
    bytes: int = 0
    damaged: list[str] = field(default_factory=list)
    """Keys whose object is not what the key says."""


class CopyOut:
    """Take over what is in the store; run again, it takes what came since."""

    def __init__(self, repository: Repository, before: Mapping[str, Entry], tell: Tell) -> None:
        self._repository = repository
        self._before = before
        self._tell = tell
        self.copied = Copied()

    async def __call__(self, objects: ObjectStore) -> None:
        async with objects as store:
            await _each_of(store.list(""), partial(self._take, store))

    async def _take(self, store: ObjectStore, info: ObjectInfo) -> None:
        entry = self._known(info)
        if entry is None:
            try:
                entry = await self._copy(store, info)
            except NotFoundError:
                return  # deleted since it was listed
            self.copied.objects += 1
            self.copied.bytes += entry.size
        self.copied.entries[info.key] = entry
        self._tell(len(self.copied.entries), self.copied.bytes)

    def _known(self, info: ObjectInfo) -> Entry | None:
        named = info.key.removeprefix(BY_CONTENT) if info.key.startswith(BY_CONTENT) else ""
        candidates = (
            self.copied.entries.get(info.key),
            self._before.get(info.key),
            Entry(info.key, info.size, info.etag, named) if named else None,
        )
        for known in candidates:
            same = known and (known.size, known.etag) == (info.size, info.etag)
            if known and same and self._repository.has(known.content):
                return known
        return None

    async def _copy(self, store: ObjectStore, info: ObjectInfo) -> Entry:
        with self._repository.draft() as draft:
            async with aclosing(store.stream(info.key, max_size=info.size)) as chunks:
                async for chunk in chunks:
                    draft.write(chunk)
        entry = Entry(info.key, draft.content.size, info.etag, draft.content.sha256)
        if info.key.startswith(BY_CONTENT) and info.key != BY_CONTENT + entry.sha256:
            self.copied.damaged.append(info.key)
        return entry


async def put_back_objects(
    objects: ObjectStore, repository: Repository, entries: Iterator[Entry], tell: Tell
) -> list[str]:
    """Return the keys of those that are damaged in the backup; they are left out."""
    seen = copied = 0
    damaged: list[str] = []

    async def put(entry: Entry) -> None:
        nonlocal seen, copied
        if there.get(entry.key) != entry.size:
            try:
                await store.put(entry.key, _async(repository.read(entry.content)), max_size=entry.size)
            except DamagedError:
                damaged.append(entry.key)
            else:
                copied += entry.size
        seen += 1
        tell(seen, copied)

    async with objects as store:
        there = {info.key: info.size async for info in store.list(BY_CONTENT)}
        await _each_of(_async(entries), put)
    return sorted(damaged)


async def _async(values: Iterator[T]) -> AsyncIterator[T]:
    for value in values:
        yield value


async def _each_of(values: AsyncIterator[T], work: Callable[[T], Awaitable[None]]) -> None:
    """Do the work for each value, a few at a time; the first failure ends it."""
    free = asyncio.Semaphore(_AT_ONCE)

    async def one(value: T) -> None:
        try:
            await work(value)
        finally:
            free.release()

    try:
        async with asyncio.TaskGroup() as group:
            async for value in values:
                await free.acquire()
                group.create_task(one(value))
    except BaseExceptionGroup as failures:
        raise failures.exceptions[0] from None
